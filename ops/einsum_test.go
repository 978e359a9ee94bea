package ops_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// TestEinsumSums: where one operand alone is summed, integers become i64, and products keep their type, as in PyTorch
// 2.14.
func TestEinsumSums(t *testing.T) {
	x := tensor.Call("ones", []int{3, 4}, tensor.With("dtype", dtype.I16))[0]
	for _, c := range []struct {
		equation string
		operands []*tensor.Tensor
		want     dtype.DType
	}{
		{"ij->", []*tensor.Tensor{x}, dtype.I64},
		{"ij->i", []*tensor.Tensor{x}, dtype.I64},
		{"ij->ji", []*tensor.Tensor{x}, dtype.I16},
		{"ij,ij->i", []*tensor.Tensor{x, x}, dtype.I16},
		{"ij,kj->", []*tensor.Tensor{x, x}, dtype.I64},
		{"ij,j->ij", []*tensor.Tensor{x, x.Select(0, 0)}, dtype.I16},
	} {
		require.Equal(t, c.want, tensor.Call("einsum", c.equation, c.operands)[0].DType(), c.equation)
	}
	y := tensor.Call("tensordot", x, tensor.Call("ones", []int{1, 4}, tensor.With("dtype", dtype.I16))[0], []int{0}, []int{0})[0]
	require.Equal(t, dtype.I16, y.DType())
	require.Equal(t, int64(3), y.Int64s()[0])
}
