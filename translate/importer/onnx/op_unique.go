package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func init() { register("Unique", unique) }

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
	slice := func(i int) []float64 {
		var out []float64
		for o := range outer {
			for k := range inner {
				out = append(out, x.Float64((o*extent+i)*inner+k))
			}
		}
		return out
	}
	all := make([][]float64, extent)
	byValue := make([]int, extent)
	for i := range extent {
		all[i], byValue[i] = slice(i), i
	}
	slices.SortStableFunc(byValue, func(i, j int) int { return slices.Compare(all[i], all[j]) })
	var first, counts []int // of the different slices, in order of value
	inverse := make([]int, extent)
	for k, i := range byValue {
		if k == 0 || !slices.Equal(all[i], all[byValue[k-1]]) {
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
