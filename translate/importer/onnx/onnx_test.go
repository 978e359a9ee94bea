package onnx

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"iter"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest/heap"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect/arith"
	_ "github.com/go-acap/acap/mlir/dialect/aten"
	_ "github.com/go-acap/acap/mlir/dialect/builtin"
	_ "github.com/go-acap/acap/mlir/dialect/func"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// layer is relu(x·w + b) for an open batch.
func layer() []byte {
	return putModel(16, putGraph(
		putNode("dense", "Gemm", []string{"x", "w", "b"}, []string{"y"}, intAttribute("transB", 1)),
		putNode("act", "Relu", []string{"y"}, []string{"z"}),
		putWeights("w", []int64{2, 3}, 1, 2, 3, 4, 5, 6), putWeights("b", []int64{2}, 7, 8),
		putValue(11, "x", 1, -1, 3), putValue(11, "w", 1, 2, 3), putValue(12, "z", 1, -1, 2)))
}

func text(t *testing.T, data []byte, inputs ...ops.TensorType) string {
	t.Helper()
	m, err := Read(data, "model.onnx")
	require.NoError(t, err)
	module, err := m.Import(inputs)
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	return module.Text(mlir.PrintOptions{Locations: true})
}

func f32(dims ...int) ops.TensorType { return ops.TensorType{DType: dtype.F32, Shape: dims} }

func TestModel(t *testing.T) {
	m, err := Read(layer(), "model.onnx")
	require.NoError(t, err)
	assert.Equal(t, []Input{{"x", dtype.F32, []int{-1, 3}}}, m.Inputs())
	assert.Equal(t, []string{"z"}, m.OutputNames())
	assert.Len(t, m.Parameters(), 2)
	_, err = Read(append(layer(), putInt(1<<28, 1)...), "model.onnx")
	require.NoError(t, err, "a field that no reader knows is passed over, whatever its number")
	_, ok := m.InputTypes()
	assert.False(t, ok, "the batch is open")

	module := text(t, layer(), f32(4, 3))
	assert.Contains(t, module, `"aten.addmm"`)
	assert.Contains(t, module, `-> tensor<4x2xf32>`)
	assert.Contains(t, module, `loc("act"("model.onnx":2:0))`)
	_, err = m.Import([]ops.TensorType{f32(4, 4)})
	assert.EqualError(t, err, `model.onnx: input "x" takes [N 3], not [4 4]`)
	_, err = m.Import([]ops.TensorType{{DType: dtype.F64, Shape: []int{4, 3}}})
	assert.EqualError(t, err, `model.onnx: input "x" takes elements of f32, not f64`)
	_, err = m.Import([]ops.TensorType{f32(4)})
	assert.EqualError(t, err, `model.onnx: input "x" takes [N 3], not [4]`)
	_, err = m.Import(nil)
	assert.EqualError(t, err, `model.onnx: takes 1 inputs ([x]), got 0`)
}

// TestOpenInputs: a file may leave types, ranks and extents of inputs open, and the version of its operators, which is
// 1 then.
func TestOpenInputs(t *testing.T) {
	relu := putNode("", "Relu", []string{"x"}, []string{"y"})
	unnamed := putBytes(11, putText(1, "x"), putBytes(2, putBytes(1, putInt(1, 1), putBytes(2, putBytes(1), putBytes(1, putInt(1, 3))))))
	for _, c := range []struct {
		input []byte
		want  Input
		ok    bool
	}{
		{putBytes(11, putText(1, "x")), Input{Name: "x"}, false},
		{putBytes(11, putText(1, "x"), putBytes(2, putBytes(1, putInt(1, 1)))), Input{Name: "x", DType: dtype.F32}, false},
		{unnamed, Input{"x", dtype.F32, []int{-1, 3}}, false},
		{putValue(11, "x", 1, 2, 3), Input{"x", dtype.F32, []int{2, 3}}, true},
		{putValue(11, "x", 8, 2, 3), Input{"x", dtype.Invalid, []int{2, 3}}, false},
		{putValue(11, "x", 99, 2, 3), Input{"x", dtype.Invalid, []int{2, 3}}, false},
	} {
		m, err := Read(append(putInt(1, 1), putGraph(relu, c.input, putValue(12, "y", 1))...), "m")
		require.NoError(t, err)
		assert.Equal(t, []Input{c.want}, m.Inputs())
		types, ok := m.InputTypes()
		assert.Equal(t, c.ok, ok)
		if ok {
			assert.Equal(t, []ops.TensorType{f32(2, 3)}, types)
		}
		_, err = m.Import([]ops.TensorType{f32(2, 3)})
		if m.inputs[0].Elem == proto.ElemString {
			assert.EqualError(t, err, `m: input "x" takes texts: Model.Bind of package onnx takes them`)
		} else {
			assert.NoError(t, err)
		}
	}
	m, err := Read(append(putInt(1, 1), putGraph(relu, unnamed, putValue(12, "y", 1))...), "m")
	require.NoError(t, err)
	_, err = m.Import([]ops.TensorType{f32(2, 4)})
	assert.EqualError(t, err, `m: input "x" takes [? 3], not [2 4]`)
}

