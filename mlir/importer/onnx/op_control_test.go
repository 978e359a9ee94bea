package onnx

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
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

// TestLoops: a loop ends after its trips or when its condition is false, before the first turn too, with or without either;
// it hands on its values and stacks what each turn gives, of no turn as well.
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

// TestScans: the slices of the inputs along their axes, from either end, and what each gives along an axis, from either end.
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

// TestBranches: the branch that the condition chooses gives the results, also where those of the branches have other
// shapes or types, and of another kind, and where the condition is an input.
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
