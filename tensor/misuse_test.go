package tensor_test

import (
	"context"
	"errors"
	"fmt"
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/cputime"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/tensor"
)

// TestMisuse gives the interface what it does not take: each call panics with a typed error
// that has the line of the call and says what is wrong.
func TestMisuse(t *testing.T) {
	defer buf.SetLimit(buf.SetLimit(1 << 30))
	x, bits := tensor.Ones(2, 3), tensor.Of([]bool{false, true})
	var none *tensor.Tensor
	for _, c := range []struct {
		call func()
		want string
	}{
		{func() { tensor.Of(nil) }, "of: no element type for nil"},
		{func() { tensor.Of([]any{1, "x"}) }, "of: no element type for interface"},
		{func() { tensor.Of(make(chan int)) }, "of: no element type for chan int"},
		{func() { tensor.Of([][]int{{1}, {2, 3}}) }, "of: ragged nesting"},
		{func() { tensor.FromSlice([]float32{1}, -1) }, "from slice: extents must not be negative"},
		{func() { tensor.Zeros(1<<20, 1<<20) }, "full: the tensor needs 4 TiB of memory; the limit is 1 GiB"},
		{func() { tensor.Arange(-1) }, "arange: extents must not be negative"},
		{func() { tensor.FullLike(0, dtype.DType(99), 2) }, "full: dtype(99) is no element type"},
		{func() { tensor.FromBuffer(nil) }, "from buffer: the buffer is nil"},
		{func() { x.Add(none) }, "add.Tensor: an operand is nil or no tensor"},
		{func() { none.Add(x) }, "add.Tensor: an operand is nil or no tensor"},
		{func() { new(tensor.Tensor).ReLU() }, "relu: an operand is nil or no tensor"},
		{func() { none.Shape() }, "tensor: it is nil, or was never given a value"},
		{func() { none.To(acap.Device()) }, "tensor: it is nil, or was never given a value"},
		{func() { none.Print() }, "tensor: it is nil, or was never given a value"},
		{func() { x.To(nil) }, "to: the device is nil"},
		{func() { tensor.On(nil) }, "on: the device is nil"},
		{func() { x.Size(2) }, "size: dimension 2 is out of range"},
		{func() { x.Item() }, "item: a tensor of 6 elements is no scalar"},
		{func() { tensor.Data[int64](x) }, "data: a f32 tensor has no i64 elements"},
		{func() { tensor.Call("add", x) }, "add: unknown operator; there is add.Scalar and add.Tensor"},
		{func() { tensor.Call("rleu", x) }, "rleu: unknown operator; did you mean relu?"},
		{func() { tensor.Call("qqqqqqqqqqq", x) }, "qqqqqqqqqqq: unknown operator"},
		{func() { tensor.Call("relu", make(chan int)) }, "call: no operator takes an argument of type chan int"},
		{func() { tensor.Call("relu", x, 1) }, "relu: takes at most 1 arguments, got 2"},
		{func() { tensor.Call("cat", []*tensor.Tensor{x, nil}) }, "cat: tensor 1 of argument tensors is absent"},
		{func() { x.SumDim([]int{0}, tensor.With("keepdims", true)) }, "sum.dim_IntList: has no argument keepdims; did you mean keepdim?"},
		{func() { x.SumDim([]int{0}, tensor.With("dtype", "f32")) }, "argument dtype is a string, not a dtype"},
		{func() { x.SumDim([]int{0}, tensor.With("dtype", 99)) }, "argument dtype is 99, which stands for no element type"},
		{func() { tensor.Call("mse_loss", x, x, 7) }, "mse_loss: argument reduction is 7; there is none (0), mean (1) and sum (2)"},
		{func() { tensor.Call("mse_loss", x, x, "max") }, `mse_loss: argument reduction is "max"; there is none (0), mean (1) and sum (2)`},
		{func() { tensor.Call("new_full", x, []int{3, 2, 1 << 31}, 1.0) }, "new_full: the result needs 48 GiB"},
		{func() { tensor.Call("unbind.int", tensor.Ones(1<<17), 0) }, "unbind.int: would have 131072 results"},
		{func() { tensor.Call("group_norm", tensor.Ones(1, 2, 3), 1, tensor.Ones(3)) }, "group_norm: native_group_norm: weight [3] does not have the 2 channels"},
		{func() { tensor.Call("arange", 1<<47) }, "arange: the result needs 1 PiB of memory"},
		{func() { tensor.Call("arange.start", 0.5, 1e12) }, "arange.start: the result needs 3.64 TiB of memory"},
		{func() { tensor.Call("__rshift__.Scalar", bits, true) }, "__rshift__.Scalar: shifts integers, not bool by bool"},
		{func() { tensor.Call("bitwise_left_shift.Tensor", bits, bits) }, "bitwise_left_shift.Tensor: shifts integers, not bool by bool"},
		{func() { tensor.Call("max_pool2d", tensor.Ones(1, 7, 6), []int{1<<63 - 1, 1}) }, "is larger than any input"},
		{func() {
			tensor.Call("convolution", tensor.Ones(2, 4, 8, 8), tensor.Ones(6, 4, 3, 3), nil, []int{1 << 47}, []int{1}, []int{1}, false, []int{0}, 1)
		},
			"are larger than any input"},
		{func() { tensor.Call("max_pool2d", tensor.Ones(1, 7, 6), 1<<40, 1, 0, 1<<40) }, "is larger than any input"},
		{func() { tensor.Call("batch_norm", x, nil, nil, x.Mean(), x.Mean(), false, 0.1, 1e-5, false) }, "running_mean [] does not have the 3 channels"},
		{func() {
			counts := tensor.Of([]int8{0, 1, 2})
			tensor.Call("batch_norm", x, nil, nil, tensor.Ones(3), counts, false, 0.1, 1e-5, false)
		}, "batch_norm: running_var has the type i8 beside f32 of input: convert one of them"},
		{func() { tensor.Call("constant_pad_nd", x, []int{7, -4}) }, "padding [7 -4] crops more of dimension 1 than [2 3] has"},
		{func() { tensor.Call("avg_pool3d", tensor.Ones(1, 2, 7, 6, 5), 3, 1<<20, math.MaxInt) }, "is larger than any input"},
		{func() { tensor.Call("conv2d", tensor.Ones(2, 4, 5, 5), tensor.Ones(6, 4, 3, 3), nil, 1, math.MaxInt) }, "are larger than any input"},
		{func() { tensor.Call("im2col", tensor.Ones(1, 2, 4, 5), []int{2, 3}, 1, math.MaxInt, 1) }, "are larger than any input"},
		{func() { tensor.Call("im2col", tensor.Ones(1, 2, 4, 5), 1, 1, 1<<31, 1) }, "tensor is too large"},
		{func() { tensor.Call("im2col", tensor.Ones(1, 2, 4, 5), 1<<31, 1, 1<<31, 1<<31) }, "tensor is too large"},
		{func() { tensor.Call("col2im", tensor.Ones(1, 12, 9), []int{4, 5}, 1, math.MaxInt, 0, 1) }, "are larger than any input"},
		// PyTorch refuses these; if they broadcast, the losses are of pairs that nobody meant.
		{func() { tensor.Ones(3, 3).CrossEntropyLoss(tensor.Ones(3)) }, "cross_entropy_loss: target of f32 holds probabilities and must have the input's shape [3 3], not [3]"},
		{func() { x.CrossEntropyLoss(tensor.Of([][]int64{{0, 1, 2}, {0, 1, 2}})) }, "cross_entropy_loss: target of the input's shape [2 3] holds probabilities"},
		{func() { tensor.Ones(4, 1).BinaryCrossEntropy(tensor.Ones(4)) }, "binary_cross_entropy: target [4] does not fit input [4 1]"},
		{func() { tensor.Ones(4, 1).BinaryCrossEntropyWithLogits(tensor.Ones(4)) }, "binary_cross_entropy_with_logits: target [4] does not fit input [4 1]: they would broadcast to [4 4]"},
		{func() { tensor.Ones(4, 1).SoftMarginLoss(tensor.Ones(4)) }, "soft_margin_loss: target [4] does not fit input [4 1]"},
		{func() { tensor.Ones(2, 3).MultiMarginLoss(tensor.Of([]int64{0, 1}), tensor.Weight(tensor.Ones(4))) }, "weight [4] is not one number for each of 3 classes"},
		{func() { x.CosineEmbeddingLoss(x, tensor.Ones(2, 1)) }, "target [2 1] is not one number for each pair of vectors of [2 3]"},
		{func() { tensor.Ones(4, 1).MarginRankingLoss(tensor.Ones(4), tensor.Ones(4)) }, "[4 1] and [4] differ in the number of dimensions"},
		{func() { tensor.TripletMarginLoss(x, x, tensor.Ones(3)) }, "[2 3] and [3] differ in the number of dimensions"},
		{func() { tensor.Call("inner", tensor.Ones(2, 1), x) }, "the last extents of [2 1] and [2 3] must be equal"},
		{func() { tensor.Call("linalg_cross", x, tensor.Ones(3)) }, "[2 3] and [3] differ in the number of dimensions"},
		{func() { tensor.Call("linalg_norm", tensor.Ones(1, 2, 3), 1) }, "an order without dim is for vectors and matrices, not for [1 2 3]"},
		{func() { tensor.Call("linalg_norm.ord_str", tensor.Ones(1, 2, 3), "fro") }, "an order without dim is for vectors and matrices, not for [1 2 3]"},
		{func() {
			tensor.Call("rnn_tanh_cell", tensor.Ones(2, 4), tensor.Ones(2, 5), tensor.Ones(5, 4), tensor.Ones(1, 5))
		}, "weights [1 5] do not have 1 gates of a state of 5"},
		{func() {
			tensor.Call("bilinear", tensor.Ones(2, 3), tensor.Ones(2, 5), tensor.Ones(4, 3, 5), tensor.Ones(1))
		}, "bias [1] is not one number for each of 4 results"},
		{func() { tensor.Call("bilinear", tensor.Ones(2, 1), tensor.Ones(2, 5), tensor.Ones(4, 3, 5)) }, "inputs [2 1] and [2 5] and weight [4 3 5] do not fit"},
		{func() { tensor.Call("chain_matmul", []*tensor.Tensor{tensor.Ones(3), tensor.Ones(3, 4)}) }, "tensor 0 of shape [3] is no matrix"},
		{func() { tensor.Call("conv_transpose1d", tensor.Ones(1, 2, 6), tensor.Ones(1, 2, 2, 3)) }, "input [1 2 6] does not fit weight [1 2 2 3]"},
		{func() { tensor.Call("polar", tensor.Ones(3), tensor.Ones(2)) }, "polar: shapes do not broadcast: [3] and [2]"},
		{func() { tensor.Call("relu", tensor.Of(1i)) }, "relu: complex tensors are not supported, got c128"},
		{func() { tensor.Call("linalg_svdvals", tensor.Call("full", []int{2, 2}, inf)[0]) }, "a matrix with infinities or NaN has no singular values"},
	} {
		err := tensor.Try(c.call)
		require.Error(t, err, c.want)
		require.Contains(t, err.Error(), c.want)
		require.Contains(t, err.Error(), "misuse_test.go:", c.want)
	}
}

