package plan

import (
	"slices"

	"github.com/go-acap/acap/kernel"
)

// mayOverwrite reports whether port out of a kernel may be the same memory as
// port in: every point reads its element before it writes it, and no other point
// reads it.
func mayOverwrite(k kernel.Kernel, in, out int) bool {
	switch k := k.(type) {
	case *kernel.Nest:
		return sameElements(&k.Access[in], &k.Access[out]) && readsBefore(k, in, out)
	case *kernel.Contraction:
		return epilogueOverwrites(&k.Epilogue, in-2, out-2)
	case *kernel.Convolution:
		return epilogueOverwrites(&k.Epilogue, in-2, out-2)
	case *kernel.Scatter:
		return in == 2 // what it copies first
	}
	return false
}

// sameElements reports whether two ports are at the same element at each point,
// and at a different one at each other point.
func sameElements(in, out *kernel.Access) bool {
	return in.Offset == out.Offset && in.DType.Size() == out.DType.Size() && in.Len == out.Len &&
		slices.Equal(in.Outer, out.Outer) && slices.Equal(in.Inner, out.Inner) &&
		!slices.Contains(out.Inner, 0)
}

// readsBefore reports whether the stages that load port in are not after those
// that store port out.
func readsBefore(n *kernel.Nest, in, out int) bool {
	read, written := -1, len(n.Stages)
	for s, stage := range n.Stages {
		for _, i := range stage.Body {
			switch {
			case i.Op == kernel.LoadAt && i.Port == in:
				return false
			case i.Op == kernel.Load && i.Port == in:
				read = s
			case i.Op == kernel.Store && i.Port == out:
				written = min(written, s)
			}
		}
	}
	return read <= written
}

func epilogueOverwrites(e *kernel.Epilogue, in, out int) bool {
	if in < 0 || out < 0 || !sameElements(&e.Access[in], &e.Access[out]) {
		return false
	}
	return !slices.ContainsFunc(e.Body, func(i kernel.Instr) bool { return i.Op == kernel.LoadAt })
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
