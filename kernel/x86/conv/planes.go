package conv

import (
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/epilogue"
)

// planes is a compiled convolution with pixels in the lanes: one in which each output channel reads
// one input channel, or one with few output channels. A unit is a few planes of the output.
type planes struct {
	*plan
	exec     *exec.Code
	listing  *asm.Code
	entry    [2]int   // of the code for whole units and the last of a group
	ports    [][4]int // strides in bytes
	deferred *deferred
	workers  sync.Pool
}

// planeArgs is the argument block of a plane's code.
type planeArgs struct {
	x, w              uintptr
	strips            int     // counted down by the code
	nextX, nextResult uintptr // what tiles fetch: the input of the next planes, and their results
	ports             [epilogue.MaxPorts]uintptr
}

// planeWorker is what a goroutine needs to run units.
type planeWorker struct {
	planeArgs
	nest kernel.Args
}

func compilePlanes(c *kernel.Convolution, f cpu.Features, nests schedule.Nests) (kernel.Code,
	error) {
	// The plan's panel is the channels of a unit.
	p := &plan{Convolution: c, features: f, lanes: 1, tileP: 1, rowBlock: c.P, rowBlocks: 1,
		transposed: true}
	if err := p.checkPlanes(); err != nil {
		return nil, err
	}
	p.depth, p.perGroup = c.C/c.Groups, c.K/c.Groups
	p.vecs = split(p.perGroup, mostChannels)
	g := &planes{plan: p}
	e := &planeEmitter{plan: p, lanes: f.Level.VectorBytes() / f32}
	if err := e.choose(); err != nil {
		return nil, err
	}
	epi, err := epilogue.New(&c.Epilogue, 2, 2, 3, c.Acc, f, e.temps())
	if err != nil {
		if g.deferred, err = newDeferred(p, nests); err != nil {
			return nil, err
		}
		if epi, err = epilogue.New(&p.Epilogue, 2, 2, 3, c.Acc, f, e.temps()); err != nil {
			return nil, fmt.Errorf("%w: %v", kernel.ErrUnsupported, err) // its rows are too far apart
		}
	}
	e.epi, e.a = epi, asm.New()
	g.ports = p.portStrides()
	for last := range 2 {
		e.channels = [2]int{p.vecs, p.perGroup % p.vecs}[last]
		if e.channels > 0 {
			g.entry[last] = e.emit()
		}
	}
	g.listing = e.a.Assemble()
	if g.exec, err = exec.Load(g.listing.Bytes); err != nil {
		return nil, err
	}
	g.workers.New = func() any {
		return &planeWorker{nest: kernel.Args{Ptr: make([]unsafe.Pointer, 1+len(c.Epilogue.Access))}}
	}
	return g, nil
}

// mostChannels is how many output channels that read the same input a unit has at most.
const mostChannels = 8

// fewChannels reports whether vectors of pixels waste less than vectors of channels would.
func (p *plan) fewChannels() bool {
	lanes := p.features.Level.VectorBytes() / f32
	perGroup := p.K / p.Groups
	pixels := float64(pieces(p.Q, lanes)*lanes) / float64(p.Q)
	channels := float64(pieces(perGroup, lanes)*lanes) / float64(perGroup)
	return perGroup < lanes && pixels < 0.8*channels
}

// checkPlanes refuses convolutions that neither are depthwise nor have few channels, and layouts with
// channels side by side.
func (p *plan) checkPlanes() error {
	c := p.Convolution
	wide := p.features.Level >= cpu.AVX512
	switch {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case min(c.N, c.C, c.K, c.P, c.Q, c.R, c.S) == 0:
	case (c.C != c.Groups || c.K != c.Groups) && !p.fewChannels():
	case c.X.Strides[3] != 1 || c.X.Strides[2] < 0 || c.X.Strides[2] > 1<<20:
	case c.R*c.S > 49 || c.Stride[0] > 4 || c.Dilation[0] > 64 || c.Dilation[1] > 64:
	case slices.Min(c.Filter.Strides[:]) < -1<<20 || slices.Max(c.Filter.Strides[:]) > 1<<20:
	case c.X.Strides[1] < 0 || c.X.Strides[1] > 1<<24:
	case c.Stride[1] > 2 || c.Stride[1] == 2 && !wide:
	case channelsLast(&c.Epilogue):
	default:
		return nil
	}
	return fmt.Errorf("%w: not by planes", kernel.ErrUnsupported)
}

