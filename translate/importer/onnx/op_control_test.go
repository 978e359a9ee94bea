package onnx

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// runModel runs a model on the host.
func runModel(t *testing.T, model []byte, inputs ...*buf.Buffer) []*buf.Buffer {
	t.Helper()
	m, err := Read(model, "m")
	require.NoError(t, err)
	var values []Value
	for _, b := range inputs {
		values = append(values, Value{Tensor: b})
	}
	bound, err := m.Bind(values, onHost)
	require.NoError(t, err)
	out, err := onHost(bound.Module, bound.Inputs)
	require.NoError(t, err)
	return out
}

// TestLoops: a loop ends after its trips or when its condition is false, before the first turn too, with or without
// either; it hands on its values and stacks what each turn gives, of no turn as well.
func TestLoops(t *testing.T) {
	body := graphAttribute("body",
		putNode("", "Add", []string{"v", "x"}, []string{"w"}),
		putNode("", "Less", []string{"i", "most"}, []string{"on"}),
		putNode("", "Mul", []string{"v", "v"}, []string{"square"}),
		putNode("", "Identity", []string{"i"}, []string{"at"}),
		putValue(11, "i", 7), putValue(11, "go", 9), putValue(11, "v", 1),
		putValue(12, "on", 9), putValue(12, "w", 1), putValue(12, "square", 1, 2), putValue(12, "at", 7))
	for trips := -1; trips <= 4; trips++ {
		for most := int64(0); most <= 3; most++ {
			for start := range 3 { // no condition, a false and a true one
				parts := [][]byte{body}
				in := []string{"", "", "x"}
				nodes := [][]byte{putIntegers("limit", most), putNode("", "Squeeze", []string{"limit"}, []string{"most"}),
					putValue(11, "x", 1, 2), putValue(12, "last", 1), putValue(12, "squares", 1), putValue(12, "places", 7)}
				if trips >= 0 {
					in[0] = "trips"
					nodes = append(nodes, putIntegers("trips", int64(trips)))
				}
				if start > 0 {
					in[1] = "first"
					nodes = append(nodes, putIntegers("flag", int64(start-1)), putNode("", "Cast", []string{"flag"}, []string{"first"}, intAttribute("to", 9)))
				}
				nodes = append(nodes, putNode("", "Loop", in, []string{"last", "squares", "places"}, parts...))
				got := runModel(t, putModel(13, putGraph(nodes...)), buf.From([]float32{1, 2}, 2))
				turns := 0
				for on := start != 1; on && (trips < 0 || turns < trips); turns++ {
					on = int64(turns) < most
				}
				name := fmt.Sprintf("%d trips, up to %d, start %d", trips, most, start)
				require.Equal(t, []float32{float32(turns + 1), float32(2 * (turns + 1))}, buf.Slice[float32](got[0]), name)
				require.Equal(t, []int{turns, 2}, got[1].Shape, name)
				require.Equal(t, []int{turns}, got[2].Shape, name)
				for k := range turns {
					require.Equal(t, float64((k+1)*(k+1)), got[1].Float64(2*k), name)
					require.Equal(t, int64(k), got[2].Int64(k), name)
				}
			}
		}
	}
}

// TestNoTurns: what a loop of no turn stacks has extents of 0 where its body tells none, as ONNX Runtime 1.23 gives.
func TestNoTurns(t *testing.T) {
	for _, c := range []struct {
		output []byte
		want   []int
	}{
		{putBytes(12, putText(1, "r"), putBytes(2, putBytes(1, putInt(1, 1)))), []int{0}}, // of any rank
		{putValue(12, "r", 1), []int{0}},
		{putValue(12, "r", 1, -1), []int{0, 0}},
		{putValue(12, "r", 1, 2, -1), []int{0, 2, 0}},
	} {
		body := graphAttribute("body", putNode("", "Add", []string{"v", "v"}, []string{"w"}), putNode("", "Identity", []string{"v"}, []string{"r"}),
			putValue(11, "i", 7), putValue(11, "go", 9), putValue(11, "v", 1), putValue(12, "go", 9), putValue(12, "w", 1), c.output)
		got := runModel(t, putModel(13, putGraph(putIntegers("trips", 0), putNode("", "Loop", []string{"trips", "", "x"}, []string{"last", "all"}, body),
			putValue(11, "x", 1, 2), putValue(12, "last", 1), putValue(12, "all", 1))), buf.From([]float32{1, 2}, 2))
		require.Equal(t, c.want, got[1].Shape)
	}
}

