package ops_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// Types of storage are moved and converted, and nothing computes with them.
func TestRefusedTypes(t *testing.T) {
	of := func(d dtype.DType) ops.T { return ops.T{DType: d, Shape: []int{2, 3}} }
	for _, c := range []struct {
		op   string
		args ops.Sample
		want string // empty if the call is right
	}{
		{"add.Tensor", ops.Sample{of(dtype.F8E4M3FN), of(dtype.F32)},
			"does not compute with f8e4m3fn, which is for storage: convert to f32, f16 or bf16"},
		{"mm", ops.Sample{of(dtype.F8E5M2), ops.T{DType: dtype.F8E5M2, Shape: []int{3, 2}}}, "does not compute with f8e5m2"},
		{"sum", ops.Sample{of(dtype.F8E4M3FNUZ)}, "does not compute with f8e4m3fnuz"},
		{"sort", ops.Sample{of(dtype.F8E5M2FNUZ)}, "does not compute with f8e5m2fnuz"},
		{"cat", ops.Sample{[]ops.T{of(dtype.F8E5M2), of(dtype.F8E5M2)}}, ""},
		{"permute", ops.Sample{of(dtype.F8E5M2), []int{1, 0}}, ""},
		{"to.dtype", ops.Sample{of(dtype.F8E5M2), dtype.U64}, ""},
		{"add.Tensor", ops.Sample{of(dtype.U64), of(dtype.I8)},
			"no integer type holds u64 and signed integers: convert one of them"},
		{"add.Tensor", ops.Sample{of(dtype.U64), of(dtype.U8)}, ""},
		{"add.Scalar", ops.Sample{of(dtype.U64), 3}, ""},
		{"gcd", ops.Sample{of(dtype.U64), of(dtype.U64)}, ""},
		{"searchsorted.Tensor", ops.Sample{of(dtype.U64), of(dtype.I64)}, "no integer type holds u64 and signed integers"},
		{"bucketize.Tensor", ops.Sample{of(dtype.I8), ops.T{DType: dtype.U64, Shape: []int{3}}},
			"no integer type holds u64 and signed integers"},
		{"isin.Tensor_Tensor", ops.Sample{of(dtype.U64), of(dtype.I64)}, "no integer type holds u64 and signed integers"},
		{"isin.Tensor_Scalar", ops.Sample{of(dtype.U64), 3}, ""},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args.Args(rand.New(rand.NewPCG(1, 2)))...)
		if c.want == "" {
			require.NoError(t, err, "%s%v", c.op, c.args)
			continue
		}
		var typed *ops.DTypeError
		require.ErrorAs(t, err, &typed)
		require.ErrorContains(t, err, c.want)
	}
}

