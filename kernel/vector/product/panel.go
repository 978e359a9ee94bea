package product

import (
	"fmt"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// panels copies an operand into panels: of lines (rows of A, columns of B) side by side, one behind the other along
// the depth. In groups, so many neighbours along the depth stand together.
type panels struct {
	codes []panelCode
	bytes int       // of all batch entries
	form  string    // of panels with equal forms the codes write the same
	args  sync.Pool // of *kernel.Args
}

// panelCode copies a part of the panels.
type panelCode struct {
	code     kernel.Code
	from, to int // bytes from the start of either side
}

// side is an operand as its panels see it.
type side struct {
	port         kernel.Port
	offset       int
	batch        []int // strides
	line, deep   int   // strides of lines and along the depth
	lines, depth int
	axes         []axis // of a depth that has several, outermost first; nil for one with the stride deep
	width        int    // lines of a panel
	group        int
	to           dtype.DType // in panels
}

// axis is a part of the depth.
type axis struct{ extent, stride int }

// newPanels compiles the copies of one operand for all batch entries of the given extents.
func newPanels(s *side, extents []int, t vector.Backend) (*panels, error) {
	p := &panels{form: fmt.Sprintf("panels %+v, batch %v", *s, extents)}
	groups := (s.depth + s.group - 1) / s.group
	one := s.lines * groups * s.group
	p.bytes = one * s.to.Size()
	strides := make([]int, len(extents))
	for i := len(extents) - 1; i >= 0; i-- {
		strides[i] = p.bytes / s.to.Size()
		p.bytes *= extents[i]
	}
	whole, rest := s.lines/s.width, s.lines%s.width
	parts := []struct{ first, count, width int }{{0, whole, s.width}, {whole * s.width, 1, rest}}
	for _, part := range parts {
		if part.count == 0 || part.width == 0 {
			continue
		}
		last := s.depth % s.group
		pad := 0
		if last > 0 {
			pad = s.group - last
		}
		for _, deep := range []struct {
			first, groups, group int
			zero                 bool
		}{{0, s.depth / s.group, s.group, false}, {s.depth - last, 1, last, false}, {s.depth, 1, pad, true}} {
			if deep.groups == 0 || deep.group == 0 {
				continue
			}
			step := part.width * s.group
			outer := append(append([]int(nil), extents...), part.count)
			from := kernel.Access{Port: s.port, Outer: append(append([]int(nil), s.batch...), part.width*s.line)}
			from.Const, from.Write = false, false
			to := kernel.Access{Port: kernel.Port{DType: s.to, Write: true, Len: one}, Outer: append(append([]int(nil), strides...), groups*step)}
			axes := s.axes
			if axes == nil {
				axes = []axis{{deep.groups, s.group * s.deep}}
			}
			inside := groups
			for _, x := range axes {
				inside /= max(x.extent, 1)
				outer, from.Outer = append(outer, x.extent), append(from.Outer, x.stride)
				if s.axes == nil {
					inside = 1
				}
				to.Outer = append(to.Outer, inside*step)
			}
			outer = append(outer, part.width, deep.group)
			from.Outer, to.Outer = append(from.Outer, s.line, s.deep), append(to.Outer, s.group, 1)
			b := kernel.NewBody()
			if deep.zero {
				b.Store(1, b.Const(s.to, 0))
			} else {
				b.Store(1, b.Cast(s.to, b.Load(0, s.port.DType)))
			}
			n := &kernel.Nest{Name: "panels", Outer: outer, Access: []kernel.Access{from, to}, Stages: []kernel.Stage{{Body: b.Body()}}}
			code, err := nest.Compile(n, t)
			if err != nil {
				p.close()
				return nil, err
			}
			at := deep.first/s.group*step + deep.first%s.group // in a panel
			c := panelCode{code: code, to: (part.first*groups*s.group + at) * s.to.Size()}
			if !deep.zero {
				c.from = (s.offset + part.first*s.line + deep.first*s.deep) * s.port.DType.Size()
			}
			p.codes = append(p.codes, c)
		}
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
