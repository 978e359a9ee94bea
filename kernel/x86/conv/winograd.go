package conv

import (
	"fmt"
	"math"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// places is the number of elements of a transformed tile: 4×4.
const places = 16

// taps is the number of elements of a filter.
const taps = 9

// winograd is a 3×3 convolution with stride 1 by Winograd's F(2×2, 3×3) (Lavin and Gray, Fast
// Algorithms for Convolutional Neural Networks, 2016): 16 multiplications give 4 elements of the
// result instead of 36. The input is transformed, block by block, into 16 matrices of tiles by
// channels; these are multiplied with the transformed filters, whose output channels are in the
// lanes, so that any number of tiles fills the registers; the sums are transformed back and turned
// to have pixels in the lanes.
type winograd struct {
	*kernel.Convolution
	winogradUnits
	features cpu.Features
	exec     *exec.Code
	ports    [][4]int // strides in bytes
	machine  *vector.Machine
	zeros    []float32 // a row of the image that lies outside
	output   map[outputTile]int
	workers  sync.Pool
}

// compileWinograd compiles c if it is one of those that gain from it.
func compileWinograd(c *kernel.Convolution, f cpu.Features) (kernel.Code, error) {
	a := asm.Unlisted()
	g, err := emitWinograd(a, c, f)
	if err != nil {
		return nil, err
	}
	if g.exec, err = exec.Load(a.Assemble().Bytes); err != nil {
		return nil, err
	}
	g.zeros = make([]float32, g.W)
	if g.machine, err = emit.Backend(f).Build(g.program, winogradWords, winogradFault); err != nil {
		g.exec.Close()
		return nil, err
	}
	g.workers.New = func() any { return new(winogradWorker) }
	return g, nil
}

// emitWinograd emits all code.
func emitWinograd(a *asm.Assembler, c *kernel.Convolution, f cpu.Features) (*winograd, error) {
	if !winogradFits(c, f) {
		return nil, fmt.Errorf("%w: not for Winograd", kernel.ErrUnsupported)
	}
	units := chooseWinogradUnits(c, f)
	if !winogradWins(c, &units) {
		return nil, fmt.Errorf("%w: not for Winograd", kernel.ErrUnsupported)
	}
	epi, err := epilogue.New(&c.Epilogue, 2, 1, 3, c.Acc, f, f.Level.VectorRegisters()-units.lanes)
	if err != nil {
		return nil, err
	}
	g := &winograd{Convolution: c, winogradUnits: units, features: f,
		output: map[outputTile]int{}}
	if places*max(g.inputPlace(), g.sumPlace())*f32 > math.MaxInt32 {
		return nil, fmt.Errorf("%w: rows too long for Winograd", kernel.ErrUnsupported)
	}
	g.ports = (&plan{Convolution: c}).portStrides()
	t := &transformer{winograd: g, a: a, epi: epi}
	t.outputs()
	return g, nil
}

// winogradFits: f32 filters, columns side by side in the input and in every result.
func winogradFits(c *kernel.Convolution, f cpu.Features) bool {
	one := [2]int{1, 1}
	switch x := c.X.Strides; {
	case f.Level < cpu.AVX2 || c.R != 3 || c.S != 3 || c.Stride != one || c.Dilation != one:
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
	for _, i := range e.Body {
		if i.Op == kernel.Store && e.Access[i.Port-2].Outer[3] != 1 {
			return false
		}
	}
	for _, a := range e.Access {
		if max(a.Outer[2], -a.Outer[2]) > 1<<24 {
			return false
		}
	}
	return true
}

// fewChannels are too few on either side for the transformations to be a small part.
const fewChannels = 32

// winogradWins: enough tiles for the larger filters, which come from far where there are many channels.
func winogradWins(c *kernel.Convolution, u *winogradUnits) bool {
	// In floating-point operations: a byte that moves takes the time of as many as half of a vector
	// has lanes. Filters move while products are computed, what is transformed moves before and after.
	const perFilter, perLift = 3000, 50
	each := float64(u.lanes) / 2
	ck, n := float64(c.C*c.K), float64(c.N)
	tiles := float64((c.P + 1) / 2 * ((c.Q + 1) / 2))
	direct := max(2*9*ck*float64(c.P*c.Q)*n, each*9*f32*ck)
	products, moved := 2*places*ck*tiles*n, float64(places)
	if u.shared {
		products, moved = products+perLift*ck*n*float64(u.blocks), taps
	}
	products = max(products, each*moved*f32*ck)
	transforms := each / 2 * 2 * places * f32 * float64(c.C+c.K) * tiles * n / 3
	filters := 0.0
	if !c.Filter.Const { // they are transformed in every run, outside the vector units
		filters = perFilter * ck
	}
	return filters+products+transforms < 0.95*direct
}

// Units implements kernel.Code.
func (g *winograd) Units() int { return g.N * g.blocks * g.channelUnits }

// UnitNanos implements kernel.Code.
func (g *winograd) UnitNanos() float64 {
	const perLift = 0.3
	nanos := float64(g.channels*g.blockTiles()) * (float64(g.C)*places*2/150 + 4)
	if g.shared {
		nanos += float64(g.channels*g.C) * perLift
	}
	return nanos
}

// Scratch implements kernel.Code: a call block, the sums, and the transformed input or, where that is shared, filters.
func (g *winograd) Scratch() int {
	return g.callBytes() + g.ownInput() + g.sumBytes() + g.liftedBytes()
}

// callBytes is the memory of the call block.
func (g *winograd) callBytes() int { return (g.machine.BlockBytes() + 63) &^ 63 }

// ownInput returns the bytes of transformed input in a unit's scratch memory.
func (g *winograd) ownInput() int {
	if g.shared {
		return 0
	}
	return g.inputBytes()
}

// Listing implements kernel.Code. It emits the code once more: who runs it needs no listing.
func (g *winograd) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; Winograd F(2×2, 3×3), units of %d×%d tiles by %d channels, input shared %t\n",
		g.blockRows, g.tileCols, g.channels, g.shared)
	a := asm.New()
	if _, err := emitWinograd(a, g.Convolution, g.features); err == nil { // as before
		a.Assemble().WriteTo(&b)
	}
	b.WriteString(g.machine.Listing())
	return b.String()
}

