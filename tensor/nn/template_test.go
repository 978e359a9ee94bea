package nn_test

import (
	"math"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/nn"
)

// onlyResult is the only result of a call.
func onlyResult(t *testing.T, m caller, inputs ...*tensor.Tensor) *tensor.Tensor {
	t.Helper()
	results, err := m.Forward(inputs...)
	require.NoError(t, err)
	require.Len(t, results, 1)
	return results[0]
}

func whole64(list ...int64) *tensor.Tensor { return tensor.FromSlice(list) }

// scaled is y = w·x with a weight of two elements.
func scaled(t *testing.T, dev *acap.Array) *nn.ONNX {
	var g graph
	g.input("x", elemF32, 2)
	g.weight("w", func(i int) float64 { return float64(2 + i) }, 2)
	g.node("Mul", []string{"x", "w"}, []string{"y"}, nil)
	g.output("y", elemF32, 2)
	m, err := nn.ReadONNX(g.bytes(), "scaled", dev)
	require.NoError(t, err)
	return m
}

// TestCallsFollowWhatIsRead: a model whose structure comes from elements of an input is walked through again when they
// are others, and those that were seen before are recorded again.
func TestCallsFollowWhatIsRead(t *testing.T) {
	var g graph
	g.input("x", elemF32, 6)
	g.input("shape", elemI64, 2)
	g.node("Add", []string{"shape", "shape"}, []string{"twice"}, nil)
	g.numbers("two", 2)
	g.node("Div", []string{"twice", "two"}, []string{"same"}, nil)
	g.node("Reshape", []string{"x", "same"}, []string{"y"}, nil)
	g.output("y", elemF32)
	m, err := nn.ReadONNX(g.bytes(), "reshaped", freshDevice(t))
	require.NoError(t, err)
	x := tensor.FromSlice([]float32{1, 2, 3, 4, 5, 6})
	for range 3 {
		for _, dims := range [][]int64{{2, 3}, {3, 2}, {1, 6}} {
			results, err := m.Forward(x, whole64(dims...))
			require.NoError(t, err)
			require.Equal(t, []int{int(dims[0]), int(dims[1])}, results[0].Shape())
			require.Equal(t, []float32{1, 2, 3, 4, 5, 6}, tensor.Data[float32](results[0]))
		}
	}
	_, err = m.Forward(x, whole64(5, 1))
	require.Error(t, err)
	require.Equal(t, []int{2, 3}, onlyResult(t, m, x, whole64(2, 3)).Shape())
}

// TestCallsFollowWeights: what is recorded again has the weights of now, their gradients, and no gradients where there
// are none.
func TestCallsFollowWeights(t *testing.T) {
	m := scaled(t, freshDevice(t))
	x := tensor.FromSlice([]float32{1, 10})
	for range 3 {
		require.Equal(t, []float32{2, 30}, tensor.Data[float32](onlyResult(t, m, x)))
	}
	w := m.Parameters()[0]
	for range 3 {
		y := onlyResult(t, m, x)
		require.True(t, y.NeedsGrad())
		w.ZeroGrad()
		y.Sum().Backward()
		require.Equal(t, []float32{1, 10}, tensor.Data[float32](w.Gradient()))
		tensor.NoGrad(func() { require.False(t, onlyResult(t, m, x).NeedsGrad()) })
	}
	for i := range 4 {
		tensor.NoGrad(func() { w.AddInPlace(tensor.Ones(2).To(m.Parameters()[0].Device())) })
		for range 3 {
			require.Equal(t, []float32{float32(3 + i), float32(40 + 10*i)}, tensor.Data[float32](onlyResult(t, m, x)))
		}
	}
	w.Freeze()
	for range 3 {
		y := onlyResult(t, m, x)
		require.False(t, y.NeedsGrad())
		require.Equal(t, []float32{6, 70}, tensor.Data[float32](y))
	}
}

// TestCallsFollowInputs: types, shapes and equal inputs are told apart.
func TestCallsFollowInputs(t *testing.T) {
	var g graph
	g.input("a", elemF32, 2)
	g.input("b", elemF32, 2)
	g.node("Sub", []string{"a", "b"}, []string{"y"}, nil)
	g.output("y", elemF32, 2)
	dev := freshDevice(t)
	m, err := nn.ReadONNX(g.bytes(), "difference", dev)
	require.NoError(t, err)
	a, b := tensor.FromSlice([]float32{5, 7}).To(dev), tensor.FromSlice([]float32{1, 2}).To(dev)
	for range 3 {
		require.Equal(t, []float32{0, 0}, tensor.Data[float32](onlyResult(t, m, a, a)))
		require.Equal(t, []float32{4, 5}, tensor.Data[float32](onlyResult(t, m, a, b)))
		require.Equal(t, []float32{-4, -5}, tensor.Data[float32](onlyResult(t, m, b, a)))
		both := tensor.Call("split.Tensor", tensor.FromSlice([]float32{1, 2, 8, 9}).To(dev), 2)
		require.Equal(t, []float32{7, 7}, tensor.Data[float32](onlyResult(t, m, both[1], both[0])))
		require.Equal(t, []float32{-7, -7}, tensor.Data[float32](onlyResult(t, m, both[0], both[1])))
	}
	_, err = m.Forward(a, b.To(dev).Reshape([]int{1, 2}))
	require.Error(t, err)
	_, err = m.Forward(a, whole64(1, 2))
	require.Error(t, err)
}

