package torchscript

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// TestSubstitutes: each spelling is the program of another one.
func TestSubstitutes(t *testing.T) {
	program := func(body string) string {
		m, err := read(moduleArchive(t, "    "+body+"\n"))
		require.NoError(t, err, body)
		module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{3, 3}}})
		require.NoError(t, err, body)
		return module.String()
	}
	for _, c := range [][2]string{
		{"cpu(x)", "relu(x)"},
		{"resolve_conj(x)", "relu(x)"}, {"resolve_neg(x)", "relu(x)"}, {"positive(x)", "relu(x)"},
		{"float(x)", "relu(x)"}, {"double(x)", "_to_copy(x, dtype=7)"}, {"half(x)", "_to_copy(x, dtype=5)"},
		{"bfloat16(x)", "_to_copy(x, dtype=15)"}, {"int(x)", "_to_copy(x, dtype=3)"}, {"long(x)", "_to_copy(x, dtype=4)"},
		{"short(x)", "_to_copy(x, dtype=2)"}, {"char(x)", "_to_copy(x, dtype=1)"}, {"byte(x)", "_to_copy(x, dtype=0)"},
		{"bool(x)", "_to_copy(x, dtype=11)"},
		{"floordiv(x, 2)", "floor_divide(x, 2)"}, {"multiply(x, x)", "mul(x, x)"},
		{"subtract(x, x)", "sub(x, x)"},
		{"unsafe_chunk(x, 3, 1)", "chunk(x, 3, 1)"}, {"unsafe_split(x, 2, 1)", "split(x, 2, 1)"},
		{"unsafe_split_with_sizes(x, [1, 2], 1)", "split_with_sizes(x, [1, 2], 1)"},
		{"T(x)", "numpy_T(x)"}, {"arccos(x)", "acos(x)"}, {"arcsin(x)", "asin(x)"},
		{"arctan(x)", "atan(x)"}, {"arccosh(x)", "acosh(x)"}, {"arcsinh(x)", "asinh(x)"}, {"arctanh(x)", "atanh(x)"},
		{"arctan2(x, x)", "atan2(x, x)"}, {"special_digamma(x)", "digamma(x)"}, {"special_psi(x)", "digamma(x)"},
		{"special_gammaln(x)", "lgamma(x)"}, {"special_erf(x)", "erf(x)"}, {"special_erfc(x)", "erfc(x)"},
		{"special_erfinv(x)", "erfinv(x)"}, {"special_exp2(x)", "exp2(x)"}, {"special_expit(x)", "sigmoid(x)"},
		{"special_expm1(x)", "expm1(x)"}, {"special_i0(x)", "i0(x)"}, {"special_log1p(x)", "log1p(x)"},
		{"special_logit(x, 0.25)", "logit(x, 0.25)"}, {"special_round(x)", "round(x)"}, {"special_sinc(x)", "sinc(x)"},
		{"special_polygamma(2, x)", "polygamma(2, x)"}, {"special_multigammaln(x, 2)", "mvlgamma(x, 2)"},
		{"matrix_exp(x)", "linalg_matrix_exp(x)"},
		{"orgqr(x, torch.select(x, 0, 0))", "linalg_householder_product(x, torch.select(x, 0, 0))"},
		{"rrelu(x)", "leaky_relu(x, 0.22916666666666666)"}, {"rrelu(x, 0.25, 0.75)", "leaky_relu(x, 0.5)"},
		{"rrelu(x, 0.25, 0.75, False)", "leaky_relu(x, 0.5)"},
		{"neg_(torch.abs(x))", "neg(torch.abs(x))"},
		{"arctan_(torch.abs(x))", "atan(torch.abs(x))"},
		{"polygamma_(torch.abs(x), 2)", "polygamma(2, torch.abs(x))"},
		{"__iand__(torch.int(x), 6)", "bitwise_and(torch.int(x), 6)"}, {"__ior__(torch.int(x), 6)", "bitwise_or(torch.int(x), 6)"},
		{"__ixor__(torch.bool(x), True)", "bitwise_xor(torch.bool(x), True)"},
		{"__ilshift__(torch.int(x), 2)", "bitwise_left_shift(torch.int(x), 2)"},
		{"__irshift__(torch.int(x), torch.int(x))", "bitwise_right_shift(torch.int(x), torch.int(x))"},
	} {
		spelled, plain := "return torch.relu(torch."+c[0]+")", "return torch.relu(torch."+c[1]+")"
		if c[1] == "relu(x)" {
			plain = "return torch.relu(x)"
		}
		if strings.HasPrefix(c[0], "unsafe_") { // which give lists
			spelled, plain = "return torch.relu((torch."+c[0]+")[1])", "return torch.relu((torch."+c[1]+")[1])"
		}
		require.Equal(t, program(plain), program(spelled), c[0])
	}
	_, err := importBody(t, "    return torch.rrelu(x, 0.25, 0.75, True)\n", 3, 3)
	require.NoError(t, err)
}