// channelsLast reports whether channels lie side by side in a result.
func channelsLast(e *kernel.Epilogue) bool {
	for _, i := range e.Body {
		if i.Op == kernel.Store {
			if a := e.Access[i.Port-2]; a.Outer[1] == 1 && a.Outer[3] != 1 {
				return true
			}
		}
	}
	return false
}

// Units implements kernel.Code.
func (g *planes) Units() int { return g.N * g.Groups * g.unitsPerGroup() }

func (g *planes) unitsPerGroup() int { return pieces(g.perGroup, g.vecs) }

// UnitNanos implements kernel.Code.
func (g *planes) UnitNanos() float64 {
	sums := float64(g.P*g.Q*g.vecs) * float64(g.depth*g.R*g.S+4)
	return 10 + sums/float64(4*g.features.Level.VectorBytes()/f32)
}

// Scratch implements kernel.Code.
func (g *planes) Scratch() int {
	if g.deferred == nil {
		return 0
	}
	return g.deferred.scratch()
}

// Listing implements kernel.Code.
func (g *planes) Listing() string {
	var b strings.Builder
	fmt.Fprintf(&b, "; planes, pixels in lanes, %d channels in a unit\n", g.vecs)
	g.listing.WriteTo(&b)
	return b.String()
}

// Close implements kernel.Code.
func (g *planes) Close() {
	g.exec.Close()
	if g.deferred != nil {
		g.deferred.Close()
	}
}

// Run implements kernel.Code.
func (g *planes) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*planeWorker)
	for u := lo; u < hi; u++ {
		w.nextX, w.nextResult = g.planesOf(args, min(u+1, hi-1)) // those of no other thread
		g.unit(w, args, u)
	}
	if w.nest.Fault != 0 {
		args.Fault, w.nest.Fault = 1, 0
	}
	clear(w.nest.Ptr)
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// place returns what a unit computes: the channels of a group from first on, of image n.
func (g *planes) place(u int) (n, group, first int) {
	n, group = u/g.unitsPerGroup()/g.Groups, u/g.unitsPerGroup()%g.Groups
	return n, group, u % g.unitsPerGroup() * g.vecs
}

// input returns the address of the first input plane of a group.
func (g *planes) input(args *kernel.Args, n, group int) uintptr {
	x := g.X.Offset + n*g.X.Strides[0] + group*g.depth*g.X.Strides[1]
	return uintptr(args.Ptr[0]) + uintptr(x*f32)
}

// port returns the address of a port's operand for a channel of image n.
func (g *planes) port(args *kernel.Args, i, n, k int) uintptr {
	a, s := &g.Epilogue.Access[i], g.ports[i]
	return uintptr(args.Ptr[2+i]) + uintptr(a.Offset*a.DType.Size()+n*s[0]+k*s[1])
}

// planesOf returns the addresses of the first planes of a unit, of the input and of the result.
func (g *planes) planesOf(args *kernel.Args, u int) (x, result uintptr) {
	n, group, first := g.place(u)
	if x = g.input(args, n, group); g.deferred != nil {
		return x, uintptr(args.Scratch)
	}
	return x, g.port(args, g.result(), n, group*g.perGroup+first)
}

// unit computes a unit.
func (g *planes) unit(w *planeWorker, args *kernel.Args, u int) {
	n, group, first := g.place(u)
	k, last := group*g.perGroup+first, 0
	if first+g.vecs > g.perGroup {
		last = 1
	}
	w.x = g.input(args, n, group)
	w.w = uintptr(args.Ptr[1]) + uintptr((g.Filter.Offset+k*g.Filter.Strides[0])*f32)
	if g.deferred != nil {
		w.ports[0] = uintptr(args.Scratch)
		g.exec.CallAt(g.entry[last], unsafe.Pointer(&w.planeArgs))
		g.deferred.run(g.plan, &w.nest, args, 0, n, k, 0, last == 1)
		return
	}
	for i := range g.ports {
		w.ports[i] = g.port(args, i, n, k)
	}
	g.exec.CallAt(g.entry[last], unsafe.Pointer(&w.planeArgs))
}
