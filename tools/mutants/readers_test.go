package mutants

import (
	"bytes"
	"encoding/binary"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/llmtest"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/tensor/safetensors"
	"github.com/go-acap/acap/text/tokenizer"
)

// dump is a value change dump.
const dump = `$date today $end $version x $end
$timescale 10 ns $end
$scope module top $end $scope module core_3_4 $end $var wire 1 ! core_3_4 $end $var reg 8 " state [7:0] $end $var real 64 # load $end $upscope $end $upscope $end
$enddefinitions $end
$dumpvars 0! bx " r0.5 # $end
#5 1! b101 "
#7
0!
#9 1! #12 0!
`

// packets is words of packets.
const packets = "80220003\nf0000000\n00000102\n13fefefe\n8d01ff00\nc0321234\ne2fefefe\na80100fe\n80220003\nd0050ad8\n05d40508\n00fefefe\n"

// tokens encodes and decodes by a tokenizer.json.
func tokens(path string) error {
	t, err := tokenizer.Open(path)
	if err != nil {
		return err
	}
	if ids, err := t.Encode(" A stone's throw, ünder 1234 <s></s>\n\x00\xff", tokenizer.EncodeOptions{}); err == nil {
		_, _ = t.Decode(ids, false)
	}
	_, _ = t.Decode([]int{-1, 0, 3, 1 << 40}, true)
	return nil
}

// language loads a language model, a file or what is in a folder, and lets it say two tokens of a chat.
func language(path string) error {
	if filepath.Ext(path) != ".gguf" {
		path = filepath.Dir(path)
	}
	m, err := llm.Load(path, llm.LoadOptions{Context: 64})
	if err != nil {
		return err
	}
	defer m.Close()
	prompt := "ab"
	if m.HasTemplate() {
		if prompt, err = m.Format([]llm.Message{{Role: "user", Content: "ab"}}, llm.TemplateOptions{}); err != nil {
			return err
		}
	}
	ctx := newCounted()
	defer ctx.end()
	_, err = llm.Complete(m.Generate(ctx, prompt, llm.Options{MaxTokens: 2}))
	return err
}

// beside is a sample that is altered in a folder with the rest of what a writer makes.
func beside(t *testing.T, write func(dir string), name string, use func(string) error, forms ...func([]byte, int) iter.Seq2[string, []byte]) sample {
	dir := t.TempDir()
	write(dir)
	text, err := os.ReadFile(filepath.Join(dir, name))
	require.NoError(t, err)
	return sample{data: text, forms: forms, use: use, folder: dir}
}

// npyForms are forms of an array whose header is right in length.
func npyForms(sound []byte, count int) iter.Seq2[string, []byte] {
	n := int(binary.LittleEndian.Uint16(sound[8:]))
	return func(yield func(string, []byte) bool) {
		for what, form := range hostile.Texts(sound[10:10+n], count) {
			if len(form) > 65535 {
				continue
			}
			file := binary.LittleEndian.AppendUint16(bytes.Clone(sound[:8]), uint16(len(form)))
			if !yield(what, append(append(file, form...), sound[10+n:]...)) {
				return
			}
		}
	}
}

// readers are samples of readers, not of models and weights alone.
func readers(t *testing.T) map[string]sample {
	type forms = []func([]byte, int) iter.Seq2[string, []byte]
	small := llmtest.Sizes{Layers: 1, Width: 32, Heads: 2, KVHeads: 1, Hidden: 32, Vocabulary: 300, Context: 64, Seed: 1}
	folder := func(dir string) { require.NoError(t, llmtest.WriteFolder(dir, small)) }
	shards := func(dir string) {
		_, err := safetensors.WriteSharded(filepath.Join(dir, "model.safetensors.index.json"), []safetensors.Tensor{
			{Name: "a", Data: buf.From([]float32{1, 2, 3, 4}, 2, 2)}, {Name: "b", Data: buf.From([]int64{1, 2}, 2)}}, nil, 20)
		require.NoError(t, err)
	}
	var array, file bytes.Buffer
	require.NoError(t, npy.Write(&array, buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)))
	const tosa = `func.func @main(%x: tensor<1x4x4x2xf32>, %w: tensor<3x2x2x2xf32>) -> tensor<1x2x2x3xf32> {
  %b = "tosa.const"() {values = dense<0.5> : tensor<3xf32>} : () -> tensor<3xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %0 = tosa.conv2d %x, %w, %b, %z, %z {acc_type = f32, dilation = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x2x2x3xf32>
  %1 = tosa.clamp %0 {min_val = 0.0 : f32, max_val = 6.0 : f32} : (tensor<1x2x2x3xf32>) -> tensor<1x2x2x3xf32>
  return %1 : tensor<1x2x2x3xf32>
}
`
	const body = `func.func @main(%x: tensor<1x8x8x3xf32>, %w: tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32> {
  %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [1, 1]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
  %c = stablehlo.constant dense<[0.5, 1.0, 2.0, 3.0]> : tensor<4xf32>
  %1 = stablehlo.broadcast_in_dim %c, dims = [3] : (tensor<4xf32>) -> tensor<1x6x6x4xf32>
  %2 = stablehlo.add %0, %1 : tensor<1x6x6x4xf32>
  return %2 : tensor<1x6x6x4xf32>
}
`
	module, err := mlir.Parse("m.mlir", []byte(body))
	require.NoError(t, err)
	var plain bytes.Buffer
	require.NoError(t, bytecode.Write(&plain, module))
	require.NoError(t, bytecode.WritePortable(&file, module, "1.0.0"))
	return map[string]sample{
		"x.npy":       {data: array.Bytes(), forms: forms{npyForms, hostile.Numbers}, use: func(path string) error { _, err := npy.ReadFile(path); return err }},
		"tosa.mlir":   {data: []byte(tosa), forms: forms{hostile.Texts}, use: model},
		"p.mlirbc":    {data: plain.Bytes(), forms: forms{hostile.Numbers, hostile.Variants}, use: model},
		"v.mlirbc":    {data: file.Bytes(), forms: forms{hostile.Numbers, hostile.Variants}, use: model},
		"d.vcd":       {data: []byte(dump), forms: forms{hostile.Texts}, use: recorded},
		"packets.txt": {data: []byte(packets), forms: forms{hostile.Texts, hostile.Variants}, use: recorded},
		"tokenizer.json": beside(t, folder, "tokenizer.json", func(path string) error {
			if err := tokens(path); err != nil {
				return err
			}
			return language(path)
		}, hostile.JSON),
		"config.json":                  beside(t, folder, "config.json", language, hostile.JSON),
		"generation_config.json":       beside(t, folder, "generation_config.json", language, hostile.JSON),
		"tokenizer_config.json":        beside(t, folder, "tokenizer_config.json", language, hostile.JSON),
		"chat_template.jinja":          beside(t, folder, "chat_template.jinja", language, hostile.Texts),
		"model.safetensors":            beside(t, folder, "model.safetensors", language, hostile.Headers),
		"model.safetensors.index.json": beside(t, shards, "model.safetensors.index.json", state, hostile.JSON),
		"model.gguf": beside(t, func(dir string) { require.NoError(t, llmtest.WriteGGUF(filepath.Join(dir, "model.gguf"), small)) }, "model.gguf",
			language, hostile.Numbers),
	}
}
