package conv

import (
	"errors"
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/gemm"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/vector/planes"
	"github.com/go-acap/acap/kernel/vector/rowpairs"
	"github.com/go-acap/acap/kernel/vector/winograd"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// code is a compiled direct convolution.
type code struct {
	*plan
	exec     *exec.Code
	runs     [2][2][]run           // by low last strip, last panel
	ports    [][4]int              // strides in bytes
	deferred *convolution.Deferred // nil if the epilogue is emitted in line
	filter   *panel.StridedCode    // packs filters, nil if they are of cells of bytes
	workers  sync.Pool             // of argument blocks
}

// A run is a number of equal tiles side by side.
type run struct {
	q, tiles int // first column, number of tiles
	entry    int // of the code
}

// Compile compiles c for the given processor. Convolutions that are better left to another back end
// give an error that wraps kernel.ErrUnsupported. nests compiles epilogues that need it.
func Compile(c *kernel.Convolution, f cpu.Features, nests schedule.Nests) (kernel.Code, error) {
	if f.Level < cpu.AVX2 {
		return nil, fmt.Errorf("%w: no vector instructions", kernel.ErrUnsupported)
	}
	if product, ok := convolution.AsContraction(c); ok {
		return gemm.Compile(product, f, emit.Processor{}, nests)
	}
	var adds additions
	convolve := func(c *kernel.Convolution) (code kernel.Code, err error) {
		code, adds, err = compileVectors(c, f, nests)
		return code, err
	}
	if code, err := convolution.Widened(c, convolve, nests); err == nil {
		return guard(c, code, f, nests, adds.limit())
	}
	switch code, err := convolve(c); {
	case errors.Is(err, errNoPlan):
		return compilePatches(c, f, nests)
	case err != nil || adds == nothing:
		return code, err
	default:
		return guard(c, code, f, nests, adds.limit())
	}
}

// compilePatches compiles c as products of patches.
func compilePatches(c *kernel.Convolution, f cpu.Features, nests schedule.Nests) (kernel.Code, error) {
	code, err := convolution.ByPatches(c, func(k *kernel.Contraction) (kernel.Code, error) { return gemm.Compile(k, f, emit.Processor{}, nests) })
	if err != nil {
		return nil, err
	}
	return guard(c, code, f, nests, 0)
}

// guard has numbers that do not suit code computed exactly.
func guard(c *kernel.Convolution, code kernel.Code, f cpu.Features, nests schedule.Nests, sums float32) (kernel.Code, error) {
	exact := portable.Compile
	if f.Fixed {
		exact = portable.CompileFixed
	}
	return convolution.Guard(c, code, exact, nests, sums)
}

// additions are what code computes with beside what the definition of a convolution says.
type additions int

const (
	nothing   additions = iota
	zeros               // products with padding
	pixelSums           // of pixels, and of filters, which are transformed
)

// limit is what pixels and filters must be below to be added up before they are multiplied: sums of thousands of
// products of a few of them are then finite. 0 is for code that does not add them.
func (a additions) limit() float32 {
	if a == pixelSums {
		return convolution.PixelSums
	}
	return 0
}

// errNoPlan is wrapped by errors of compileVectors for what only products of patches compute.
var errNoPlan = errors.New("no plan")

// winogradOrDirect are the costs of Winograd's algorithm and of a direct convolution: no estimate tells which is faster
// where the algorithm fits, and by itself the generator takes the algorithm.
var winogradOrDirect = []float64{1, 1}

// compileVectors compiles c in one of the ways for sums in f32, or for products of bytes.
func compileVectors(c *kernel.Convolution, f cpu.Features, nests schedule.Nests) (kernel.Code, additions, error) {
	if !f.Fixed { // these have orders of their own
		if code, err := planes.Compile(c, emit.Backend(f), f.L1D, nests); err == nil {
			return code, zeros, nil
		}
		if code, err := winograd.Compile(c, emit.Backend(f), f.L2); err == nil {
			if f.Choose(0, winogradOrDirect) == 0 {
				return code, pixelSums, nil
			}
			code.Close()
		}
		if code, err := rowpairs.Compile(c, emit.Backend(f)); err == nil {
			return code, pixelSums, nil
		}
	}
	p, err := newPlan(c, f)
	if err != nil {
		return nil, nothing, fmt.Errorf("%w: %w", errNoPlan, err)
	}
	code, err := compileDirect(p, nests)
	if !p.padded {
		return code, nothing, err // what is not padded leaves out what lies outside
	}
	return code, zeros, err
}

func compileDirect(p *plan, nests schedule.Nests) (_ kernel.Code, err error) {
	g := &code{plan: p}
	defer func() {
		if err != nil {
			g.deferred.Close()
		}
	}()
	var epi *epilogue.Epilogue
	if epi, err = p.newEpilogue(); err != nil {
		unit := convolution.Unit{Channels: p.width(), Rows: p.rowBlock * p.tileP, ChannelsLast: !p.transposed}
		if g.deferred, p.Convolution, err = convolution.Defer(p.Convolution, unit, nests); err != nil {
			return nil, err
		}
		if epi, err = p.newEpilogue(); err != nil {
			return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err) // its rows are too far apart
		}
	}
	g.ports = p.portStrides()
	a := asm.Unlisted()
	parts := emit.NewParts(p.features, a)
	if err = g.emit(a, parts, epi); err != nil {
		return nil, err
	}
	if g.exec, err = exec.Load(a.Assemble().Bytes); err != nil {
		return nil, err
	}
	parts.Load(g.exec)
	g.workers.New = func() any { return new(tileArgs) }
	return g.withPhases(), nil
}

