package taps

import (
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// panels are copies of an operand: of filters, some side by side, one behind the other along the depth; or of an image.
type panels struct {
	codes []panelCode
	bytes int       // of all groups
	args  sync.Pool // of *kernel.Args
}

// panelCode copies a part of the panels.
type panelCode struct {
	code     kernel.Code
	from, to int // bytes from the start of either side
}

// side is the filters as their panels see them.
type side struct {
	port         kernel.Port
	offset       int
	batch        []int // strides of groups
	line         int   // stride of filters
	lines, depth int
	axes         []axis      // of the depth, outermost first
	width        int         // filters of a panel
	to           dtype.DType // in panels
}

// axis is a part of the depth.
type axis struct{ extent, stride int }

// newPanels compiles the copies for all groups of the given extents.
func newPanels(s *side, extents []int, t vector.Backend) (*panels, error) {
	one := s.lines * s.depth
	p := &panels{bytes: one * s.to.Size()}
	strides := make([]int, len(extents))
	for i := len(extents) - 1; i >= 0; i-- {
		strides[i] = p.bytes / s.to.Size()
		p.bytes *= extents[i]
	}
	whole, rest := s.lines/s.width, s.lines%s.width
	for _, part := range []struct{ first, count, width int }{{0, whole, s.width}, {whole * s.width, 1, rest}} {
		if part.count == 0 || part.width == 0 {
			continue
		}
		outer := append(append([]int(nil), extents...), part.count)
		from := kernel.Access{Port: s.port, Outer: append(append([]int(nil), s.batch...), part.width*s.line)}
		from.Const, from.Write = false, false
		to := kernel.Access{Port: kernel.Port{DType: s.to, Write: true, Len: one}, Outer: append(append([]int(nil), strides...), s.depth*part.width)}
		inside := s.depth
		for _, x := range s.axes {
			inside /= max(x.extent, 1)
			outer, from.Outer, to.Outer = append(outer, x.extent), append(from.Outer, x.stride), append(to.Outer, inside*part.width)
		}
		outer, from.Outer, to.Outer = append(outer, part.width), append(from.Outer, s.line), append(to.Outer, 1)
		b := kernel.NewBody()
		b.Store(1, b.Cast(s.to, b.Load(0, s.port.DType)))
		n := &kernel.Nest{Name: "panels", Outer: outer, Access: []kernel.Access{from, to}, Stages: []kernel.Stage{{Body: b.Body()}}}
		code, err := nest.Compile(n, t)
		if err != nil {
			p.close()
			return nil, err
		}
		p.codes = append(p.codes, panelCode{code: code, from: (s.offset + part.first*s.line) * s.port.DType.Size(),
			to: part.first * s.depth * s.to.Size()})
	}
	return p, nil
}

func (p *panels) close() {
	for _, c := range p.codes {
		c.code.Close()
	}
}

func (p *panels) units() (n int) {
	for _, c := range p.codes {
		n += c.code.Units()
	}
	return n
}

func (p *panels) scratch() (n int) {
	for _, c := range p.codes {
		n = max(n, c.code.Scratch())
	}
	return n
}

// run does units lo to hi-1 of the copies.
func (p *panels) run(from, to, scratch unsafe.Pointer, lo, hi int) {
	for _, c := range p.codes {
		n := c.code.Units()
		if a, b := max(lo, 0), min(hi, n); a < b {
			args, _ := p.args.Get().(*kernel.Args)
			if args == nil {
				args = new(kernel.Args)
			}
			args.Ptr, args.Scratch = append(args.Ptr[:0], unsafe.Add(from, c.from), unsafe.Add(to, c.to)), scratch
			c.code.Run(args, a, b)
			clear(args.Ptr)
			args.Scratch = nil
			p.args.Put(args)
		}
		lo, hi = lo-n, hi-n
	}
}
