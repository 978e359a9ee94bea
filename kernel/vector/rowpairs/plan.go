package rowpairs

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

const f32 = 4 // bytes of an element

// plan says what code a convolution has.
type plan struct {
	*kernel.Convolution
	lanes   int         // of a vector
	byLane  bool        // the processor multiplies by a lane of a vector of filters
	entries [points]int // transformed rows of a channel for each point
	vecs    int         // of pixels in a tile
	filters int         // in a tile
	strips  int
	blocks  int // of filters
	width   int // columns of one horizontal phase in a transformed row
	pairs   int // pairs of rows in a unit
	units   int // of an image
	tiles   []tile
}

// The points at which F(2, 3) evaluates, in the order of their sums: the two results are
// m1 + m2 + m0 and m1 - m2 + m∞.
const (
	pointOne = iota
	pointMinusOne
	pointZero
	pointInfinity
	points
)

const (
	manyRegisters = 32       // below which the sums of a tile are too few
	mostScratch   = 40 << 10 // bytes of transformed rows, which should stay in the first-level cache
	mostVecs      = 7        // of pixels in a tile
	unitFlops     = 16e6     // multiplications and additions that a unit should have at least
)

// newPlan makes the plan. The error wraps [kernel.ErrUnsupported] for a convolution that gains nothing from pairs of
// rows.
func newPlan(c *kernel.Convolution, t vector.Backend) (*plan, error) {
	p := &plan{Convolution: c, lanes: t.VectorBytes() / f32}
	p.byLane = p.lanes == quarter && t.Has(vector.LaneMul, vector.F32, vector.None)
	if t.Registers() < manyRegisters || !p.fits() {
		return nil, fmt.Errorf("%w: not by pairs of rows", kernel.ErrUnsupported)
	}
	for v := range c.Stride[0] {
		n := p.taps(v)
		p.entries[pointOne] += n / 3
		p.entries[pointZero] += n/3 + n%3
	}
	p.entries[pointMinusOne], p.entries[pointInfinity] = p.entries[pointOne], p.entries[pointZero]
	p.chooseTile(t.Registers())
	if p.C*p.rows()*p.rowBytes() > mostScratch || p.cost() > 0.9 {
		return nil, fmt.Errorf("%w: no gain by pairs of rows", kernel.ErrUnsupported)
	}
	return p, nil
}

// fits: constant f32 filters, columns side by side, wide rows and no dilation.
func (p *plan) fits() bool {
	c := p.Convolution
	switch x := c.X.Strides; {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case !c.Filter.Const || c.Groups != 1 || c.Dilation != [2]int{1, 1}:
	case max(c.Stride[0], c.Stride[1]) > 2 || c.R < 5 || c.R > 12 || c.S > 12:
	case c.Q < 32 || c.Q > 1<<10 || min(c.N, c.C, c.H, c.W, c.K, c.P, c.S) == 0:
	case min(c.Pad[0], c.Pad[1]) < 0 || max(c.Pad[0], c.Pad[1]) > 1<<10:
	case x[3] != 1 || min(x[0], x[1], x[2]) < 0:
	case convolution.ResultChannelsLast(c):
	default:
		return nest.FitsEpilogueAlong(&c.Epilogue, 4, 3, 1, 2)
	}
	return false
}

// taps returns how many filter rows vertical phase v has.
func (p *plan) taps(v int) int { return (p.R - v + p.Stride[0] - 1) / p.Stride[0] }

// rows returns the transformed rows of a channel.
func (p *plan) rows() int {
	n := 0
	for _, e := range p.entries {
		n += e
	}
	return n
}

// rowBytes is the length of a row, of the image with its border as well as transformed.
func (p *plan) rowBytes() int { return p.width * p.Stride[1] * f32 }

// imageRows returns the rows of a channel of the image that a pair of result rows needs.
func (p *plan) imageRows() int { return p.R + p.Stride[0] }

// chooseTile fills the registers with sums, the filters but one and a vector of pixels.
func (p *plan) chooseTile(registers int) {
	vectors := p.vectors()
	p.vecs = kernel.EvenPiece(vectors, mostVecs)
	p.strips = kernel.Pieces(vectors, p.vecs)
	p.filters = kernel.EvenPiece(p.K, registers/(p.vecs+1))
	p.blocks = kernel.Pieces(p.K, p.filters)
	p.width = kernel.Pieces(vectors*p.lanes+(p.S-1)/p.Stride[1], p.lanes) * p.lanes
	all := (p.P + 1) / 2
	flops := 4 * float64(p.Q*p.K*p.C*p.R*p.S)
	p.pairs = kernel.EvenPiece(all, max(1, min(all, int(unitFlops/flops)+1)))
	p.units = kernel.Pieces(all, p.pairs)
	p.listTiles()
}

// vectors returns how many vectors a row of the result is.
func (p *plan) vectors() int { return kernel.Pieces(p.Q, p.lanes) }

// cost returns the time as a part of that of the direct sum.
func (p *plan) cost() float64 {
	products := float64(p.rows()) / float64(2*p.R)
	lanes := float64(p.vectors()*p.lanes) / float64(p.Q)
	filters := float64(max(p.filters, 4)) / float64(p.filters)
	height := float64((p.P+1)/2*2) / float64(p.P)
	return products*lanes*filters*height + 4/float64(p.K) + 1/float64(p.C*p.S)
}

// tile is the shape of a register tile: filters by vectors of pixels, of which the last has some, or all if tail is 0.
type tile struct{ filters, vecs, tail int }

// tileOf returns the tile of a block of filters in a strip of a row.
func (p *plan) tileOf(block, strip int) tile {
	t := tile{min(p.filters, p.K-block*p.filters), min(p.vecs, p.vectors()-strip*p.vecs), 0}
	if strip == p.strips-1 {
		t.tail = p.Q % p.lanes
	}
	return t
}

// listTiles lists the tiles that occur.
func (p *plan) listTiles() {
	for _, block := range []int{0, p.blocks - 1} {
		for _, strip := range []int{0, p.strips - 1} {
			if t := p.tileOf(block, strip); !slices.Contains(p.tiles, t) {
				p.tiles = append(p.tiles, t)
			}
		}
	}
}