// Close implements kernel.Code.
func (g *winograd) Close() {
	g.exec.Close()
	g.machine.Close()
}

// Shared implements kernel.Prologue: transformed filters that are not constant, and the transformed input.
func (g *winograd) Shared() int {
	if !g.shared {
		return g.filtersShared()
	}
	return g.filtersShared() + g.N*g.blocks*g.inputBytes()
}

// filtersShared returns the bytes of filters in the shared memory: those that are constant are packed once.
func (g *winograd) filtersShared() int {
	if g.Filter.Const {
		return 0
	}
	return (g.PackedBytes(1) + 63) &^ 63
}

// transformed is how many channels a unit of the first phase transforms.
const transformed = 16

// PrologueUnits implements kernel.Prologue.
func (g *winograd) PrologueUnits() int {
	units := 0
	if !g.Filter.Const {
		units = g.filterUnits()
	}
	if g.shared {
		units += g.N * g.blocks * pieces(g.C, transformed)
	}
	return units
}

// RunPrologue implements kernel.Prologue.
func (g *winograd) RunPrologue(args *kernel.Args, lo, hi int) {
	shared := args.Ptr[len(args.Ptr)-1]
	groups, filters := pieces(g.C, transformed), 0
	if !g.Filter.Const {
		filters = g.filterUnits()
	}
	for u := lo; u < hi; u++ {
		if u < filters {
			g.packFilters(shared, args.Ptr[1], u)
			continue
		}
		c, block := (u-filters)%groups*transformed, (u-filters)/groups
		g.transformInput(args, uintptr(shared)+uintptr(g.filtersShared()+block*g.inputBytes()), block, c,
			min(transformed, g.C-c))
	}
	runtime.KeepAlive(args)
}

// filters returns the address of the transformed filters.
func (g *winograd) filters(args *kernel.Args) uintptr {
	if g.Filter.Const {
		return uintptr(args.Packed[1])
	}
	return uintptr(args.Ptr[len(args.Ptr)-1])
}

// winogradWorker is what a goroutine needs.
type winogradWorker struct {
	transformArgs
}

// Run implements kernel.Code.
func (g *winograd) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*winogradWorker)
	for u := lo; u < hi; u++ {
		g.unit(w, args, u/g.channelUnits, u%g.channelUnits)
	}
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// unit computes some channels of a block, counted over all images.
func (g *winograd) unit(w *winogradWorker, args *kernel.Args, block, unit int) {
	scratch := uintptr(args.Scratch) + uintptr(g.callBytes())
	input := scratch
	if g.shared {
		input = uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(g.filtersShared()+block*g.inputBytes())
	} else {
		g.transformInput(args, input, block, 0, g.C)
	}
	sums := scratch + uintptr(g.ownInput())
	filters := g.filters(args) + uintptr(unit*g.filterBytes())
	first := unit * g.channels
	channels := min(g.channels, g.K-first)
	if panels := pieces(channels, g.panelWidth()); g.shared {
		g.lateProducts(args, input, filters, sums, panels)
	} else {
		for place := range places {
			g.multiply(args, g.C, false, input+uintptr(place*g.inputPlace()*f32),
				filters+uintptr(place*g.placeBytes()), sums+uintptr(place*g.sumPlace()*f32), panels, 0)
		}
	}
	for k := 0; k < channels; k += g.lanes {
		g.transformSums(w, args, sums+uintptr(k*f32), block, first+k)
	}
}

// transformSums computes the results of a vector of channels, from k on, in those rows of a block
// that no block before it has.
func (g *winograd) transformSums(w *winogradWorker, args *kernel.Args, sums uintptr, block, k int) {
	n, block := block/g.blocks, block%g.blocks
	start, row := g.firstRow(block), block*g.blockRows
	end := start + g.blockRows
	sums += uintptr((row - start) * g.tileCols * g.sumRow() * f32)
	channels := min(g.lanes, g.K-k)
	for tile := 0; tile < g.tileCols; tile += g.stripTiles() {
		for r := row; r < end; {
			t := outputTile{channels, min(2*g.stripTiles(), g.Q-2*tile), min(2, g.P-2*r)}
			count := max(1, min(end, g.P/2)-r)
			w.src = sums + uintptr(((r-row)*g.tileCols+tile)*g.sumRow()*f32)
			w.rows = count
			for i, s := range g.ports {
				a := &g.Epilogue.Access[i]
				at := a.Offset*a.DType.Size() + n*s[0] + k*s[1] + 2*r*s[2] + 2*tile*s[3]
				w.ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at)
			}
			g.exec.CallAt(g.output[t], unsafe.Pointer(&w.transformArgs))
			r += count
		}
	}
}
