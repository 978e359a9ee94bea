package mutants

import (
	"bytes"
	"context"
	"encoding/binary"
	"fmt"
	"iter"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/hostile"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/cmd/acap/modelfile"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/nn"
	"github.com/go-acap/acap/tensor/npy"
	"github.com/go-acap/acap/tensor/safetensors"
)

// What using a file may take. All three are counts, so that a busy machine changes nothing. The limit of a tensor
// bounds the multiplications of one kernel too; a loop without an end fails by the limit of go test, whose stacks show
// where.
const (
	mostMemory = 1 << 30 // bytes of allocations, garbage included
	mostTurns  = 1 << 16 // steps and turns of loops of a run: see counted
	limit      = 1 << 26 // bytes of a tensor or a run: see buf.Limit
)

// counted is a context that ends when a run has asked so often whether it should: it asks before each step and each
// turn of a loop.
type counted struct {
	context.Context
	end   context.CancelFunc
	asked atomic.Int64
}

func newCounted() *counted {
	ctx, end := context.WithCancel(context.Background())
	return &counted{Context: ctx, end: end}
}

// Err counts.
func (c *counted) Err() error {
	if c.asked.Add(1) >= mostTurns {
		c.end()
	}
	return c.Context.Err()
}

// within calls use. It fails and returns false if use panics or takes more than its share of memory.
func within(t *testing.T, what string, use func() error) (ok bool, err error) {
	t.Helper()
	defer func() {
		if p := recover(); p != nil {
			t.Errorf("%s: %v\n%s", what, p, debug.Stack())
		}
	}()
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	err = use()
	runtime.ReadMemStats(&after)
	n := after.TotalAlloc - before.TotalAlloc
	return assert.LessOrEqual(t, n, uint64(mostMemory), "%s: bytes of memory", what), err
}

// model compiles a model for the host and runs it on zeros.
func model(path string) error {
	var shapes []string
	if _, list, ok := strings.Cut(strings.TrimSuffix(filepath.Base(path), filepath.Ext(path)), "@"); ok {
		shapes = strings.Split(list, ",") // "model@2x3,4xi64.pt"
	}
	types, err := commandline.ParseShapes(shapes)
	if err != nil {
		return err
	}
	module, err := modelfile.Load(path, types)
	if err != nil {
		return err
	}
	_ = module.String()
	f, err := compiler.EntryOf(module)
	if err != nil {
		return err
	}
	var inputs []*buf.Buffer
	for _, t := range f.Attrs.Get("function_type").(mlir.TypeAttr).Type.(mlir.FunctionType).Inputs {
		shape, elem, ok := mlir.ShapeOf(t)
		d := mlir.DTypeOf(elem)
		if !ok || d == dtype.Invalid {
			return fmt.Errorf("an input of type %v", t)
		}
		b, err := buf.NewChecked(d, shape)
		if err != nil {
			return err
		}
		inputs = append(inputs, b)
	}
	ctx := newCounted()
	defer ctx.end()
	exe, err := host.Device().Compile(ctx, module)
	if err != nil {
		return err
	}
	defer exe.Close()
	_, err = exe.Run(ctx, inputs)
	return err
}

// state reads and prints weights.
func state(path string) error {
	tensors, err := nn.ReadState(path)
	for _, t := range tensors {
		_ = t.String()
	}
	return err
}

func rows(path string) error {
	source, err := os.ReadFile(path)
	if err != nil {
		return err
	}
	all, err := predict.Read(bytes.NewReader(source))
	if err != nil {
		return err
	}
	_ = predict.Summarize(predict.Rows(all))
	return nil
}

func table(path string) error {
	_, err := data.CSV(path, "y")
	return err
}