// TestShapesAreKnown computes a shape from the input's, as exporters write flatten.
func TestShapesAreKnown(t *testing.T) {
	module := text(t, putModel(13, putGraph(
		putNode("", "Shape", []string{"x"}, []string{"s"}),
		putNode("", "Gather", []string{"s", "zero"}, []string{"n"}),
		putNode("", "Concat", []string{"n", "rest"}, []string{"to"}, intAttribute("axis", 0)),
		putNode("", "Reshape", []string{"x", "to"}, []string{"y"}),
		putIntegers("zero", 0), putIntegers("rest", -1),
		putValue(11, "x", 1, -1, -1, -1), putValue(12, "y", 1))), f32(2, 3, 4))
	assert.Contains(t, module, `-> tensor<2x12xf32>`)
	assert.NotContains(t, module, "aten.cat", "nothing of the shape is left to compute")
}

// TestControlFlow unrolls a loop that doubles x as often as it says, and keeps every step.
func TestControlFlow(t *testing.T) {
	body := graphAttribute("body",
		putNode("twice", "Add", []string{"v", "v"}, []string{"w"}),
		putNode("", "Identity", []string{"go"}, []string{"on"}),
		putValue(11, "i", 7), putValue(11, "go", 9), putValue(11, "v", 1),
		putValue(12, "on", 9), putValue(12, "w", 1), putValue(12, "w", 1))
	module := text(t, putModel(13, putGraph(
		putNode("loop", "Loop", []string{"trips", "", "x"}, []string{"last", "all"}, body),
		putIntegers("trips", 3), putValue(11, "x", 1, 2),
		putValue(12, "last", 1), putValue(12, "all", 1))), f32(2))
	assert.Equal(t, 3, strings.Count(module, `"aten.add.Tensor"`))
	assert.Contains(t, module, `"loop.body[2]/twice"`)
	assert.Contains(t, module, `(tensor<2xf32>, tensor<3x2xf32>)`)
}

// TestFunctions calls a function of the model whose node refers to an attribute of the call.
func TestFunctions(t *testing.T) {
	ref := append(putText(1, "alpha"), putText(21, "slope")...)
	function := putBytes(25, putText(1, "Leak"), putText(10, "mine"), putText(4, "a"), putText(5, "r"),
		putText(6, "slope"), putBytes(7, nodeBody("", "LeakyRelu", []string{"a"}, []string{"r"}, ref)),
		putBytes(9, putText(1, ""), putInt(2, 16)))
	slope := append(putText(1, "slope"), putFloat(2, 0.25)...)
	call := append(nodeBody("leak", "Leak", []string{"x"}, []string{"y"}, slope), putText(7, "mine")...)
	module := text(t, putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)), function,
		putGraph(putBytes(1, call), putValue(11, "x", 1, 2), putValue(12, "y", 1))), f32(2))
	assert.Contains(t, module, "negative_slope = 2.5")
	assert.Contains(t, module, `loc("Leak"("model.onnx":1:0))`)
}

