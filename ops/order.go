package ops

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
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

// following has the names of operators whose results have channels last if their pictures have: the first operand, all
// operands that are joined, or the picture or the weight of a convolution.
var following = setOf(strings.Fields(`_adaptive_avg_pool2d _adaptive_avg_pool3d _convolution _upsample_bicubic2d_aa _upsample_bilinear2d_aa
	_upsample_nearest_exact2d _upsample_nearest_exact3d adaptive_avg_pool2d adaptive_avg_pool3d adaptive_max_pool2d
	avg_pool2d avg_pool3d batch_norm cat channel_shuffle concat concatenate constant_pad_nd conv2d conv3d
	conv_transpose2d conv_transpose3d convolution group_norm max_pool2d max_pool2d_with_indices
	max_pool3d max_pool3d_with_indices native_batch_norm native_group_norm pixel_unshuffle reflection_pad2d replication_pad2d roll
	upsample_bicubic2d upsample_bilinear2d upsample_nearest2d upsample_nearest3d upsample_trilinear3d`)...)

// KeepsOrder reports whether how results of the operator lie in memory depends on how its operands do.
func (op *Op) KeepsOrder() bool { return op.orderly || op.follows || op.picks() }

// picks reports whether the operator is advanced indexing, whose result lies as the source and the indices do.
func (op *Op) picks() bool { return op.base == "index" }

// OrderDependsOn reports whether how results lie may depend on how an operand does: pictures and volumes have four
// dimensions or more.
func (op *Op) OrderDependsOn(r *Ref) bool {
	return r.Alias != nil && (op.orderly || op.picks() || op.follows && len(r.Type().Shape) >= 4)
}

// MemoryFormat is the memory format that a call names, or the operator by default; [PreserveFormat] if there is none.
func (op *Op) MemoryFormat(args []Arg) int {
	s, i := op.Parsed(), op.read().format
	switch {
	case i < 0:
	case i < len(args) && args[i].Kind == KindInt:
		return args[i].Int()
	case s.Params[i].Default.Kind == KindInt:
		return s.Params[i].Default.Int()
	}
	return PreserveFormat
}

// ResultStrides returns the strides, in elements, of a result with extents dims that the operator computes from
// operands with these types and strides. An absent entry of a list of tensors has a zero type and nil strides. A call
// may name a memory format; else it is [PreserveFormat].
func (op *Op) ResultStrides(format int, dims []int, types []TensorType, strides [][]int) []int {
	shapes := make([][]int, len(types))
	for i, t := range types {
		shapes[i] = t.Shape
	}
	switch {
	case format == PreserveFormat && op.picks():
		shapes, strides = picked(dims, types, strides)
		return iterated(dims, shapes, strides)
	case format > PreserveFormat, format == PreserveFormat && op.follows && op.pictures(shapes, strides):
		return ChannelsLast(dims).Strides
	case format == PreserveFormat && op.orderly:
		return iterated(dims, shapes, strides)
	}
	return shape.Strides(dims)
}

// pictures reports whether the operands of an operator that follows them have channels last.
func (op *Op) pictures(shapes, strides [][]int) bool {
	last := func(i int) bool { return i < len(shapes) && hasChannelsLast(shapes[i], strides[i]) }
	switch {
	case op.Parsed().Params[0].List:
		for i := range shapes {
			if !last(i) {
				return false
			}
		}
		return true
	case strings.Contains(op.Parsed().Name, "conv"):
		return last(0) || last(1)
	}
	return last(0)
}

// hasChannelsLast reports whether pictures or volumes lie with their channels next to each other, gaps allowed.
func hasChannelsLast(dims, strides []int) bool {
	rank := len(dims)
	if rank != 4 && rank != 5 || strides[1] == 0 {
		return false
	}
	order := []int{1, 4, 3, 2, 0} // channels, columns, rows, planes, pictures
	if rank == 4 {
		order = []int{1, 3, 2, 0}
	}
	next := 0
	for _, d := range order {
		if dims[d] == 0 || strides[d] < next || d == 0 && next == strides[1] {
			return false
		}
		next = strides[d] * dims[d]
	}
	return true
}

// ChannelsLast is the memory of pictures or volumes whose channels lie next to each other; other tensors lie in order.
func ChannelsLast(dims []int) Memory {
	rank := len(dims)
	if rank != 4 && rank != 5 {
		return InOrder(dims)
	}
	strides := make([]int, rank)
	strides[1] = 1
	next := dims[1]
	for d := rank - 1; d >= 2; d-- {
		strides[d] = next
		next *= dims[d]
	}
	strides[0] = next
	return Memory{Strides: strides}
}

// IsChannelsLast reports whether r lies as a tensor of its own with channels last does.
func (r *Ref) IsChannelsLast() bool {
	dims := r.Type().Shape
	return Memory{Strides: r.strides()}.SameAs(ChannelsLast(dims), dims)
}

// Arrange notes how a new tensor lies that such an operator made of operands, for a memory format. An absent entry of a
// list is nil.
func (r *Ref) Arrange(op *Op, format int, operands []*Ref) {
	types, strides := make([]TensorType, len(operands)), make([][]int, len(operands))
	for i, o := range operands {
		if o != nil {
			types[i], strides[i] = o.Type(), o.strides()
		}
	}
	dims := r.Type().Shape
	if strides := op.ResultStrides(format, dims, types, strides); r.Alias == nil && !inOrder(dims, strides) {
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

// picked is the source of an index and the indices as PyTorch's TensorIterator steps along the result: the source does
// not step along dimensions of the indices, nor do they along its own.
func picked(dims []int, types []TensorType, strides [][]int) (shapes, steps [][]int) {
	x := &advanced{dims: types[0].Shape}
	for i, t := range types[1:] {
		switch t.DType {
		case dtype.Invalid:
			x.entry = append(x.entry, -1)
		case dtype.Bool, dtype.U8:
			x.entry = append(x.entry, slices.Repeat([]int{i}, len(t.Shape))...)
		default:
			x.entry = append(x.entry, i)
		}
	}
	for len(x.entry) < len(x.dims) {
		x.entry = append(x.entry, -1)
	}
	x.place()
	kept := x.kept()
	x.index = dims[x.first : x.first+len(dims)-len(kept)]
	source := make([]int, len(dims))
	for _, d := range kept {
		source[x.resultDim(d)] = strides[0][d]
	}
	shapes, steps = [][]int{dims}, [][]int{source}
	for i, t := range types[1:] {
		if t.DType != dtype.Invalid && t.DType != dtype.Bool && t.DType != dtype.U8 {
			own, lead := make([]int, len(dims)), x.first+len(x.index)-len(t.Shape)
			for d, n := range t.Shape {
				if n == dims[lead+d] {
					own[lead+d] = strides[1+i][d]
				}
			}
			shapes, steps = append(shapes, dims), append(steps, own)
		}
	}
	return shapes, steps
}

// iterated returns the strides that PyTorch's TensorIterator gives a result of operands with these shapes and strides:
// dimensions are sorted, the last one innermost at first, by the strides of the operands, where the first operand that
// steps along both dimensions decides.
func iterated(dims []int, shapes, strides [][]int) []int {
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
