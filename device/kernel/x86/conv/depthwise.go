package conv

import (
	"fmt"
	"runtime"
	"strings"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/cpu"
	"github.com/go-acap/acap/device/kernel/x86/epilogue"
	"github.com/go-acap/acap/device/kernel/x86/exec"
	"github.com/go-acap/acap/device/kernel/x86/gemm"
	"github.com/go-acap/acap/tensor/dtype"
)

// depthwise is a compiled convolution in which each output channel reads one input channel. A unit
// is one plane of the output.
type depthwise struct {
	*plan
	multiplier int // output channels for each input channel
	exec       *exec.Code
	listing    *asm.Code
	ports      [][4]int // strides in bytes
	deferred   *deferred
	workers    sync.Pool
}

// planeArgs is the argument block of a plane's code.
type planeArgs struct {
	x, w  uintptr
	ports [epilogue.MaxPorts]uintptr
}

// planeWorker is what a goroutine needs to run units.
type planeWorker struct {
	planeArgs
	nest kernel.Args
}

func compileDepthwise(c *kernel.Convolution, f cpu.Features, nests gemm.NestCompiler) (kernel.Code,
	error) {
	p := &plan{Convolution: c, features: f, lanes: 1, vecs: 1, perGroup: 1, tileP: 1,
		rowBlock: c.P, rowBlocks: 1, transposed: true}
	if err := p.checkDepthwise(); err != nil {
		return nil, err
	}
	g := &depthwise{plan: p, multiplier: c.K / c.Groups}
	e := &planeEmitter{plan: p, lanes: f.Level.VectorBytes() / f32}
	e.choose()
	epi, err := epilogue.New(&c.Epilogue, 2, 2, 3, c.Acc, f, e.temps())
	if err != nil {
		if g.deferred, err = newDeferred(p, nests); err != nil {
			return nil, err
		}
		epi = epilogue.Raw(dtype.F32, p.Q, f)
	}
	e.epi, e.a = epi, asm.New()
	g.ports = p.portStrides()
	e.emit()
	g.listing = e.a.Assemble()
	if g.exec, err = exec.Load(g.listing.Bytes); err != nil {
		return nil, err
	}
	g.workers.New = func() any {
		return &planeWorker{nest: kernel.Args{Ptr: make([]unsafe.Pointer, 1+len(c.Epilogue.Access))}}
	}
	return g, nil
}

// checkDepthwise refuses convolutions that are not depthwise, and layouts whose columns are not
// side by side.
func (p *plan) checkDepthwise() error {
	c := p.Convolution
	wide := p.features.Level >= cpu.AVX512
	switch {
	case c.X.DType != dtype.F32 || c.Filter.DType != dtype.F32 || c.Acc != dtype.F32:
	case c.C != c.Groups || min(c.N, c.C, c.K, c.P, c.Q, c.R, c.S) == 0:
	case c.X.Strides[3] != 1 || c.X.Strides[2] < 0 || c.X.Strides[2] > 1<<20:
	case c.R*c.S > 49 || c.Stride[0] > 4 || c.Dilation[0] > 64 || c.Dilation[1] > 64:
	case min(c.Filter.Strides[2], c.Filter.Strides[3]) < 0:
	case max(c.Filter.Strides[2], c.Filter.Strides[3]) > 1<<20:
	case c.Stride[1] > 2 || c.Stride[1] == 2 && !wide:
	default:
		for _, i := range c.Epilogue.Body {
			if i.Op == kernel.Store && c.Epilogue.Access[i.Port-2].Outer[3] != 1 {
				return fmt.Errorf("%w: a result whose columns are not side by side", ErrUnsupported)
			}
		}
		return nil
	}
	return fmt.Errorf("%w: not a depthwise convolution that is easy", ErrUnsupported)
}

// Units implements kernel.Code.
func (g *depthwise) Units() int { return g.N * g.K }

// UnitNanos implements kernel.Code.
func (g *depthwise) UnitNanos() float64 {
	return 10 + float64(g.P*g.Q)*float64(g.R*g.S+4)/float64(16*g.features.Level.VectorBytes()/f32)
}

// Scratch implements kernel.Code.
func (g *depthwise) Scratch() int {
	if g.deferred == nil {
		return 0
	}
	return g.deferred.scratch()
}

// Listing implements kernel.Code.
func (g *depthwise) Listing() string {
	var b strings.Builder
	b.WriteString("; depthwise, pixels in lanes\n")
	g.listing.WriteTo(&b)
	return b.String()
}

// Close implements kernel.Code.
func (g *depthwise) Close() {
	g.exec.Close()
	if g.deferred != nil {
		g.deferred.close()
	}
}

// Run implements kernel.Code.
func (g *depthwise) Run(args *kernel.Args, lo, hi int) {
	w := g.workers.Get().(*planeWorker)
	for u := lo; u < hi; u++ {
		g.unit(w, args, u/g.K, u%g.K)
	}
	if w.nest.Fault != 0 {
		args.Fault, w.nest.Fault = 1, 0
	}
	clear(w.nest.Ptr)
	g.workers.Put(w)
	runtime.KeepAlive(args)
}

// unit computes channel k of image n.
func (g *depthwise) unit(w *planeWorker, args *kernel.Args, n, k int) {
	x := g.X.Offset + n*g.X.Strides[0] + k/g.multiplier*g.X.Strides[1]
	w.x = uintptr(args.Ptr[0]) + uintptr(x*f32)
	w.w = uintptr(args.Ptr[1]) + uintptr((g.Filter.Offset+k*g.Filter.Strides[0])*f32)
	if g.deferred != nil {
		w.ports[0] = uintptr(args.Scratch)
		g.exec.Call(unsafe.Pointer(&w.planeArgs))
		g.deferred.run(g.plan, &w.nest, args, 0, n, k, 0, 0)
		return
	}
	for i, s := range g.ports {
		a := &g.Epilogue.Access[i]
		at := a.Offset*a.DType.Size() + n*s[0] + k*s[1]
		w.ports[i] = uintptr(args.Ptr[2+i]) + uintptr(at)
	}
	g.exec.Call(unsafe.Pointer(&w.planeArgs))
}
