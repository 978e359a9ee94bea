package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Pad", pad)
	register("CenterCropPad", centerCropPad)
}

// pad takes widths and a value as inputs since version 11; negative widths cut.
func pad(n *node) {
	x := n.tensor(0)
	widths, ok := n.integersOr(1, "pads")
	if !ok {
		widths, _ = n.ints("paddings") // version 1
	}
	dims := make([]int, rank(x))
	for i := range dims {
		dims[i] = i
	}
	if n.has(3) {
		dims = axes(n.integers(3), rank(x))
	}
	if len(widths) != 2*len(dims) {
		failf("%d widths for %d dimensions", len(widths), len(dims))
	}
	low, high := make([]int, rank(x)), make([]int, rank(x))
	for i, d := range dims {
		low[d], high[d] = widths[i], widths[len(dims)+i]
	}
	mode := n.text("mode", "constant")
	if mode == "constant" {
		var fill any = n.float("value", 0)
		if n.has(2) {
			fill = n.tensor(2)
			if b := n.value(2).known; b != nil && b.Len() == 1 {
				if fill = b.Float64(0); !b.DType.IsFloat() {
					fill = int(b.Int64(0))
				}
			}
		}
		n.set(n.padWith(x, low, high, fill))
		return
	}
	for d := range low {
		x = n.mirror(x, d, low[d], high[d], mode)
	}
	n.set(x)
}

// padWith pads with a number, or with a tensor of one element.
func (n *node) padWith(x ops.Value, low, high []int, fill any) ops.Value {
	if !slices.ContainsFunc(slices.Concat(low, high), func(width int) bool { return width != 0 }) {
		return x
	}
	widths := make([]int, 0, 2*len(low))
	for d := len(low) - 1; d >= 0; d-- {
		if low[d]+high[d]+extents(x)[d] < 0 || low[d] > math.MaxInt32 || high[d] > math.MaxInt32 {
			failf("widths %d and %d around an extent of %d", low[d], high[d], extents(x)[d])
		}
		widths = append(widths, low[d], high[d])
	}
	v, ok := fill.(ops.Value)
	if !ok {
		return n.Call("constant_pad_nd", x, widths, fill)
	}
	inside := n.Call("constant_pad_nd", n.Full(extents(x), true, dtype.Bool), widths, false)
	return n.Where(inside, n.Call("constant_pad_nd", x, widths, 0), n.Reshape(v, nil))
}

// mirror pads one dimension with elements of its own, in the modes edge, reflect and wrap.
func (n *node) mirror(x ops.Value, d, low, high int, mode string) ops.Value {
	if low == 0 && high == 0 {
		return x
	}
	extent := extents(x)[d]
	count := low + extent + high
	if count < 0 || extent == 0 || low > math.MaxInt32 || high > math.MaxInt32 {
		failf("widths %d and %d around an extent of %d", low, high, extent)
	}
	index := n.numbers(dtype.I64, []int{count}, func(i int) int {
		i -= low
		switch mode {
		case "edge":
			return min(max(i, 0), extent-1)
		case "wrap":
			return ((i % extent) + extent) % extent
		case "reflect":
			if extent == 1 {
				return 0
			}
			period := 2 * (extent - 1)
			i = ((i % period) + period) % period
			return min(i, period-i)
		}
		failf("mode %q is not supported", mode)
		return 0
	})
	return n.Call("index_select", x, d, n.constant(index))
}

// centerCropPad brings dimensions to sizes around their middle.
func centerCropPad(n *node) {
	x := n.tensor(0)
	sizes := n.integers(1)
	given, ok := n.ints("axes")
	if !ok {
		for i := range rank(x) {
			given = append(given, i)
		}
	}
	dims := axes(given, rank(x))
	if len(sizes) != len(dims) {
		failf("%d sizes for %d dimensions", len(sizes), len(dims))
	}
	low, high := make([]int, rank(x)), make([]int, rank(x))
	for i, d := range dims {
		more := sizes[i] - extents(x)[d]
		low[d] = more / 2 // of an odd number one more is behind
		high[d] = more - low[d]
	}
	n.set(n.padWith(x, low, high, 0))
}