var inf = func() float64 { zero := 0.0; return 1 / zero }()

// TestArguments gives numbers of any Go type, and names where schemas have numbers.
func TestArguments(t *testing.T) {
	x := tensor.FromSlice([]float32{1, 3})
	require.Equal(t, []float32{3, 9}, x.Add(x, tensor.With("alpha", int32(2))).Float32s())
	require.Equal(t, []float32{3, 9}, x.Add(x, tensor.With("alpha", uint8(2))).Float32s())
	y := tensor.Zeros(2)
	for name, want := range map[string]float32{"mean": 5, "sum": 10} {
		require.Equal(t, []float32{want}, tensor.Call("mse_loss", x, y, name)[0].Float32s())
		require.Equal(t, []float32{want}, x.MSELoss(y, tensor.With("reduction", name)).Float32s())
	}
	require.Equal(t, []int{2, 1}, tensor.Call("reshape", x, []int64{2, 1})[0].Shape())
}

// TestShapeIsACopy: nothing that is written to it reaches a tensor.
func TestShapeIsACopy(t *testing.T) {
	x := tensor.Ones(2, 3).To(acap.Device())
	x.Shape()[0] = 7
	x.Add(x).Shape()[1] = 7
	require.Equal(t, []int{2, 3}, x.Shape())
	require.Equal(t, []int{2, 3}, x.Add(x).Shape())
	require.Equal(t, []int{2, 3}, tensor.Ones(2, 3).To(acap.Device()).Shape())
}