// TestNoTurnsOfOpenOutputs: what a loop of no turn stacks has the shape that its body gives for the shapes that the
// body tells of its state, as in ONNX Runtime 1.23; no more is known where a turn fails.
func TestNoTurnsOfOpenOutputs(t *testing.T) {
	open := putBytes(12, putText(1, "r"), putBytes(2, putBytes(1, putInt(1, 1))))
	for _, c := range []struct {
		state []byte
		node  []byte
		want  []int
	}{
		{putValue(11, "v", 1, 2), putNode("", "Identity", []string{"w"}, []string{"r"}), []int{0, 2}},
		{putValue(11, "v", 1, 2), putNode("", "Unsqueeze", []string{"w", "one"}, []string{"r"}), []int{0, 2, 1}},
		{putValue(11, "v", 1, 2), putNode("", "Gather", []string{"w", "nine"}, []string{"r"}), []int{0}},
		{putBytes(11, putText(1, "v"), putBytes(2, putBytes(1, putInt(1, 1)))), putNode("", "Identity", []string{"w"}, []string{"r"}), []int{0}},
	} {
		body := graphAttribute("body", putNode("", "Add", []string{"v", "v"}, []string{"w"}), c.node,
			putValue(11, "i", 7), putValue(11, "go", 9), c.state, putValue(12, "go", 9), putValue(12, "w", 1), open)
		got := runModel(t, putModel(13, putGraph(putIntegers("trips", 0), putIntegers("one", 1), putIntegers("nine", 9),
			putNode("", "Loop", []string{"trips", "", "x"}, []string{"last", "all"}, body),
			putValue(11, "x", 1, 2), putValue(12, "last", 1), putValue(12, "all", 1))), buf.From([]float32{1, 2}, 2))
		require.Equal(t, c.want, got[1].Shape)
	}
}

// TestNegativeTrips: a loop of fewer than no trips takes none, as in ONNX Runtime 1.23.
func TestNegativeTrips(t *testing.T) {
	body := graphAttribute("body", putNode("", "Identity", []string{"go"}, []string{"on"}), putNode("", "Add", []string{"v", "v"}, []string{"w"}),
		putValue(11, "i", 7), putValue(11, "go", 9), putValue(11, "v", 1), putValue(12, "on", 9), putValue(12, "w", 1))
	got := runModel(t, putModel(13, putGraph(putIntegers("limit", -5), putNode("", "Squeeze", []string{"limit"}, []string{"trips"}),
		putNode("", "Loop", []string{"trips", "", "x"}, []string{"y"}, body), putValue(11, "x", 1, 2), putValue(12, "y", 1))), buf.From([]float32{1, 2}, 2))
	require.Equal(t, []float32{1, 2}, buf.Slice[float32](got[0]))
}

// TestAttributes: an attribute of another type than its operator takes, two attributes of one name, and an attribute
// that no operator has, are errors, as they are in ONNX Runtime 1.23. Files before version 3 of the format give no
// types.
func TestAttributes(t *testing.T) {
	typed := func(b []byte, kind int64) []byte { return append(b, putInt(20, kind)...) }
	for _, c := range []struct {
		fault      string
		attributes [][]byte
	}{
		{"attribute axis is a text, want a whole number", [][]byte{typed(append(putText(1, "axis"), putText(4, "a")...), 3)}},
		{"attribute axis is a value of type 99, want a whole number", [][]byte{typed(intAttribute("axis", 0), 99)}},
		{`two attributes of a node (Softmax) are named "axis"`, [][]byte{intAttribute("axis", 0), intAttribute("axis", 1)}},
		{`has no attribute "aixs" in version`, [][]byte{intAttribute("axis", 0), intAttribute("aixs", 1)}},
		{"", [][]byte{intAttribute("axis", 0), intAttribute("__own", 1)}},
		{"", [][]byte{intAttribute("axis", 0)}},
		{"", [][]byte{append(putText(1, "axis"), putInt(3, 0)...)}},
	} {
		data := putModel(13, putGraph(putNode("s", "Softmax", []string{"x"}, []string{"y"}, c.attributes...), putValue(11, "x", 1, 2, 3), putValue(12, "y", 1)))
		m, err := Read(data, "m")
		if err == nil {
			_, err = m.Import([]ops.TensorType{f32(2, 3)})
		}
		if c.fault == "" {
			require.NoError(t, err)
		} else {
			require.ErrorContains(t, err, c.fault)
		}
	}
}

