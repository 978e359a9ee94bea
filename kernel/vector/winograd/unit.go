package winograd

import (
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
)

// units says how Winograd's tiles and channels are divided into units of work.
type units struct {
	lanes        int  // of a vector
	narrow       bool // vectors are stored whole, with what follows the last tile of a row
	depth        int  // input channels
	tileRows     int  // of the image
	tileCols     int
	blockRows    int // rows of tiles in a block; the last reaches back into the one before
	blocks       int // of an image
	channels     int // output channels in a unit
	channelUnits int
	shared       bool // a first phase transforms the input, and filters are transformed when they are used
	lifted       int  // input channels whose filters are transformed at a time
	tileHeight   int  // Winograd's tiles in a register tile
}

const (
	enoughUnits = 8  // that a convolution should have, for threads to share
	fewTiles    = 14 // of a block: fewer make the filters move too often
	someTiles   = 48 // as well, where filters come from beyond the second-level cache
	leastLifted = 16 // input channels, for the sums not to move too often
	panelVecs   = 2  // vectors of output channels in a panel of filters
	spares      = 2  // registers beside the sums and a row of filters
)

// chooseUnits: where all filters stay in the second-level cache, a unit is a block of tiles in all channels, with all
// that is between input and result in that cache as well. Else filters should be read and transformed once: blocks
// are as large as that cache, and units are few channels of one.
func chooseUnits(c *kernel.Convolution, t vector.Backend, l2 int) units {
	const each = places * f32 // bytes of a tile in a channel
	u := units{lanes: t.VectorBytes() / f32, narrow: !t.Has(vector.Permute2, vector.F32, vector.None),
		depth: c.C, tileRows: kernel.Pieces(c.P, 2), tileCols: kernel.Pieces(c.Q, 2)}
	u.shared = each*c.C*c.K > l2/2
	most := l2 / 4 / (each * (c.C + c.K))
	least := fewTiles
	if u.shared {
		most, least = l2*13/16/(each*c.C), someTiles
	}
	rows := func(tiles int) int { return min(max(1, tiles/u.tileCols), u.tileRows) }
	u.blockRows = kernel.EvenPiece(u.tileRows, rows(max(most, least)))
	if !u.shared && c.N*kernel.Pieces(u.tileRows, u.blockRows) < enoughUnits {
		u.blockRows = max(kernel.EvenPiece(u.tileRows, kernel.Pieces(u.tileRows, enoughUnits)), rows(least+u.tileCols-1))
	}
	u.blocks = kernel.Pieces(u.tileRows, u.blockRows)
	u.tileHeight = kernel.EvenPiece(u.blockTiles(), (t.Registers()-panelVecs-spares)/panelVecs)
	panelWidth := u.panelWidth()
	panels := kernel.Pieces(c.K, panelWidth)
	if u.shared {
		fit := max(1, l2/4/(each*u.blockTiles()*panelWidth))
		panels = min(panels, fit, kernel.Pieces(panels, kernel.Pieces(enoughUnits, c.N*u.blocks)))
	}
	u.channels = panels * panelWidth
	u.channelUnits = kernel.Pieces(c.K, u.channels)
	u.lifted = kernel.Pieces(kernel.EvenPiece(c.C, max(l2/8/(each*panelWidth), leastLifted)), fewSteps) * fewSteps
	return u
}

// firstRow returns the first row of tiles of a block.
func (u *units) firstRow(block int) int { return min(block*u.blockRows, u.tileRows-u.blockRows) }

func (u *units) blockTiles() int { return u.blockRows * u.tileCols }

// panelWidth returns the output channels of a panel of filters.
func (u *units) panelWidth() int { return panelVecs * u.lanes }

// inputRow is the distance of channels in a block of the transformed input, in elements.
func (u *units) inputRow() int {
	if u.narrow {
		return (u.blockTiles() + u.lanes - 1) | 1
	}
	return u.blockTiles() | 1
}

// sumRow is the distance of tiles in the sums.
func (u *units) sumRow() int { return u.channels }

// inputPlace and sumPlace return the distance of places. A transformation touches all places at
// once, so these must not collide in the cache.
func (u *units) inputPlace() int { return oddLines(u.depth * u.inputRow()) }
func (u *units) sumPlace() int   { return oddLines(u.blockTiles() * u.sumRow()) }

// oddLines rounds n elements up to an odd number of cache lines, so that rows do not collide.
func oddLines(n int) int { return ((n+15)/16 | 1) * 16 }

// liftedPlace is the distance of places in the filters that are transformed at a time.
func (u *units) liftedPlace() int { return oddLines(u.lifted * u.panelWidth()) }

// liftedBytes returns the size of these.
func (u *units) liftedBytes() int {
	if !u.shared {
		return 0
	}
	return places * u.liftedPlace() * f32
}

func (u *units) inputBytes() int { return places * u.inputPlace() * f32 }
func (u *units) sumBytes() int   { return places * u.sumPlace() * f32 }
