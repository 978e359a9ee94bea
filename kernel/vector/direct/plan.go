package direct

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
)

const f32 = 4 // bytes

// plan is a direct convolution with all decisions made.
type plan struct {
	*kernel.Convolution
	features   cpu.Features
	lanes      int
	registers  int
	perGroup   int // output channels of a group
	depth      int // input channels of a group
	tileP      int // rows and columns of pixels in a tile
	tileQ      int
	vecs       int  // vectors of channels in a panel
	panels     int  // of a group
	panel      int  // bytes of a packed panel
	transposed bool // the epilogue's lanes are pixels
	rowBlock   int  // rows of tiles in a unit
	rowBlocks  int
	shapes     []*tiles    // that occur
	runs       [2][2][]run // of tiles of a row, by low last strip, last panel
	// How the rounds of a sum walk through the image, in units of elem bytes: over depth channels that lie channel
	// apart, filter rows, and taps that lie tap apart.
	elem, channel int
	taps, tap     int
	cells         *cells // nil for sums of floats
}

// newPlan decides how to compute c.
func newPlan(c *kernel.Convolution, f cpu.Features) (*plan, error) {
	p := &plan{Convolution: c, features: f, lanes: f.Level.VectorBytes() / f32, registers: f.Level.VectorRegisters(), elem: f32}
	if cells, ok := inCells(c, f); ok {
		p.cells, p.elem = cells, 1
	} else if !convertible(c.X.DType) || !convertible(c.Filter.DType) || c.Acc != dtype.F32 {
		return nil, fmt.Errorf("%w: %v × %v in %v", kernel.ErrUnsupported, c.X.DType, c.Filter.DType, c.Acc)
	}
	for _, n := range []int{c.N, c.C, c.H, c.W, c.K, c.P, c.Q, c.R, c.S} {
		if n == 0 {
			return nil, fmt.Errorf("%w: an extent of 0", kernel.ErrUnsupported)
		}
	}
	p.perGroup, p.depth, p.taps = c.K/c.Groups, c.C/c.Groups, c.S
	if p.cells != nil {
		p.depth, p.taps = p.cells.depth, p.cells.taps
	}
	p.chooseLanes()
	p.takeShape(p.chooseTile())
	if p.needsCopy() { // which lies densely
		return p, nil
	}
	return p, p.checkReach()
}

// takeShape has tiles of a shape, and panels that suit them.
func (p *plan) takeShape(s shape) {
	p.tileP, p.tileQ, p.vecs = s.rows, s.cols, s.vecs
	p.panels = kernel.Pieces(p.perGroup, p.width())
	p.panel = p.depth * p.R * p.taps * p.width() * f32
	p.channel, p.tap = p.X.Strides[1], p.Dilation[1]*p.X.Strides[3]
	if p.cells != nil {
		p.channel, p.tap = p.cells.steps(p)
	}
	p.chooseUnits()
}

// convertible reports whether elements of type t are widened to f32 without loss.
func convertible(t dtype.DType) bool {
	return t == dtype.F32 || t == dtype.F16 || t == dtype.BF16
}

func (p *plan) width() int { return p.vecs * p.lanes }

// chooseLanes decides whether the epilogue runs on vectors of pixels or of channels. Where neither
// lie side by side, the epilogue will be refused, and a nest stores the sums.
func (p *plan) chooseLanes() {
	for _, a := range p.Epilogue.Access {
		p.transposed = p.transposed || a.Write && (a.Outer[3] == 1 || a.Outer[1] != 1)
	}
	if narrow := p.lanes / 2; p.cells != nil && !p.transposed && p.lanes == 16 && p.perGroup <= narrow {
		p.lanes = narrow // half of each vector would have no channels
	}
}

// Multiplications and additions that a unit should have, and that it has at least where the image is large.
const unitFlops, leastFlops = 16e6, 2e6

// chooseUnits: a unit is one panel of channels over a block of rows, whose part of the image stays in the second-level
// cache while all panels are multiplied by it.
func (p *plan) chooseUnits() {
	strips := kernel.Pieces(p.P, p.tileP)
	flops := 2 * float64(p.tileP*p.Q*p.width()) * float64(p.depth*p.R*p.taps) // of a strip
	block := unitFlops / flops
	bytes := p.depth * p.tileP * min(p.Stride[0], p.R) * p.Q * p.Stride[1] * p.elem // of a strip's image
	if kept := float64(p.features.L2) / 2 / float64(bytes); kept > 0 && p.panels > 1 {
		block = min(block, max(kept, leastFlops/flops))
	}
	p.rowBlock = kernel.EvenPiece(strips, min(max(int(math.Ceil(block)), 1), strips))
	p.rowBlocks = kernel.Pieces(strips, p.rowBlock)
}

// checkReach refuses strides that do not fit the displacements of the code.
func (p *plan) checkReach() error {
	reach := p.channel
	reach += (p.tileP*p.Stride[0] + p.R*p.Dilation[0]) * p.X.Strides[2]
	reach += p.tileQ*p.Stride[1]*p.X.Strides[3] + (p.taps+unrolledColumns)*p.tap
	for _, s := range p.X.Strides {
		if s < 0 {
			return fmt.Errorf("%w: a negative stride", kernel.ErrUnsupported)
		}
	}
	if reach*p.elem*unrolledChannels > math.MaxInt32/2 || p.panel > math.MaxInt32/2 {
		return fmt.Errorf("%w: strides too long", kernel.ErrUnsupported)
	}
	return nil
}
