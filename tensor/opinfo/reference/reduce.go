package reference

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
)

func init() {
	Functions["all.dims"] = func(a Args) []Result { return reduced(a, 1, func(x, y bool) bool { return x && y }) }
	Functions["any.dims"] = func(a Args) []Result { return reduced(a, 0, func(x, y bool) bool { return x || y }) }
	Functions["squeeze.dims"] = squeezed
}

// counted returns the dimensions of a list from 0; without a list, all.
func counted(a Args, rank int) map[int]bool {
	list, given := a.ints(1)
	out := map[int]bool{}
	for d := range rank {
		if !given || slices.Contains(list, d) || slices.Contains(list, d-rank) {
			out[d] = true
		}
	}
	return out
}

// reduced folds truth values over dimensions.
func reduced(a Args, start float64, fold func(x, y bool) bool) []Result {
	in := a.tensor(0).Shape
	gone := counted(a, len(in))
	kept := slices.Clone(in)
	for d := range gone {
		kept[d] = 1
	}
	r := zeros(dtype.Bool, kept...)
	for i := range r.Values {
		r.Values[i] = start
	}
	for i, v := range a.floats(0) {
		at := index(in, i)
		for d := range gone {
			at[d] = 0
		}
		p := &r.Values[offset(kept, at)]
		*p = number(fold(*p != 0, v != 0))
	}
	if !a.flag(2) {
		r.Shape = without(in, gone)
	}
	return []Result{r}
}

func number(v bool) float64 {
	if v {
		return 1
	}
	return 0
}

// without returns the extents of the dimensions that stay.
func without(dims []int, gone map[int]bool) []int {
	out := []int{}
	for d, n := range dims {
		if !gone[d] {
			out = append(out, n)
		}
	}
	return out
}

// squeezed drops the listed dimensions of extent 1.
func squeezed(a Args) []Result {
	in := a.tensor(0).Shape
	gone := counted(a, len(in))
	for d, n := range in {
		if n != 1 {
			delete(gone, d)
		}
	}
	return []Result{{a.tensor(0).DType, without(in, gone), a.floats(0)}}
}
