package plan

import (
	"slices"

	"github.com/go-acap/acap/kernel"
)

// mayOverwrite reports whether port out of a kernel may be the same memory as
// port in.
func mayOverwrite(k kernel.Kernel, in, out int) bool {
	p, ok := k.(kernel.InPlace)
	return ok && p.Overwrites(in, out)
}

// overwritten returns the slot whose memory the result in slot n of step i may
// take: an operand of the step that nothing needs afterwards, or -1.
func (p *Plan) overwritten(i int, st *Step, n int) int {
	if p.Slots[n].t == nil {
		return -1 // memory that the threads of the kernel share
	}
	out := slices.Index(st.Slots, n)
	for in, m := range st.Slots {
		s := &p.Slots[m]
		if m == n || s.Kind != Arena || s.Last != i || s.First == i || s.given || s.t == nil ||
			s.Bytes != p.Slots[n].Bytes || count(st.Slots, m) > 1 || count(st.Slots, n) > 1 {
			continue
		}
		if mayOverwrite(st.Kernel, in, out) {
			return m
		}
	}
	return -1
}

func count(list []int, v int) int {
	n := 0
	for _, x := range list {
		if x == v {
			n++
		}
	}
	return n
}

// isCopy reports whether a kernel gives each element of one port to the same place of another, and does nothing else.
func isCopy(k kernel.Kernel) bool {
	n, ok := k.(*kernel.Nest)
	return ok && n.Copies()
}
