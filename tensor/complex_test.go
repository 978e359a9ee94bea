package tensor_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor"
)

// A complex number where a real one is wanted is refused, beside real and complex tensors; PyTorch refuses it, too.
func TestComplexCorrection(t *testing.T) {
	real := tensor.Ones(3)
	for _, x := range []*tensor.Tensor{real, tensor.Call("complex", real, real)[0]} {
		for _, name := range []string{"var", "std", "var_mean", "std_mean"} {
			err := tensor.Try(func() { tensor.Call(name+".correction", x, nil, 1i, false) })
			require.ErrorContains(t, err, "complex", "%s of %v", name, x.DType())
		}
	}
}
