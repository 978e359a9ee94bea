package onnx

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Gather", gather)
	folds["Gather"] = foldGather
	register("GatherElements", func(n *node) {
		x := n.tensor(0)
		d := axis(n.int("axis", 0), rank(x))
		n.set(n.Call("gather", x, d, n.positive(1, extents(x)[d])))
	})
	register("GatherND", gatherND)
	register("NonZero", func(n *node) { n.setKnown(0, n.nonZero(n.known(0))) })
	register("Compress", compress)
}

// nonZero returns the indices of the elements that are not 0, one a column. How many there are
// depends on the elements, which must be known.
func (n *node) nonZero(b *buf.Buffer) *buf.Buffer {
	var found [][]int
	each(b.Shape, func(i int, index []int) {
		if b.Float64(i) != 0 {
			found = append(found, slices.Clone(index))
		}
	})
	return n.numbers(dtype.I64, []int{len(b.Shape), len(found)}, func(i int) int {
		return found[i%len(found)][i/len(found)]
	})
}

// positive returns input i, an index whose negative elements count from the end of an extent, with
// elements of 64 bits from 0 on.
func (n *node) positive(i, extent int) ops.Value {
	if b := n.value(i).known; b != nil && b.Len() <= small {
		return n.constant(n.numbers(dtype.I64, b.Shape, func(k int) int {
			v := int(b.Int64(k))
			if v < -extent || v >= extent {
				failf("input %q: index %d outside of an extent of %d", n.Inputs[i], v, extent)
			}
			return (v + extent) % extent
		}))
	}
	index := n.To(n.tensor(i), dtype.I64)
	return n.Where(n.Compare("lt", index, 0), n.Add(index, extent), index)
}

// gather replaces one dimension by the dimensions of the index.
func gather(n *node) {
	x := n.tensor(0)
	d := axis(n.int("axis", 0), rank(x))
	if rank(x) == 0 {
		failf("takes a tensor with dimensions")
	}
	if b := n.value(1).known; b != nil && len(b.Shape) == 0 {
		at := int(b.Int64(0))
		if extent := extents(x)[d]; at < -extent || at >= extent {
			failf("index %d outside of an extent of %d", at, extent)
		}
		n.set(n.Call("select.int", x, d, at))
		return
	}
	index := n.positive(1, extents(x)[d])
	rows := n.Call("index_select", x, d, n.view(index, -1))
	n.set(n.Reshape(rows, slices.Concat(extents(x)[:d], extents(index), extents(x)[d+1:])))
}

func foldGather(n *node, in []*buf.Buffer) *buf.Buffer {
	if len(in) != 2 || in[1] == nil || len(in[0].Shape) == 0 || in[1].DType.IsFloat() {
		return nil
	}
	d := axis(n.int("axis", 0), len(in[0].Shape))
	extent, index := in[0].Shape[d], in[1]
	for i := range index.Len() {
		if v := int(index.Int64(i)); v < -extent || v >= extent {
			failf("index %d outside of an extent of %d", v, extent)
		}
	}
	dims := slices.Concat(in[0].Shape[:d], index.Shape, in[0].Shape[d+1:])
	if shape.Check(dims) != nil || shape.Size(dims) > small {
		return nil
	}
	inner, k := shape.Size(in[0].Shape[d+1:]), len(index.Shape)
	return pick(in[0], dims, func(at []int) int {
		from := (int(index.Int64(stretched(index.Shape, at[d:d+k]))) + extent) % extent
		outer, rest := 0, 0
		for i, j := range at[:d] {
			outer = outer*in[0].Shape[i] + j
		}
		for i, j := range at[d+k:] {
			rest = rest*in[0].Shape[d+1+i] + j
		}
		return (outer*extent+from)*inner + rest
	})
}

// linear turns the last dimension of an index, which holds an index into each of dims, into one
// index into their product.
func (n *node) linear(index ops.Value, dims []int) ops.Value {
	var sum ops.Value
	last, strides := rank(index)-1, shape.Strides(dims)
	for k, extent := range dims {
		part := n.Call("select.int", index, last, k)
		part = n.Where(n.Compare("lt", part, 0), n.Add(part, extent), part)
		if part = n.Mul(part, strides[k]); sum != nil {
			part = n.Add(sum, part)
		}
		sum = part
	}
	if sum == nil {
		sum = n.Full(extents(index)[:last], 0, dtype.I64)
	}
	return sum
}

// indexND returns the index input of GatherND or ScatterND and how many dimensions of x it covers.
func (n *node) indexND(x ops.Value, batch int) (index ops.Value, covered int) {
	index = n.To(n.tensor(1), dtype.I64)
	if rank(index) < 1+batch || batch < 0 || rank(x) < batch ||
		!shape.Equal(extents(x)[:batch], extents(index)[:batch]) {
		failf("indices of %s for %s, batch_dims %d", shape.String(extents(index)),
			shape.String(extents(x)), batch)
	}
	if covered = extents(index)[rank(index)-1]; batch+covered > rank(x) {
		failf("an index of %d numbers for %d dimensions", covered, rank(x)-batch)
	}
	return index, covered
}

func gatherND(n *node) {
	x := n.tensor(0)
	batch := n.int("batch_dims", 0)
	index, covered := n.indexND(x, batch)
	dims := extents(x)
	inside, rest := dims[batch:batch+covered], dims[batch+covered:]
	at := n.linear(index, inside)
	if batches := size(dims[:batch]); batch > 0 {
		first := make([]int, rank(at))
		for i := range first {
			first[i] = 1
		}
		copy(first, dims[:batch])
		at = n.Add(at, n.constant(n.numbers(dtype.I64, first, func(i int) int {
			return i % batches * size(inside)
		})))
	}
	flat := n.view(x, append([]int{size(dims[:batch+covered])}, rest...)...)
	rows := n.Call("index_select", flat, 0, n.view(at, -1))
	n.set(n.Reshape(rows, slices.Concat(extents(at), rest)))
}

// compress takes the slices where a condition, which must be known, holds.
func compress(n *node) {
	x := n.tensor(0)
	d := 0
	if n.attributes["axis"] == nil {
		x = n.view(x, -1)
	} else {
		d = axis(n.int("axis", 0), rank(x))
	}
	cond := n.known(1)
	if cond.Len() > extents(x)[d] {
		failf("a condition of %d elements for an extent of %d", cond.Len(), extents(x)[d])
	}
	var keep []int
	for i := range cond.Len() {
		if cond.Int64(i) != 0 {
			keep = append(keep, i)
		}
	}
	n.set(n.Call("index_select", x, d, n.constant(vector(keep))))
}
