package llmtest

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/tensor/safetensors"
)

// Sizes are the sizes of a model.
type Sizes struct {
	Layers, Width, Heads, KVHeads, Hidden, Vocabulary, Context int
	Seed                                                       uint64 // of the weights

	Control map[int]string // names of tokens that stand for no text
}

// Small is a model of 420 KB.
var Small = Sizes{Layers: 2, Width: 64, Heads: 4, KVHeads: 2, Hidden: 96, Vocabulary: 320, Context: 2048, Seed: 1}

// template is the template of chats.
const template = `{% for m in messages %}<|{{ m.role }}|>
{{ m.content }}</s>
{% endfor %}{% if tools %}{{ tools | tojson }}
{% endif %}{% if add_generation_prompt %}<|assistant|>
{% endif %}`

// The kinds of tokens, as GGUF has them.
const (
	normal  = 1
	unknown = 2
	control = 3
	byted   = 6
)

// tokens are the texts of tokens, and their kinds.
func (s *Sizes) tokens() (texts []string, kinds []int32) {
	add := func(text string, kind int32) { texts, kinds = append(texts, text), append(kinds, kind) }
	add("<unk>", unknown)
	add("<s>", control)
	add("</s>", control)
	for b := range 256 {
		add(fmt.Sprintf("<0x%02X>", b), byted)
	}
	for c := 'a'; len(texts) < s.Vocabulary && c <= 'z'; c++ {
		add(string(c), normal)
	}
	add("▁", normal)
	for i := 0; len(texts) < s.Vocabulary; i++ {
		add(fmt.Sprintf("▁%c%c", 'a'+i/26%26, 'a'+i%26), normal)
	}
	for id, name := range s.Control {
		texts[id], kinds[id] = name, control
	}
	return texts, kinds
}

// weight is a tensor: its name in GGUF and in folders, its shape, and how many heads its rows have whose pairs GGUF has
// side by side.
type weight struct {
	gguf, folder string
	shape        []int
	data         []float32
	heads        int
}

func (s *Sizes) check() error {
	if s.Layers < 1 || s.Heads < 1 || s.KVHeads < 1 || s.Heads%s.KVHeads != 0 || s.Width%(2*s.Heads) != 0 || s.Hidden < 1 || s.Vocabulary < 300 || s.Context < 1 {
		return errors.New("llmtest: these sizes make no model")
	}
	return nil
}

// weights draws the model's weights from a seed.
func (s *Sizes) weights() []weight {
	r := rand.New(rand.NewPCG(s.Seed, 17))
	var list []weight
	add := func(gguf, folder string, heads int, shape ...int) {
		w := weight{gguf: gguf + ".weight", folder: folder + ".weight", shape: shape, heads: heads, data: make([]float32, shape[0]*max(1, shape[len(shape)-1]*(len(shape)-1)))}
		for i := range w.data {
			if len(shape) == 1 {
				w.data[i] = 1 + 0.1*float32(r.NormFloat64())
			} else {
				w.data[i] = float32(2 * r.NormFloat64() / math.Sqrt(float64(shape[1])))
			}
		}
		list = append(list, w)
	}
	kv := s.Width / s.Heads * s.KVHeads
	add("token_embd", "model.embed_tokens", 0, s.Vocabulary, s.Width)
	for i := range s.Layers {
		g, f := fmt.Sprintf("blk.%d.", i), fmt.Sprintf("model.layers.%d.", i)
		add(g+"attn_norm", f+"input_layernorm", 0, s.Width)
		add(g+"attn_q", f+"self_attn.q_proj", s.Heads, s.Width, s.Width)
		add(g+"attn_k", f+"self_attn.k_proj", s.KVHeads, kv, s.Width)
		add(g+"attn_v", f+"self_attn.v_proj", 0, kv, s.Width)
		add(g+"attn_output", f+"self_attn.o_proj", 0, s.Width, s.Width)
		add(g+"ffn_norm", f+"post_attention_layernorm", 0, s.Width)
		add(g+"ffn_gate", f+"mlp.gate_proj", 0, s.Hidden, s.Width)
		add(g+"ffn_up", f+"mlp.up_proj", 0, s.Hidden, s.Width)
		add(g+"ffn_down", f+"mlp.down_proj", 0, s.Width, s.Hidden)
	}
	add("output_norm", "model.norm", 0, s.Width)
	add("output", "lm_head", 0, s.Vocabulary, s.Width)
	return list
}

