package nn

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// LayerNorm normalizes the last dimensions to mean 0 and variance 1, then scales and
// shifts them.
type LayerNorm struct {
	Weight, Bias *tensor.Tensor // of the last dimensions; Bias may be nil
	Eps          float64
	hook
}

// NewLayerNorm returns a layer for last dimensions of the given extents.
func NewLayerNorm(extents ...int) *LayerNorm {
	return &LayerNorm{Weight: parameter(tensor.Ones(extents...)), Bias: parameter(tensor.Zeros(extents...)), Eps: 1e-5}
}

// Forward normalizes the last dimensions of x.
func (l *LayerNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return l.seen(x.LayerNorm(l.Weight.Shape(), tensor.Weight(l.Weight), tensor.Bias(l.Bias),
		tensor.Eps(l.Eps)))
}

// String implements [fmt.Stringer].
func (l *LayerNorm) String() string { return fmt.Sprintf("LayerNorm(%v)", l.Weight.Shape()) }

// RMSNorm divides the last dimension by its root mean square, then scales it (Zhang and
// Sennrich, "Root Mean Square Layer Normalization", 2019).
type RMSNorm struct {
	Weight *tensor.Tensor // [dim]
	Eps    float64
	hook
}

// NewRMSNorm returns a layer for a last dimension of the given extent.
func NewRMSNorm(dim int) *RMSNorm { return &RMSNorm{Weight: parameter(tensor.Ones(dim)), Eps: 1e-6} }

// Forward divides x by the root of the mean of its squares.
func (r *RMSNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	square := x.Mul(x).MeanDim([]int{-1}, tensor.KeepDim)
	return r.seen(x.Mul(square.AddScalar(r.Eps).Rsqrt()).Mul(r.Weight))
}

// String implements [fmt.Stringer].
func (r *RMSNorm) String() string { return fmt.Sprintf("RMSNorm(%d)", r.Weight.Size(0)) }

// GroupNorm normalizes groups of channels of [N C …], then scales and shifts channels (Wu
// and He, "Group Normalization", 2018).
type GroupNorm struct {
	Groups       int
	Weight, Bias *tensor.Tensor // [C]
	Eps          float64
	hook
}

// NewGroupNorm returns a layer for the given numbers of groups and channels. Groups that do not divide the channels
// panic with a [*tensor.ArgError].
func NewGroupNorm(groups, channels int) *GroupNorm {
	if groups < 1 || channels%groups != 0 {
		trace.Raise(&tensor.ArgError{Op: "group norm", Detail: fmt.Sprintf("%d groups do not divide %d channels", groups, channels)})
	}
	return &GroupNorm{Groups: groups, Weight: parameter(tensor.Ones(channels)), Bias: parameter(tensor.Zeros(channels)), Eps: 1e-5}
}

// Forward normalizes groups of channels of x.
func (g *GroupNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return g.seen(x.GroupNorm(g.Groups, tensor.Weight(g.Weight), tensor.Bias(g.Bias), tensor.Eps(g.Eps)))
}

// String implements [fmt.Stringer].
func (g *GroupNorm) String() string {
	return fmt.Sprintf("GroupNorm(%d, %d)", g.Groups, g.Weight.Size(0))
}

// InstanceNorm normalizes each channel of each sample of [N C …].
type InstanceNorm struct {
	Weight, Bias *tensor.Tensor // [C]; may be nil
	Eps          float64
	hook
}

// NewInstanceNorm returns a layer that scales and shifts channels if affine is set.
func NewInstanceNorm(channels int, affine bool) *InstanceNorm {
	n := &InstanceNorm{Eps: 1e-5}
	if affine {
		n.Weight, n.Bias = parameter(tensor.Ones(channels)), parameter(tensor.Zeros(channels))
	}
	return n
}

// Forward normalizes each channel of each example of x.
func (n *InstanceNorm) Forward(x *tensor.Tensor) *tensor.Tensor {
	return n.seen(tensor.Call("instance_norm", x, n.Weight, n.Bias, nil, nil, true, 0.1, n.Eps, false)[0])
}
