package describe

import "github.com/go-acap/acap/device/kernel"

// Rows returns the extent that the cores of an array share of a kernel, rows or points, and how many
// elements of a port lie side by side for each, where the port is the whole of its array, row by row;
// 0 where it is not.
func Rows(k kernel.Kernel, port int) (extent, width int) {
	var extents, strides []int
	var p kernel.Port
	offset := 0
	switch k := k.(type) {
	case *kernel.Contraction:
		if product(k.Batch) > 1 {
			return 0, 0
		}
		extent = k.M
		switch {
		case port == 0:
			extents, strides = []int{k.M, k.K}, []int{k.A.Row, k.A.Col}
			p, offset, width = k.A.Port, k.A.Offset, k.K
		case port >= 2:
			a := &k.Epilogue.Access[port-2]
			extents, strides = []int{k.M, k.N}, a.Outer[len(k.Batch):]
			p, offset, width = a.Port, a.Offset, k.N
		default:
			return 0, 0
		}
	case *kernel.Nest:
		a := &k.Access[port]
		extents = append(append(extents, k.Outer...), k.Inner...)
		strides = append(append(strides, a.Outer...), a.Inner...)
		p, offset = a.Port, a.Offset
		extent, width = product(k.Outer), product(k.Inner)
	default:
		return 0, 0
	}
	next := 1
	for i := len(extents) - 1; i >= 0; i-- {
		if extents[i] > 1 && strides[i] != next {
			return 0, 0
		}
		next *= extents[i]
	}
	if offset != 0 || next != p.Len {
		return 0, 0
	}
	return extent, width
}