// TestScans: the slices of the inputs along their axes, from either end, and what each gives along an axis, from either
// end.
func TestScans(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	body := graphAttribute("body",
		putNode("", "Add", []string{"s", "a"}, []string{"t"}), putNode("", "Sub", []string{"t", "b"}, []string{"y"}),
		putValue(11, "s", 1, 2), putValue(11, "a", 1, 2), putValue(11, "b", 1, 2), putValue(12, "t", 1, 2), putValue(12, "y", 1, 2))
	for range 24 {
		axes, backward := []int64{int64(r.IntN(2)), int64(r.IntN(4) - 2)}, []int64{int64(r.IntN(2)), int64(r.IntN(2))}
		outAxis, outBackward := int64(r.IntN(4)-2), int64(r.IntN(2))
		const length = 3
		var inputs [2]*buf.Buffer
		at := func(k, step, i int) float64 { // element i of slice step of input k, in the order of the scan
			if backward[k] == 1 {
				step = length - 1 - step
			}
			if (axes[k]+2)%2 == 0 {
				return inputs[k].Float64(step*2 + i)
			}
			return inputs[k].Float64(i*length + step)
		}
		for k := range inputs {
			dims := []int{length, 2}
			if (axes[k]+2)%2 == 1 {
				dims = []int{2, length}
			}
			inputs[k] = buf.From(make([]float32, 2*length), dims...)
			for i := range inputs[k].Len() {
				inputs[k].SetFloat64(i, float64(r.IntN(9)))
			}
		}
		shaped := func(name string, b *buf.Buffer) []byte {
			return putValue(11, name, 1, int64(b.Shape[0]), int64(b.Shape[1]))
		}
		got := runModel(t, putModel(13, putGraph(
			putNode("", "Scan", []string{"s0", "p", "q"}, []string{"last", "all"}, body, intAttribute("num_scan_inputs", 2),
				intsAttribute("scan_input_axes", axes...), intsAttribute("scan_input_directions", backward...),
				intsAttribute("scan_output_axes", outAxis), intsAttribute("scan_output_directions", outBackward)),
			putValue(11, "s0", 1, 2), shaped("p", inputs[0]), shaped("q", inputs[1]), putValue(12, "last", 1), putValue(12, "all", 1))),
			buf.From([]float32{1, 2}, 2), inputs[0], inputs[1])
		sum := []float64{1, 2}
		for step := range length {
			for i := range sum {
				sum[i] += at(0, step, i)
				place := step
				if outBackward == 1 {
					place = length - 1 - step
				}
				if (outAxis+2)%2 == 0 {
					place = place*2 + i
				} else {
					place += i * length
				}
				require.Equal(t, sum[i]-at(1, step, i), got[1].Float64(place))
			}
		}
		require.Equal(t, sum, []float64{got[0].Float64(0), got[0].Float64(1)})
	}
}

// TestScanOfStates: a scan may give its states only, of each input step by step.
func TestScanOfStates(t *testing.T) {
	body := graphAttribute("body", putNode("", "Add", []string{"s", "a"}, []string{"t"}), putValue(11, "s", 1, 2), putValue(11, "a", 1, 2), putValue(12, "t", 1, 2))
	scan := func(inputs ...string) []byte {
		return putNode("", "Scan", inputs, []string{"last"}, body, intAttribute("num_scan_inputs", 1))
	}
	x, start := buf.From([]float32{1, 2, 3, 4, 5, 6}, 3, 2), buf.From([]float32{10, 20}, 2)
	got := runModel(t, putModel(13, putGraph(scan("s0", "x"), putValue(11, "s0", 1, 2), putValue(11, "x", 1, 3, 2), putValue(12, "last", 1))), start, x)
	require.Equal(t, []float32{19, 32}, buf.Slice[float32](got[0]))
	got = runModel(t, putModel(8, putGraph(scan("", "s0", "x"), putValue(11, "s0", 1, 1, 2), putValue(11, "x", 1, 1, 3, 2), putValue(12, "last", 1))),
		start.Reshape([]int{1, 2}), x.Reshape([]int{1, 3, 2}))
	require.Equal(t, []int{1, 2}, got[0].Shape)
	require.Equal(t, []float32{19, 32}, buf.Slice[float32](got[0]))
}