// TestVersions: Softmax is over all dimensions from axis on before version 13.
func TestVersions(t *testing.T) {
	model := func(version int64) []byte {
		return putModel(version, putGraph(putNode("", "Softmax", []string{"x"}, []string{"y"}),
			putValue(11, "x", 1, 2, 3, 4), putValue(12, "y", 1)))
	}
	assert.Contains(t, text(t, model(11), f32(2, 3, 4)), "tensor<2x12xf32>")
	assert.NotContains(t, text(t, model(13), f32(2, 3, 4)), "tensor<2x12xf32>")
}

// TestOverloads: of functions with one name, a node calls the function of its overload.
func TestOverloads(t *testing.T) {
	function := func(overload, op string) []byte {
		return putBytes(25, putText(1, "F"), putText(10, "mine"), putText(13, overload), putText(4, "a"), putText(5, "b"), putBytes(7, nodeBody("", op, []string{"a"}, []string{"b"})))
	}
	call := func(overload, y string) []byte {
		return putBytes(1, nodeBody("", "F", []string{"x"}, []string{y}), putText(7, "mine"), putText(8, overload))
	}
	got := runModel(t, putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)), function("", "Neg"), function("square", "Abs"),
		putGraph(call("square", "y"), call("", "z"), putValue(11, "x", 1, 1), putValue(12, "y", 1), putValue(12, "z", 1))), buf.From([]float32{-3}, 1))
	assert.Equal(t, []float32{3}, buf.Slice[float32](got[0]))
	assert.Equal(t, []float32{3}, buf.Slice[float32](got[1]))
	got = runModel(t, putModel(16, putBytes(8, putText(1, "mine"), putInt(2, 1)), function("", "Abs"), function("other", "Neg"),
		putGraph(call("other", "y"), call("", "z"), putValue(11, "x", 1, 1), putValue(12, "y", 1), putValue(12, "z", 1))), buf.From([]float32{3}, 1))
	assert.Equal(t, []float32{-3}, buf.Slice[float32](got[0]))
	assert.Equal(t, []float32{3}, buf.Slice[float32](got[1]))
}

// TestVersionsOfFunctions: a function has versions of its own, and the graph its own again behind a call.
func TestVersionsOfFunctions(t *testing.T) {
	function := putBytes(25, putText(1, "Old"), putText(10, "mine"), putText(4, "a"), putText(5, "r"),
		putBytes(7, nodeBody("", "Softmax", []string{"a"}, []string{"r"})), putBytes(9, putText(1, ""), putInt(2, 11)))
	call := append(nodeBody("old", "Old", []string{"x"}, []string{"y"}), putText(7, "mine")...)
	own := func(nodes ...[]byte) string {
		return text(t, putModel(16, append([][]byte{putBytes(8, putText(1, "mine"), putInt(2, 1)), function},
			putGraph(append(nodes, putValue(11, "x", 1, 2, 3, 4), putValue(12, "z", 1))...))...), f32(2, 3, 4))
	}
	assert.Contains(t, own(putBytes(1, call), putNode("", "Neg", []string{"y"}, []string{"z"})), "tensor<2x12xf32>")
	assert.NotContains(t, own(putNode("", "Softmax", []string{"x"}, []string{"z"})), "tensor<2x12xf32>")
	both := own(putBytes(1, call), putNode("", "Softmax", []string{"y"}, []string{"z"}))
	assert.Contains(t, both, "{dim = 1 : i64} : (tensor<2x12xf32>)")
	assert.Contains(t, both, "{dim = 2 : i64} : (tensor<2x3x4xf32>)")
}

