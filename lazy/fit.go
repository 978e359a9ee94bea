package lazy

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/lazy/bucket"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// Dynamic returns a leaf with the data of a value of this runtime, which is computed if need be, whose
// dimension dim has another extent from run to run. Programs with it are compiled once for each of
// buckets, which ascend, and compute with padding and masks. Errors are those of computing it, and a [*RecycledError]
// if its memory was given up.
func (r *Runtime) Dynamic(ctx context.Context, v ops.Value, dim int, buckets []int) (*trace.Node, error) {
	if err := r.compute(ctx, []ops.Value{v}, nil); err != nil {
		return nil, err
	}
	b := Data(v)
	if b == nil {
		return nil, &RecycledError{Type: v.Type()}
	}
	n, _ := trace.Of(v)
	return n.Vary(b, trace.Dynamic{Dim: dim, Buckets: buckets}), nil
}

// fit is how a bucket's program computes what one for exact extents would.
type fit struct {
	of       *bucketProgram
	numbers  []*buf.Buffer    // inputs after the exact program's
	inputs   []ops.TensorType // of the bucket's program
	results  []ops.TensorType
	elements int64 // of the padded inputs of a run
	padding  int64 // that is padding
}

// buckets are the programs of a runtime for buckets, by what they share with those for exact
// extents.
type buckets struct {
	sync.Mutex
	programs map[ops.Hash][]*bucketProgram
	count    int
}

type bucketProgram struct {
	*bucket.Program
	exe    device.Executable
	sketch *trace.Sketch // of the program for exact extents that it was made for
}

// errOpened says that numbers have become inputs, and the graph has to be collected again.
var errOpened = errors.New("numbers have become inputs")

// mostBuckets bounds the programs for buckets.
const mostBuckets = 1 << 10

// bucketed looks for a program of a bucket that computes what a module does, or compiles it. It
// reports whether it compiled; the error says why there is none, or that compiling failed.
func (r *Runtime) bucketed(ctx context.Context, p *program, g *trace.Graph, module *mlir.Operation) (compiled bool, err error) {
	extents, err := bucketOf(g)
	if err != nil {
		return false, err
	}
	lowered := module.Clone(map[*mlir.Value]*mlir.Value{})
	if err := compiler.Lower(lowered); err != nil {
		return false, err
	}
	exact, err := bucket.Read(lowered)
	if err != nil {
		return false, err
	}
	key := exact.Structure()
	for _, d := range extents {
		key = key.Mix(uint64(d.Argument)).Mix(uint64(d.Dim.Dim)).Mix(uint64(d.extent))
	}
	r.buckets.Lock() // also while compiling: another extent may need the same program
	defer r.buckets.Unlock()
	for _, b := range r.buckets.programs[key] {
		if numbers, err := b.Fit(exact); err == nil {
			p.exe = b.exe.NewHandle()
			p.fit = newFit(g, extents, b, numbers)
			return false, nil
		}
		if r.open(p, slices.DeleteFunc(p.sketch.VariedElsewhere(b.sketch), decides)) {
			return false, errOpened
		}
	}
	b, numbers, err := r.compileBucket(ctx, module, exact, extents)
	if err != nil {
		return false, err
	}
	if r.buckets.programs == nil || r.buckets.count >= mostBuckets {
		r.buckets.programs, r.buckets.count = map[ops.Hash][]*bucketProgram{}, 0
	}
	r.buckets.programs[key] = append(r.buckets.programs[key], b)
	r.buckets.count++
	b.sketch = p.sketch
	p.exe = b.exe.NewHandle()
	p.fit = newFit(g, extents, b, numbers)
	return true, nil
}

// compileBucket compiles the program of a bucket, and fits a module to it.
func (r *Runtime) compileBucket(ctx context.Context, module *mlir.Operation, exact *bucket.Exact, extents []chosen) (*bucketProgram, []*buf.Buffer, error) {
	to, far, near := map[bucket.Dim]int{}, map[bucket.Dim]int{}, map[bucket.Dim]int{}
	for _, d := range extents {
		to[d.Dim], far[d.Dim], near[d.Dim] = d.extent, witnessOf(d), nearWitnessOf(d)
	}
	var program *bucket.Program
	var numbers []*buf.Buffer
	var err error
	for _, try := range []struct {
		guess   bucket.Guess
		witness map[bucket.Dim]int
	}{
		{bucket.Guess{Counts: true}, far}, {bucket.Guess{Counts: true, Parts: true}, near},
		{bucket.Guess{}, far}, {bucket.Guess{Parts: true}, near},
	} {
		var failed error
		if program, numbers, failed = bucketForms(module, exact, to, try.witness, try.guess); failed == nil {
			err = nil
			break
		}
		// The error of a bucket says more than that a guess was wrong.
		if wrong := (*guessError)(nil); err == nil || errors.As(err, &wrong) {
			err = failed
		}
	}
	if err != nil {
		return nil, nil, err
	}
	exe, err := r.dev.Compile(ctx, program.Module)
	if err != nil {
		return nil, nil, err
	}
	return &bucketProgram{Program: program, exe: exe}, numbers, nil
}

// bucketForms makes the program of a bucket, and fits a module to it.
func bucketForms(module *mlir.Operation, exact *bucket.Exact, to, witness map[bucket.Dim]int, guess bucket.Guess) (*bucket.Program, []*buf.Buffer, error) {
	var forms [2]*mlir.Operation
	for i, extents := range []map[bucket.Dim]int{to, witness} {
		m, err := bucket.Retype(module, extents, guess)
		if err == nil {
			err = compiler.Lower(m)
		}
		if err != nil {
			return nil, nil, &guessError{err}
		}
		forms[i] = m
	}
	program, err := bucket.New(forms[0], forms[1])
	if err != nil {
		return nil, nil, err
	}
	numbers, err := program.Fit(exact)
	return program, numbers, err
}