// TestBranches: the branch that the condition chooses gives the results, also where the branches' results have other
// shapes, types or kinds, and where the condition is an input.
func TestBranches(t *testing.T) {
	side := func(name string, parts ...[]byte) []byte {
		return graphAttribute(name, append(parts, putValue(12, "r", 1))...)
	}
	weights := func(values ...float32) [][]byte {
		return [][]byte{putNode("", "Identity", []string{"w"}, []string{"r"}), putWeights("w", []int64{int64(len(values))}, values...)}
	}
	list := func(values ...float32) [][]byte {
		return [][]byte{putNode("", "SequenceConstruct", []string{"w"}, []string{"r"}), putWeights("w", []int64{int64(len(values))}, values...)}
	}
	integers := [][]byte{putNode("", "Identity", []string{"w"}, []string{"r"}), putIntegers("w", 7, 8)}
	for _, c := range []struct {
		then, otherwise [][]byte
		yes, no         []float64
	}{
		{weights(1, 2), weights(3, 4), []float64{1, 2}, []float64{3, 4}},
		{weights(1, 2), weights(3, 4, 5), []float64{1, 2}, []float64{3, 4, 5}},
		{weights(1, 2), integers, []float64{1, 2}, []float64{7, 8}},
		{weights(1, 2), list(3, 4), []float64{1, 2}, []float64{3, 4}},
		{list(1, 2), weights(3, 4), []float64{1, 2}, []float64{3, 4}},
		{list(1, 2), list(3), []float64{1, 2}, []float64{3}},
	} {
		m, err := Read(putModel(16, putGraph(
			putNode("", "If", []string{"c"}, []string{"y"}, side("then_branch", c.then...), side("else_branch", c.otherwise...)),
			putValue(11, "c", 9), putValue(12, "y", 1))), "m")
		require.NoError(t, err)
		for cond, want := range map[int64][]float64{1: c.yes, 0: c.no} {
			b := buf.From([]bool{cond == 1})
			bound, err := m.Bind([]Value{{Tensor: b}}, onHost)
			require.NoError(t, err)
			out, err := onHost(bound.Module, bound.Inputs)
			require.NoError(t, err)
			values, err := bound.Results(out)
			require.NoError(t, err)
			have := values[0].Tensor
			if values[0].IsSequence {
				require.Len(t, values[0].Sequence, 1)
				have = values[0].Sequence[0].Tensor
			}
			require.Equal(t, len(want), have.Len())
			for i, w := range want {
				require.Equal(t, w, have.Float64(i))
			}
		}
	}
}

// TestBranchInputs: an input that a branch declares is the value of its name around the node.
func TestBranchInputs(t *testing.T) {
	side := func(name, op string) []byte {
		return graphAttribute(name, putBytes(11, putText(1, "x")), putBytes(12, putText(1, "r")), putNode("", op, []string{"x"}, []string{"r"}))
	}
	got := runModel(t, putModel(16, putGraph(putIntegers("flag", 0), putNode("", "Squeeze", []string{"flag"}, []string{"one"}),
		putNode("", "Cast", []string{"one"}, []string{"c"}, intAttribute("to", 9)),
		putNode("", "If", []string{"c"}, []string{"y"}, side("then_branch", "Neg"), side("else_branch", "Abs")),
		putValue(11, "x", 1, 1), putValue(12, "y", 1, 1))), buf.From([]float32{-4}, 1))
	require.Equal(t, []float32{4}, buf.Slice[float32](got[0]))
}

