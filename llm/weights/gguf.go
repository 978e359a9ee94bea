package weights

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/gguf"
)

// GGUF is the weights of a GGUF file.
type GGUF struct {
	file  *gguf.File
	infos map[string]gguf.Info
}

// OpenGGUF returns the weights of a model. A weight of its text that would not be computed with is an error.
func OpenGGUF(f *gguf.File, d *architecture.Description) (*GGUF, error) {
	w := NewGGUF(f)
	return w, w.unread(d)
}

// The names of tensors in layers, and of those that say how positions turn heads.
var (
	endless      = regexp.MustCompile(`^blk\.\d{1,4}\.[a-z0-9_]+$`) // names without an ending
	inBlock      = regexp.MustCompile(`^blk\.(\d{1,4})\.`)
	turnsHeads   = regexp.MustCompile(`^(?:blk\.\d{1,4}\.)?(?:rope_(?:freqs|factors_short|factors_long)|attn_rot_embd)\.weight$`)
	besideText   = regexp.MustCompile(`^(?:v|a|mm|resampler)\.`) // of pictures and sounds
	ofSentences  = regexp.MustCompile(`^dense_[23]\.weight$`)    // behind the pooling
	ofClassifier = regexp.MustCompile(`^cls(?:\.(?:output|norm))?\.(?:weight|bias)$`)
)

// unread says which tensor of the text model is in the file and would not be computed with: scores would be others.
func (w *GGUF) unread(d *architecture.Description) error {
	names, err := d.Members(w.Shape)
	if err != nil {
		return err
	}
	for _, name := range aside {
		names = append(names, name+".weight", name+".bias")
	}
	read := map[string]bool{}
	for _, name := range names {
		read[name] = true
	}
	for _, name := range slices.Sorted(maps.Keys(w.infos)) {
		if read[name] || turnsHeads.MatchString(name) || besideText.MatchString(name) || d.Encoder && ofSentences.MatchString(name) || (d.Encoder || d.Pooling == "rank") && ofClassifier.MatchString(name) {
			continue
		}
		if m := inBlock.FindStringSubmatch(name); m != nil {
			switch layer, _ := strconv.Atoi(m[1]); {
			case layer >= d.Layers+d.Guessing:
				return fmt.Errorf("%s is of a layer that the metadata does not have; it says %d layers", name, d.Layers+d.Guessing)
			case layer >= d.Layers:
				continue
			}
		}
		return fmt.Errorf("%s is no weight of a %s that is known; without it scores would be others", name, d.Architecture)
	}
	return nil
}

// otherwise are the weights whose names differ from those of other architectures.
var otherwise = map[string]map[string]string{
	"lfm2": {"token_embd_norm": "output_norm"}, "lfm2moe": {"token_embd_norm": "output_norm"},
	"neo-bert": {"enc.output_norm": "output_norm"},
	"dbrx":     {"attn_output_norm": "ffn_norm"},
	"grok": {"attn_output_norm": "post_attention_norm", "layer_output_norm": "post_ffw_norm", "ffn_gate": "ffn_gate_shexp", "ffn_up": "ffn_up_shexp",
		"ffn_down": "ffn_down_shexp"},
}

// NewGGUF returns what a file has, whichever weights they are.
func NewGGUF(f *gguf.File) *GGUF {
	w := &GGUF{f, map[string]gguf.Info{}}
	for _, info := range f.Tensors() {
		w.infos[info.Name] = info
	}
	for name, info := range maps.Clone(w.infos) {
		if !endless.MatchString(name) {
			continue
		}
		delete(w.infos, name)
		if strings.HasSuffix(name, ".exp_probs_b") { // of Hunyuan 3
			w.infos[name+".bias"] = info
		} else {
			w.infos[name+".weight"] = info
		}
	}
	for name, info := range w.infos { // which are no weights of products
		if part, ok := strings.CutSuffix(name, ".scale"); ok && (strings.HasSuffix(part, "ffn_gate_inp") || strings.HasSuffix(part, "ffn_down_exps")) {
			delete(w.infos, name)
			w.infos[part+"_scale.weight"] = info
		}
	}
	kind, _ := f.Metadata["general.architecture"].(string)
	for name, info := range maps.Clone(w.infos) {
		layer := inBlock.FindString(name)
		part, _, _ := strings.Cut(name[len(layer):], ".weight")
		if to, ok := otherwise[kind][part]; ok {
			delete(w.infos, name)
			w.infos[layer+to+".weight"] = info
		}
	}
	if kind == "falcon" { // where there are two norms, the other one is of attention
		for name := range maps.Clone(w.infos) {
			if layer, ok := strings.CutSuffix(name, "attn_norm_2.weight"); ok {
				w.rename(layer+"attn_norm", layer+"ffn_norm")
				w.rename(layer+"attn_norm_2", layer+"attn_norm")
			}
		}
	}
	return w
}

// rename gives a weight that the file names otherwise the name that it has elsewhere.
func (w *GGUF) rename(from, to string) {
	for _, kind := range []string{".weight", ".bias"} {
		if info, ok := w.infos[from+kind]; ok {
			delete(w.infos, from+kind)
			w.infos[to+kind] = info
		}
	}
}

// Shape implements [Files].
func (w *GGUF) Shape(name string) []int {
	if info, ok := w.infos[name]; ok {
		return info.Shape
	}
	return nil
}

// Tensor implements [Files].
func (w *GGUF) Tensor(name string) (*tensor.Tensor, error) {
	b, err := w.file.Tensor(w.infos[name].Name)
	if err != nil {
		return nil, err
	}
	if b.DType == dtype.F32 {
		return tensor.FromBuffer(b), nil
	}
	return tensor.Call("_to_copy", tensor.FromBuffer(b), tensor.DType(dtype.F32))[0], nil
}

// Stored implements [Files].
func (w *GGUF) Stored(name string) (Weight, error) {
	b, format, err := w.file.Stored(w.infos[name].Name)
	if err != nil {
		return Weight{}, err
	}
	return Weight{Tensor: tensor.FromBuffer(b), Format: format}, nil
}

// Held implements [Files].
func (w *GGUF) Held(name string) (bytes int64, format dtype.Format, mapped bool) {
	info := w.infos[name]
	format, _ = dtype.FormatNamed(strings.ToLower(info.Type))
	return info.Bytes, format, true
}

// Lookup implements [Files].
func (w *GGUF) Lookup(name string) (Lookup, error) {
	rows, err := w.file.Rows(w.infos[name].Name)
	if err != nil {
		return nil, err
	}
	return rows.Lookup, nil
}

// Close implements [Files].
func (w *GGUF) Close() error { return w.file.Close() }
