package emit

import (
	"encoding/binary"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// Of each 4 neighbours along a sum at most 2 values are not zero, for multipliers that skip zeros.
const neighbours, nonzeros = 4, 2

// sparse reports whether an operand is constant, of 8 or 16 bits, and has at most two values that are not zero of every
// four neighbours along the loop that contracts it. Of values that are dense it looks at the first few.
func sparse(a *graph.Access, extents []int, loop int) bool {
	as := a.As
	if as == dtype.Invalid {
		as = a.Tensor.DType
	}
	if a.Format != dtype.Plain || as.Size() > 2 || as == dtype.Bool || extents[loop] < neighbours {
		return false
	}
	zero := zeros(a.Tensor)
	if zero == nil {
		return false
	}
	var others []int
	for l, stride := range a.Strides {
		if l != loop && stride != 0 && extents[l] > 1 {
			others = append(others, l)
		}
	}
	point := make([]int, len(others))
	for at := a.Offset; ; {
		for first := 0; first < extents[loop]; first += neighbours {
			some := 0
			for k := first; k < min(first+neighbours, extents[loop]); k++ {
				if !zero(at + k*a.Strides[loop]) {
					some++
				}
			}
			if some > nonzeros {
				return false
			}
		}
		d := len(others) - 1
		for ; d >= 0; d-- { // the next of the others
			l := others[d]
			if point[d]++; point[d] < extents[l] {
				at += a.Strides[l]
				break
			}
			at -= a.Strides[l] * (extents[l] - 1)
			point[d] = 0
		}
		if d < 0 {
			return true
		}
	}
}

// zeros returns what says whether an element of a constant is zero; nil for what is none. Constants are data of the
// module, and what arises from them when they are converted to a type or put in another order.
func zeros(t *graph.Tensor) func(i int) bool {
	if t.Kind == graph.Constant {
		return zerosOf(t)
	}
	if t.Kind != graph.Temporary || len(t.Writers) != 1 {
		return nil
	}
	n := t.Writers[0]
	if n.Kind != graph.Pointwise || len(n.Ins) != 1 || len(n.Outs) != 1 || n.Outs[0].Box != nil || n.Outs[0].Offset != 0 || !converts(n.Body) {
		return nil
	}
	from := zeros(n.Ins[0].Tensor)
	order := places(&n.Outs[0].Access, n.Extents)
	if from == nil || order == nil || n.Points() != t.Size {
		return nil
	}
	in := &n.Ins[0]
	return func(i int) bool {
		at := in.Offset
		for _, l := range order { // the loop with the longest stride first
			stride := n.Outs[0].Strides[l]
			at += i / stride * in.Strides[l]
			i %= stride
		}
		return from(at)
	}
}

// zerosOf is zeros of data. A float may be -0, as masks make of negative weights.
func zerosOf(t *graph.Tensor) func(i int) bool {
	data, shift := t.Data, 0
	if t.DType.IsFloat() {
		shift = 1 // the sign goes
	}
	switch t.DType.Size() {
	case 1:
		return func(i int) bool { return data[i]<<shift == 0 }
	case 2:
		return func(i int) bool { return binary.LittleEndian.Uint16(data[2*i:])<<shift == 0 }
	case 4:
		return func(i int) bool { return binary.LittleEndian.Uint32(data[4*i:])<<shift == 0 }
	}
	return nil
}

// converts reports whether a body stores what it loads, perhaps as another type.
func converts(body kernel.Body) bool {
	for i := range body {
		switch body[i].Op {
		case kernel.Load, kernel.Cast, kernel.Store:
		default:
			return false
		}
	}
	return len(body) > 0
}

// places returns the loops that lie one in another in an access that visits every element once, the longest stride
// first; nil where it does not.
func places(a *graph.Access, extents []int) (order []int) {
	step := 1
	for range extents {
		for l, n := range extents {
			if n > 1 && a.Strides[l] == step {
				order = append([]int{l}, order...)
				step *= n
				break
			}
		}
	}
	points := 1
	for _, n := range extents {
		points *= n
	}
	if step != points {
		return nil
	}
	return order
}
