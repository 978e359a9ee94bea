package ops

import (
	"fmt"

	"github.com/go-acap/acap/base/shape"
)

// each visits all indices of a shape in row-major order, with the offset that
// each of the given strides yields. visit must not keep at.
func each(dims []int, strides [][]int, visit func(at []int)) {
	n := shape.Size(dims)
	if n == 0 {
		return
	}
	index, at := make([]int, len(dims)), make([]int, len(strides))
	for {
		visit(at)
		d := len(dims) - 1
		for ; d >= 0; d-- {
			index[d]++
			for k, s := range strides {
				at[k] += s[d]
			}
			if index[d] < dims[d] {
				break
			}
			for k, s := range strides {
				at[k] -= s[d] * dims[d]
			}
			index[d] = 0
		}
		if d < 0 {
			return
		}
	}
}

// broadcastStrides are the strides of a contiguous tensor of shape dims at the
// points of a space of shape out.
func broadcastStrides(dims, out []int) []int {
	strides := make([]int, len(out))
	own := shape.Strides(dims)
	lead := len(out) - len(dims)
	for i, n := range dims {
		if n != 1 {
			strides[i+lead] = own[i]
		}
	}
	return strides
}

// lines describes the one-dimensional lines of a tensor along a dimension.
type lines struct{ outer, n, inner int }

// linesOf returns the lines along dimension d; a tensor without dimensions has one
// line of one element.
func linesOf(dims []int, d int) lines {
	if len(dims) == 0 {
		return lines{1, 1, 1}
	}
	return lines{shape.Size(dims[:d]), dims[d], shape.Size(dims[d+1:])}
}

// each visits every line: its elements lie at start + i·inner.
func (l lines) each(visit func(start int)) {
	for o := range l.outer {
		for i := range l.inner {
			visit(o*l.n*l.inner + i)
		}
	}
}

// withDim returns dims with the extent of dimension d replaced.
func withDim(dims []int, d, n int) []int {
	out := append([]int(nil), dims...)
	if len(out) > 0 {
		out[d] = n
	}
	return out
}

// outOfRange is the error of an index outside dimension d.
func outOfRange(i, d int, dims []int) error {
	return fmt.Errorf("index %d is out of range for dimension %d of %s", i, d, shape.String(dims))
}