// TestSpecialize takes a shape that is an input from the given one.
func TestSpecialize(t *testing.T) {
	model := putModel(13, putGraph(
		putNode("re", "Reshape", []string{"x", "to"}, []string{"y"}),
		putValue(11, "x", 1, 6), putValue(11, "to", 7, -1), putValue(12, "y", 1)))
	kept, err := os.ReadFile("testdata/reshape.onnx")
	require.NoError(t, err)
	require.Equal(t, model, kept, "the tests of the command take the file")
	m, err := Read(model, "model.onnx")
	require.NoError(t, err)
	to := ops.TensorType{DType: dtype.I64, Shape: []int{2}}
	_, err = m.Import([]ops.TensorType{f32(6), to})
	assert.EqualError(t, err, `model.onnx: node 0 "re" (Reshape): the elements of "to" must be `+
		`known before the model runs: it depends on the model's inputs`)
	module, err := m.Specialize([]*buf.Buffer{buf.New(dtype.F32, []int{6}), buf.From([]int64{2, 3}, 2)}, nil)
	require.NoError(t, err)
	assert.Contains(t, module.Text(mlir.PrintOptions{}), "tensor<2x3xf32>")
}

func TestExternalData(t *testing.T) {
	entry := func(key, value string) []byte {
		return putBytes(13, putText(1, key), putText(2, value))
	}
	model := func(location, length string) []byte {
		return putModel(16, putGraph(putNode("", "Add", []string{"x", "w"}, []string{"y"}),
			putBytes(5, putInt(1, 2), putInt(2, 1), putText(8, "w"), putInt(14, 1),
				entry("location", location), entry("offset", "4"), entry("length", length)),
			putValue(11, "x", 1, 2), putValue(12, "y", 1)))
	}
	dir := t.TempDir()
	var weights []byte
	for _, v := range []float32{9, 1, 2} {
		weights = binary.LittleEndian.AppendUint32(weights, math.Float32bits(v))
	}
	require.NoError(t, os.WriteFile(filepath.Join(dir, "w.bin"), weights, 0o644))
	load := func(location, length string) (*Model, error) {
		path := filepath.Join(dir, "model.onnx")
		require.NoError(t, os.WriteFile(path, model(location, length), 0o644))
		return Load(path)
	}
	m, err := load("w.bin", "8")
	require.NoError(t, err)
	assert.Equal(t, []float32{1, 2}, buf.Slice[float32](m.Parameters()["w"]))

	for _, name := range []string{"../w.bin", "folder/../../w.bin", "/etc/passwd", ""} {
		_, err = load(name, "8")
		assert.ErrorContains(t, err, fmt.Sprintf("external data in %q: the name %[1]q leads out of the folder", name))
	}
	_, err = load("w.bin", "12")
	assert.ErrorContains(t, err, "12 bytes from 4 on for a tensor of 8 bytes; the file has 12")
	require.NoError(t, os.Mkdir(filepath.Join(dir, "folder"), 0o755))
	_, err = load("folder", "8")
	assert.ErrorContains(t, err, "not a regular file")
	store := t.TempDir()
	require.NoError(t, os.Rename(filepath.Join(dir, "w.bin"), filepath.Join(store, "blob")))
	require.NoError(t, os.Symlink(filepath.Join(store, "blob"), filepath.Join(dir, "w.bin")))
	require.NoError(t, os.Symlink(store, filepath.Join(dir, "linked")))
	for _, name := range []string{"w.bin", "linked/blob", "linked/../w.bin"} { // links of the folder are followed, as the user's
		m, err = load(name, "8")
		require.NoError(t, err, name)
		assert.Equal(t, []float32{1, 2}, buf.Slice[float32](m.Parameters()["w"]))
	}
	_, err = load("linked/none", "8")
	assert.ErrorIs(t, err, os.ErrNotExist)
	require.NoError(t, os.Symlink(os.DevNull, filepath.Join(dir, "device")))
	_, err = load("device", "8")
	assert.ErrorContains(t, err, "not a regular file")
	require.NoError(t, os.Rename(filepath.Join(dir, "model.onnx"), filepath.Join(store, "model")))
	require.NoError(t, os.WriteFile(filepath.Join(store, "model"), model("w.bin", "8"), 0o644))
	require.NoError(t, os.Symlink(filepath.Join(store, "model"), filepath.Join(dir, "model.onnx")))
	_, err = Load(filepath.Join(dir, "model.onnx"))
	require.NoError(t, err, "what is beside a model is beside its name, not beside what a link leads to")
	require.NoError(t, os.Remove(filepath.Join(dir, "model.onnx")))
	_, err = load("w.bin", "-8")
	assert.ErrorContains(t, err, `external data in "w.bin": length "-8" is no number of bytes`)
	_, err = load("w.bin", "eight")
	assert.ErrorContains(t, err, `external data in "w.bin": length "eight" is no number of bytes`)
	_, err = Load(filepath.Join(dir, "none.onnx"))
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = load("none.bin", "8")
	assert.ErrorIs(t, err, os.ErrNotExist)
	_, err = Read(model("w.bin", "8"), "model.onnx")
	assert.ErrorContains(t, err, "the model has no directory")
}