// TestPrintError prints a tensor that cannot be computed: the error has the operator, the
// line that prints and the one that recorded it.
func TestPrintError(t *testing.T) {
	x := tensor.Ones(3).To(acap.Device())
	index := tensor.FromSlice([]int64{5}).To(acap.Device())
	y := tensor.Call("index_select", x, 0, index)[0]
	printed := func(t *tensor.Tensor) error { return tensor.Try(func() { _ = fmt.Sprint(t) }) }
	require.ErrorContains(t, printed(y), ": index_select: index out of range: 5 of dimension 0, whose extent is 3 (recorded at misuse_test.go:")
	require.Error(t, tensor.Sync(context.Background(), y))
	var failed *tensor.DeviceError
	require.True(t, errors.As(tensor.Try(y.Print), &failed))
	require.Equal(t, "index_select", failed.Op)
	require.Contains(t, failed.Where, "misuse_test.go:")

	host := tensor.Try(func() { tensor.Call("index_select", tensor.Ones(3), 0, tensor.FromSlice([]int64{5})) })
	require.ErrorContains(t, host, ": index_select: index out of range: 5 of dimension 0, whose extent is 3")
	composite := tensor.Call("cross_entropy_loss", tensor.Ones(1, 3).To(acap.Device()), index)[0]
	require.ErrorContains(t, printed(composite), ": cross_entropy_loss: index out of range: 5 of dimension 1, whose extent is 3")
}

