package onnx

import (
	"cmp"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func init() { register("Unique", unique) }

// compareElements orders two elements exactly: floats have too few digits for whole numbers of 64 bits.
func compareElements(x *buf.Buffer, i, j int) int {
	switch {
	case x.DType.IsFloat():
		return cmp.Compare(x.Float64(i), x.Float64(j))
	case x.DType == dtype.U64:
		return cmp.Compare(uint64(x.Int64(i)), uint64(x.Int64(j)))
	}
	return cmp.Compare(x.Int64(i), x.Int64(j))
}

// unique returns the different slices of a known tensor along an axis, or its different elements,
// with their first places, the place of every slice among them, and their counts.
func unique(n *node) {
	x := n.known(0)
	d, whole := 0, n.attributes["axis"] == nil
	if whole {
		x = x.Reshape([]int{x.Len()})
	} else {
		d = axis(n.int("axis", 0), len(x.Shape))
	}
	extent, inner := x.Shape[d], size(x.Shape[d+1:])
	outer := size(x.Shape[:d])
	n.ev.work(extent)
	n.ev.work(x.Len())
	compare := func(i, j int) int {
		for o := range outer {
			for k := range inner {
				if c := compareElements(x, (o*extent+i)*inner+k, (o*extent+j)*inner+k); c != 0 {
					return c
				}
			}
		}
		return 0
	}
	byValue := make([]int, extent)
	for i := range extent {
		byValue[i] = i
	}
	slices.SortStableFunc(byValue, compare)
	var first, counts []int // of the different slices, in order of value
	inverse := make([]int, extent)
	for k, i := range byValue {
		if k == 0 || compare(i, byValue[k-1]) != 0 {
			first, counts = append(first, i), append(counts, 0)
		}
		counts[len(counts)-1]++
		inverse[i] = len(first) - 1
	}
	order := make([]int, len(first))
	for i := range order {
		order[i] = i
	}
	if !n.bool("sorted", true) {
		slices.SortFunc(order, func(i, j int) int { return first[i] - first[j] })
	}
	place := make([]int, len(order))
	for i, o := range order {
		place[o] = i
	}
	pickFrom := func(list []int) *buf.Buffer {
		return n.numbers(dtype.I64, []int{len(order)}, func(i int) int { return list[order[i]] })
	}
	dims := slices.Clone(x.Shape)
	dims[d] = len(order)
	strides := size(x.Shape[d:])
	n.setKnown(0, pick(x, dims, func(index []int) int {
		at, rest := 0, 0
		for k, i := range index[:d] {
			at = at*x.Shape[k] + i
		}
		for k, i := range index[d+1:] {
			rest = rest*x.Shape[d+1+k] + i
		}
		return at*strides + first[order[index[d]]]*inner + rest
	}))
	n.setKnown(1, pickFrom(first))
	n.setKnown(2, n.numbers(dtype.I64, []int{extent}, func(i int) int { return place[inverse[i]] }))
	n.setKnown(3, pickFrom(counts))
}