func TestFailures(t *testing.T) {
	x := putValue(11, "x", 1, 2)
	graph := func(parts ...[]byte) []byte {
		return putModel(16, putGraph(append(parts, x, putValue(12, "y", 1))...))
	}
	for _, c := range []struct {
		name string
		data []byte
		want string
	}{
		{"empty", nil, "model.onnx: no ONNX model: it has no graph"},
		{"archive", []byte("PK\x03\x04\x00\x00"), "model.onnx: no ONNX model: it is a zip archive, such as .pt and .pt2 files of PyTorch are"},
		{"cut off", layer()[:60], "model.onnx: byte 8: field 7 has 186 bytes, but only 49 are left: the file is cut short, or is no ONNX model"},
		{"long number", bytes.Repeat([]byte{0xff}, 11), "model.onnx: byte 0: a number is cut off or too long"},
		{"number cut off", []byte{1 << 3, 0x80}, "model.onnx: byte 0: a number is cut off or too long"},
		{"half a number", append(putInt(1, 8), 2<<3|wireFixed64, 1, 2, 3, 4), "model.onnx: byte 2: a field of 8 bytes is cut off"},
		{"half a float", []byte{2<<3 | wireFixed32, 1, 2, 3}, "model.onnx: byte 0: a field of 4 bytes is cut off"},
		{"field 0", append(putInt(1, 8), 0, 1), "model.onnx: byte 2: field number 0 is none of a protocol buffer"},
		{"field 2³¹", binary.AppendUvarint(nil, 1<<34), "model.onnx: byte 0: field number 2147483648 is none of a protocol buffer"},
		{"graph as number", putInt(7, 1), "model.onnx: byte 0: field 7 has wire type 0, not 2"},
		{"name as number", putGraph(putNode("", "Neg", nil, nil), putInt(2, 1), putBytes(1, putInt(4, 1))), "field 4 has wire type 0, not 2"},
		{"version as text", putBytes(8, putText(2, "1")), "field 2 has wire type 2, not 0"},
		{"extent", graph(putWeights("w", []int64{-1})), `tensor "w": extent -1`},
		{"wire type", []byte{7<<3 | 3}, "model.onnx: byte 0: field 7 has the unknown wire type 3: the file is damaged, or is no ONNX model"},
		{"newer", putModel(99, putGraph()), "version 99 of the operators of ai.onnx"},
		{"older", putModel(0, putGraph()), "version 0 of the operators of ai.onnx"},
		{"no outputs", putModel(16, putGraph(x)), "the graph has no outputs"},
		{"two values", graph(putNode("", "Constant", nil, []string{"y"}, intAttribute("value_int", 1),
			intAttribute("value_ints", 1))), "node 0 (Constant): has 2 values, not one"},
		{"no output", graph(putNode("", "Identity", []string{"x"}, nil)),
			"node 0 (Identity): has no output"},
		{"same name", graph(putNode("", "Relu", []string{"x"}, []string{"y"}),
			putNode("", "Neg", []string{"x"}, []string{"y"})),
			`"y" is the name of an output of node 0 (Relu) and of an output of node 1 (Neg)`},
		{"two initializers", graph(putWeights("w", []int64{1}, 1), putWeights("w", []int64{1}, 2)),
			`"w" is the name of two initializers`},
		{"two initializers of a branch", graph(putNode("", "If", []string{"x"}, []string{"y"},
			graphAttribute("then_branch", putWeights("w", []int64{1}, 1), putWeights("w", []int64{1}, 2), putValue(12, "w", 1)))),
			`"w" is the name of two initializers`},
		{"an initializer as a result", graph(putWeights("y", []int64{1}, 1), putNode("", "Neg", []string{"x"}, []string{"y"})),
			`"y" is the name of an initializer and of an output of node 0 (Neg)`},
		{"an input as a result", graph(putNode("", "Neg", []string{"x"}, []string{"x"})),
			`"x" is the name of an input and of an output of node 0 (Neg)`},
		{"two inputs", graph(putValue(11, "x", 1)), `"x" is the name of an input and of an input`},
		{"same name in a function", putModel(16, putGraph(x, putValue(12, "y", 1)), putBytes(25, putText(1, "F"), putText(10, "mine"),
			putText(4, "a"), putBytes(7, nodeBody("", "Neg", []string{"a"}, []string{"b"})), putBytes(7, nodeBody("", "Abs", []string{"a"}, []string{"b"})))),
			`"b" is the name of an output of node 0 (Neg) and of an output of node 1 (Abs)`},
		{"an input as a result of a function", putModel(16, putGraph(x, putValue(12, "y", 1)), putBytes(25, putText(1, "F"), putText(10, "mine"),
			putText(4, "a"), putBytes(7, nodeBody("", "Neg", []string{"a"}, []string{"a"})))),
			`"a" is the name of an input of function F and of an output of node 0 (Neg)`},
		{"two functions", putModel(16, putGraph(x, putValue(12, "y", 1)), putBytes(25, putText(1, "F"), putText(10, "mine")), putBytes(25, putText(1, "F"), putText(10, "mine"))),
			`there are two functions "F" of the domain "mine" with the overload ""`},
		{"two versions", putModel(16, putBytes(8, putText(1, "ai.onnx"), putInt(2, 17)), putGraph(x, putValue(12, "y", 1))),
			`versions 16 and 17 of the domain "" are imported`},
		{"negative extent", putModel(16, putGraph(putBytes(11, putText(1, "v"), putBytes(2, putBytes(1,
			putInt(1, 1), putBytes(2, putBytes(1, putInt(1, -4)))))), putValue(12, "y", 1))),
			`"v" has an extent of -4`},
		{"kernel", graph(putNode("", "Reshape", []string{"x", "s"}, []string{"i"}), putIntegers("s", 1, 1, 2),
			putWeights("w", []int64{1, 1, 1}, 1), putNode("", "Conv", []string{"i", "w"}, []string{"y"},
				intsAttribute("kernel_shape", 2))), "kernel_shape is [2], the weights have [1]"},
		{"blocks", graph(putNode("", "Reshape", []string{"x", "s"}, []string{"i"}),
			putIntegers("s", 1, 2, 1, 1), putNode("", "DepthToSpace", []string{"i"}, []string{"y"},
				intAttribute("blocksize", 1<<32))), "2 channels do not divide into blocks"},
		{"depth", graph(putNode("", "OneHot", []string{"x", "d", "v"}, []string{"y"}),
			putIntegers("d", 1<<40), putIntegers("v", 0, 1)), "more than 134217728 elements"},
		{"endless", graph(putNode("", "Loop", []string{"n", "", "x"}, []string{"y"},
			graphAttribute("body", putValue(11, "i", 7), putValue(11, "c", 9), putValue(11, "v", 1),
				putValue(12, "c", 9), putValue(12, "v", 1))), putIntegers("n", 1<<62)),
			"the model runs more than 20064 nodes and calls"},
		{"dimensions", graph(putNode("", "Unsqueeze", []string{"x", "a"}, []string{"y"}),
			putIntegers("a", slices.Collect(integersTo(70))...)), "a result has 71 dimensions"},
		{"weights", graph(putWeights("w", []int64{3}, 1)),
			`tensor "w": [3] of float has 1 elements`},
		{"huge", graph(putWeights("w", []int64{1 << 40, 1 << 40})), `tensor "w": `},
		{"operator", graph(putNode("odd", "Odd", []string{"x"}, []string{"y"})),
			`model.onnx: node 0 "odd" (Odd): the operator is not supported`},
		{"blocks of channels", putModel(16, putBytes(8, putText(1, "com.microsoft.nchwc"), putInt(2, 1)), putGraph(
			putBytes(1, nodeBody("", "ReorderInput", []string{"x"}, []string{"y"}), putText(7, "com.microsoft.nchwc")), x, putValue(12, "y", 1))),
			"save the optimized model with ORT_ENABLE_EXTENDED"},
		{"order", graph(putNode("", "Relu", []string{"z"}, []string{"y"})),
			`model.onnx: node 0 (Relu): input "z" is the result of no node before`},
		{"missing", graph(putNode("", "Add", []string{"x"}, []string{"y"})),
			`model.onnx: node 0 (Add): input 1 is missing`},
		{"output", graph(), `model.onnx: output "y" is the result of no node`},
		{"shapes", graph(putNode("", "MatMul", []string{"x", "w"}, []string{"y"}),
			putWeights("w", []int64{3}, 1, 2, 3)), "model.onnx: node 0 (MatMul): "},
		{"axis", graph(putNode("", "Concat", []string{"x"}, []string{"y"}, intAttribute("axis", 5))),
			"node 0 (Concat): axis 5 of a tensor of 1 dimensions"},
		{"recursion", recursive(), "nested more than 200 deep"},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := Read(c.data, "model.onnx")
			if err == nil {
				_, err = m.Import([]ops.TensorType{f32(2)})
			}
			assert.ErrorContains(t, err, c.want)
		})
	}
}

