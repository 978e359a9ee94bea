package ops

import (
	"strings"

	"github.com/go-acap/acap/base/shape"
)

// Values are contiguous here. In PyTorch the result of a pointwise operator lies in memory as its operands do: the
// negation of a transposed matrix is transposed, too, so that a reshape of it is a copy. Which results share memory
// follows from this, so tensors note how PyTorch would have them lie.

// orderly are the names of operators whose results lie as their operands, by PyTorch 2.14's CPU kernels.
var orderly = setOf(strings.Fields(`_to_copy abs absolute acos acosh add addcdiv addcmul alpha_dropout angle arccos arccosh arcsin arcsinh arctan
	arctan2 arctanh asin asinh atan atan2 atanh bitwise_and bitwise_left_shift bitwise_not bitwise_or
	bitwise_right_shift bitwise_xor cauchy ceil celu clamp clamp_max clamp_min clip clone complex conj_physical
	copy copysign cos cosh deg2rad diagonal_scatter digamma div divide dropout elu empty_like eq erf erfc erfinv
	exp exp2 expm1 exponential fill fix flip floor floor_divide fmax fmin fmod frac frexp full_like gcd ge gelu
	geometric greater greater_equal gt hardshrink hardsigmoid hardswish hardtanh heaviside hypot i0 igamma igammac
	index_fill index_put isfinite isinf isnan isneginf isposinf lcm ldexp le leaky_relu lerp less less_equal
	lgamma log log10 log1p log2 log_normal logaddexp logaddexp2 logical_and logical_not logical_or logical_xor
	logit lt max maximum min minimum mish mul multiply nan_to_num native_dropout ne neg negative nextafter
	normal_functional not_equal ones_like polar pow rad2deg rand_like randint_like randn_like reciprocal relu
	relu6 remainder round rsqrt rsub select_scatter selu sgn sigmoid sign signbit silu sin sinc sinh slice_scatter
	softplus softshrink sort special_airy_ai special_bessel_j0 special_bessel_j1 special_bessel_y0
	special_bessel_y1 special_entr special_erfcx special_i0e special_i1 special_i1e special_legendre_polynomial_p
	special_log_ndtr special_modified_bessel_i0 special_modified_bessel_i1 special_modified_bessel_k0
	special_modified_bessel_k1 special_ndtr special_ndtri special_scaled_modified_bessel_k0
	special_scaled_modified_bessel_k1 special_spherical_bessel_j0 special_xlog1py special_zeta sqrt square sub
	subtract tan tanh threshold to true_divide trunc type_as uniform where xlogy zeros_like`)...)

// KeepsOrder reports whether the results of the operator lie in memory as its operands do.
func (op *Op) KeepsOrder() bool { return op.orderly }

// Arrange notes how a new tensor lies that such an operator made of operands.
func (r *Ref) Arrange(operands []*Ref) {
	var shapes, strides [][]int
	for _, o := range operands {
		shapes, strides = append(shapes, o.Type().Shape), append(strides, o.strides())
	}
	dims := r.Type().Shape
	if strides := Iterated(dims, shapes, strides); r.Alias == nil && !inOrder(dims, strides) {
		r.Alias = &Alias{own: strides}
	}
}

// inMemory is how the elements of a root lie.
func (r *Ref) inMemory() Memory {
	if r.Alias != nil && r.own != nil {
		return Memory{Strides: r.own}
	}
	return InOrder(r.Type().Shape)
}

// Iterated returns the strides that PyTorch's TensorIterator gives a result of operands with these shapes and strides:
// dimensions are sorted, the last one innermost at first, by the strides of the operands, where the first operand that
// steps along both dimensions decides.
func Iterated(dims []int, shapes, strides [][]int) []int {
	var steps [][]int
	for i, own := range shapes {
		if got, err := shape.Broadcast(own, dims); err != nil || !shape.Equal(got, dims) {
			continue // such as an index
		}
		s, lead := make([]int, len(dims)), len(dims)-len(own)
		for d, stride := range strides[i] {
			if own[d] == dims[lead+d] {
				s[lead+d] = stride
			}
		}
		steps = append(steps, s)
	}
	// compare is -1 if dimension a lies within b, 1 if b lies within a, 0 if no operand tells.
	compare := func(a, b int) int {
		for _, s := range steps {
			switch {
			case s[a] == 0 || s[b] == 0:
			case s[a] < s[b]:
				return -1
			case s[a] > s[b] || dims[a] > dims[b]:
				return 1
			}
		}
		return 0
	}
	inner := make([]int, len(dims))
	for i := range inner {
		inner[i] = len(dims) - 1 - i
	}
	for i := 1; i < len(inner); i++ {
		at := i
		for k := i - 1; k >= 0; k-- {
			c := compare(inner[k], inner[at])
			if c < 0 {
				break
			}
			if c > 0 {
				inner[k], inner[at] = inner[at], inner[k]
				at = k
			}
		}
	}
	out, next := make([]int, len(dims)), 1
	for _, d := range inner {
		out[d] = next
		next *= dims[d]
	}
	return out
}