// TestRefusedArguments: what PyTorch 2.14 refuses for the value of an argument, which had results without a meaning.
func TestRefusedArguments(t *testing.T) {
	ints, floats, bools := ops.T{DType: dtype.I64, Shape: []int{3}}, ops.S(3), ops.T{DType: dtype.Bool, Shape: []int{3}}
	complexes := func(dims ...int) ops.T { return ops.T{DType: dtype.C64, Shape: dims} }
	for _, c := range []struct {
		op   string
		args ops.Sample
		want string // empty if the call is right
	}{
		{"add.Tensor", ops.Sample{ints, ints, 1.5}, "alpha is 1.5, and the result is of i64"},
		{"sub.Scalar", ops.Sample{ints, 2, 0.5}, "alpha is 0.5"},
		{"rsub.Tensor", ops.Sample{ints, ints, 0.5}, "alpha is 0.5"},
		{"add.Tensor", ops.Sample{ints, ints, 2}, ""},
		{"add.Tensor", ops.Sample{ints, floats, 1.5}, ""},
		{"mse_loss", ops.Sample{ints, ints, 2}, "takes real floating tensors, got i64 and i64: convert them first"},
		{"mse_loss", ops.Sample{ints, floats}, ""},
		{"smooth_l1_loss", ops.Sample{complexes(3), floats}, "takes real floating tensors, got c64 and f32"},
		{"huber_loss", ops.Sample{complexes(3), floats}, "takes real floating tensors, got c64 and f32"},
		{"huber_loss", ops.Sample{ints, floats}, "has elements of f32 and a result of i64, which cannot hold them"},
		{"soft_margin_loss", ops.Sample{floats, complexes(3)}, "has elements of c64 and a result of f32, which cannot hold them"},
		{"soft_margin_loss", ops.Sample{complexes(3), floats}, ""},
		{"binary_cross_entropy_with_logits", ops.Sample{floats, ints}, "a result of i64, which cannot hold them: convert input and target"},
		{"ctc_loss.Tensor", ops.Sample{ops.S(4, 2, 3), ops.T{DType: dtype.I64, Shape: []int{2, 2}, Low: 1, High: 3}, ops.S(2), ops.S(2)}, "takes lengths of integers, got f32"},
		{"index_fill.int_Tensor", ops.Sample{floats, 0, ints, complexes()}, "value is complex, and self is f32: convert self"},
		{"masked_fill.Tensor", ops.Sample{floats, bools, complexes()}, "value is complex, and self is f32: convert self"},
		{"masked_fill.Tensor", ops.Sample{complexes(3), bools, ops.S()}, ""},
		{"huber_loss", ops.Sample{floats, floats, 1, -1.0}, "delta is -1, and must not be negative"},
		{"smooth_l1_loss", ops.Sample{floats, floats, 1, -1.0}, "beta is -1, and must not be negative"},
		{"smooth_l1_loss", ops.Sample{floats, floats, 1, 0.0}, ""},
		{"cross_entropy_loss", ops.Sample{ops.S(3, 4), ops.S(3, 4), nil, 1, 2}, "ignore_index is 2, and target holds probabilities"},
		{"renorm", ops.Sample{ops.S(3, 3), 0.0, 0, 1.0}, "p is 0, and must be above 0"},
		{"diff", ops.Sample{ints, -1}, "n is -1, and must not be negative"},
		{"sub.Tensor", ops.Sample{bools, bools}, "takes no bool"},
		{"sub.Tensor", ops.Sample{floats, bools}, "takes no bool"},
		{"sub.Scalar", ops.Sample{floats, true}, "takes no bool"},
		{"rsub.Scalar", ops.Sample{bools, 1.0}, "takes no bool"},
		{"add.Tensor", ops.Sample{floats, floats, true}, "alpha is a bool"},
		{"add.Tensor", ops.Sample{bools, bools, true}, ""},
		{"fft_fft", ops.Sample{floats, -1}, "a transform of -1 points"},
		{"fft_fft2", ops.Sample{ops.S(2, 3), []int{-1, 2}}, ""},
		{"rrelu", ops.Sample{floats, 0.5, 0.25}, "lower must not be above upper"},
		{"rrelu", ops.Sample{floats, 0.25, 0.25}, ""},
		{"normal.float_float", ops.Sample{0.0, -1.0, []int{3}}, "std must not be negative"},
		{"normal.Tensor_float", ops.Sample{floats, -1.0}, "std must not be negative"},
		{"uniform", ops.Sample{floats, math.Inf(-1), 1.0}, "no numbers in [-Inf, 1)"},
		{"uniform", ops.Sample{floats, -3e38, 3e38}, "no numbers in"},
		{"uniform", ops.Sample{ops.T{DType: dtype.F64, Shape: []int{3}}, -3e38, 3e38}, ""},
		{"random.from", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, 0, 257}, "u8 does not have all integers from [0, 257)"},
		{"random.from", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, -1, 5}, "u8 does not have all integers from [-1, 5)"},
		{"random.from", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, 0, 256}, ""},
		{"randint", ops.Sample{3, []int{2}, dtype.Bool}, "bool does not have all integers from [0, 3)"},
		{"cosine_similarity", ops.Sample{ops.S(2, 3), ops.S(2, 3), 1, -1.0}, "eps is -1"},
		{"isclose", ops.Sample{floats, floats, math.NaN()}, "must not be negative"},
		{"arange.start", ops.Sample{1.5, 1.0}, "cannot be reached"},
		{"arange.start", ops.Sample{1.5, 1.5}, ""},
		{"linalg_cross", ops.Sample{ops.S(2, 3), ops.S(2, 1), -1}, "must have extent 3"},
		{"conv1d", ops.Sample{ops.S(1, 2, 0), ops.S(2, 2, 3)}, "larger than the padded input"},
		{"conv1d", ops.Sample{ops.S(1, 2, 5), ops.S(2, 2, 0)}, "larger than the padded input"},
		{"conv1d", ops.Sample{ops.S(1, 2, 0), ops.S(2, 2, 3), nil, 1, 2}, ""},
		{"feature_dropout", ops.Sample{floats, 0.5, true}, "needs two dimensions"},
		{"feature_dropout", ops.Sample{floats, 0.5, false}, ""},
		{"einsum", ops.Sample{"ii->i", []ops.T{ops.S(2, 3)}}, "the same letter names dimensions of 2 and 3"},
		{"trapezoid.x", ops.Sample{ops.S(3, 4), ops.S(3)}, "x has 3 places for the 4 elements of dimension 1"},
		{"addmm", ops.Sample{complexes(2), complexes(1, 1), complexes(1, 1)}, "[2]"},
		{"gru.input", ops.Sample{ops.S(2, 3, 4), ops.S(1, 1, 5), []ops.T{ops.S(15, 4), ops.S(15, 5)}, false, 1, 0.0, false, false, false},
			"state [1 1 5] does not have the 3 sequences of input [2 3 4]"},
		{"upsample_nearest2d.vec", ops.Sample{ops.S(1, 1, 2, 2), nil, []float64{2, 2, 2}}, "needs 2 scale factors, got [2 2 2]"},
		{"_ctc_loss.Tensor", ops.Sample{ops.S(4, 2, 3), ops.T{DType: dtype.I64, Shape: []int{2, 2}, Low: 1, High: 3}, ops.S(2), ops.S(2)}, "takes lengths of integers, got f32"},
		{"embedding_bag", ops.Sample{ops.T{DType: dtype.I64, Shape: []int{3, 2}}, ints, ints}, "takes a weight of floats"},
		{"embedding_bag", ops.Sample{ops.T{DType: dtype.F64, Shape: []int{3, 2}}, ints, ints, false, 0, false, floats}, "per_sample_weights of the same type"},
		{"_native_multi_head_attention", ops.Sample{ops.S(2, 3, 4), ops.S(2, 3, 4), ops.S(2, 3, 4), 4, 2, ops.S(12, 4), ops.S(13), ops.S(4, 4), ops.S(4)}, "qkv_bias must have the shape [12], not [13]"},
		{"scatter_add", ops.Sample{ops.S(0, 4), 0, ops.T{DType: dtype.I64, Shape: []int{5, 4}}, ops.S(5, 4)}, "which is empty"},
		{"max_unpool3d", ops.Sample{ops.S(1, 1, 1, 1, 1), ops.T{DType: dtype.I64, Shape: []int{1, 1, 1, 1, 1}}, []int{2, 2, 2}, []int{0, 2, 2}, []int{0, 0, 0}}, "strides above 0"},
		{"max_unpool3d", ops.Sample{ops.S(1, 1, 1, 1, 1), ops.T{DType: dtype.I64, Shape: []int{1, 1, 1, 1, 1}}, []int{2, 2, 2}, []int{2, 2, 2}, []int{0, 0, 0}}, ""},
		{"linalg_svd", ops.Sample{ops.S(2, 2), true, "gesvdx"}, "unknown driver"},
		{"linalg_svd", ops.Sample{ops.S(2, 2), true, "gesvdj"}, ""},
		{"binary_cross_entropy", ops.Sample{floats, complexes(3)}, "target has the type c64 beside f32 of self: convert one of them"},
		{"binary_cross_entropy", ops.Sample{ints, floats}, "target has the type f32 beside i64 of self: convert one of them"},
		{"scaled_dot_product_attention", ops.Sample{ops.S(1, 4), ops.S(5, 4), ops.S(5, 4), ops.S(3, 5)}, "attn_mask [3 5] does not fit 1 queries and 5 keys"},
		{"scaled_dot_product_attention", ops.Sample{ops.S(3, 4), ops.S(5, 4), ops.S(5, 4), ops.S(2, 1, 5)}, ""},
		{"einsum", ops.Sample{"ab,bc,c", []ops.T{ops.S(2, 3), ops.S(3, 4), ops.S(4)}, []int{0, 1}}, "path [0 1] has 2 entries instead of 4 for 3 operands"},
		{"einsum", ops.Sample{"ab,bc,c", []ops.T{ops.S(2, 3), ops.S(3, 4), ops.S(4)}, []int{0, 1, 0, 2}}, "0 and 2 are not two of the 2 operands"},
		{"einsum", ops.Sample{"ab,bc,c", []ops.T{ops.S(2, 3), ops.S(3, 4), ops.S(4)}, []int{0, 1, 1, 0}}, ""},
		{"einsum", ops.Sample{"ab->b", []ops.T{ops.S(2, 3)}, []int{0}}, ""},
		{"fill.Scalar", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, 256}, "value is 256, which u8 does not hold"},
		{"fill.Scalar", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, -255}, ""},
		{"fill.Scalar", ops.Sample{ops.T{DType: dtype.U8, Shape: []int{3}}, 255.5}, ""},
		{"fill.Scalar", ops.Sample{ints, math.Inf(1)}, "value is +Inf, which i64 does not hold"},
		{"fill.Scalar", ops.Sample{ints, math.MaxInt64}, ""},
		{"full", ops.Sample{[]int{2}, 1 << 31, dtype.I32}, "which i32 does not hold"},
		{"clamp", ops.Sample{ops.T{DType: dtype.I8, Shape: []int{3}}, -128, 127}, ""},
		{"clamp", ops.Sample{ops.T{DType: dtype.I8, Shape: []int{3}}, -128, 128}, "max is 128, which i8 does not hold"},
		{"clamp", ops.Sample{ops.T{DType: dtype.I8, Shape: []int{3}}, math.Inf(-1), 300}, ""},
		{"add.Scalar", ops.Sample{ops.T{DType: dtype.I8, Shape: []int{3}}, 300}, ""},
		{"lerp.Tensor", ops.Sample{ops.S(3), ops.S(3), ops.T{DType: dtype.F64, Shape: []int{3}}}, "weight has the type f64 beside f32 of self"},
		{"layer_norm", ops.Sample{ops.T{DType: dtype.BF16, Shape: []int{2, 3}}, []int{3}, ops.S(3)}, ""},
		{"layer_norm", ops.Sample{ops.T{DType: dtype.F64, Shape: []int{2, 3}}, []int{3}, ops.S(3)}, "weight has the type f32 beside f64 of input"},
		{"addr", ops.Sample{ops.S(2, 3), ops.T{DType: dtype.F64, Shape: []int{2}}, ops.S(3)}, ""},
		{"vander", ops.Sample{ops.S(2, 2)}, "another number of dimensions than 1"},
	} {
		_, err := ops.MustLookup(c.op).NewCall(c.args.Args(rand.New(rand.NewPCG(1, 2)))...)
		if c.want == "" {
			require.NoError(t, err, "%s%v", c.op, c.args)
			continue
		}
		require.ErrorContains(t, err, c.want)
	}
}
