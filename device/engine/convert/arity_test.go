package convert

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

// TestArity: an operation with fewer operands than its conversion reads, or without a result, is refused.
func TestArity(t *testing.T) {
	for name, n := range map[string]int{"tensor.insert_slice": 2,
		"tensor.dim": 2, "tensor.extract_slice": 1, "tensor.pad": 1, "tensor.concat": 1, "tensor.expand_shape": 1,
		"tensor.empty": 0, "tensor.generate": 0, "tensor.from_elements": 0, "arith.constant": 0} {
		values := mlir.NewOp("test.values", nil, make([]mlir.Type, n), nil).Results
		typ := []mlir.Type{mlir.Tensor(dtype.F32, []int{2})}
		require.True(t, arity(mlir.NewOp(name, values, typ, nil)), name)
		if n > 0 {
			require.False(t, arity(mlir.NewOp(name, values[1:], typ, nil)), name)
			require.False(t, arity(mlir.NewOp(name, values, nil, nil)), name)
		}
	}
}