// TestCallsAtOnce: several goroutines call one model.
func TestCallsAtOnce(t *testing.T) {
	m := scaled(t, freshDevice(t))
	var wg sync.WaitGroup
	for k := range 4 {
		wg.Go(func() {
			for i := range 20 {
				v := float32(k*100 + i)
				results, err := m.Forward(tensor.FromSlice([]float32{v, v}))
				if err != nil || math.Abs(float64(tensor.Data[float32](results[0])[1]-3*v)) > 0 {
					t.Errorf("call %d: %v", i, err)
				}
			}
		})
	}
	wg.Wait()
}

// TestCallsRecordLess: a call that is recorded again leaves out what no result needs, and has the calls of the first.
func TestCallsRecordLess(t *testing.T) {
	var g graph
	g.input("x", elemF32, 4)
	g.node("Exp", []string{"x"}, []string{"unused"}, nil)
	g.node("Neg", []string{"x"}, []string{"y"}, nil)
	g.output("y", elemF32, 4)
	dev := freshDevice(t)
	m, err := nn.ReadONNX(g.bytes(), "unused", dev)
	require.NoError(t, err)
	var keys []string
	for range 3 {
		e, err := lazy.Explain(onlyResult(t, m, tensor.Ones(4)))
		require.NoError(t, err)
		require.Equal(t, 1, e.Calls)
		require.Contains(t, e.String(), "unused:2", "the place in the file")
		keys = append(keys, e.Key)
	}
	require.Equal(t, keys[0], keys[1])
	require.Equal(t, keys[0], keys[2])
}

// TestConditionOfAResult: a model that reads a value in the middle computes what comes before it once, also where a
// branch, a later node or a result takes it again, and from the second call on compiles nothing.
func TestConditionOfAResult(t *testing.T) {
	var g graph
	g.input("x", elemF32, 2)
	g.weight("w", func(i int) float64 { return float64(2 + i) }, 2)
	g.node("Mul", []string{"x", "w"}, []string{"xw"}, nil)
	g.node("Relu", []string{"xw"}, []string{"h"}, nil)
	g.node("ReduceMax", []string{"h"}, []string{"most"}, map[string]any{"keepdims": 0})
	g.node("Cast", []string{"most"}, []string{"positive"}, map[string]any{"to": 9})
	var yes, no graph
	yes.node("Neg", []string{"h"}, []string{"negated"}, nil)
	yes.output("negated", elemF32, 2)
	no.node("Sub", []string{"h", "w"}, []string{"less"}, nil)
	no.output("less", elemF32, 2)
	g.node("If", []string{"positive"}, []string{"y"}, map[string]any{"then_branch": &yes, "else_branch": &no})
	g.node("Exp", []string{"h"}, []string{"z"}, nil)
	for _, name := range []string{"y", "z", "xw"} {
		g.output(name, elemF32, 2)
	}
	dev := freshDevice(t)
	m, err := nn.ReadONNX(g.bytes(), "branches", dev)
	require.NoError(t, err)
	for i := range 3 {
		for _, c := range []struct{ x, y, xw []float32 }{
			{[]float32{1, -2}, []float32{-2, 0}, []float32{2, -6}},
			{[]float32{-1, -2}, []float32{-2, -3}, []float32{-2, -6}},
		} {
			call := func() {
				all := called(t, m, tensor.FromSlice(c.x))
				require.Equal(t, c.y, buf.Slice[float32](all[0]))
				require.InDelta(t, math.Exp(float64(max(c.xw[0], 0))), float64(buf.Slice[float32](all[1])[0]), 1e-5)
				require.Equal(t, c.xw, buf.Slice[float32](all[2]))
			}
			lazytest.NoRecomputing(t, dev, func() {
				if i == 0 {
					call()
					return
				}
				lazytest.Compiles(t, dev, 0, call)
				lazytest.Runs(t, dev, 2, call) // the program of the condition, and the rest
			})
		}
	}
}