// ggufFile is a file of the layout that its specification has: an architecture, a number of heads, a list of texts, and
// the rows of a query in blocks of Q8_0.
func ggufFile() []byte {
	little := binary.LittleEndian
	text := func(b []byte, s string) []byte { return append(little.AppendUint64(b, uint64(len(s))), s...) }
	b := little.AppendUint32([]byte("GGUF"), 3)
	b = little.AppendUint64(little.AppendUint64(b, 2), 4) // tensors, entries of metadata
	b = text(little.AppendUint32(text(b, "general.architecture"), 8), "llama")
	b = little.AppendUint32(little.AppendUint32(text(b, "llama.attention.head_count"), 4), 2)
	b = little.AppendUint32(little.AppendUint32(text(b, "llama.attention.head_count_kv"), 4), 1)
	b = little.AppendUint64(little.AppendUint32(little.AppendUint32(text(b, "tokenizer.ggml.tokens"), 9), 8), 2)
	b = text(text(b, "ab"), "c")
	for i, name := range []string{"blk.0.attn_q.weight", "blk.0.attn_k.weight"} {
		b = little.AppendUint64(little.AppendUint64(little.AppendUint32(text(b, name), 2), 32), uint64(8>>i))
		b = little.AppendUint64(little.AppendUint32(b, 8), uint64(i*8*34+i*16)) // Q8_0: 34 bytes hold 32 numbers
	}
	b = append(b, make([]byte, -len(b)&31)...)
	for i := range 8*34 + 16 + 4*34 {
		b = append(b, byte(i))
	}
	return b
}

// measured is rows of two devices.
const measured = `source,device,workload,M,K,N,dtype,tiles,metric,value,unit,notes
a paper,npu1,gemm,512,512,512,bf16,16,latency,0.5,ms,
a paper,npu2,vector add,,,65536,f32,4,latency,120,us,one
`

// sample is a sound file, the ways to alter it, and what is done with it.
type sample struct {
	data  []byte
	forms []func([]byte, int) iter.Seq2[string, []byte]
	use   func(path string) error
	// folder has the file and what belongs to it, if it does not stand alone.
	folder string
}

// samples are files by name.
func samples(t *testing.T) map[string]sample {
	read := func(path string) []byte {
		text, err := os.ReadFile(filepath.FromSlash("../../" + path))
		require.NoError(t, err)
		return text
	}
	type forms = []func([]byte, int) iter.Seq2[string, []byte]
	tensors := []safetensors.Tensor{{Name: "a.weight", Data: buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3)},
		{Name: "b", Data: buf.From([]int64{1, 2}, 2)}}
	var weights, arrays, m bytes.Buffer
	require.NoError(t, safetensors.Write(&weights, tensors, map[string]string{"format": "pt"}))
	require.NoError(t, npy.WriteArchive(&arrays, []npy.Array{{Name: "x", Data: tensors[0].Data}, {Name: "y", Data: tensors[1].Data}}))
	preset, err := machine.Preset("npu1")
	require.NoError(t, err)
	require.NoError(t, preset.WriteJSON(&m))
	const product = `func.func @main(%x: tensor<4x8xf32>, %i: tensor<4xi64>) -> (tensor<4x3xf32>, tensor<8xf32>) {
  %w = arith.constant dense<0.5> : tensor<8x3xf32>
  %0 = "aten.mm"(%x, %w) : (tensor<4x8xf32>, tensor<8x3xf32>) -> tensor<4x3xf32>
  %1 = "aten.softmax.int"(%0) {dim = 1 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
  %2 = "aten.sum.dim_IntList"(%x) {dim = array<i64: 0>, keepdim = false} : (tensor<4x8xf32>) -> tensor<8xf32>
  return %1, %2 : tensor<4x3xf32>, tensor<8xf32>
}
`
	const loop = `func.func @main(%x: tensor<2x3xf32>, %n: tensor<i32>) -> (tensor<2x2xf32>, tensor<i32>) {
  %zero = stablehlo.constant dense<0> : tensor<i32>
  %one = stablehlo.constant dense<1> : tensor<i32>
  %f = stablehlo.constant dense<0.5> : tensor<f32>
  %r:2 = stablehlo.while(%i = %zero, %a = %x) : tensor<i32>, tensor<2x3xf32>
    cond {
      %c = stablehlo.compare LT, %i, %n, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %c : tensor<i1>
    } do {
      %j = stablehlo.add %i, %one : tensor<i32>
      %b = stablehlo.multiply %a, %a : tensor<2x3xf32>
      stablehlo.return %j, %b : tensor<i32>, tensor<2x3xf32>
    }
  %t = stablehlo.transpose %r#1, dims = [1, 0] : (tensor<2x3xf32>) -> tensor<3x2xf32>
  %p = stablehlo.pad %t, %f, low = [1, 0], high = [0, 2], interior = [0, 1] : (tensor<3x2xf32>, tensor<f32>) -> tensor<4x5xf32>
  %s = stablehlo.slice %p [0:2, 1:5:2] : (tensor<4x5xf32>) -> tensor<2x2xf32>
  %m = stablehlo.dot_general %s, %s, contracting_dims = [1] x [0] : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %m, %r#0 : tensor<2x2xf32>, tensor<i32>
}
`
	return map[string]sample{
		"m.pt2":         {data: read("translate/importer/torchscript/testdata/linear.pt2"), forms: forms{hostile.Archives}, use: model},
		"w.pt":          {data: read("tensor/nn/testdata/state/linear.pt"), forms: forms{hostile.Archives, hostile.Variants}, use: state},
		"m.onnx":        {data: read("translate/importer/onnx/testdata/layer.onnx"), forms: forms{hostile.Protobuf, hostile.Variants}, use: model},
		"s.mlir":        {data: []byte(loop), forms: forms{hostile.Texts}, use: model},
		"m.mlir":        {data: []byte(product), forms: forms{hostile.Texts}, use: model},
		"m.json":        {data: m.Bytes(), forms: forms{hostile.JSON, hostile.Texts}, use: described},
		"rows.csv":      {data: []byte(measured), forms: forms{hostile.Texts}, use: rows},
		"table.csv":     {data: []byte("x,y\n1,2\n3,4\n-1e5,7\n"), forms: forms{hostile.Texts}, use: table},
		"w.safetensors": {data: weights.Bytes(), forms: forms{hostile.Headers, hostile.Variants}, use: state},
		"w.gguf":        {data: ggufFile(), forms: forms{hostile.Numbers, hostile.Variants}, use: state},
		"w.npz":         {data: arrays.Bytes(), forms: forms{hostile.Archives, hostile.Variants}, use: state},
	}
}

