package plan

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
)

// Steps of a loop that is written out are kernels that differ in where they begin to read and write. So code is made
// for kernels whose ports begin at the first element that is touched, and the steps of a loop have it once: machine
// code of each step's own would not stay in the caches. Ports keep their place in a line of the cache, by which some
// kernels choose their accesses.

// nearBegin returns a kernel that computes what k does, with ports that begin at the line of the first element that is
// touched, and by how many bytes that is later for each port of k; nil if it is k. Constants stay: codes pack them.
func nearBegin(k kernel.Kernel) (near kernel.Kernel, bytes []int) {
	bytes = make([]int, len(k.Ports()))
	shift := func(access []kernel.Access, first int, extents []int, gathers func(port int) bool) []kernel.Access {
		access = slices.Clone(access)
		for i := range access {
			if a := &access[i]; !gathers(first + i) {
				bytes[first+i] = shiftPort(&a.Port, &a.Offset, extents, slices.Concat(a.Outer, a.Inner))
			}
		}
		return access
	}
	switch k := k.(type) {
	case *kernel.Nest:
		n := *k
		n.Access = shift(n.Access, 0, slices.Concat(n.Outer, n.Inner), func(port int) bool {
			return slices.ContainsFunc(n.Stages, func(s kernel.Stage) bool { return gathers(s.Body, port) })
		})
		near = &n
	case *kernel.Contraction:
		c := *k
		bytes[0] = shiftPort(&c.A.Port, &c.A.Offset, append(slices.Clone(c.Batch), c.M, c.K), append(slices.Clone(c.A.Batch), c.A.Row, c.A.Col))
		bytes[1] = shiftPort(&c.B.Port, &c.B.Offset, append(slices.Clone(c.Batch), c.K, c.N), append(slices.Clone(c.B.Batch), c.B.Row, c.B.Col))
		loops, _ := c.Sums()
		c.Epilogue.Access = shift(c.Epilogue.Access, 2, loops, func(port int) bool { return gathers(c.Epilogue.Body, port) })
		near = &c
	default:
		return k, nil
	}
	if !slices.ContainsFunc(bytes, func(n int) bool { return n > 0 }) {
		return k, nil
	}
	return near, bytes
}

func gathers(b kernel.Body, port int) bool {
	return slices.ContainsFunc(b, func(i kernel.Instr) bool { return i.Op == kernel.LoadAt && i.Port == port })
}

// shiftPort has a port begin at the line of the first element that is touched, and end at the line of the last one. It
// returns how many bytes later the port begins.
func shiftPort(p *kernel.Port, offset *int, extents, strides []int) int {
	first, last := *offset, *offset
	for i, n := range extents {
		first, last = first+min((n-1)*strides[i], 0), last+max((n-1)*strides[i], 0)
	}
	line := buf.Alignment / p.DType.Size()
	begin := first / line * line
	if p.Const || p.Stored() || begin <= 0 || slices.Contains(extents, 0) {
		return 0
	}
	*offset -= begin
	p.Len = min(p.Len, (last/line+1)*line) - begin
	return begin * p.DType.Size()
}