// TestBranchTaken: a condition that depends on inputs is read where their elements are given, and the other side leaves
// nothing behind, though it fits the inputs as well or does not fit them. How the condition is computed does not
// matter.
func TestBranchTaken(t *testing.T) {
	side := func(name string, nodes ...[]byte) []byte {
		return graphAttribute(name, append(nodes, putValue(12, "r", 1))...)
	}
	halves := side("then_branch", putIntegers("two", 2, -1), putNode("", "Reshape", []string{"x", "two"}, []string{"r"}))
	thirds := side("else_branch", putIntegers("three", 3, -1), putNode("", "Reshape", []string{"x", "three"}, []string{"m"}),
		putNode("", "Exp", []string{"m"}, []string{"r"}))
	for name, condition := range map[string][][]byte{
		"number":    {putIntegers("rate", 16000), putNode("", "Squeeze", []string{"rate"}, []string{"one"}), putNode("", "Equal", []string{"sr", "one"}, []string{"c"}), putValue(11, "sr", 7)},
		"flag":      {putNode("", "Not", []string{"sr"}, []string{"c"}), putValue(11, "sr", 9)},
		"fraction":  {putWeights("rate", nil, 8000.5), putNode("", "Greater", []string{"sr", "rate"}, []string{"c"}), putValue(11, "sr", 1)},
		"of x":      {putNode("", "ReduceMax", []string{"x"}, []string{"most"}, intAttribute("keepdims", 0)), putWeights("rate", nil, 0), putNode("", "Greater", []string{"most", "rate"}, []string{"c"}), putValue(11, "sr", 1)},
		"an output": {putNode("", "Greater", []string{"sr", "sr0"}, []string{"c"}), putWeights("sr0", nil, 1), putValue(11, "sr", 1), putValue(12, "c", 9)},
	} {
		m, err := Read(putModel(13, putGraph(append([][]byte{
			putValue(11, "x", 1, -1)}, append(condition, putNode("", "If", []string{"c"}, []string{"y"}, halves, thirds), putValue(12, "y", 1))...)...)), "m")
		require.NoError(t, err, name)
		run := func(sr *buf.Buffer, x ...float32) (*buf.Buffer, []string) {
			inputs := []*buf.Buffer{buf.From(x, len(x)), sr}
			module, err := m.Specialize(inputs, onHost)
			require.NoError(t, err, name)
			var names []string
			module.Walk(func(op *mlir.Operation) { names = append(names, op.Name) })
			out, err := onHost(module, inputs)
			require.NoError(t, err, name)
			return out[len(out)-1], names
		}
		sr := map[string][2]*buf.Buffer{"number": {buf.From([]int64{16000}).Reshape(nil), buf.From([]int64{8000}).Reshape(nil)},
			"flag": {buf.From([]bool{false}).Reshape(nil), buf.From([]bool{true}).Reshape(nil)}}[name]
		if sr[0] == nil {
			sr = [2]*buf.Buffer{buf.From([]float32{16000}).Reshape(nil), buf.From([]float32{-8000}).Reshape(nil)}
		}
		y, names := run(sr[0], 1, 2, 3, 4) // no thirds
		require.Equal(t, []int{2, 2}, y.Shape, name)
		require.Equal(t, []float32{1, 2, 3, 4}, buf.Slice[float32](y), name)
		require.NotContains(t, names, "aten.exp", name)
		if name == "of x" {
			sr[1] = sr[0]
		}
		y, names = run(sr[1], 0, 0, 0) // no halves
		require.Equal(t, []int{3, 1}, y.Shape, name)
		require.Equal(t, []float32{1, 1, 1}, buf.Slice[float32](y), name)
		require.Contains(t, names, "aten.exp", name)
		require.NotContains(t, names, "aten.where.self", name)

		types := []ops.TensorType{{DType: dtype.F32, Shape: []int{4}}, {DType: sr[0].DType}}
		_, err = m.Import(types)
		require.ErrorContains(t, err, `else_branch: node 0 (Reshape)`, name)
		require.ErrorContains(t, err, `both sides run, as the condition "c" depends on the model's inputs, whose elements are not given`, name)
		types[0].Shape = []int{6}
		_, err = m.Import(types)
		require.ErrorContains(t, err, `the elements of "c" must be known before the model runs`, name)
	}
}

// TestBranchSmallInputs: what whole numbers among the inputs decide is computed without a program.
func TestBranchSmallInputs(t *testing.T) {
	side := func(name, op string) []byte {
		return graphAttribute(name, putNode("", op, []string{"x"}, []string{"r"}), putValue(12, "r", 1))
	}
	m, err := Read(putModel(13, putGraph(putIntegers("rate", 16), putIntegers("mask", 3),
		putNode("", "Cast", []string{"sr"}, []string{"n"}, intAttribute("to", 7)), putNode("", "Add", []string{"n", "mask"}, []string{"s"}),
		putNode("", "Equal", []string{"s", "rate"}, []string{"e"}), putNode("", "Not", []string{"e"}, []string{"c"}),
		putNode("", "If", []string{"c"}, []string{"y"}, side("then_branch", "Neg"), side("else_branch", "Abs")),
		putValue(11, "x", 1, 1), putValue(11, "sr", 6, 1), putValue(12, "y", 1))), "m")
	require.NoError(t, err)
	for sr, want := range map[int32]float32{13: 4, 12: -4} {
		inputs := []*buf.Buffer{buf.From([]float32{4}, 1), buf.From([]int32{sr}, 1)}
		module, err := m.Specialize(inputs, func(*mlir.Operation, []*buf.Buffer) ([]*buf.Buffer, error) {
			return nil, errors.New("a program ran")
		})
		require.NoError(t, err)
		out, err := onHost(module, inputs)
		require.NoError(t, err)
		require.Equal(t, []float32{want}, buf.Slice[float32](out[0]))
	}
}