// given are the files of a folder of one's own, by name.
func given(t *testing.T, dir string) map[string]sample {
	type forms = []func([]byte, int) iter.Seq2[string, []byte]
	of := map[string]sample{
		".pt":          {forms: forms{hostile.Archives}, use: model},
		".pt2":         {forms: forms{hostile.Archives}, use: model},
		".onnx":        {forms: forms{hostile.Protobuf}, use: model},
		".mlir":        {forms: forms{hostile.Texts}, use: model},
		".bc":          {forms: forms{hostile.Numbers, hostile.Variants}, use: model},
		".pth":         {forms: forms{hostile.Archives}, use: state},
		".safetensors": {forms: forms{hostile.Headers, hostile.Numbers}, use: state},
		".gguf":        {forms: forms{hostile.Numbers}, use: language},
		".json":        {forms: forms{hostile.JSON}, use: tokens},
	}
	files, err := os.ReadDir(dir)
	require.NoError(t, err)
	list := map[string]sample{}
	for _, f := range files {
		s := of[filepath.Ext(f.Name())]
		s.data, err = os.ReadFile(filepath.Join(dir, f.Name()))
		require.NoError(t, err)
		if s.use != nil {
			list["given "+f.Name()] = s
		}
	}
	return list
}

// TestMutants uses altered files of all formats. ACAP_LONG=1 tries twenty times as many.
func TestMutants(t *testing.T) {
	count := longtest.Sample(1, 2, 40)
	defer buf.SetLimit(buf.SetLimit(limit))
	all := samples(t)
	maps.Copy(all, readers(t))
	if dir := os.Getenv("ACAP_MUTANTS_SEEDS"); dir != "" {
		maps.Copy(all, given(t, dir))
	}
	for _, name := range slices.Sorted(maps.Keys(all)) {
		t.Run(name, func(t *testing.T) {
			s := all[name]
			dir := s.folder
			if dir == "" {
				dir = t.TempDir()
			}
			path := filepath.Join(dir, name)
			try := func(what string, form []byte) error {
				require.NoError(t, os.WriteFile(path, form, 0o600))
				ok, err := within(t, what, func() error { return s.use(path) })
				if dir := os.Getenv("ACAP_MUTANTS"); dir != "" && !ok {
					kept := strings.NewReplacer("/", "_", " ", "_").Replace(what + "-" + name)
					require.NoError(t, os.WriteFile(filepath.Join(dir, kept), form, 0o600))
				}
				return err
			}
			require.NoError(t, try("as it is", s.data))
			used, refused := 0, 0
			for _, forms := range s.forms {
				for what, form := range forms(s.data, count) {
					if try(what, form) == nil {
						used++
					} else {
						refused++
					}
				}
			}
			t.Logf("%d used, %d refused", used, refused)
			require.NotZero(t, refused)
		})
	}
}
