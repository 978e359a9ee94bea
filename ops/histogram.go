package ops

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// histc and bincount count elements: in bins of equal width, or by their value.
func init() {
	register(&Op{
		Schema: "histc(Tensor self, int bins=100, Scalar min=0, Scalar max=0) -> Tensor",
		Infer: func(c *Call) error {
			if c.Int(1) <= 0 {
				return c.ArgErrorf("bins must be positive, got %d", c.Int(1))
			}
			if err := c.checkBytes("the bins", c.Int(1), binBytes); err != nil {
				return err
			}
			if c.Scalar(2).Float() > c.Scalar(3).Float() {
				return c.ArgErrorf("max must not be below min")
			}
			return c.Result(c.DTypeOf(0), []int{c.Int(1)})
		},
		Host: func(h *HostCall) ([]*buf.Buffer, error) {
			x := view[float64](h.Buffer(0))
			low, high, err := binRange(h.Call, x, h.Scalar(2).Float(), h.Scalar(3).Float(), 1)
			if err != nil {
				return nil, err
			}
			counts := make([]float64, h.Int(1))
			countBins(counts, x, rounding(h.DTypeOf(0)), low, high)
			return []*buf.Buffer{fromNumbers(h.DTypeOf(0), h.Out[0].Shape, counts)}, nil
		},
		Detached: true,
		Samples:  samplesOf(Sample{S(20), 4, -1, 1}),
	})
	register(&Op{
		Schema: "bincount(Tensor self, Tensor? weights=None, int minlength=0) -> Tensor",
		Infer: func(c *Call) error {
			if len(c.Shape(0)) != 1 || c.DTypeOf(0).IsFloat() {
				return c.ShapeErrorf("needs a vector of integers, got %v%s", c.DTypeOf(0),
					shape.String(c.Shape(0)))
			}
			if c.Tensor(1) != nil && !shape.Equal(c.Shape(0), c.Shape(1)) {
				return c.ShapeErrorf("weights %s must have the shape %s of self", shape.String(c.Shape(1)),
					shape.String(c.Shape(0)))
			}
			if c.Int(2) < 0 {
				return c.ArgErrorf("minlength must not be negative, got %d", c.Int(2))
			}
			if err := c.checkBytes("the bins", c.Int(2), binBytes); err != nil {
				return err
			}
			return ErrDataDependent
		},
		Host:      bincountHost,
		Determine: bincountKnown,
		Detached:  true,
		Samples:   samplesOf(Sample{indices(4, 9)}, Sample{indices(4, 9), S(9), 6}),
	})
}

// binBytes is what a bin costs: its count, and the result.
const binBytes = 16

// binRange is the range of a histogram: the range of the data if low and high agree, widened by a margin on both sides
// if it is empty.
func binRange(c *Call, x []float64, low, high, margin float64) (float64, float64, error) {
	if low == high && len(x) > 0 {
		low, high = x[0], x[0]
		for _, v := range x {
			low, high = math.Min(low, v), math.Max(high, v)
		}
	}
	if low == high {
		low, high = low-margin, high+margin
	}
	if math.IsNaN(low+high) || math.IsInf(low, 0) || math.IsInf(high, 0) {
		return 0, 0, c.ArgErrorf("the range from %v to %v is not finite", low, high)
	}
	return low, high, nil
}

// countBins counts the elements in bins of one width, with every operation rounded to the
// type of the data and in the order of PyTorch; the last bin includes its end.
func countBins(counts, x []float64, round func(float64) float64, low, high float64) {
	low, high = round(low), round(high)
	bins, width := round(float64(len(counts))), round(high-low)
	for _, v := range x {
		if v >= low && v <= high {
			bin := 0
			if at := round(round(round(v-low)*bins) / width); at >= 1 { // and a number: bins may have no width
				bin = min(int(at), len(counts)-1)
			}
			counts[bin]++
		}
	}
}

// rounding returns the function that rounds a float64 to a floating type.
func rounding(d dtype.DType) func(float64) float64 {
	switch {
	case !d.IsFloat() || d == dtype.F64:
		return func(v float64) float64 { return v }
	case d == dtype.F32:
		return func(v float64) float64 { return float64(float32(v)) }
	}
	b := buf.New(d, nil)
	return func(v float64) float64 {
		b.SetFloat64(0, v)
		return b.Float64(0)
	}
}

func bincountHost(h *HostCall) ([]*buf.Buffer, error) {
	values := view[int64](h.Buffer(0))
	least, most := int64(0), int64(h.Int(2)-1)
	for _, v := range values {
		least, most = min(least, v), max(most, v)
	}
	if least < 0 || most == math.MaxInt64 {
		return nil, h.ArgErrorf("the elements from %d to %d are negative or too large", least, most)
	}
	n := int(most + 1)
	if err := h.checkBytes("the bins", n, binBytes); err != nil {
		return nil, err
	}
	w := h.Buffer(1)
	if w == nil || len(values) == 0 { // nothing has no weights
		counts := make([]int64, n)
		for _, v := range values {
			counts[v]++
		}
		return []*buf.Buffer{buf.From(counts, n)}, nil
	}
	sums, weights := make([]float64, n), view[float64](w)
	for i, v := range values {
		sums[v] += weights[i]
	}
	d := dtype.F64
	if w.DType == dtype.F32 {
		d = dtype.F32
	}
	return []*buf.Buffer{fromNumbers(d, []int{n}, sums)}, nil
}

// bincountKnown adds to as many bins as the largest element says.
func bincountKnown(e Emit, c *Call, r Reader) ([]Value, error) {
	x, n := e.To(c.Tensor(0), dtype.I64), c.Int(2)
	if c.Shape(0)[0] > 0 {
		positive, err := r.Read(e.Compare("ge", e.Call("amin", x, []int{}, false), 0), "that no element is negative")
		if err != nil {
			return nil, err
		}
		most, err := r.Read(e.Call("amax", x, []int{}, false), "the largest element")
		if err != nil {
			return nil, err
		}
		if positive.Int64(0) == 0 || most.Int64(0) == math.MaxInt64 {
			return nil, c.ArgErrorf("the elements are negative or too large: the largest is %d", most.Int64(0))
		}
		n = max(n, int(most.Int64(0)+1))
		if err := c.checkBytes("the bins", n, binBytes); err != nil {
			return nil, err
		}
	}
	d, weights := dtype.I64, c.Tensor(1)
	switch {
	case weights == nil || c.Shape(0)[0] == 0: // nothing has no weights
		weights = e.Full(c.Shape(0), 1, d)
	case c.DTypeOf(1) == dtype.F32:
		d = dtype.F32
	default:
		d = dtype.F64
		weights = e.To(weights, d)
	}
	return []Value{e.Call("index_add", e.Full([]int{n}, 0, d), 0, x, e.Call("detach", weights))}, nil
}
