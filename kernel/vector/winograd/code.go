package winograd

import (
	"fmt"
	"math"
	"runtime"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// places is the number of elements of a transformed tile: 4×4.
const places = 16

// taps is the number of elements of a filter.
const taps = 9

// f32 is the length of an element.
const f32 = 4

// code is a compiled convolution.
type code struct {
	vector.Code
	convolution.Filters
	*kernel.Convolution
	units
	machine *vector.Machine
	outputs []outputTile
	target  vector.Backend
	zeros   []float32 // a row of the image that lies outside
}

var errNotForWinograd = fmt.Errorf("%w: not for Winograd", kernel.ErrUnsupported)

// Compile makes code of a convolution for a core with a second-level cache of l2 bytes. The error wraps
// [kernel.ErrUnsupported] for a convolution that gains nothing from Winograd's algorithm.
func Compile(c *kernel.Convolution, t vector.Backend, l2 int) (kernel.Code, error) {
	if !fits(c) || !nest.FitsEpilogue(&c.Epilogue, f32) {
		return nil, errNotForWinograd
	}
	u := chooseUnits(c, t, l2)
	if !wins(c, &u) {
		return nil, errNotForWinograd
	}
	g := &code{Convolution: c, units: u, outputs: u.results(c), target: t, zeros: make([]float32, c.W)}
	if places*max(g.inputPlace(), g.sumPlace())*f32 > math.MaxInt32 {
		return nil, fmt.Errorf("%w: rows too long for Winograd", kernel.ErrUnsupported)
	}
	g.Filters = convolution.Filters{Once: c.Filter.Const, Packed: g.channelUnits * g.filterBytes(), Pieces: g.filterPieces(), Piece: g.packFilters}
	g.machine = g.Build(t, g.program, g.callWords(), faultWord)
	g.Count, g.Nanos = c.N*u.blocks*u.channelUnits, g.nanos()
	g.Memory = g.BlockBytes() + g.ownInput() + g.sumBytes() + g.liftedBytes() // the transformed input, or filters if that is shared
	g.Title = fmt.Sprintf("; Winograd F(2×2, 3×3), units of %d×%d tiles by %d channels, input shared %t\n",
		u.blockRows, u.tileCols, u.channels, u.shared)
	return g, g.Err()
}

// fits: f32 filters, columns side by side in the input and in every result.
func fits(c *kernel.Convolution) bool {
	one := [2]int{1, 1}
	switch x := c.X.Strides; {
	case c.R != 3 || c.S != 3 || c.Stride != one || c.Dilation != one:
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case min(c.C, c.K) < fewChannels || c.N*c.P*c.Q == 0:
	case c.Groups != 1 || c.P*c.Q*c.C > 1<<26:
	case x[3] != 1 || min(x[1], x[2]) < 0 || max(x[1], x[2]) > 1<<24:
	case min(c.Pad[0], c.Pad[1]) < 0 || max(c.Pad[0], c.Pad[1]) > 2:
	default:
		return pixelsLast(&c.Epilogue)
	}
	return false
}

// pixelsLast reports whether the columns of every result lie side by side, and rows in reach.
func pixelsLast(e *kernel.Epilogue) bool {
	return !slices.ContainsFunc(e.Access, func(a kernel.Access) bool {
		return a.Write && a.Outer[3] != 1 || max(a.Outer[2], -a.Outer[2]) > 1<<24
	})
}

// fewChannels are too few on either side for the transformations to be a small part.
const fewChannels = 16

// wins: enough tiles for the larger filters, which come from far where there are many channels.
func wins(c *kernel.Convolution, u *units) bool {
	// In floating-point operations: a byte that moves takes the time of as many as half of a vector
	// has lanes, and of half as many if the second-level cache has it. Filters move while products are computed, what is
	// transformed moves before and after.
	const perFilter, perLift = 3000, 50
	each := float64(u.lanes) / 2
	ck, n := float64(c.C*c.K), float64(c.N)
	tiles := float64(u.tileRows * u.tileCols)
	products := func(width int) float64 { return float64(2 * c.C * kernel.Pieces(c.K, width) * width) } // of all lanes
	direct := max(products(u.lanes)*n*float64(inside(c.P, c.H, c.Pad[0])*inside(c.Q, c.W, c.Pad[1])), each*9*f32*ck)
	multiplied, moved := places*products(u.panelWidth())*tiles*n, places/2.0
	if u.shared {
		multiplied, moved = multiplied+float64(perLift*ck*n*float64(u.blocks)), taps
	}
	multiplied = max(multiplied, each*moved*f32*ck)
	transforms := each / 2 * 2 * places * f32 * float64(c.C+c.K) * tiles * n / 3
	filters := 0.0
	if !c.Filter.Const { // they are transformed in every run, outside the vector units
		filters = perFilter * ck
	}
	return filters+multiplied+transforms < 0.9*direct
}

// inside returns how many rows of filters the rows of a result have inside an image in all, and likewise of columns.
func inside(results, extent, pad int) (count int) {
	for first := -pad; first < results-pad; first++ {
		count += max(0, min(first+3, extent)-max(first, 0))
	}
	return count
}

// nanos estimates the time of a unit.
func (g *code) nanos() float64 {
	const perLift = 0.3
	nanos := float64(g.channels*g.blockTiles()) * (float64(float64(g.C)*places*2/150) + 4)
	if g.shared {
		nanos += float64(float64(g.channels*g.C) * perLift)
	}
	return nanos
}

// ownInput returns the bytes of transformed input in a unit's scratch memory.
func (g *code) ownInput() int {
	if g.shared {
		return 0
	}
	return g.inputBytes()
}

// Shared implements [kernel.Code]: the filters, and the transformed input.
func (g *code) Shared() int {
	if !g.shared {
		return g.Filters.Shared()
	}
	return g.Filters.Shared() + g.N*g.blocks*g.inputBytes()
}

// transformed is how many channels a unit of the first phase transforms.
const transformed = 16

func (g *code) PrologueUnits() int {
	if !g.shared {
		return g.Filters.PrologueUnits()
	}
	return g.Filters.PrologueUnits() + g.N*g.blocks*kernel.Pieces(g.C, transformed)
}

func (g *code) RunPrologue(args *kernel.Args, lo, hi int) {
	groups, filters := kernel.Pieces(g.C, transformed), g.Filters.PrologueUnits()
	g.Filters.RunPrologue(args, lo, min(hi, filters))
	for u := max(lo, filters); u < hi; u++ {
		c, block := (u-filters)%groups*transformed, (u-filters)/groups
		g.transformInput(args, g.sharedInput(args, block), block, c, min(transformed, g.C-c))
	}
	runtime.KeepAlive(args)
}

// sharedInput returns the address of the transformed input of a block, behind the filters.
func (g *code) sharedInput(args *kernel.Args, block int) uintptr {
	return uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(g.Filters.Shared()+block*g.inputBytes())
}

func (g *code) Run(args *kernel.Args, lo, hi int) {
	for u := lo; u < hi; u++ {
		g.unit(args, u/g.channelUnits, u%g.channelUnits)
	}
	runtime.KeepAlive(args)
}

// unit computes some channels of a block, counted over all images.
func (g *code) unit(args *kernel.Args, block, unit int) {
	scratch := uintptr(args.Scratch) + uintptr(g.BlockBytes())
	input := scratch
	if g.shared {
		input = g.sharedInput(args, block)
	} else {
		g.transformInput(args, input, block, 0, g.C)
	}
	sums := scratch + uintptr(g.ownInput())
	filters := g.At(args) + uintptr(unit*g.filterBytes())
	first := unit * g.channels
	channels := min(g.channels, g.K-first)
	if panels := kernel.Pieces(channels, g.panelWidth()); g.shared {
		g.lateProducts(args, input, filters, sums, panels)
	} else {
		for place := range places {
			g.multiply(args, product{input: input + uintptr(place*g.inputPlace()*f32), filters: filters + uintptr(place*g.placeBytes()),
				sums: sums + uintptr(place*g.sumPlace()*f32), depth: g.C, count: panels})
		}
	}
	for k := 0; k < channels; k += g.lanes {
		g.transformSums(args, sums+uintptr(k*f32), block, first+k)
	}
}
