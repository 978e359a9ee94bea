package onnx

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/translate/importer"
)

// onHost computes what the structure of a model depends on.
var onHost importer.Run = host.Run

// random returns numbers between -1 and 1.
func random(seed uint64, dims ...int) *buf.Buffer {
	r := rand.New(rand.NewPCG(seed, 0))
	b := buf.New(dtype.F32, dims)
	for i := range b.Len() {
		b.SetFloat64(i, 2*r.Float64()-1)
	}
	return b
}

// operate runs one node of version 24 on inputs; nil leaves one out.
func operate(t *testing.T, op string, outputs int, inputs []*buf.Buffer, attributes ...[]byte) []*buf.Buffer {
	t.Helper()
	var parts [][]byte
	var names, results []string
	var given []Value
	for i, b := range inputs {
		name := string(rune('a' + i))
		if b == nil {
			names = append(names, "")
			continue
		}
		names, given = append(names, name), append(given, Value{Tensor: b})
		parts = append(parts, putBytes(11, putText(1, name)))
	}
	for i := range outputs {
		name := string(rune('A' + i))
		results = append(results, name)
		parts = append(parts, putBytes(12, putText(1, name)))
	}
	m, err := Read(putModel(24, putGraph(append(parts, putNode("", op, names, results, attributes...))...)), "m")
	require.NoError(t, err)
	bound, err := m.Bind(given, onHost)
	require.NoError(t, err)
	out, err := onHost(bound.Module, bound.Inputs)
	require.NoError(t, err)
	return out
}

// same compares with a function of the number of an element.
func same(t *testing.T, have *buf.Buffer, dims []int, want func(i int) float64) {
	t.Helper()
	require.Equal(t, dims, have.Shape)
	for i := range have.Len() {
		require.InDelta(t, want(i), have.Float64(i), 1e-5, "element %d", i)
	}
}

func TestSwish(t *testing.T) {
	x := random(1, 5)
	y := operate(t, "Swish", 1, []*buf.Buffer{x}, floatAttribute("alpha", 2))[0]
	same(t, y, []int{5}, func(i int) float64 { return x.Float64(i) / (1 + math.Exp(-2*x.Float64(i))) })
}

func floatAttribute(name string, v float32) []byte {
	return append(putText(1, name), putFloat(2, v)...)
}

// TestCol2Im adds the columns to the places that they come from.
func TestCol2Im(t *testing.T) {
	x := random(1, 1, 2*2*3, 2*3) // blocks of 2 × 3 at 2 × 3 places
	y := operate(t, "Col2Im", 1, []*buf.Buffer{x, buf.From([]int64{4, 5}, 2), buf.From([]int64{2, 3}, 2)},
		intsAttribute("strides", 2, 2), intsAttribute("pads", 0, 1, 0, 1))[0]
	want := make([]float64, 2*4*7)
	for c := range 2 {
		for k := range 6 {
			for p := range 6 {
				row, column := p/3*2+k/3, p%3*2+k%3
				want[(c*4+row)*7+column] += x.Float64((c*6+k)*6 + p)
			}
		}
	}
	same(t, y, []int{1, 2, 4, 5}, func(i int) float64 { return want[i/5*7+1+i%5] })
}

func TestTensorScatter(t *testing.T) {
	cache, update := random(1, 2, 1, 4, 2), random(2, 2, 1, 2, 2)
	y := operate(t, "TensorScatter", 1, []*buf.Buffer{cache, update, buf.From([]int64{3, 1}, 2)},
		append(putText(1, "mode"), putText(4, "circular")...))[0]
	same(t, y, cache.Shape, func(i int) float64 {
		batch, row, c := i/8, i/2%4, i%2
		step := (row - []int{3, 1}[batch] + 4) % 4
		if step < 2 {
			return update.Float64(batch*4 + step*2 + c)
		}
		return cache.Float64(i)
	})
}

// TestReverseSequence turns the first steps of each entry of a batch, whose steps have features.
func TestReverseSequence(t *testing.T) {
	x := random(1, 4, 2, 3) // steps, batch, features
	lengths := []int{3, 1}
	y := operate(t, "ReverseSequence", 1, []*buf.Buffer{x, buf.From([]int64{3, 1}, 2)},
		intAttribute("time_axis", 0), intAttribute("batch_axis", 1))[0]
	same(t, y, x.Shape, func(i int) float64 {
		step, batch := i/6, i/3%2
		if step < lengths[batch] {
			step = lengths[batch] - 1 - step
		}
		return x.Float64(step*6 + i%6)
	})
}

// TestComputedBounds: a range whose bound is computed from the input.
func TestComputedBounds(t *testing.T) {
	model := putModel(18, putGraph(
		putNode("", "ReduceMax", []string{"x"}, []string{"m"}, intAttribute("keepdims", 0)),
		putNode("", "Cast", []string{"m"}, []string{"n"}, intAttribute("to", 7)),
		putNode("", "Range", []string{"zero", "n", "one"}, []string{"r"}),
		scalarInteger("zero", 0), scalarInteger("one", 1), putValue(11, "x", 1, -1), putValue(12, "r", 7)))
	m, err := Read(model, "m")
	require.NoError(t, err)
	x := []*buf.Buffer{buf.From([]float32{2, 5.5, 3}, 3)}
	module, err := m.Specialize(x, onHost)
	require.NoError(t, err)
	out, err := onHost(module, x)
	require.NoError(t, err)
	assert.Equal(t, []int64{0, 1, 2, 3, 4}, buf.Slice[int64](out[0]))
	_, err = m.Specialize(x, nil)
	assert.ErrorContains(t, err, "it is computed from the inputs")
}

func scalarInteger(name string, v int64) []byte {
	return putBytes(5, putInt(2, 7), putInt(7, v), putText(8, name))
}