// TestTooLargeToRead reads views that no memory holds.
func TestTooLargeToRead(t *testing.T) {
	defer buf.SetLimit(buf.SetLimit(1 << 30))
	for _, dev := range devices {
		for _, name := range []string{"expand", "broadcast_to"} {
			err := tensor.Try(func() { tensor.Call(name, tensor.Ones(5).To(dev), []int{1 << 40, 5})[0].Float32s() })
			var memory *buf.MemoryError
			require.ErrorAs(t, err, &memory, dev.Name())
			require.ErrorContains(t, err, "20 TiB of "+name+" at misuse_test.go:")
		}
	}
}

// TestShiftOfBool: beside an integer, bool counts as 0 and 1.
func TestShiftOfBool(t *testing.T) {
	for _, dev := range devices {
		y := tensor.Call("__lshift__.Scalar", tensor.Of([]bool{false, true}).To(dev), 3)[0]
		require.Equal(t, []int64{0, 8}, tensor.Data[int64](y), dev.Name())
	}
}

// TestPadOfNothing surrounds tensors without elements, by few and by many.
func TestPadOfNothing(t *testing.T) {
	for _, dev := range devices {
		y := tensor.Call("constant_pad_nd", tensor.Zeros(2, 0).To(dev), []int{1, 2}, 1.5)[0]
		require.Equal(t, []int{2, 3}, y.Shape())
		require.Equal(t, []float32{1.5, 1.5, 1.5, 1.5, 1.5, 1.5}, y.Float32s(), dev.Name())
		y = tensor.Call("pad", tensor.Ones(2, 3).To(dev), []int{-1, -2, 0, 1}, "constant", 4.0)[0]
		require.Empty(t, y.Float32s(), dev.Name())
		y = tensor.Call("constant_pad_nd", tensor.Zeros(0, 3).To(dev), []int{1 << 40, 2})[0]
		require.Equal(t, []int{0, 1<<40 + 5}, y.Shape())
		require.Empty(t, y.Float32s(), dev.Name())
	}
}

// TestHighDegree asks for polynomials of the highest degrees where they have one value for all.
func TestHighDegree(t *testing.T) {
	degrees := tensor.Of([]int32{-1, 0, 1, 2, math.MaxInt32, math.MaxInt32 - 1})
	start := cputime.Used()
	for _, c := range []struct {
		name string
		x    float64
		want []float32
	}{
		{"laguerre_polynomial_l", 0, []float32{0, 1, 1, 1, 1, 1}},
		{"legendre_polynomial_p", 1, []float32{0, 1, 1, 1, 1, 1}},
		{"legendre_polynomial_p", -1, []float32{0, 1, -1, 1, 1, 1}}, // f32 has no odd degree as large
	} {
		y := tensor.Call("special_"+c.name+".x_scalar", c.x, degrees)[0]
		require.Equal(t, c.want, y.Float32s(), c.name)
	}
	require.Less(t, cputime.Used()-start, 10*time.Second, "a recurrence takes half a minute")
}

// TestTransformOfNothing transforms no lines of a length that no memory holds.
func TestTransformOfNothing(t *testing.T) {
	for _, dev := range devices {
		x := tensor.Call("complex", tensor.Zeros(0, 3), tensor.Zeros(0, 3))[0].To(dev)
		y := tensor.Call("fft_irfft", x, 1<<40)[0]
		require.Equal(t, []int{0, 1 << 40}, y.Shape())
		require.Empty(t, y.Float32s(), dev.Name())
	}
}

// TestStridesOutside: no offset and no stride reaches what is outside of the tensor.
func TestStridesOutside(t *testing.T) {
	x := tensor.Ones(4, 4)
	for _, c := range []struct {
		size, stride []int
		offset       int
	}{
		{[]int{3, 2}, []int{1, 4}, math.MaxInt64},
		{[]int{3, 2}, []int{1, 4}, math.MinInt64},
		{[]int{3, 2}, []int{1, 4}, -1},
		{[]int{3, 2}, []int{1, 4}, 10},
		{[]int{1}, []int{1}, 16},
		{[]int{1 << 40}, []int{1 << 40}, 0},
		{[]int{2, 2}, []int{math.MaxInt64, 1}, 0},
		{[]int{2}, []int{-1}, 4},
	} {
		var shape *tensor.ShapeError
		err := tensor.Try(func() { tensor.Call("as_strided", x, c.size, c.stride, c.offset) })
		require.ErrorAs(t, err, &shape, "%v", c)
	}
	tensor.Call("as_strided", x, []int{3, 2}, []int{1, 4}, 9)
}
