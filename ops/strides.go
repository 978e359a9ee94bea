package ops

import "github.com/go-acap/acap/base/shape"

// Values are contiguous here, but whether a reshaped view shares memory with its base depends on how the view's
// elements would lie in PyTorch's memory, where a view keeps the memory of its base: a reshape of a view that reads in
// another order shares the memory or not.

// strides returns how far apart neighbours along each dimension lie in the memory of the root.
func (r *Ref) strides() []int {
	if !r.IsView() {
		return r.inMemory().Strides
	}
	if r.call.Op.Strides == nil {
		return shape.Strides(r.Type().Shape)
	}
	return r.call.Op.Strides(r.call, r.Base().strides(), r.result)
}

// inOrder reports whether strides are the strides of a contiguous tensor, for dimensions of more than one element.
func inOrder(dims, strides []int) bool {
	next := 1
	for d := len(dims) - 1; d >= 0; d-- {
		if dims[d] != 1 && strides[d] != next {
			return shape.Size(dims) == 0
		}
		next *= dims[d]
	}
	return true
}

// reshapedStrides returns the strides of another shape over the same elements. It reports false if no strides exist:
// the dimensions of both shapes fall into runs over the same elements, and within each run the elements must be evenly
// spaced.
func reshapedStrides(dims, strides, to []int) ([]int, bool) {
	out := shape.Strides(to)
	if shape.Size(dims) == 0 {
		return out, true
	}
	k := len(to) - 1
	for d := len(dims) - 1; d >= 0; {
		if dims[d] == 1 {
			d--
			continue
		}
		step, n := strides[d], dims[d]
		for d--; d >= 0 && (dims[d] == 1 || strides[d] == step*n); d-- {
			n *= dims[d]
		}
		taken := 1
		for ; k >= 0 && (taken < n || to[k] == 1); k-- {
			out[k] = step * taken
			taken *= to[k]
		}
		if taken != n {
			return nil, false
		}
	}
	return out, true
}

// stridesOfReshape is the Strides of operators that change the shape alone.
func stridesOfReshape(c *Call, strides []int, result int) []int {
	to := c.Out[result].Shape
	out, ok := reshapedStrides(c.Shape(0), strides, to)
	if !ok { // PyTorch refuses view here
		return shape.Strides(to)
	}
	return out
}

// copiesUnevenly is the Copies of reshapes that give what no strides can express memory of its own.
func copiesUnevenly(c *Call, strides []int) bool {
	_, ok := reshapedStrides(c.Shape(0), strides, c.Out[0].Shape)
	return !ok
}

// sameStrides is the Strides of views that take a part, or all.
func sameStrides(_ *Call, strides []int, _ int) []int { return strides }