// newEpilogue prepares the epilogue for the tiles of p.
func (p *plan) newEpilogue() (*epilogue.Epilogue, error) {
	rowLoop, laneLoop, temps := 3, 1, p.features.Level.VectorRegisters()-p.tileP*p.tileQ*p.vecs
	if p.transposed {
		rowLoop, laneLoop, temps = 1, 3, p.features.Level.VectorRegisters()-p.lanes
	}
	return epilogue.New(&p.Epilogue, 2, rowLoop, laneLoop, p.Acc, p.features, temps)
}

// emit emits every kind of tile that occurs, and the code that packs filters.
func (g *code) emit(a *asm.Assembler, parts vector.Backend, epi *epilogue.Epilogue) (err error) {
	known := map[variant]int{}
	for low := range 2 {
		for last := range 2 {
			v := variant{rows: g.tileP, channels: min(g.width(), g.perGroup)}
			if low == 1 {
				v.rows = g.P % g.tileP
			}
			if last == 1 {
				v.channels = g.perGroup % g.width()
			}
			if v.rows > 0 && v.channels > 0 {
				g.runs[low][last] = g.strip(a, epi, known, v)
			}
		}
	}
	g.filter, err = g.newFilter(parts)
	return err
}

// strip returns the runs of tiles of a row, emitting those that are not known yet.
func (g *code) strip(a *asm.Assembler, epi *epilogue.Epilogue, known map[variant]int,
	v variant) []run {
	var runs []run
	for q, n := 0, 0; q < g.Q; q += n * g.tileQ {
		v.cols = min(g.tileQ, g.Q-q)
		v.outside, n = g.outside(q, v.cols), g.alike(q, v.cols)
		entry, ok := known[v]
		if !ok {
			a.Align(64)
			entry = a.Len()
			a.Notef("%d×%d pixels, %d channels, outside %s", v.rows, v.cols, v.channels, v.outside)
			vecs := pieces(v.channels, g.lanes)
			t := tile{plan: g.plan, variant: v, a: a, epi: epi, vecs: vecs}
			t.emit()
			known[v] = entry
		}
		if last := len(runs) - 1; last >= 0 && runs[last].entry == entry {
			runs[last].tiles += n
			continue
		}
		runs = append(runs, run{q, n, entry})
	}
	return runs
}

// outside says which filter columns fall outside the image for columns q to q+cols-1.
func (g *code) outside(q, cols int) string {
	var b strings.Builder
	for i := range cols {
		for s := range g.taps {
			x := (q+i)*g.Stride[1] + s*g.Dilation[1] - g.pad[1]
			if !g.wholeColumns() && (x < 0 || x >= g.W) {
				b.WriteByte('1')
			} else {
				b.WriteByte('0')
			}
		}
	}
	return b.String()
}

// alike returns how many tiles from that of columns q to q+cols-1 on surely leave out the same
// filter columns: those wholly before the image, wholly inside or wholly after it.
func (g *code) alike(q, cols int) int {
	first := q*g.Stride[1] - g.pad[1]
	last := first + (cols-1)*g.Stride[1] + (g.S-1)*g.Dilation[1]
	full, step := (g.Q-q)/g.tileQ, g.tileQ*g.Stride[1]
	n := 1
	switch {
	case g.wholeColumns() || first >= g.W:
		n = full
	case last < 0:
		n = min(full, (-1-last)/step+1)
	case first >= 0 && last < g.W:
		n = min(full, (g.W-1-last)/step+1)
	}
	return max(n, 1) // the last may be narrower than the others
}

// Units implements kernel.Code.
func (g *code) Units() int { return g.N * g.Groups * g.rowBlocks * g.panels }