// WriteFolder writes the model as Hugging Face's tools do: config.json, model.safetensors, tokenizer.json and
// chat_template.jinja. Sizes that make no model are an error, and so is a file that cannot be written.
func WriteFolder(dir string, s Sizes) error {
	if err := s.check(); err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return err
	}
	var tensors []safetensors.Tensor
	for _, w := range s.weights() {
		tensors = append(tensors, safetensors.Tensor{Name: w.folder, Data: buf.From(w.data, w.shape...)})
	}
	if err := safetensors.WriteFile(filepath.Join(dir, "model.safetensors"), tensors, map[string]string{"format": "pt"}); err != nil {
		return err
	}
	texts, _ := s.tokens()
	var special []any
	for i, t := range texts[:3] {
		special = append(special, map[string]any{"id": i, "content": t, "special": true})
	}
	files := map[string]any{
		"config.json": map[string]any{"model_type": "llama", "num_hidden_layers": s.Layers, "hidden_size": s.Width, "num_attention_heads": s.Heads,
			"num_key_value_heads": s.KVHeads, "intermediate_size": s.Hidden, "vocab_size": s.Vocabulary, "max_position_embeddings": s.Context,
			"rms_norm_eps": 1e-5, "rope_theta": 1e4, "tie_word_embeddings": false, "bos_token_id": 1, "eos_token_id": 2, "hidden_act": "silu"},
		"generation_config.json": map[string]any{"bos_token_id": 1, "eos_token_id": []int{2}},
		"tokenizer_config.json":  map[string]any{"bos_token": "<s>", "eos_token": "</s>"},
		"tokenizer.json": map[string]any{"added_tokens": special,
			"normalizer": map[string]any{"type": "Sequence", "normalizers": []any{map[string]any{"type": "Prepend", "prepend": "▁"},
				map[string]any{"type": "Replace", "pattern": map[string]any{"String": " "}, "content": "▁"}}},
			"model": map[string]any{"type": "BPE", "vocab": onlyTexts(texts), "merges": []any{}, "byte_fallback": true, "fuse_unk": true, "unk_token": "<unk>"},
			"post_processor": map[string]any{"type": "TemplateProcessing", "single": []any{map[string]any{"SpecialToken": map[string]any{"id": "<s>", "type_id": 0}},
				map[string]any{"Sequence": map[string]any{"id": "A", "type_id": 0}}}, "pair": []any{},
				"special_tokens": map[string]any{"<s>": map[string]any{"id": "<s>", "ids": []int{1}, "tokens": []string{"<s>"}}}},
			"decoder": map[string]any{"type": "Sequence", "decoders": []any{map[string]any{"type": "Replace", "pattern": map[string]any{"String": "▁"}, "content": " "},
				map[string]any{"type": "ByteFallback"}, map[string]any{"type": "Fuse"}, map[string]any{"type": "Strip", "content": " ", "start": 1, "stop": 0}}}},
	}
	for name, value := range files {
		data, err := json.Marshal(value)
		if err != nil {
			return err
		}
		if err := atomicfile.WriteBytes(filepath.Join(dir, name), data); err != nil {
			return err
		}
	}
	return atomicfile.WriteBytes(filepath.Join(dir, "chat_template.jinja"), []byte(template))
}

// onlyTexts is a vocabulary by text.
func onlyTexts(texts []string) map[string]int {
	out := map[string]int{}
	for i, t := range texts {
		out[t] = i
	}
	return out
}

// WriteGGUF writes the model as a GGUF file of f32. Sizes that make no model are an error, and so is a file that cannot
// be written.
func WriteGGUF(path string, s Sizes) error {
	if err := s.check(); err != nil {
		return err
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := w.Write(s.gguf())
		return err
	})
}

var little = binary.LittleEndian

