package engine

import (
	"context"
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/device/engine/workers"
	"github.com/go-acap/acap/kernel"
)

// frame is the memory of one run: the arena, and for each port of each step its
// address.
type frame struct {
	b       *binding
	arena   *arena
	ptrs    []unsafe.Pointer
	patches []patch // pointers that change from run to run
	once    []patch // pointers to what is computed once, which change with the binding
	args    []kernel.Args
	scratch []byte
	pool    *workers.Pool
	job     workers.Job
	ctx     context.Context // of the run
}

// patch is a pointer into an input or a result, or into what is computed once. The pointer is the address of byte
// number begin.
type patch struct {
	at, index, begin int
	result           bool
}

// point sets the pointers to inputs and results; the results may be nil.
func (f *frame) point(inputs, outputs []*buf.Buffer) {
	for _, p := range f.patches {
		list := inputs
		if p.result {
			list = outputs
		}
		if list == nil {
			continue
		}
		pointer := list[p.index].Pointer()
		if pointer == nil {
			pointer = empty()
		}
		f.ptrs[p.at] = unsafe.Add(pointer, p.begin)
	}
}

// watch has the run end when ctx is cancelled.
func (f *frame) watch(ctx context.Context) { f.ctx, f.job.Cancelled = ctx, ctx.Done() }

// forget drops the pointers to inputs and results, so that they can be freed.
func (f *frame) forget() {
	f.ctx, f.job.Cancelled = nil, nil
	for _, p := range f.patches {
		f.ptrs[p.at] = nil
	}
}

func (f *frame) run(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	f.point(inputs, outputs)
	f.watch(ctx)
	for i, s := range f.b.p.Steps {
		if s.Fixed {
			continue
		}
		if err := f.step(i, s); err != nil {
			return err
		}
	}
	runtime.KeepAlive(inputs)
	runtime.KeepAlive(outputs)
	return nil
}

// step runs step number i of the program, unless the run is cancelled.
func (f *frame) step(i int, s *plan.Step) error {
	if f.job.Stopped() {
		return f.ctx.Err()
	}
	ptrs := f.ptrs[s.Ptrs : s.Ptrs+len(s.Slots)]
	if s.Host != nil {
		return f.callHost(s, ptrs)
	}
	if s.Copies && ptrs[0] == ptrs[1] { // the result has the memory of the input
		return nil
	}
	for w := range f.args {
		f.args[w].Ptr, f.args[w].Packed, f.args[w].Fault = ptrs, f.b.packed[i], 0
	}
	if s.Shared >= 0 {
		f.before(s.Code)
	}
	f.job.Perform(f.pool, f.args, s.Code, workers.Main, s.Code.Units())
	if f.job.Stopped() {
		return f.ctx.Err()
	}
	for w := range f.args {
		if f.args[w].Fault != 0 {
			return s.Fault()
		}
	}
	return nil
}

// before runs what a kernel does before its main part.
func (f *frame) before(code kernel.Code) {
	f.job.Perform(f.pool, f.args, code, workers.Preparation, code.PreparationUnits())
	f.job.Perform(f.pool, f.args, code, workers.Prologue, code.PrologueUnits())
}

// callHost runs an operation that is a Go function.
func (f *frame) callHost(s *plan.Step, ptrs []unsafe.Pointer) error {
	ports := make([]*buf.Buffer, len(ptrs))
	for i, n := range s.Slots {
		sl := &f.b.p.Slots[n]
		b, err := buf.Wrap(sl.DType, []int{sl.Size}, unsafe.Slice((*byte)(ptrs[i]), sl.Bytes))
		if err != nil {
			return fmt.Errorf("engine: %s: %w", s.Name, err)
		}
		ports[i] = b
	}
	if err := s.Host(ports); err != nil {
		return s.From[0].Fail(err.Error())
	}
	return nil
}
