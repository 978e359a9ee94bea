package build

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/workload"
)

// operand is how an operand of a product lies in memory: as elements, or as cells of a packed
// format, each a few words. The cells of a matrix lie as its elements would.
type operand struct {
	dtype    dtype.DType
	k, other int // values of a cell along the contracted dimension and the other one
	each     int // elements of a cell
}

func operandOf(o *workload.Operand) operand {
	k, other, bytes := o.Cell()
	if o.Format == dtype.Plain {
		return operand{o.DType, 1, 1, 1}
	}
	return operand{dtype.I32, k, other, bytes / workload.Word}
}

// left returns the rows and columns of elements of so much of A, M × K, and right of B, K × N.
func (o *operand) left(m, k int) (rows, cols int)  { return m / o.other, k / o.k * o.each }
func (o *operand) right(k, n int) (rows, cols int) { return k / o.k, n / o.other * o.each }

// incoming is one operand of a product on its way to the cores.
type incoming struct {
	operand
	arg   int     // number of its array among the arguments
	slice int     // elements of K of one staged object
	inner [][]int // FIFOs that cores read: by part of the operand and range of K
	outer [][]int // FIFOs that the host fills: by parts that share a stream, and range of K
}

// supply says how the tiles of an operand come to the cores.
type supply struct {
	tile    program.Object // what a core reads
	staged  program.Object // what a mem tile holds for one part
	held    int            // staged objects that a mem tile holds
	order   []program.Dim  // in which a mem tile sends a staged object; nil is as the object lies
	arrival []program.Dim  // in which a staged object arrives; nil is as the object lies
	windows []program.Window
	// kept makes the stream of a part and a range of K from a mem tile that keeps the operand from launch to launch. It
	// is nil where the operand comes from outside.
	kept func(part, k int, to []program.Coord) (fifo int)
}

// bring makes the streams of an operand. Each stream from outside carries fanOut neighbouring parts. readers are the
// cores that read a part.
func (p *product) bring(in *incoming, name string, s *supply, parts, fanOut int, readers func(part, k int) []program.Coord) {
	in.inner = make([][]int, parts)
	for first := 0; first < parts; first += fanOut {
		var outer []int
		for k := range p.mapping.Cascade {
			if s.kept != nil {
				in.inner[first] = append(in.inner[first], s.kept(first, k, readers(first, k)))
				continue
			}
			to := make([][]program.Coord, fanOut)
			for i := range to {
				to[i] = readers(first+i, k)
			}
			o, inner := p.inbound(inflow{fmt.Sprintf("%s%d_%d", name, first, k), s.held, s.staged, s.tile, s.order, p.mapping.Depth}, to...)
			if len(s.windows) > 0 {
				p.p.Links[len(p.p.Links)-1].Windows = s.windows
			}
			if p.p.FIFOs[o].FromStream = s.arrival; s.arrival != nil && fanOut > 1 {
				p.p.FIFOs[o].FromStream = append([]program.Dim{dim(fanOut, s.staged.Elements())}, s.arrival...)
			}
			for i, f := range inner {
				in.inner[first+i] = append(in.inner[first+i], f)
			}
			outer = append(outer, o)
		}
		in.outer = append(in.outer, outer)
	}
}

// bringA brings A from outside, or from cores that retain what they made.
func (p *product) bringA() {
	g := &p.mapping
	rows, cols := p.a.left(g.TM, g.TK)
	steps := p.a.slice / g.TK
	s := &supply{tile: array([]int{rows, cols}, p.a.dtype), staged: array([]int{steps, rows, cols}, p.a.dtype), held: 2}
	if p.a.each == 1 { // cells are blocks already
		s.order = blocked(steps, g.TM, g.TK, p.mm, p.kk)
	}
	switch {
	case p.conv != nil:
		s.staged.Shape, s.order, s.windows = p.conv.channelTile(), nil, p.conv.windows()
	case g.Hold > 0:
		s.held, s.windows = g.Hold, p.again(s.staged, s.order)
	}
	if p.conv == nil && steps > 1 { // rows arrive whole; the mem tile takes the rows apart into steps
		s.arrival = []program.Dim{dim(rows, cols), dim(steps, rows*cols), dim(cols, 1)}
	}
	if g.In.Row > 0 {
		if s.kept = p.takeRetained(s.tile); s.kept == nil {
			return
		}
	}
	fanOut, _ := g.FanOuts()
	p.bring(&p.a, "a", s, g.PartsM, fanOut, func(m, k int) (to []program.Coord) {
		for n := range g.PartsN {
			to = append(to, p.place(m, n, k))
		}
		return to
	})
}

// bringB brings B from outside, or from mem tiles that keep B resident.
func (p *product) bringB() {
	g := &p.mapping
	rows, cols := p.b.right(g.TK, g.TN)
	steps := p.b.slice / g.TK
	s := &supply{tile: array([]int{rows, cols}, p.b.dtype), staged: array([]int{steps, rows, cols}, p.b.dtype), held: 2}
	if p.b.each == 1 { // cells are blocks already
		s.order = blocked(steps, g.TK, g.TN, p.kk, p.nn)
	}
	if g.Resident > 0 {
		s.kept = func(n, k int, to []program.Coord) int { return p.residentStream(n, k, s.tile, to) }
	}
	_, fanOut := g.FanOuts()
	p.bring(&p.b, "b", s, g.PartsN, fanOut, func(n, k int) (to []program.Coord) {
		for m := range g.PartsM {
			to = append(to, p.place(m, n, k))
		}
		return to
	})
}

// blocked is the order in which an object of several tiles of rows × cols leaves a mem tile: in blocks of r × c, each
// row by row; nil, as it is, when the tiles are not whole blocks.
func blocked(tiles, rows, cols, r, c int) []program.Dim {
	if rows%r != 0 || cols%c != 0 {
		return nil
	}
	rows *= tiles
	return []program.Dim{dim(rows/r, r*cols), dim(cols/c, c), dim(r, cols), dim(c, 1)}
}

// again is the windows of a strip of A that a mem tile keeps and sends for every block of a set along N.
func (p *product) again(strip program.Object, order []program.Dim) (windows []program.Window) {
	if order == nil {
		order = []program.Dim{dim(strip.Elements(), 1)}
	}
	style := p.machine.Compute.Styles[p.mapping.Style]
	_, again := style.SetOf(p.blocksM, p.blocksN)
	for range again {
		windows = append(windows, program.Window{Dims: order})
	}
	return windows
}
