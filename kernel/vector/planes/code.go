package planes

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/convolution"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// code is a compiled convolution. A unit is some channels of the result.
type code struct {
	vector.Code
	*plan
	machine  *vector.Machine
	deferred *convolution.Deferred // nil if the program has the epilogue
}

// Compile makes code of a convolution for a core with a first-level cache of l1 bytes; nests compiles epilogues that
// are not written in line. The error wraps [kernel.ErrUnsupported] for a convolution that gains nothing from vectors of
// pixels.
func Compile(c *kernel.Convolution, t vector.Backend, l1 int, nests schedule.Nests) (kernel.Code, error) {
	p, err := newPlan(c, t, l1)
	if err != nil {
		return nil, err
	}
	g := &code{plan: p}
	if !nest.FitsEpilogueAlong(&c.Epilogue, 4, 3, 1, 2) {
		unit := convolution.Unit{Channels: p.channels, Rows: p.P}
		if g.deferred, p.Convolution, err = convolution.Defer(c, unit, nests); err != nil {
			return nil, err
		}
	}
	if g.machine = g.Build(t, func() *vector.Program { return p.program(t) }, p.words(), wordFault); g.Err() != nil {
		g.deferred.Close()
		return nil, g.Err()
	}
	g.Count, g.Memory = p.N*p.Groups*g.unitsOfGroup(), g.BlockBytes()+g.deferred.Scratch()
	g.Nanos = 10 + float64(p.P*p.Q*p.channels)*float64(p.depth*p.R*p.S+4)/float64(4*p.lanes)
	g.Title = fmt.Sprintf("; planes, pixels in lanes, %d channels in a unit\n", p.channels)
	return g, nil
}

func (g *code) unitsOfGroup() int { return kernel.Pieces(g.perGroup, g.channels) }

func (g *code) Close() {
	g.Code.Close()
	g.deferred.Close()
}

func (g *code) Run(args *kernel.Args, lo, hi int) {
	words := unsafe.Slice((*uintptr)(args.Scratch), g.words())
	for u := lo; u < hi; {
		count := 1
		if g.follow() {
			count = min(hi, (u/g.Groups+1)*g.Groups) - u
		}
		words[wordNext], words[wordNextResult] = 0, 0
		if count > 1 {
			// The last planes fetch themselves: those behind them may be another thread's, whose cache must not lose them.
			count--
			result := &g.Epilogue.Access[g.result()]
			words[wordNext] = uintptr(g.depth * g.X.Strides[1] * f32)
			words[wordNextResult] = uintptr(g.channels * result.Outer[1] * result.DType.Size())
		}
		g.run(words, args, u, count)
		u += count
	}
	runtime.KeepAlive(args)
}

// follow reports whether units of an image follow each other, so that a call computes several.
func (g *code) follow() bool { return g.unitsOfGroup() == 1 && g.deferred == nil }

// port returns the address of an operand of the epilogue for channel k of image n.
func (g *code) port(args *kernel.Args, i, n, k int) uintptr {
	if g.deferred != nil {
		return uintptr(args.Scratch) + uintptr(g.machine.BlockBytes())
	}
	a := &g.Epilogue.Access[i]
	return uintptr(args.Ptr[2+i]) + uintptr((a.Offset+n*a.Outer[0]+k*a.Outer[1])*a.DType.Size())
}

// run computes some units.
func (g *code) run(words []uintptr, args *kernel.Args, u, count int) {
	group, first := u/g.unitsOfGroup(), u%g.unitsOfGroup()*g.channels
	n := group / g.Groups
	group %= g.Groups
	k, last := group*g.perGroup+first, first+g.channels > g.perGroup
	words[wordWhole], words[wordLast], words[wordUnits] = vector.Flag(!last), vector.Flag(last), uintptr(count)
	x := g.X.Offset + n*g.X.Strides[0] + group*g.depth*g.X.Strides[1]
	words[wordImage] = uintptr(args.Ptr[0]) + uintptr(x*f32)
	words[wordFilter] = uintptr(args.Ptr[1]) + uintptr((g.Filter.Offset+k*g.Filter.Strides[0])*f32)
	for i := range g.Epilogue.Access {
		words[wordPorts+i] = g.port(args, i, n, k)
	}
	g.machine.Call(args.Scratch)
	g.deferred.Run(args, g.machine.BlockBytes(), n, k, 0)
}