func integersTo(n int64) iter.Seq[int64] {
	return func(yield func(int64) bool) {
		for i := int64(0); i < n && yield(i); i++ {
		}
	}
}

// recursive has a function that calls itself.
func recursive() []byte {
	call := append(nodeBody("", "F", []string{"a"}, []string{"r"}), putText(7, "mine")...)
	function := putBytes(25, putText(1, "F"), putText(10, "mine"), putText(4, "a"), putText(5, "r"),
		putBytes(7, call))
	start := append(nodeBody("", "F", []string{"x"}, []string{"y"}), putText(7, "mine")...)
	return putModel(16, function,
		putGraph(putBytes(1, start), putValue(11, "x", 1, 2), putValue(12, "y", 1)))
}

// FuzzRead: nothing that is read may crash.
func FuzzRead(f *testing.F) {
	f.Add(layer())
	f.Add(recursive())
	f.Add(putModel(18, putGraph(
		putNode("", "Slice", []string{"x", "a", "b"}, []string{"s"}),
		putNode("", "Pad", []string{"s", "p"}, []string{"t"}),
		putNode("", "Split", []string{"t"}, []string{"u", "v"}, intAttribute("num_outputs", 2)),
		putNode("", "Concat", []string{"u", "v"}, []string{"y"}, intAttribute("axis", 0)),
		putIntegers("a", 0), putIntegers("b", 2), putIntegers("p", 1, 1),
		putValue(11, "x", 1, -1), putValue(12, "y", 1))))
	f.Add(putModel(13, putGraph(
		putNode("", "Conv", []string{"x", "w"}, []string{"c"}, intsAttribute("pads", 1, 0, 0, 1)),
		putNode("", "MaxPool", []string{"c"}, []string{"y"}, intsAttribute("kernel_shape", 2, 2)),
		putWeights("w", []int64{1, 1, 2, 2}, 1, 2, 3, 4),
		putValue(11, "x", 1, 1, 1, 4, 4), putValue(12, "y", 1))))
	f.Fuzz(func(t *testing.T, data []byte) {
		m, err := Read(data, "model.onnx")
		if err != nil {
			return
		}
		types, ok := m.InputTypes()
		if !ok {
			for range m.Inputs() {
				types = append(types, f32(2))
			}
		}
		for _, ty := range types {
			if len(ty.Shape) > 6 || size(ty.Shape) > 1<<16 {
				return
			}
		}
		_, _ = m.Import(types)
	})
}