// UnitNanos implements kernel.Code.
func (g *code) UnitNanos() float64 {
	flops := 2 * float64(g.rowBlock*g.tileP*g.Q*g.width()) * float64(g.depth*g.R*g.taps)
	return flops / (60 * float64(g.lanes) / 4)
}

// Scratch implements kernel.Code.
func (g *code) Scratch() int {
	return g.spillBytes() + g.deferred.Scratch()
}

// spillBytes is what tiles need to put accumulators aside.
func (g *code) spillBytes() int {
	if !g.transposed {
		return 0
	}
	return (g.tileP*g.tileQ*g.width()*f32 + 63) &^ 63
}

// Listing implements kernel.Code. It emits the code once more: who runs it needs no listing.
func (g *code) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; direct, tile %d×%d pixels by %d channels, padded %t, pixels in lanes %t\n",
		g.tileP, g.tileQ, g.width(), g.padded, g.transposed)
	a := asm.New()
	if epi, err := g.newEpilogue(); err == nil {
		again := &code{plan: g.plan, ports: g.ports, deferred: g.deferred}
		_ = again.emit(a, emit.NewParts(g.features, a), epi) // as before
		a.Assemble().WriteTo(&b)
	}
	return b.String()
}

// Close implements kernel.Code.
func (g *code) Close() {
	g.exec.Close()
	g.deferred.Close()
}

// Run implements kernel.Code.
func (g *code) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*tileArgs)
	w.spill = uintptr(args.Scratch)
	for u := lo; u < hi; u++ {
		g.unit(w, args, u)
	}
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// unit computes one panel of channels over a block of rows.
func (g *code) unit(w *tileArgs, args *kernel.Args, u int) {
	panel := u % g.panels
	u /= g.panels
	block := u % g.rowBlocks
	u /= g.rowBlocks
	group, n := u%g.Groups, u/g.Groups
	image := g.image(args) + uintptr((n*g.strides[0]+group*g.depth*g.channel)*g.elem)
	filters := g.filters(args) + uintptr((group*g.panels+panel)*g.panel)
	last := 0
	if (panel+1)*g.width() > g.perGroup {
		last = 1
	}
	k := group*g.perGroup + panel*g.width()
	w.fetch = filters + uintptr(g.panel)
	strips := pieces(g.P, g.tileP)
	for s := block * g.rowBlock; s < min(strips, (block+1)*g.rowBlock); s++ {
		row, low := s*g.tileP, 0
		if row+g.tileP > g.P {
			low = 1
		}
		g.stripRows(w, args, image, filters, n, k, row, g.runs[low][last])
	}
	g.deferred.Run(args, g.spillBytes(), n, k, block*g.rowBlock*g.tileP)
}

// stripRows computes the tiles of one strip.
func (g *code) stripRows(w *tileArgs, args *kernel.Args, image, filters uintptr, n, k, row int,
	runs []run) {
	top := row*g.Stride[0] - g.pad[0]
	first, end := 0, g.R
	if !g.padded {
		first, end = g.filterRows(top)
	}
	step := g.taps * g.width() * f32
	w.rows = max(end-first, 0)
	w.skip = (g.R - w.rows) * step
	w.w = filters + uintptr(first*step)
	for _, r := range runs {
		y := (top + first*g.Dilation[0]) * g.strides[2]
		x := (r.q*g.Stride[1] - g.pad[1]) * g.strides[3]
		w.x = image + uintptr((x+y)*g.elem)
		w.tiles = r.tiles
		g.setPorts(w, args, n, k, row, r.q)
		g.exec.CallAt(r.entry, unsafe.Pointer(w))
	}
}

// setPorts sets the addresses of the epilogue's operands at the tile of pixel row, q.
func (g *code) setPorts(w *tileArgs, args *kernel.Args, n, k, row, q int) {
	if g.deferred != nil {
		s := g.ports[0]
		sums := uintptr(args.Scratch) + uintptr(g.spillBytes())
		w.ports[0] = sums + uintptr(row%(g.rowBlock*g.tileP)*s[2]+q*s[3])
		return
	}
	for i, s := range g.ports {
		a := &g.Epilogue.Access[i]
		at := a.Offset*a.DType.Size() + n*s[0] + k*s[1] + row*s[2] + q*s[3]
		w.ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at)
	}
}

// filterRows returns the range of filter rows that lie inside the image when the first lies at top.
func (g *code) filterRows(top int) (first, end int) {
	d := g.Dilation[0]
	if top < 0 {
		first = (-top + d - 1) / d
	}
	end = min(g.R, (g.H-1-top+d)/d)
	if top >= g.H {
		end = 0
	}
	return first, end
}
