package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("Slice", func(n *node) {
		x := n.tensor(0)
		for _, s := range n.ranges(extents(x)) {
			x = n.take(x, s)
		}
		n.set(x)
	})
	folds["Slice"] = func(n *node, in []*buf.Buffer) *buf.Buffer {
		dims := slices.Clone(in[0].Shape)
		ranges := n.ranges(dims)
		from, strides := 0, shape.Strides(in[0].Shape)
		for _, r := range ranges {
			dims[r.dim] = r.count
			from += r.start * strides[r.dim]
			strides[r.dim] *= r.step
		}
		return pick(in[0], dims, func(index []int) int {
			at := from
			for d, i := range index {
				at += i * strides[d]
			}
			return at
		})
	}
	register("Split", split)
	register("Concat", func(n *node) {
		list := n.all()
		n.set(n.Call("cat", list, axis(n.int("axis", 1), rank(list[0]))))
	})
	folds["Concat"] = foldConcat
	register("ReverseSequence", reverseSequence)
}

// span is count elements of a dimension from start on, step apart; step may be negative.
type span struct{ dim, start, count, step int }

// ranges returns what Slice takes of each dimension. Starts and ends were attributes before
// version 10.
func (n *node) ranges(dims []int) []span {
	starts, _ := n.integersOr(1, "starts")
	ends, _ := n.integersOr(2, "ends")
	list, given := n.integersOr(3, "axes")
	steps := make([]int, len(starts))
	for i := range steps {
		steps[i] = 1
	}
	if n.has(4) {
		steps = n.integers(4)
	}
	if !given {
		for i := range starts {
			list = append(list, i)
		}
	}
	if len(ends) != len(starts) || len(list) != len(starts) || len(steps) != len(starts) {
		failf("%d starts, %d ends, %d axes and %d steps", len(starts), len(ends), len(list), len(steps))
	}
	var out []span
	if len(list) > 0 {
		list = axes(list, len(dims))
	}
	for i, d := range list {
		if len(dims) == 0 {
			failf("a tensor without dimensions has no slices")
		}
		if steps[i] == 0 {
			failf("a step of 0")
		}
		out = append(out, spanOf(d, dims[d], starts[i], ends[i], steps[i]))
	}
	return out
}

// spanOf clamps a range to an extent. Unlike NumPy's, a range that goes backwards starts at an element even if its
// start lies before the first one; and the largest number is an end behind all elements in either direction, as in
// ONNX Runtime.
func spanOf(dim, extent, start, end, step int) span {
	low, high := 0, extent
	if step < 0 {
		low, high = -1, extent-1
		if end == math.MaxInt || end == math.MaxInt32 {
			end = math.MinInt
		}
	}
	clamp := func(i, low int) int {
		if i < 0 {
			i += extent
		}
		return min(max(i, low), high)
	}
	start, end = clamp(start, min(0, high)), clamp(end, low)
	s := span{dim: dim, start: start, step: step}
	switch {
	case step > 0 && end > start:
		s.count = (end-start-1)/step + 1
	case step < 0 && end < start:
		s.count = (start-end-1)/-max(step, -math.MaxInt) + 1
	}
	return s
}

// take returns a span of one dimension.
func (n *node) take(x ops.Value, s span) ops.Value {
	extent := extents(x)[s.dim]
	if s.step == 1 && s.start == 0 && s.count == extent {
		return x
	}
	if s.step < 0 {
		x = n.Call("flip", x, []int{s.dim})
		s.start, s.step = extent-1-s.start, -s.step
	}
	s.step = min(s.step, max(extent, 1))
	end := min(s.start+(s.count-1)*s.step+1, extent)
	if s.count == 0 {
		s.start, end = 0, 0
	}
	return n.Call("slice.Tensor", x, s.dim, s.start, end, s.step)
}

// split takes the sizes as an input since version 13, or equal parts; since version 18 the last part may be smaller.
func split(n *node) {
	x := n.tensor(0)
	d := axis(n.int("axis", 0), rank(x))
	sizes, ok := n.integersOr(1, "split")
	if !ok {
		parts, extent := len(n.Outputs), extents(x)[d]
		if count := n.int("num_outputs", parts); count != parts || parts == 0 {
			failf("num_outputs is %d, but there are %d outputs", count, parts)
		}
		each := (extent + parts - 1) / parts
		for i := range parts {
			sizes = append(sizes, max(0, min(each, extent-i*each)))
		}
	}
	sum := 0
	for _, s := range sizes {
		if s < 0 {
			failf("a part of %d elements", s)
		}
		sum += s
	}
	if sum != extents(x)[d] || len(sizes) < len(n.Outputs) {
		failf("parts of %v elements of %d for %d outputs", sizes, extents(x)[d], len(n.Outputs))
	}
	if v := n.value(0); v.foldable() {
		n.splitKnown(v.known, d, sizes)
		return
	}
	at := 0
	for i := range n.Outputs {
		n.out[i] = &value{tensor: n.Call("slice.Tensor", x, d, at, at+sizes[i], 1)}
		at += sizes[i]
	}
}

func (n *node) splitKnown(b *buf.Buffer, d int, sizes []int) {
	strides, first := shape.Strides(b.Shape), 0
	for i := range n.Outputs {
		dims := slices.Clone(b.Shape)
		dims[d] = sizes[i]
		n.setKnown(i, pick(b, dims, func(index []int) int {
			at := first * strides[d]
			for k, j := range index {
				at += j * strides[k]
			}
			return at
		}))
		first += sizes[i]
	}
}

func foldConcat(n *node, in []*buf.Buffer) *buf.Buffer {
	for _, b := range in {
		if b == nil || b.DType != in[0].DType || len(b.Shape) != len(in[0].Shape) {
			return nil
		}
	}
	if len(in[0].Shape) == 0 {
		failf("takes tensors with dimensions")
	}
	d := axis(n.int("axis", 1), len(in[0].Shape))
	dims := slices.Clone(in[0].Shape)
	dims[d] = 0
	for _, b := range in {
		for k, e := range b.Shape {
			if k == d {
				dims[d] += e
			} else if e != dims[k] {
				return nil
			}
		}
	}
	if shape.Size(dims) > small {
		return nil
	}
	out := buf.New(in[0].DType, dims)
	row := shape.Size(dims[d:]) * out.DType.Size()
	at := 0
	for _, b := range in {
		part := shape.Size(b.Shape[d:]) * b.DType.Size()
		for i := range shape.Size(dims[:d]) {
			copy(out.Bytes()[i*row+at:], b.Bytes()[i*part:(i+1)*part])
		}
		at += part
	}
	return out
}

// reverseSequence reverses the beginning of each row of a batch.
func reverseSequence(n *node) {
	x := n.tensor(0)
	batch, time := n.int("batch_axis", 1), n.int("time_axis", 0)
	batch, time = axis(batch, rank(x)), axis(time, rank(x))
	if batch+time != 1 {
		failf("batch_axis %d and time_axis %d", batch, time)
	}
	lengths := n.To(n.tensor(1), dtype.I64)
	column, row := []int{1, 1}, []int{1, 1}
	column[batch], row[time] = extents(x)[batch], extents(x)[time]
	lengths = n.Reshape(lengths, column)
	steps := n.constant(n.numbers(dtype.I64, row, func(i int) int { return i }))
	index := n.Where(n.Compare("lt", steps, lengths), n.Sub(n.Sub(lengths, 1), steps), steps)
	for range rank(x) - 2 {
		index = n.Call("unsqueeze", index, rank(index))
	}
	n.set(n.Call("gather", x, time, n.Expand(index, extents(x))))
}
