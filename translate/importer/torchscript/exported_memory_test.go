package torchscript

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestExportedMemory: the file says how a tensor lies in memory that is computed from tensors in another order. PyTorch
// 2.14 gives the numbers, strides and extents of differences of squares: x is 0 … 11 in [2 3 2], with its last
// dimensions exchanged.
func TestExportedMemory(t *testing.T) {
	ints := func(n ...int) fields { return fields{"as_ints": n} }
	build := func(dim int, m fields, sizes, strides []int) *program {
		p := newProgram()
		p.input("x", dtype.F32, 2, 3, 2)
		p.call("torch.ops.aten.permute.default", "turned", "", tensorOf("x"), "", ints(0, 2, 1))
		p.call("torch.ops.aten.square.default", "squares", "", tensorOf("turned"))
		p.call("torch.ops.aten.diff.default", "m", "", tensorOf("squares"), "", fields{"as_int": 1}, "", fields{"as_int": dim})
		p.call("torch.ops.aten.as_strided.default", "y", "", tensorOf("m"), "", ints(sizes...), "", ints(strides...))
		p.output("user_output", "y")
		if m != nil {
			p.values["m"] = m
		}
		return p
	}
	x := buf.From([]float32{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11}, 2, 3, 2)
	along := func(m fields) *program { return build(2, m, []int{2, 2, 2}, []int{4, 1, 2}) }
	out := runProgram(t, along(meta(dtype.F32, []int{2, 2, 2}, []int{4, 1, 2})).archive(t), x)
	require.Equal(t, []float32{4, 12, 8, 16, 28, 36, 32, 40}, buf.Slice[float32](out[0]))
	open := meta(dtype.F32, []int{2, 2, 2}, []int{4, 1, 2})
	open["sizes"] = []any{fields{"as_expr": fields{"expr_str": "s0"}}, fields{"as_int": 2}, fields{"as_int": 2}}
	out = runProgram(t, along(open).archive(t), x)
	require.Equal(t, []float32{4, 12, 8, 16, 28, 36, 32, 40}, buf.Slice[float32](out[0]))
	out = runProgram(t, build(0, meta(dtype.F32, []int{1, 2, 3}, []int{6, 1, 2}), []int{6}, []int{1}).archive(t), x)
	require.Equal(t, []float32{36, 48, 60, 72, 84, 96}, buf.Slice[float32](out[0]))

	elsewhere := meta(dtype.F32, []int{2, 2, 2}, []int{4, 1, 2})
	elsewhere["storage_offset"] = fields{"as_int": 4}
	for name, c := range map[string]struct {
		p    *program
		want string
	}{
		"nothing in the file": {along(nil), "how the elements of the tensor lie in memory is not known"},
		"another shape":       {along(meta(dtype.F32, []int{2, 3, 1}, []int{3, 1, 1})), "is not known"},
		"another rank":        {along(meta(dtype.F32, []int{2, 2}, []int{2, 1})), "is not known"},
		"at another place":    {along(elsewhere), "is not known"},
	} {
		m, err := read(c.p.archive(t))
		require.NoError(t, err)
		_, err = m.Specialize([]*buf.Buffer{x}, runHost)
		require.ErrorContains(t, err, c.want, name)
	}
}
