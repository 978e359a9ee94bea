package engine

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/native"
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
	// Threads bounds the threads of a run; 0 means [Threads].
	Threads int
	// FastMath says how freely arithmetic is rewritten, see package fastmath.
	FastMath int
	// NoFusion makes every operation a kernel of its own.
	NoFusion bool
	// Backend compiles a kernel; nil means the best one for this machine.
	Backend func(kernel.Kernel) (kernel.Code, error)
}

func (o *Options) constInput(i int) bool { return i < len(o.ConstInputs) && o.ConstInputs[i] }

// Program is a compiled function. It may run in several goroutines at once.
type Program struct {
	steps   []*step
	slots   []slot
	args    []signature
	results []signature
	// bytes of the memory of one run, of what is computed once, and of the scratch
	// of one worker
	arenaBytes, fixedBytes, scratch int
	ptrs                            int // pointers in a frame
	threads                         int
	native                          bool     // the kernels are compiled by package native
	consts                          []int    // the constant inputs
	deciding                        []int    // those of the inputs that something is computed from once, see decide
	overInputs                      []int    // see [Program.Overwrites]
	forecast                        Forecast // without Run

	packs  packs
	keep   any // what the data of constants lies in
	phases []Phase

	preparing sync.Mutex // held while a binding is made, before mu
	mu        sync.Mutex // of the rest
	bindings  []*binding // most recently used first
	frames    []*frame   // that no run uses
	running   int
	closed    bool
}

// signature is the type of an input or result.
type signature struct {
	dtype dtype.DType
	shape []int
	bytes int
}

func signatureOf(v *mlir.Value) signature {
	s := signature{dtype: mlir.DTypeOf(v.Type), shape: []int{}}
	if t, ok := v.Type.(mlir.TensorType); ok {
		s.dtype, s.shape = mlir.DTypeOf(t.Elem), t.Shape
	}
	s.bytes = s.dtype.Size()
	for _, n := range s.shape {
		s.bytes *= n
	}
	return s
}

// Compile compiles a func.func in the linalg form: one block of operations on
// tensors of static shapes that ends with func.return. Errors are of type
// [*Error] and name the operation and its location, or of type [*environment.Error].
func Compile(f *mlir.Operation, opts Options) (*Program, error) {
	p := &Program{}
	if err := p.configure(&opts); err != nil {
		return nil, err
	}
	clock := &watch{since: time.Now()}
	g, err := newGraph(f)
	if err != nil {
		return nil, err
	}
	for i, v := range f.Body().Args {
		p.args = append(p.args, signatureOf(v))
		if opts.constInput(i) {
			p.consts = append(p.consts, i)
		}
	}
	clock.end("convert")
	g.live()
	g.transform(&opts)
	clock.end("rewrite")
	if err = p.build(g, &opts, clock); err != nil {
		p.Close()
		return nil, err
	}
	for i, v := range f.Body().Ops[len(f.Body().Ops)-1].Operands {
		if i < len(p.results) {
			p.results[i].dtype = signatureOf(v).dtype // kernels know the bits only
		}
	}
	p.phases = clock.list
	return p, nil
}

// configure completes the options.
func (p *Program) configure(opts *Options) (err error) {
	p.native = opts.Backend == nil
	if err := native.Setting(); err != nil && p.native {
		return err
	}
	if _, err := parallel.Goroutines(); err != nil {
		return err
	}
	if p.threads = opts.Threads; p.threads <= 0 {
		p.threads, err = Threads()
	}
	return err
}

// Memory returns how many bytes a run needs beside its inputs and results.
func (p *Program) Memory() int64 {
	_, constants := p.parts()
	return buf.AddBytes(int64(p.arenaBytes), int64(constants), buf.MulBytes(int64(p.scratch), int64(p.threads)))
}

// transform rewrites the graph before its nodes become clusters.
func (g *graph) transform(opts *Options) {
	if opts.NoFusion {
		return
	}
	g.narrow()
	g.attention(opts)
	g.absorb()
	g.inline()
	g.splitReductions()
}

// build makes the steps of a program.
func (p *Program) build(g *graph, opts *Options, clock *watch) error {
	g.fuse(opts)
	clock.end("fuse")
	pl := &planner{g: g, opts: opts, p: p, results: make(map[*tensor]int, len(g.results))}
	for i, r := range g.results {
		pl.results[r.t] = i
		s := signature{dtype: r.dtype, shape: r.shape()}
		s.bytes = r.size() * r.dtype.Size()
		p.results = append(p.results, s)
	}
	if err := pl.plan(clock); err != nil {
		return err
	}
	p.number()
	return nil
}

// number gives the steps their pointers in a frame, when all steps are known.
func (p *Program) number() {
	for _, s := range p.steps {
		s.ptrs, s.copies = p.ptrs, isCopy(s.kernel)
		p.ptrs += len(s.slots)
	}
	p.decide()
	p.overInputs = p.overwritable()
}

// Run computes the results of the function in new buffers.
func (p *Program) Run(ctx context.Context, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	outputs := make([]*buf.Buffer, len(p.results))
	if err := p.RunInto(ctx, inputs, outputs); err != nil {
		return nil, err
	}
	return outputs, nil
}

// RunInto computes the results into the given buffers, which must not be inputs, apart from those of [Program.Overwrites], and
// need not be zero. It makes those that are nil. Each run that
// goes on beside others needs a frame, which is allocated once and used again; beyond frames a run allocates nothing.
//
// When ctx is cancelled, the run ends between two kernels or between two pieces of one,
// with the error of ctx. The results are then undefined.
func (p *Program) RunInto(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	if err := check("input", inputs, p.args); err != nil {
		return err
	}
	for i := range min(len(outputs), len(p.results)) {
		if outputs[i] == nil {
			outputs[i] = buf.New(p.results[i].dtype, p.results[i].shape)
		}
	}
	if err := check("result", outputs, p.results); err != nil {
		return err
	}
	return p.RunChecked(ctx, inputs, outputs)
}

// RunChecked is RunInto for a caller who has made sure that there are as many buffers as the program has inputs and
// results, each with the bytes of its type.
func (p *Program) RunChecked(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f, err := p.start(ctx, inputs)
	if err != nil {
		return err
	}
	err = f.run(ctx, inputs, outputs)
	p.finish(f)
	return err
}

func check(what string, buffers []*buf.Buffer, want []signature) error {
	if len(buffers) != len(want) {
		return fmt.Errorf("engine: %d %ss, the program has %d", len(buffers), what, len(want))
	}
	for i, b := range buffers {
		if w := &want[i]; b == nil || len(b.Bytes()) != w.bytes || b.DType.Size() != w.dtype.Size() {
			return fmt.Errorf("engine: %s %d is %#v, the program has %v%v", what, i, b, w.dtype, w.shape)
		}
	}
	return nil
}
