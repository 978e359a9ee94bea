package nn

import (
	"fmt"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// MaxPool1d is the maximum over windows of the last dimension of [N C L].
func MaxPool1d(size, stride, padding int) Module { return pool("max_pool", 1, size, stride, padding) }

// MaxPool2d is the maximum over square windows of [N C H W].
func MaxPool2d(size, stride, padding int) Module { return pool("max_pool", 2, size, stride, padding) }

// MaxPool3d is the maximum over cubic windows of [N C D H W].
func MaxPool3d(size, stride, padding int) Module { return pool("max_pool", 3, size, stride, padding) }

// AvgPool1d is the mean over windows of the last dimension of [N C L], with padding.
func AvgPool1d(size, stride, padding int) Module { return pool("avg_pool", 1, size, stride, padding) }

// AvgPool2d is the mean over square windows of [N C H W], with padding.
func AvgPool2d(size, stride, padding int) Module { return pool("avg_pool", 2, size, stride, padding) }

// AvgPool3d is the mean over cubic windows of [N C D H W], with padding.
func AvgPool3d(size, stride, padding int) Module { return pool("avg_pool", 3, size, stride, padding) }

func pool(kind string, dims, size, stride, padding int) Module {
	op := fmt.Sprintf("%s%dd", kind, dims)
	return named(fmt.Sprintf("%s(size=%d, stride=%d, padding=%d)", op, size, stride, padding),
		func(x *tensor.Tensor) *tensor.Tensor {
			return tensor.Call(op, x, repeat(size, dims), repeat(stride, dims), repeat(padding, dims))[0]
		})
}

// AdaptiveAvgPool is the mean over windows that make an output of the given extents, of
// one to three dimensions.
func AdaptiveAvgPool(extents ...int) Module { return adaptive("adaptive_avg_pool", extents) }

// AdaptiveMaxPool is the maximum over such windows.
func AdaptiveMaxPool(extents ...int) Module { return adaptive("adaptive_max_pool", extents) }

func adaptive(kind string, extents []int) Module {
	if len(extents) < 1 || len(extents) > 3 {
		trace.Raise(&tensor.ArgError{Op: kind, Detail: fmt.Sprintf("%d extents, not one to three", len(extents))})
	}
	op := fmt.Sprintf("%s%dd", kind, len(extents))
	return named(fmt.Sprintf("%s(%v)", op, extents), func(x *tensor.Tensor) *tensor.Tensor {
		return tensor.Call(op, x, extents)[0]
	})
}
