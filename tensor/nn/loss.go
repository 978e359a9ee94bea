package nn

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Loss compares outputs with targets.
type Loss func(output, target *tensor.Tensor) *tensor.Tensor

// Forward calls the loss.
func (l Loss) Forward(output, target *tensor.Tensor) *tensor.Tensor {
	trace.Need("loss", "the function", l)
	return l(output, target)
}

// Reduction says how the losses of elements are combined.
type Reduction int

// The reductions.
const (
	None Reduction = iota // all are returned
	Mean
	Sum
)

// LossOption sets an option of a loss.
type LossOption = tensor.Option

// Reduce sets the reduction; the default is [Mean].
func Reduce(r Reduction) LossOption { return tensor.With("reduction", int(r)) }

// Weights gives each class a weight, [classes].
func Weights(w *tensor.Tensor) LossOption { return tensor.Weight(w) }

// IgnoreIndex leaves out elements whose target is this class.
func IgnoreIndex(class int) LossOption { return tensor.IgnoreIndex(class) }

// LabelSmoothing moves the share s of each target evenly to all classes.
func LabelSmoothing(s float64) LossOption { return tensor.LabelSmoothing(s) }

// Delta is where [HuberLoss] becomes linear.
func Delta(d float64) LossOption { return tensor.Delta(d) }

// Beta is where [SmoothL1Loss] becomes linear.
func Beta(b float64) LossOption { return tensor.Beta(b) }

// LogTarget says that the targets of [KLDivLoss] are logarithms.
func LogTarget() LossOption { return tensor.LogTarget }

// CrossEntropyLoss is the negative logarithm of the softmax of scores [N C …] at classes
// [N …], integers, or at shares of classes, of the shape of the scores.
func CrossEntropyLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.CrossEntropyLoss(y, options...) }
}

// NLLLoss is the negative of logarithms of probabilities [N C] or [C] at classes.
func NLLLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.NLLLossNd(y, options...) }
}

// alike is a loss whose output and target have one shape. Its operator would broadcast, so that [N 1] and [N] became [N
// N].
func alike(name string, l Loss) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor {
		if !slices.Equal(x.Shape(), y.Shape()) {
			trace.Raise(&tensor.ShapeError{Op: name, Detail: fmt.Sprintf("output %v and target %v must have one shape", x.Shape(), y.Shape())})
		}
		return l(x, y)
	}
}

// MSELoss is (x-y)², as are the losses below up to [BCEWithLogitsLoss] for outputs and targets of one shape.
func MSELoss(options ...LossOption) Loss {
	return alike("mse_loss", func(x, y *tensor.Tensor) *tensor.Tensor { return x.MSELoss(y, options...) })
}

// L1Loss is |x-y|.
func L1Loss(options ...LossOption) Loss {
	return alike("l1_loss", func(x, y *tensor.Tensor) *tensor.Tensor { return x.L1Loss(y, options...) })
}

// SmoothL1Loss is d²/2β for a difference d of less than β, and |d|-β/2 elsewhere.
func SmoothL1Loss(options ...LossOption) Loss {
	return alike("smooth_l1_loss", func(x, y *tensor.Tensor) *tensor.Tensor { return x.SmoothL1Loss(y, options...) })
}

// HuberLoss is d²/2 for a difference d of less than δ, and δ(|d|-δ/2) elsewhere.
func HuberLoss(options ...LossOption) Loss {
	return alike("huber_loss", func(x, y *tensor.Tensor) *tensor.Tensor { return x.HuberLoss(y, options...) })
}

// BCELoss is -y·log x - (1-y)·log(1-x).
func BCELoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.BinaryCrossEntropy(y, options...) }
}

// BCEWithLogitsLoss is [BCELoss] of the sigmoid of x.
func BCEWithLogitsLoss(options ...LossOption) Loss {
	return alike("binary_cross_entropy_with_logits", func(x, y *tensor.Tensor) *tensor.Tensor { return x.BinaryCrossEntropyWithLogits(y, options...) })
}

// KLDivLoss is y·(log y - x), where x is the logarithm of a probability.
func KLDivLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.KlDiv(y, options...) }
}

// HingeEmbeddingLoss is x where y is 1, and max(0, 1-x) where it is -1.
func HingeEmbeddingLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.HingeEmbeddingLoss(y, options...) }
}

// SoftMarginLoss is log(1+e^(-y·x)).
func SoftMarginLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.SoftMarginLoss(y, options...) }
}

// MultiMarginLoss is the sum over other classes of max(0, 1 - x[y] + x[i]) / C.
func MultiMarginLoss(options ...LossOption) Loss {
	return func(x, y *tensor.Tensor) *tensor.Tensor { return x.MultiMarginLoss(y, options...) }
}

// CosineEmbeddingLoss is 1-cos(a, b) for pairs whose target is 1, and max(0, cos(a, b) -
// margin) for those whose target is -1.
func CosineEmbeddingLoss(a, b, target *tensor.Tensor, options ...LossOption) *tensor.Tensor {
	return a.CosineEmbeddingLoss(b, target, options...)
}

// MarginRankingLoss is max(0, -target·(a-b) + margin).
func MarginRankingLoss(a, b, target *tensor.Tensor, options ...LossOption) *tensor.Tensor {
	return a.MarginRankingLoss(b, target, options...)
}

// TripletMarginLoss is max(0, |anchor-positive| - |anchor-negative| + margin), where the
// default margin is 1.
func TripletMarginLoss(anchor, positive, negative *tensor.Tensor, options ...LossOption) *tensor.Tensor {
	return tensor.TripletMarginLoss(anchor, positive, negative, options...)
}

// Margin sets the margin of a loss.
func Margin(m float64) LossOption { return tensor.Margin(m) }
