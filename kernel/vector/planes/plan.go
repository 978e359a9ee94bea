package planes

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/vector"
)

const f32 = 4 // bytes of an element

// plan says what code a convolution has.
type plan struct {
	*kernel.Convolution
	lanes    int  // of a vector
	depth    int  // input channels of a group
	perGroup int  // output channels of a group
	channels int  // output channels of a unit
	rows     int  // of a tile
	held     bool // the filter is in registers
	ahead    int  // lines of the next planes that a tile fetches
}

const (
	mostChannels = 8     // output channels of a unit
	mostRows     = 8     // of a tile
	loads        = 4     // registers for columns of the input, and for what picks every second one
	longest      = 60000 // products in the code of a strip
	widest       = 256   // border: its strips have code of their own
)

var errNotByPlanes = fmt.Errorf("%w: not by planes", kernel.ErrUnsupported)

// newPlan makes the plan for a core with a first-level cache of l1 bytes. The error wraps [kernel.ErrUnsupported] for a
// convolution that gains nothing from vectors of pixels.
func newPlan(c *kernel.Convolution, t vector.Backend, l1 int) (*plan, error) {
	p := &plan{Convolution: c, lanes: t.VectorBytes() / f32}
	if !p.fits() {
		return nil, errNotByPlanes
	}
	p.depth, p.perGroup = c.C/c.Groups, c.K/c.Groups
	p.channels = kernel.EvenPiece(p.perGroup, mostChannels)
	p.held = p.channels == 1 && p.depth == 1 && c.R*c.S+loads+3 <= t.Registers()
	free := t.Registers() - loads - 1
	if p.held {
		free = t.Registers() - loads - c.R*c.S
	}
	if free /= p.channels; free == 0 {
		return nil, fmt.Errorf("%w: too many channels", kernel.ErrUnsupported)
	}
	p.rows = kernel.EvenPiece(c.P, min(free, mostRows))
	if p.tilesOfStrip()*p.rows*p.channels*c.R*c.S > longest {
		return nil, fmt.Errorf("%w: too long a strip", kernel.ErrUnsupported)
	}
	p.ahead = p.linesAhead(l1)
	return p, nil
}

// fits: f32 with the columns of the input side by side and few output channels in a group, and not the channels of a
// result.
func (p *plan) fits() bool {
	c := p.Convolution
	switch x := c.X.Strides; {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case min(c.N, c.C, c.K, c.P, c.Q, c.R, c.S) == 0:
	case (c.C != c.Groups || c.K != c.Groups) && !p.fewChannels():
	case x[3] != 1 || x[2] < 0 || x[2] > 1<<20 || x[1] < 0 || x[1] > 1<<24:
	case c.R*c.S > 49 || c.Stride[0] > 4 || c.Dilation[0] > 64 || c.Dilation[1] > 64:
	case slices.Min(c.Filter.Strides[:]) < -1<<20 || slices.Max(c.Filter.Strides[:]) > 1<<20:
	case c.Stride[1] > 2:
	case convolution.ResultChannelsLast(c):
	case p.border(0, c.H, c.P, c.R) > widest || p.border(1, c.W, c.Q, c.S) > widest:
	default:
		return true
	}
	return false
}

// border returns how far results reach out of an image of a size, before it or behind it.
func (p *plan) border(dimension, size, results, taps int) int {
	c := p.Convolution
	behind := (results-1)*c.Stride[dimension] + (taps-1)*c.Dilation[dimension] + 1 - c.Pad[dimension] - size
	return max(c.Pad[dimension], behind)
}

// fewChannels reports whether vectors of pixels waste less than vectors of channels would.
func (p *plan) fewChannels() bool {
	perGroup := p.K / p.Groups
	waste := func(n int) float64 { return float64(kernel.Pieces(n, p.lanes)*p.lanes) / float64(n) }
	return perGroup < p.lanes && waste(p.Q) < 0.8*waste(perGroup)
}

// tilesOfStrip returns how many tiles the code of a strip has.
func (p *plan) tilesOfStrip() int {
	n := 0
	for row := 0; row < p.P; row += p.rows {
		if row < p.rows || !p.inside(row) || !p.inside(row-p.rows) {
			n++
		}
	}
	return n
}

// inside reports whether a full tile from a row on reads no row outside the image.
func (p *plan) inside(row int) bool {
	top := row*p.Stride[0] - p.Pad[0]
	return row+p.rows <= p.P && top >= 0 && top+(p.rows-1)*p.Stride[0]+(p.R-1)*p.Dilation[0] < p.H
}

// plain reports whether the strip from a column on is whole, and reads no column outside the image.
func (p *plan) plain(column int) bool {
	first := column*p.Stride[1] - p.Pad[1]
	last := first + (p.S-1)*p.Dilation[1] + p.Stride[1]*p.lanes
	return column+p.lanes <= p.Q && first >= 0 && last <= p.W
}

// linesAhead returns how many lines of the next planes a tile fetches. Planes of one input channel each are short, and
// their rows are read and written strip by strip: the processor has no time to see that planes follow each other.
func (p *plan) linesAhead(l1 int) int {
	bytes := ((p.H-1)*p.X.Strides[2] + p.W) * f32
	if p.depth > 1 || bytes > l1/2 {
		return 0
	}
	tiles := kernel.Pieces(p.P, p.rows) * kernel.Pieces(p.Q, p.lanes)
	return kernel.Pieces(kernel.Pieces(bytes, line), tiles)
}

// result returns the number of the first operand of the epilogue that is written.
func (p *plan) result() int {
	return slices.IndexFunc(p.Epilogue.Access, func(a kernel.Access) bool { return a.Write })
}

const line = 64 // bytes of a line of the caches
