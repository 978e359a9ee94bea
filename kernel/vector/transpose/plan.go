package transpose

import (
	"fmt"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
)

// plan is how a copy goes through its operands. Rows are lines of the source, and columns lines of the destination.
type plan struct {
	name      string
	size      int // bytes of an element
	rows      int // of the matrix
	columns   int
	row       int // bytes from one row of the source to the next
	column    int // bytes from one column of the destination to the next
	from, to  int // elements to the first point
	rest      []loop
	vector    int  // bytes of a vector
	wide      int  // columns of a tile
	groups    int  // of columns, of a part each, that are in registers at once
	far       bool // whether operands are in no cache that is near
	ahead     bool // whether rows are fetched before their tile
	square    bool // whether tiles are read by whole vectors: fewer instructions, but more shuffles
	strips    int  // tiles side by side, of all columns
	perUnit   int  // strips
	nanosEach float64
}

// loop is one around the matrix.
type loop struct{ extent, from, to int } // elements

// reach is how far displacements of code go, with room for others beside them.
const reach = 1 << 30

// newPlan plans a nest that copies a matrix to its transpose.
func newPlan(n *kernel.Nest, t vector.Backend) (*plan, error) {
	if !n.Moves() {
		return nil, fmt.Errorf("%w: no copy", kernel.ErrUnsupported)
	}
	n = n.Canonical()
	src, dst := &n.Access[0], &n.Access[1]
	p := &plan{name: n.Name, size: src.DType.Size(), from: src.Offset, to: dst.Offset}
	for l, extent := range n.Outer {
		switch from, to := src.Outer[l], dst.Outer[l]; {
		case from == 1 && to > 1:
			p.columns, p.column = extent, to*p.size
		case to == 1 && from > 1:
			p.rows, p.row = extent, from*p.size
		default:
			p.rest = append(p.rest, loop{extent, from, to})
		}
	}
	each := partBytes / max(p.size, 1)
	if len(n.Inner) > 0 || p.rows < each || p.columns < each {
		return nil, fmt.Errorf("%w: no two loops with an operand that is contiguous along each", kernel.ErrUnsupported)
	}
	p.choose(t)
	if p.size == 8 && 4*over(p.columns, p.wide) > 5*p.columns {
		return nil, fmt.Errorf("%w: %d columns, which gathers read faster than tiles that copy some again", kernel.ErrUnsupported, p.columns)
	}
	if max(p.row*p.high()*(aheadTiles+1), p.column*p.wide) > reach {
		return nil, fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
	}
	return p, nil
}

// each is the elements of a part, and high the rows of a tile.
func (p *plan) each() int { return partBytes / p.size }
func (p *plan) high() int { return p.vector / p.size }

// choose chooses the tile: the one with the least work, where tiles that lie over others do some again.
func (p *plan) choose(t vector.Backend) {
	best := 0
	// Vectors that columns are not multiples of are stored across lines.
	for p.vector = t.VectorBytes(); p.vector > partBytes && (p.high() > p.rows || p.column%p.vector > 0); {
		p.vector /= 2
	}
	most := schedule.CacheLine / partBytes
	p.far = 2*p.rows*p.columns*p.size > farBytes
	if p.far && p.vector == 2*partBytes && p.row%sharedSets > 0 && p.rows*schedule.CacheLine <= nearBytes {
		most /= 2 // what is left of lines is still in caches for the next strip
	}
	for groups := most; groups > 0; groups-- {
		wide := groups * p.each()
		if wide > p.columns {
			continue
		}
		// A tile of less than a line has other tiles read and write what is left of it.
		if work := over(p.columns, wide) * (20 + most - groups); best == 0 || work < best {
			best, p.wide = work, wide
		}
	}
	p.ahead = p.far && p.size < 8 // a tile of longer elements has few rows, and processors look as far
	p.square = p.far && p.vector == p.wide*p.size && p.size >= 4 && p.vector == schedule.CacheLine
	p.groups = min(p.wide/p.each(), max(1, t.Registers()/2/p.each()))
	p.strips = kernel.Pieces(p.columns, p.wide)
	tiles := kernel.Pieces(p.rows, p.high())
	p.nanosEach = float64(tiles) * (2 + 0.015*float64(p.high()*p.wide*p.size))
	p.perUnit = max(1, min(p.strips, int(unitNanos/p.nanosEach)))
}

const (
	// sharedSets is a distance in bytes: rows that lie a multiple of it apart have their lines in few sets of a cache.
	sharedSets = 1024
	// nearBytes is how much caches keep for the next strip.
	nearBytes = 512 << 10
	// farBytes is how much caches hold at most of both operands.
	farBytes = 2 << 20
)

// unitNanos is about the time of a unit.
const unitNanos = 10e3

// over is the length of pieces that cover n together; the last piece overlaps the one before.
func over(n, piece int) int { return kernel.Pieces(n, piece) * piece }
