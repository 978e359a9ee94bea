package tileexact

import (
	"slices"

	"github.com/go-acap/acap/device/acap/program"
)

// capture keeps a piece of an array that came on the stream of an operand. The mem
// tile has sent it in the order of the operand's tiles; the kernel puts the bytes
// back in order.
func capture(p *program.Program, c *program.Call, from, to *memory) error {
	if err := whole(from); err != nil {
		return err
	}
	f := &p.FIFOs[c.Args[0].FIFO]
	sent := staged(p, c.Args[0].FIFO)
	each := f.Object.Elements()
	pieces := max(1, sent.elements/each)
	size := f.Object.DType.Size()
	base := c.Piece / pieces * sent.elements
	for e := range each {
		u := c.Piece%pieces*each + e
		t := sent.order[u]
		at := (base + t) * size
		for b := range size {
			if at+b < len(to.known) {
				to.data.Bytes()[at+b] = from.data.Bytes()[e*size+b]
				to.known[at+b] = true
			}
		}
	}
	return nil
}

// order is how the elements of a staged object leave a mem tile: order[u] is the
// place, in the order of arrival, of the u-th to leave.
type order struct {
	elements int
	order    []int
}

func staged(p *program.Program, fifo int) order {
	in, out, parts := &p.FIFOs[fifo], &p.FIFOs[fifo], 1
	for _, l := range p.Links {
		if len(l.In) == 1 && slices.Contains(l.Out, fifo) {
			in, parts = &p.FIFOs[l.In[0]], len(l.Out)
		}
	}
	n := in.Object.Elements() / parts
	o := order{n, make([]int, n)}
	arrived := make([]int, n) // by address
	for t, a := range addresses(program.OrderOfPart(in.FromStream, parts), n) {
		if a < n {
			arrived[a] = t
		}
	}
	send := out.ToStream
	if in == out {
		send = nil
	}
	for u, a := range addresses(send, n) {
		if u < n && a < n {
			o.order[u] = arrived[a]
		}
	}
	return o
}

// addresses lists the addresses that a pattern visits.
func addresses(dims []program.Dim, n int) []int {
	out := make([]int, n)
	for i := range out {
		if len(dims) == 0 {
			out[i] = i
			continue
		}
		index := i
		for k := len(dims) - 1; k >= 0; k-- {
			out[i] += index % dims[k].Size * dims[k].Stride
			index /= dims[k].Size
		}
	}
	return out
}
