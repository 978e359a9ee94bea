package nn

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestParametersOfImported: of the weights of an imported model those of floats can be trained, unless the file says that they are
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
