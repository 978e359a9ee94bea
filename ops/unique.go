package ops

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/dtype"
	"github.com/go-acap/acap/tensor/shape"
)

// The unique operators list what occurs, as elements or as slices of a
// dimension, sorted or merely with equal neighbours merged. They also return,
// for everything, which unique one it is, and how often each occurs; a result
// that was not asked for is empty.
func init() {
	const outs = " -> (Tensor, Tensor, Tensor)"
	for _, o := range []struct {
		schema              string
		dim, inverse, count int // arguments; -1 for none
		consecutive         bool
		sample              Sample
	}{
		{"_unique(Tensor self, bool sorted=True, bool return_inverse=False) -> (Tensor, Tensor)",
			-1, 2, -1, false, Sample{indices(3, 7), true, true}},
		{"_unique2(Tensor self, bool sorted=True, bool return_inverse=False, " +
			"bool return_counts=False)" + outs, -1, 2, 3, false, Sample{indices(3, 7), true, true, true}},
		{"unique_dim(Tensor self, int dim, bool sorted=True, bool return_inverse=False, " +
			"bool return_counts=False)" + outs, 1, 3, 4, false,
			Sample{indices(2, 5, 2), 0, true, true, true}},
		{"unique_consecutive(Tensor self, bool return_inverse=False, bool return_counts=False, " +
			"int? dim=None)" + outs, 3, 1, 2, true, Sample{indices(2, 9), true, true}},
		{"unique_dim_consecutive(Tensor self, int dim, bool return_inverse=False, " +
			"bool return_counts=False)" + outs, 1, 2, 3, true, Sample{indices(2, 5, 2), 0, true, true}},
	} {
		register(&Op{
			Schema: o.schema,
			Infer: func(c *Call) error {
				if o.dim >= 0 && c.Has(o.dim) {
					if _, err := c.dim(o.dim); err != nil {
						return err
					}
				}
				return ErrDataDependent
			},
			Host: func(h *HostCall) ([]*buf.Buffer, error) {
				d := -1
				if o.dim >= 0 && h.Has(o.dim) {
					d, _ = h.dim(o.dim)
				}
				u := uniqueOf(h.Buffer(0), d, o.consecutive)
				out := []*buf.Buffer{u.values, buf.New(dtype.I64, []int{0})}
				if h.Bool(o.inverse) {
					out[1] = u.inverse
				}
				if o.count >= 0 {
					out = append(out, buf.New(dtype.I64, []int{0}))
					if h.Bool(o.count) {
						out[2] = u.counts
					}
				}
				return out, nil
			},
			Samples: samplesOf(o.sample),
		})
	}
}

type unique struct{ values, inverse, counts *buf.Buffer }

// uniqueOf treats the slices along dimension d, or the elements if d < 0.
func uniqueOf(b *buf.Buffer, d int, consecutive bool) unique {
	if b.DType.IsFloat() {
		return uniqueLines(numbers[float64](b), b, d, consecutive)
	}
	return uniqueLines(numbers[int64](b), b, d, consecutive)
}

func uniqueLines[E number](x []E, b *buf.Buffer, d int, consecutive bool) unique {
	l, inverseDims := lines{1, len(x), 1}, b.Shape
	if d >= 0 {
		l = linesOf(b.Shape, d)
		inverseDims = []int{l.n}
	}
	// compare orders two slices by their first different elements.
	compare := func(i, j int) int {
		for o := range l.outer {
			for k := range l.inner {
				if r := compareNumbers(x[(o*l.n+i)*l.inner+k], x[(o*l.n+j)*l.inner+k]); r != 0 {
					return r
				}
			}
		}
		return 0
	}
	equal := func(i, j int) bool {
		for o := range l.outer {
			for k := range l.inner {
				if x[(o*l.n+i)*l.inner+k] != x[(o*l.n+j)*l.inner+k] { // NaN is never equal
					return false
				}
			}
		}
		return true
	}
	order := upTo(l.n)
	if !consecutive {
		slices.SortStableFunc(order, compare)
	}
	inverse := make([]int64, l.n)
	var firsts []int
	var counts []int64
	for k, i := range order {
		if k == 0 || !equal(order[k-1], i) {
			firsts = append(firsts, i)
			counts = append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = int64(len(firsts) - 1)
	}
	dims := []int{len(firsts)}
	if d >= 0 {
		dims = withDim(b.Shape, d, len(firsts))
	}
	offsets := make([]int, 0, shape.Size(dims))
	for o := range l.outer {
		for _, i := range firsts {
			for k := range l.inner {
				offsets = append(offsets, (o*l.n+i)*l.inner+k)
			}
		}
	}
	if shape.Size(inverseDims) != l.n {
		inverseDims = []int{l.n}
	}
	return unique{pickElements(b, dims, offsets), buf.From(inverse, inverseDims...),
		buf.From(counts, len(counts))}
}

// compareNumbers orders NaN after all numbers.
func compareNumbers[E number](a, b E) int {
	if a != a || b != b {
		switch {
		case a == a:
			return -1
		case b == b:
			return 1
		}
		return 0
	}
	return cmp.Compare(a, b)
}
