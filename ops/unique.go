package ops

import (
	"cmp"
	"slices"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/portable"
)

// The unique operators list what occurs, as elements or as slices of a dimension, sorted or merely with equal
// neighbours merged. They also return the number of each element among the unique ones, and how often each unique one
// occurs; a result that was not asked for is empty.
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
				u := uniqueOf(h.Buffer(0), d, o.consecutive, h.Bool(o.inverse))
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

// uniqueOf treats the slices along dimension d, or the elements if d < 0. Results that are not asked for may be
// missing.
func uniqueOf(b *buf.Buffer, d int, consecutive, inverse bool) unique {
	switch {
	case b.DType.IsFloat():
		return uniqueLines(view[float64](b), b, d, consecutive)
	case b.DType == dtype.U64:
		return uniqueLines(view[uint64](b), b, d, consecutive)
	}
	x := view[int64](b)
	if d < 0 && !consecutive {
		if low, counts := countValues(x); counts != nil {
			return uniqueCounted(b, x, low, counts, inverse)
		}
	}
	return uniqueLines(x, b, d, consecutive)
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
	order := shape.UpTo(l.n)
	switch {
	case consecutive:
	case l.inner*l.outer == 1 && !b.DType.IsComplex():
		order = sortedPlaces(b)
	default:
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
	return unique{pickElements(b, dims, offsets), buf.From(inverse, inverseDims...),
		buf.From(counts, len(counts))}
}

// countValues counts how often every number from the least one on occurs, or returns nil
// if there are many more of those than elements.
func countValues(x []int64) (low int64, counts []int64) {
	const few = 1 << 12
	if len(x) == 0 {
		return 0, nil
	}
	low, high := x[0], x[0]
	for _, v := range x {
		low, high = min(low, v), max(high, v)
	}
	if span := uint64(high) - uint64(low); span < uint64(max(few, 2*len(x))) {
		counts = make([]int64, span+1)
		for _, v := range x {
			counts[v-low]++
		}
	}
	return low, counts
}

// uniqueCounted lists the numbers that occur.
func uniqueCounted(b *buf.Buffer, x []int64, low int64, counts []int64, inverse bool) unique {
	var values, times []int64
	number := make([]int64, len(counts))
	for i, n := range counts {
		number[i] = int64(len(values))
		if n > 0 {
			values, times = append(values, low+int64(i)), append(times, n)
		}
	}
	n := []int{len(values)}
	u := unique{values: fromNumbers(b.DType, n, values), counts: fromNumbers(dtype.I64, n, times)}
	if inverse {
		u.inverse = buf.New(dtype.I64, b.Shape)
		to := buf.Slice[int64](u.inverse)
		for i, v := range x {
			to[i] = number[v-low]
		}
	}
	return u
}

// sortedPlaces are the numbers of the elements in sorted order, NaN at the end; equal ones
// stay in order.
func sortedPlaces(b *buf.Buffer) []int {
	n := b.Len()
	places := buf.New(dtype.I64, []int{n})
	code, err := portable.Compile(&kernel.Sort{Name: "sort", Lines: kernel.Lines{Outer: 1, N: n, Inner: 1}, Count: n,
		Unsigned: b.DType.IsInt() && !b.DType.IsSigned(),
		X:        kernel.Port{DType: b.DType, Len: n}, Values: kernel.Port{DType: b.DType, Len: n, Write: true},
		Positions: kernel.Port{DType: dtype.I64, Len: n, Write: true}})
	if err != nil {
		panic("BUG: " + err.Error())
	}
	defer code.Close()
	values := buf.New(b.DType, []int{n})
	code.Run(&kernel.Args{Ptr: []unsafe.Pointer{b.Pointer(), values.Pointer(), places.Pointer()}}, 0, code.Units())
	out := make([]int, n)
	for i, place := range buf.Slice[int64](places) {
		out[i] = int(place)
	}
	return out
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