// witnessOf is an extent that no other is likely to have, the same for the dimensions that have one
// extent and one bucket.
func witnessOf(d chosen) int { return 2*d.extent + 7*d.now + 1009 }

// nearWitnessOf is an extent for programs that take parts of tables, which have no more: one beside the bucket's.
func nearWitnessOf(d chosen) int {
	if d.extent > 2 {
		return d.extent - 1
	}
	return d.extent + 1
}

// guessError is the error of a program that cannot be written for other extents.
type guessError struct{ err error }

func (e *guessError) Error() string { return e.err.Error() }

func (e *guessError) Unwrap() error { return e.err }

// chosen is a dimension of an argument, its extent, and the bucket for it.
type chosen struct {
	bucket.Dim
	now, extent int
}

// bucketOf chooses the buckets for the dynamic dimensions of a graph.
func bucketOf(g *trace.Graph) ([]chosen, error) {
	var all []chosen
	for i, e := range g.Leaves {
		for _, d := range e.Node.Dynamic() {
			now := e.Node.Types()[e.Result].Shape[d.Dim]
			c := chosen{bucket.Dim{Argument: i, Dim: d.Dim}, now, 0}
			for _, n := range d.Buckets {
				if n >= now && c.extent == 0 {
					c.extent = n
				}
			}
			if c.extent == 0 {
				return nil, fmt.Errorf("extent %d of input %d is larger than every bucket", now, i)
			}
			if now == 0 {
				return nil, fmt.Errorf("input %d is empty", i)
			}
			all = append(all, c)
		}
	}
	return all, nil
}

func newFit(g *trace.Graph, extents []chosen, b *bucketProgram, numbers []*buf.Buffer) *fit {
	f := &fit{of: b, numbers: numbers, results: b.Results()}
	for _, e := range g.Leaves {
		f.inputs = append(f.inputs, e.Node.Types()[e.Result])
	}
	padded := map[int]bool{}
	for _, d := range extents {
		t := &f.inputs[d.Argument]
		t.Shape = append([]int(nil), t.Shape...)
		t.Shape[d.Dim.Dim] = d.extent
		padded[d.Argument] = true
	}
	for i := range padded {
		all := int64(shape.Size(f.inputs[i].Shape))
		e := g.Leaves[i]
		f.elements += all
		f.padding += all - int64(shape.Size(e.Node.Types()[e.Result].Shape))
	}
	return f
}

// pad appends the inputs of the bucket's program.
func (f *fit) pad(inputs []*buf.Buffer) []*buf.Buffer {
	out := make([]*buf.Buffer, 0, len(inputs)+len(f.numbers))
	for i, b := range inputs {
		if i < len(f.inputs) && !shape.Equal(b.Shape, f.inputs[i].Shape) {
			padded := buf.New(b.DType, f.inputs[i].Shape)
			copyCorner(padded, b, b.Shape)
			b = padded
		}
		out = append(out, b)
	}
	return append(out, f.numbers...)
}

// wide returns buffers for the results of the bucket's program: those that have no padding are
// the exact program's.
func (f *fit) wide(results []*buf.Buffer) []*buf.Buffer {
	out := make([]*buf.Buffer, len(results))
	for i, b := range results {
		if out[i] = b; !shape.Equal(b.Shape, f.results[i].Shape) {
			out[i] = buf.New(b.DType, f.results[i].Shape)
		}
	}
	return out
}

// trim copies what is valid in the results of the bucket's program.
func (f *fit) trim(results, wide []*buf.Buffer) {
	for i, b := range results {
		if b != wide[i] {
			copyCorner(b, wide[i], b.Shape)
		}
	}
}

// copyCorner copies the elements of from to to whose indices are less than dims.
func copyCorner(to, from *buf.Buffer, dims []int) {
	if shape.Size(dims) == 0 {
		return
	}
	size := to.DType.Size()
	var copyDim func(d, at, from0 int)
	copyDim = func(d, at, from0 int) {
		whole := d
		for whole < len(dims) && (whole == d || dims[whole] == to.Shape[whole] && dims[whole] == from.Shape[whole]) {
			whole++
		}
		if whole == len(dims) { // one piece of memory
			n := shape.Size(dims[d:]) * size
			copy(to.Bytes()[at*size:at*size+n], from.Bytes()[from0*size:from0*size+n])
			return
		}
		for i := range dims[d] {
			copyDim(d+1, at+i*shape.Size(to.Shape[d+1:]), from0+i*shape.Size(from.Shape[d+1:]))
		}
	}
	copyDim(0, 0, 0)
}

// execute runs a program.
func (p *program) execute(ctx context.Context, inputs, results []*buf.Buffer) error {
	if p.fit == nil {
		return p.exe.RunInto(ctx, inputs, results)
	}
	wide := p.fit.wide(results)
	if err := p.exe.RunInto(ctx, p.fit.pad(inputs), wide); err != nil {
		return err
	}
	p.fit.trim(results, wide)
	return nil
}

// fitted completes a program whose executable is a bucket's. One that was there already counts as found.
func (r *Runtime) fitted(p *program, g *trace.Graph, compiled bool, took time.Duration) {
	p.memory = p.exe.Memory()
	p.count(g, p.exe)
	if !compiled {
		p.memory.Kept = 0 // counted where it was compiled
		r.stats.cachedCompile.Add(1)
		return
	}
	p.took = took
	r.why.compiled(r, p)
	r.stats.compiled(took)
}
