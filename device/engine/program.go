package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/device/engine/rewrite"
	"github.com/go-acap/acap/device/engine/workers"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
	"github.com/go-acap/acap/kernel/tune"
	"github.com/go-acap/acap/mlir"
)

// Options say how to compile a function. The zero value is right for most.
type Options struct {
	// ConstInputs marks the inputs that hold the same values in many runs, such as
	// weights. What is computed from them alone, and operands that kernels read in
	// a packed form, is computed once for each set of buffers and kept: a run with
	// the same buffers does not compute it again, nor one with other small buffers that have the same elements.
	// The contents of such a buffer must not change between runs.
	ConstInputs []bool
	// Threads bounds the threads of a run; 0 means [workers.Threads].
	Threads int
	// FastMath says how freely arithmetic is rewritten, see package fastmath.
	FastMath int
	// Reproducible has kernels of [native.Reproducible], and no rule that looks at how many rows there are decides in
	// which order something is summed.
	Reproducible bool
	// NoFusion makes every operation a kernel of its own.
	NoFusion bool
	// Kernels is the text of kernels, as [Program.KernelText] prints them, that take the place of the kernels of the
	// same names. A kernel has the ports of the kernel whose place it takes, and a name that no kernel of the program
	// has is an error.
	Kernels string
	// Backend compiles a kernel; nil means the best one for this machine.
	Backend func(kernel.Kernel) (kernel.Code, error)
}

// Program is a compiled function. It may run in several goroutines at once.
type Program struct {
	plan.Plan
	threads int
	native  bool // the kernels are compiled by package native
	fixed   bool // by package native, with sums in a fixed order

	packs  packs
	keep   any // what the data of constants lies in
	phases []plan.Phase

	preparing sync.Mutex // held while a binding is made, before mu
	mu        sync.Mutex // of the rest
	bindings  []*binding // most recently used first
	frames    []*frame   // that no run uses
	running   int
	closed    bool
}

// pieceOps is about how many operations a piece of a function has that is converted beside others.
var pieceOps = 96

// Compile compiles a func.func in the linalg form: one block of operations on
// tensors of static shapes that ends with func.return. Errors are of type
// [*graph.Error] and name the operation and its location, or of type [*environment.Error].
func Compile(f *mlir.Operation, opts Options) (*Program, error) {
	p := &Program{}
	if err := p.configure(&opts); err != nil {
		return nil, err
	}
	clock := &plan.Watch{Since: time.Now()}
	g, err := convert.Function(f, pieceOps, opts.Reproducible)
	if err != nil {
		return nil, err
	}
	for i, v := range f.Body().Args {
		p.Args = append(p.Args, plan.SignatureOf(v))
		if i < len(opts.ConstInputs) && opts.ConstInputs[i] {
			p.Consts = append(p.Consts, i)
		}
	}
	clock.End("convert")
	g.Live()
	if !opts.NoFusion {
		rewrite.Graph(g, opts.Reproducible, func(sub *graph.Graph) *buf.Buffer { return evaluate(sub, opts.Backend) })
	}
	clock.End("rewrite")
	if err = p.build(g, &opts, clock); err != nil {
		p.Close()
		return nil, err
	}
	for i, v := range f.Body().Ops[len(f.Body().Ops)-1].Operands {
		if i < len(p.Results) {
			p.Results[i].DType = plan.SignatureOf(v).DType // kernels know the bits only
		}
	}
	p.phases = clock.List
	return p, nil
}

// configure completes the options.
func (p *Program) configure(opts *Options) (err error) {
	if opts.Reproducible && opts.Backend == nil {
		opts.Backend, p.fixed = native.Reproducible, true
	}
	p.native = opts.Backend == nil
	if err := native.Setting(); err != nil && p.native {
		return err
	}
	if _, err := tune.Setting(); err != nil {
		return err
	}
	if _, err := parallel.Goroutines(); err != nil {
		return err
	}
	if p.threads = opts.Threads; p.threads <= 0 {
		p.threads, err = workers.Threads()
	}
	return err
}

// Memory returns how many bytes a run needs beside its inputs and results.
func (p *Program) Memory() int64 {
	_, constants := p.parts()
	return buf.AddBytes(int64(p.ArenaBytes), int64(constants), buf.MulBytes(int64(p.Scratch), int64(p.threads)))
}

// Run computes the results of the function in new buffers. Errors are those of [Program.RunInto].
func (p *Program) Run(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	outputs := make([]*buf.Buffer, len(p.Results))
	if err := p.RunInto(ctx, inputs, outputs); err != nil {
		return nil, err
	}
	return outputs, nil
}

// RunInto computes the results into outputs, and makes a buffer for each output that is nil. The buffers need not be
// zero. An output must not be an input, except as [Program.Overwrites] allows. Each run that goes on beside others
// needs a frame, which is allocated once and used again; beyond frames a run allocates nothing.
//
// When ctx is cancelled, the run ends between two kernels or between two pieces of one,
// with the error of ctx. The results are then undefined.
func (p *Program) RunInto(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	if err := check("input", inputs, p.Args); err != nil {
		return err
	}
	for i := range min(len(outputs), len(p.Results)) {
		if outputs[i] == nil {
			outputs[i] = buf.New(p.Results[i].DType, p.Results[i].Shape)
		}
	}
	if err := check("result", outputs, p.Results); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	return p.RunChecked(ctx, inputs, outputs)
}

// RunChecked is RunInto for a caller who has made sure that ctx is not cancelled, and that there are as many buffers as
// the program has inputs and results, each with the bytes of its type. Errors are those of [Program.RunInto] but for
// wrong inputs.
func (p *Program) RunChecked(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	f, err := p.start(ctx, inputs)
	if err != nil {
		return err
	}
	err = f.run(ctx, inputs, outputs)
	p.finish(f)
	return err
}

func check(what string, buffers []*buf.Buffer, want []plan.Signature) error {
	if len(buffers) != len(want) {
		return fmt.Errorf("engine: %d %ss, the program has %d", len(buffers), what, len(want))
	}
	for i, b := range buffers {
		if w := &want[i]; b == nil || len(b.Bytes()) != w.Bytes || b.DType.Size() != w.DType.Size() {
			return fmt.Errorf("engine: %s %d is %#v, the program has %v%v", what, i, b, w.DType, w.Shape)
		}
	}
	return nil
}

// build makes the steps of a program.
func (p *Program) build(g *graph.Graph, opts *Options, clock *plan.Watch) error {
	edited, err := kernel.ParseAll(opts.Kernels)
	if err != nil {
		return fmt.Errorf("kernels: %w", err)
	}
	fuse.Clusters(g, opts.NoFusion, opts.ConstInputs)
	clock.End("fuse")
	return p.Make(g, &plan.Options{ConstInputs: opts.ConstInputs, FastMath: opts.FastMath, Kernels: edited, Backend: opts.Backend}, clock)
}

// evaluate computes the one result of a graph without arguments, or returns nil.
func evaluate(g *graph.Graph, backend plan.Backend) *buf.Buffer {
	p := &Program{threads: 1}
	defer p.Close()
	defer plan.Unplan(g)
	if err := p.build(g, &Options{NoFusion: true, Backend: backend}, &plan.Watch{}); err != nil {
		return nil
	}
	out, err := p.Run(context.Background(), nil)
	if err != nil {
		return nil
	}
	return out[0]
}
