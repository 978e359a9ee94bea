package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestStateOfEqualNames: {"a.b": {"c": t}, "a": {"b.c": u}} has two tensors a.b.c, and neither is lost in silence. A
// tensor may have a name twice.
func TestStateOfEqualNames(t *testing.T) {
	one, other := buf.From([]float32{1}, 1), buf.From([]float32{2}, 1)
	m := &Model{Name: "m.pt", parameters: []*Parameter{{Name: "a.b.c", Data: one}, {Name: "a.b.c", Data: one}}}
	state, err := m.State()
	require.NoError(t, err)
	require.Same(t, one, state["a.b.c"])
	m.parameters[1].Data = other
	_, err = m.State()
	require.ErrorContains(t, err, `m.pt: two tensors have the name "a.b.c"`)
}
