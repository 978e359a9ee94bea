package nn

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// BatchNorm normalizes each channel of [N C …], then scales and shifts it (Ioffe and
// Szegedy, "Batch Normalization", 2015): in training by mean and variance of the batch, otherwise by the running mean
// and variance. In training these move towards the batch's mean and unbiased variance by the share Momentum. They
// change when the output is computed.
type BatchNorm struct {
	Weight   *tensor.Tensor // [C]
	Bias     *tensor.Tensor // [C]
	Mean     *tensor.Tensor `nn:"running_mean"` // [C]
	Var      *tensor.Tensor `nn:"running_var"`  // [C]
	Eps      float64
	Momentum float64
	Training bool

	// Sum, if it is set, adds up a tensor over all parts of a batch, when this process has one part. In training,
	// statistics and gradients are then computed over the whole batch.
	Sum func(t *tensor.Tensor) *tensor.Tensor
	hook

	dims int
}

// NewBatchNorm1d returns a layer in training for the given number of channels, on [N C] or
// [N C L].
func NewBatchNorm1d(channels int) *BatchNorm { return newBatchNorm(1, channels) }

// NewBatchNorm2d is [NewBatchNorm1d] on [N C H W].
func NewBatchNorm2d(channels int) *BatchNorm { return newBatchNorm(2, channels) }

// NewBatchNorm3d is [NewBatchNorm1d] on [N C D H W].
func NewBatchNorm3d(channels int) *BatchNorm { return newBatchNorm(3, channels) }

func newBatchNorm(dims, channels int) *BatchNorm {
	return &BatchNorm{dims: dims, Weight: parameter(tensor.Ones(channels)), Bias: parameter(tensor.Zeros(channels)),
		Mean: tensor.Zeros(channels), Var: tensor.Ones(channels), Eps: 1e-5, Momentum: 0.1, Training: true}
}

// Forward normalizes x, and in training moves the running mean and variance. Another number of dimensions than the
// layer's panics with a [*tensor.ShapeError], and so does a batch in training with one value a channel.
func (b *BatchNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	if n := x.Dim() - 2; n != b.dims && !(b.dims == 1 && n == 0) {
		trace.Raise(&tensor.ShapeError{Op: "batch norm", Detail: fmt.Sprintf("%d dimensions for a layer of %d", x.Dim(), b.dims+2)})
	}
	if b.Training && b.Sum != nil {
		return b.seen(b.across(x))
	}
	if n := x.NumElements(); b.Training && n > 0 && n == x.Size(1) {
		trace.Raise(&tensor.ShapeError{Op: "batch norm", Detail: "more than one value a channel is needed in training"})
	}
	return b.seen(tensor.Call("native_batch_norm", x, b.Weight, b.Bias, b.Mean, b.Var, b.Training, b.Momentum, b.Eps)[0])
}

// across is Forward in training on a part of a batch. Sums are of F32 at least, and the variance is taken around the
// mean of the whole batch, as on one rank. The rounding error of the mean is summed with the squares of the distances
// and subtracted from both.
func (b *BatchNorm) across(x *tensor.Tensor) *tensor.Tensor {
	channels := x.Size(1)
	wide := x.DType()
	if wide == dtype.F16 || wide == dtype.BF16 {
		wide = dtype.F32
	}
	over, per := []int{0}, make([]int, x.Dim())
	for d := range per {
		per[d] = 1
		if d > 1 {
			over = append(over, d)
		}
	}
	per[1] = channels
	v := x.ToDtype(wide)
	own := tensor.FromSlice([]float64{float64(x.NumElements() / max(channels, 1))}).ToDtype(wide).To(x.Device())
	sums := b.Sum(tensor.Cat([]*tensor.Tensor{v.SumDim(over), own}))
	count := sums.Narrow(0, channels, 1).Detach()
	rough := sums.Narrow(0, 0, channels).Div(count)
	centred := v.Sub(rough.Reshape(per))
	moments := b.Sum(tensor.Cat([]*tensor.Tensor{centred.SumDim(over), centred.Mul(centred).SumDim(over)})).Div(count)
	rest := moments.Narrow(0, 0, channels)
	variance := moments.Narrow(0, channels, channels).Sub(rest.Mul(rest)).ClampMin(0)
	mean := rough.Add(rest)
	centred = centred.Sub(rest.Reshape(per))
	tensor.NoGrad(func() {
		unbiased := variance.Mul(count).Div(count.SubScalar(1))
		move := func(running, to *tensor.Tensor) {
			running.Assign(running.MulScalar(1 - b.Momentum).Add(to.Detach().MulScalar(b.Momentum).ToDtype(running.DType())))
		}
		move(b.Mean, mean)
		move(b.Var, unbiased)
	})
	y := centred.Mul(variance.AddScalar(b.Eps).Rsqrt().Reshape(per)).ToDtype(x.DType())
	return y.Mul(b.Weight.Reshape(per)).Add(b.Bias.Reshape(per))
}

// String implements [fmt.Stringer].
func (b *BatchNorm) String() string { return fmt.Sprintf("BatchNorm%dd(%d)", b.dims, b.Weight.Size(0)) }
