package kerneltime

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/mlir"
)

// Kernel is the time of the runs of a kernel. Equal kernels of a program are one, with the name of the first.
type Kernel struct {
	Name    string
	Account kernel.Account // of one run
	Runs    int64
	// Time is the time of all runs, added up over the threads that took part. Packing constant operands, which happens
	// once, is not in it.
	Time time.Duration
}

// Times are the kernels of a program. Methods may be called from several goroutines.
type Times struct {
	mu    sync.Mutex
	codes []*code
}

// Compile compiles a program for this computer. The module is consumed. Errors are those of the compiler.
func Compile(ctx context.Context, module *mlir.Operation, config device.Config) (device.Executable, *Times, error) {
	t := &Times{}
	compile := native.Compile
	if config.Reproducible() {
		compile = native.Reproducible
	}
	exe, err := compiler.CompileFor(ctx, module, backend{compiler.Native{Code: func(k kernel.Kernel) (kernel.Code, error) {
		inner, err := compile(k)
		if err != nil {
			return nil, err
		}
		c := &code{Code: inner, kernel: k}
		t.mu.Lock()
		defer t.mu.Unlock()
		t.codes = append(t.codes, c)
		return c, nil
	}}}, config)
	if err != nil {
		return nil, nil, err
	}
	return exe, t, nil
}

// Reset forgets the runs until now.
func (t *Times) Reset() {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.codes {
		c.runs.Store(0)
		c.nanos.Store(0)
	}
}

// List returns the kernels that have run, those that took longest first.
func (t *Times) List() (list []Kernel) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for _, c := range t.codes {
		if n := c.runs.Load(); n > 0 {
			list = append(list, Kernel{kernel.NameOf(c.kernel), c.kernel.Account(), n, time.Duration(c.nanos.Load())})
		}
	}
	slices.SortStableFunc(list, func(a, b Kernel) int { return cmp.Compare(b.Time, a.Time) })
	return list
}

// backend is the engine with kernels that take the time.
type backend struct{ compiler.Native }

// Name implements [device.Backend].
func (backend) Name() string { return "kernel times" }

// code is a kernel that takes the time.
type code struct {
	kernel.Code
	kernel      kernel.Kernel
	runs, nanos atomic.Int64
}

func (c *code) took(start time.Time) { c.nanos.Add(int64(time.Since(start))) }

// Run implements [kernel.Code].
func (c *code) Run(args *kernel.Args, lo, hi int) {
	if lo == 0 {
		c.runs.Add(1)
	}
	defer c.took(time.Now())
	c.Code.Run(args, lo, hi)
}

// RunPreparation implements [kernel.Code].
func (c *code) RunPreparation(args *kernel.Args, lo, hi int) {
	defer c.took(time.Now())
	c.Code.RunPreparation(args, lo, hi)
}

// RunPrologue implements [kernel.Code].
func (c *code) RunPrologue(args *kernel.Args, lo, hi int) {
	defer c.took(time.Now())
	c.Code.RunPrologue(args, lo, hi)
}

// UnitNanosOn implements [kernel.Overwriter].
func (c *code) UnitNanosOn(args *kernel.Args) float64 {
	if o, ok := c.Code.(kernel.Overwriter); ok {
		return o.UnitNanosOn(args)
	}
	return c.UnitNanos()
}

// Joined implements [kernel.Joiner].
func (c *code) Joined() (units, least int) {
	if j, ok := c.Code.(kernel.Joiner); ok {
		return j.Joined()
	}
	return 1, 1
}
