package nn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/translate/importer"
)

// TestParametersOfImported: weights of floats of an imported model can be trained, unless the file says that they are
// none; weights that share their memory are one with two names.
func TestParametersOfImported(t *testing.T) {
	shared := buf.From([]float32{1, 2}, 2)
	m := newImported(nil, []weight{{name: "a", data: shared, trainable: true}, {name: "count", data: buf.From([]int64{1}, 1), trainable: true},
		{name: "mean", data: buf.From([]float32{3}, 1)}, {name: "again", data: shared, trainable: true}, {name: "b", data: buf.From([]float64{4}, 1), trainable: true}}, acap.Device())
	require.Empty(t, Parameters(m), "they are frozen")
	state := StateDict(m)
	require.Len(t, state, 5)
	require.Same(t, state["a"], state["again"])
	require.Equal(t, acap.Device(), state["mean"].Device())
	want := []*tensor.Tensor{state["a"], state["b"]}
	for range 2 {
		require.Equal(t, want, m.Parameters())
		require.Equal(t, want, Parameters(m))
	}
	require.False(t, state["mean"].IsParameter() || state["count"].IsParameter())
	want[0].Freeze()
	require.Equal(t, want[1:], Parameters(m), "a part is frozen again")
}

// TestWalksOnce: a file is walked through once for a kind of inputs, again for each value that it reads, as often as a
// training step changes the weights, and again once they stay.
func TestWalksOnce(t *testing.T) {
	weights := buf.From([]float32{1, 2}, 2)
	walks := 0
	read := false
	m := newImported(func(b importer.Builder, in []ops.Value) ([]ops.Value, error) {
		walks++
		if read {
			if _, err := b.(importer.Reader).Read(in[0], "the number"); err != nil {
				return nil, err
			}
		}
		e := ops.Emit{Builder: b}
		return []ops.Value{e.Add(e.Mul(in[0], b.Constant("w", weights)), b.Constant("", buf.From([]float32{0.5, 0.5}, 2)))}, nil
	}, []weight{{name: "w", data: weights, trainable: true}}, acap.Device())
	call := func(x ...float32) []float32 {
		y, err := m.Forward(tensor.FromSlice(x))
		require.NoError(t, err)
		return tensor.Data[float32](y[0])
	}
	for i := range 5 {
		require.Equal(t, []float32{float32(i) + 0.5, 2.5}, call(float32(i), 1))
	}
	require.Equal(t, 1, walks)
	tensor.NoGrad(func() { call(1, 1) })
	require.Equal(t, 2, walks, "calls without gradients may differ")

	w := m.Parameters()[0]
	walks = 0
	for range 5 {
		call(1, 1)
		tensor.NoGrad(func() { w.MulInPlace(w) })
	}
	require.Equal(t, 5, walks)
	walks = 0
	for range 5 {
		require.Equal(t, []float32{1.5, float32(1<<32) + 0.5}, call(1, 1))
	}
	require.LessOrEqual(t, walks, 3)

	walks, read = 0, true
	m.templates = templates{}
	for range 3 {
		for i := range 4 {
			require.Equal(t, float32(i)+0.5, call(float32(i), 1)[0])
		}
	}
	require.Equal(t, 4, walks)
	for i := range 3 * mostTemplates {
		require.Equal(t, float32(i)+0.5, call(float32(i), 2)[0])
	}
	require.Equal(t, 4+3*mostTemplates, walks)
	require.Len(t, m.templates.of, 1)
	for _, of := range m.templates.of {
		require.Len(t, of.list, mostTemplates)
	}
}
