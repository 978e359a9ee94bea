package ops_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/ops"
)

// partialTable are the operators of the table whose gradient is not the whole derivative. What PyTorch gives for it is
// recorded, as far as there is any.
var partialTable = map[string]string{
	"_batch_norm_no_update": "running statistics have no gradient", "_batch_norm_with_update_functional": "running statistics have no gradient",
	"_native_batch_norm_legit_no_training":       "running statistics have no gradient",
	"_native_batch_norm_legit.no_stats":          "the saved statistics have no gradient",
	"ctc_loss.IntList":                           "the gradient is that of scores before log_softmax, as in PyTorch",
	"ctc_loss.Tensor":                            "the gradient is that of scores before log_softmax, as in PyTorch",
	"linalg_ldl_factor":                          "it has no gradient",
	"_dyn_quant_matmul_4bit":                     "it has no gradient: it rounds",
	"linalg_matrix_sqrth":                        "reads one triangle, the gradient is that of a symmetric matrix",
	"quantized_decomposed.choose_qparams.tensor": "a zero point that is rounded decides the scale: it has no gradient in PyTorch",
	"prims.bessel_j0":                            "it has no gradient", "prims.bessel_j1": "it has no gradient", "prims.spherical_bessel_j0": "it has no gradient",
	"prims.zeta": "the order has no gradient", "prims.igamma": "the order has no gradient", "prims.igammac": "the order has no gradient",
	"special_gammainc": "the order has no gradient", "special_gammaincc": "the order has no gradient",
}

// TestTableGradients: gradients of the operators of the table agree with differences, and so do second derivatives.
func TestTableGradients(t *testing.T) {
	each := longtest.Sample(8, 8, 1)
	checked := 0
	for i, op := range ops.Table() {
		rounds := strings.HasPrefix(op.Name(), "fake_quantize") || strings.HasPrefix(op.Name(), "_fake_quantize") ||
			strings.HasPrefix(op.Name(), "quantized_decomposed.fake") // a rounded number has the gradient of the number
		if i%each != 0 || op.Draws || rounds || partialTable[op.Name()] != "" {
			continue
		}
		t.Run(op.Name(), func(t *testing.T) {
			if checkGradient(t, op, op.Samples()[0], 3) {
				checked++
			}
		})
	}
	require.Greater(t, checked, 120/each)
}