// gguf is the bytes of the file.
func (s *Sizes) gguf() []byte {
	meta, weights := s.metadata(), s.weights()
	b := little.AppendUint32([]byte("GGUF"), 3)
	b = little.AppendUint64(little.AppendUint64(b, uint64(len(weights))), uint64(meta.entries))
	b = append(b, meta.bytes...)
	at := uint64(0)
	for _, w := range weights {
		b = little.AppendUint32(appendText(b, w.gguf), uint32(len(w.shape)))
		for i := range w.shape {
			b = little.AppendUint64(b, uint64(w.shape[len(w.shape)-1-i]))
		}
		b = little.AppendUint64(little.AppendUint32(b, 0), at)
		at = (at + 4*uint64(len(w.data)) + 31) / 32 * 32
	}
	for _, w := range weights {
		b = append(b, make([]byte, (32-len(b)%32)%32)...)
		width := w.shape[len(w.shape)-1]
		for row := range len(w.data) / width {
			from := row
			if w.heads > 0 { // pairs half a head apart come side by side
				head := w.shape[0] / w.heads
				i := row % head
				from = row - i + i/2 + i%2*head/2
			}
			for _, v := range w.data[from*width : (from+1)*width] {
				b = little.AppendUint32(b, math.Float32bits(v))
			}
		}
	}
	return b
}

// metadata says the sizes and has the tokens.
func (s *Sizes) metadata() *metadata {
	m := &metadata{}
	m.text("general.architecture", "llama")
	m.text("general.name", "small")
	for name, v := range map[string]int{"context_length": s.Context, "embedding_length": s.Width, "block_count": s.Layers, "feed_forward_length": s.Hidden,
		"attention.head_count": s.Heads, "attention.head_count_kv": s.KVHeads, "rope.dimension_count": s.Width / s.Heads} {
		m.number("llama."+name, v)
	}
	m.float("llama.attention.layer_norm_rms_epsilon", 1e-5)
	m.float("llama.rope.freq_base", 1e4)
	texts, kinds := s.tokens()
	m.text("tokenizer.ggml.model", "llama")
	m.list("tokenizer.ggml.tokens", ggufText, len(texts))
	for _, t := range texts {
		m.bytes = appendText(m.bytes, t)
	}
	m.list("tokenizer.ggml.scores", ggufFloat, len(texts))
	for i := range texts {
		m.bytes = little.AppendUint32(m.bytes, math.Float32bits(-float32(i)))
	}
	m.list("tokenizer.ggml.token_type", ggufInt, len(kinds))
	for _, k := range kinds {
		m.bytes = little.AppendUint32(m.bytes, uint32(k))
	}
	m.number("tokenizer.ggml.bos_token_id", 1)
	m.number("tokenizer.ggml.eos_token_id", 2)
	m.number("tokenizer.ggml.unknown_token_id", 0)
	m.text("tokenizer.chat_template", template)
	return m
}

// The types of values in a GGUF file.
const (
	ggufUint  = 4
	ggufInt   = 5
	ggufFloat = 6
	ggufText  = 8
	ggufList  = 9
)

// metadata are the values in front of the tensors of a GGUF file.
type metadata struct {
	bytes   []byte
	entries int
}

func (m *metadata) key(name string, kind uint32) {
	m.bytes = little.AppendUint32(appendText(m.bytes, name), kind)
	m.entries++
}

func (m *metadata) number(name string, v int) {
	m.key(name, ggufUint)
	m.bytes = little.AppendUint32(m.bytes, uint32(v))
}

func (m *metadata) float(name string, v float32) {
	m.key(name, ggufFloat)
	m.bytes = little.AppendUint32(m.bytes, math.Float32bits(v))
}

func (m *metadata) text(name, v string) {
	m.key(name, ggufText)
	m.bytes = appendText(m.bytes, v)
}

// list begins a list of n elements, which the caller appends.
func (m *metadata) list(name string, kind uint32, n int) {
	m.key(name, ggufList)
	m.bytes = little.AppendUint64(little.AppendUint32(m.bytes, kind), uint64(n))
}

// appendText appends a text behind its length.
func appendText(b []byte, text string) []byte {
	return append(little.AppendUint64(b, uint64(len(text))), text...)
}
