package engine

import (
	"context"
	"fmt"
	"runtime"
	"time"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel"
)

// frame is the memory of one run: the arena, and for each port of each step its
// address.
type frame struct {
	b       *binding
	arena   []byte
	ptrs    []unsafe.Pointer
	patches []patch // pointers that change from run to run
	once    []patch // pointers to what is computed once, which change with the binding
	args    []kernel.Args
	scratch []byte
	pool    *pool
	job     job
	ctx     context.Context // of the run
}

// patch is a pointer to an input or result, or to an offset in what is computed once.
type patch struct {
	at, index int
	result    bool
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
		f.ptrs[p.at] = list[p.index].Pointer()
		if f.ptrs[p.at] == nil {
			f.ptrs[p.at] = unsafe.Pointer(unsafe.SliceData(empty))
		}
	}
}

// watch has the run end when ctx is cancelled.
func (f *frame) watch(ctx context.Context) { f.ctx, f.job.cancelled = ctx, ctx.Done() }

// forget drops the pointers to inputs and results, so that they can be freed.
func (f *frame) forget() {
	f.ctx, f.job.cancelled = nil, nil
	for _, p := range f.patches {
		f.ptrs[p.at] = nil
	}
}

func (f *frame) run(ctx context.Context, inputs, outputs []*buf.Buffer) error {
	f.point(inputs, outputs)
	f.watch(ctx)
	for i, s := range f.b.p.steps {
		if s.fixed {
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
func (f *frame) step(i int, s *step) error {
	if f.job.stopped() {
		return f.ctx.Err()
	}
	ptrs := f.ptrs[s.ptrs : s.ptrs+len(s.slots)]
	if s.host != nil {
		return f.callHost(s, ptrs)
	}
	if s.copies && ptrs[0] == ptrs[1] { // the result has the memory of the input
		return nil
	}
	for w := range f.args {
		f.args[w].Ptr, f.args[w].Packed, f.args[w].Fault = ptrs, f.b.packed[i], 0
	}
	if s.shared >= 0 {
		f.before(s.code)
	}
	f.phase(s.code, main, s.code.Units())
	if f.job.stopped() {
		return f.ctx.Err()
	}
	for w := range f.args {
		if f.args[w].Fault != 0 {
			return s.fault()
		}
	}
	return nil
}

// before runs what a kernel does before its main part.
func (f *frame) before(code kernel.Code) {
	if b, ok := code.(kernel.Preparation); ok {
		f.phase(code, preparation, b.PreparationUnits())
	}
	if b, ok := code.(kernel.Prologue); ok {
		f.phase(code, prologue, b.PrologueUnits())
	}
}

// Work below smallNanos is not worth waking a worker; one call of a kernel should
// not take longer than callNanos, because it cannot be preempted.
const (
	smallNanos = 8_000
	callNanos  = 200_000
	// chunksEach is how many chunks each worker gets, so that a worker that is
	// late leaves its part to the others.
	chunksEach = 4
)

// phase runs all units of one phase of a kernel.
func (f *frame) phase(code kernel.Code, p phase, units int) {
	j := &f.job
	j.code, j.phase, j.units, j.args = code, p, units, f.args
	if units == 1 { // as nearly all small kernels have: the rest costs as much as they do
		if !j.stopped() {
			j.call(&j.args[0], 0, 1)
		}
		return
	}
	nanos := max(code.UnitNanos(), 0.1)
	j.chunk = max(min(units, int(callNanos/nanos)), 1)
	if f.pool == nil || float64(units)*nanos < smallNanos || !f.pool.busy.TryLock() {
		j.alone()
		return
	}
	j.work = time.Duration(nanos * float64(units))
	j.chunk = max(min(j.chunk, units/(chunksEach*len(f.args))), 1)
	f.pool.run(j)
	f.pool.busy.Unlock()
}

// callHost runs an operation that is a Go function.
func (f *frame) callHost(s *step, ptrs []unsafe.Pointer) error {
	ports := make([]*buf.Buffer, len(ptrs))
	for i, n := range s.slots {
		sl := &f.b.p.slots[n]
		b, err := buf.Wrap(sl.dtype, []int{sl.size}, unsafe.Slice((*byte)(ptrs[i]), sl.bytes))
		if err != nil {
			return fmt.Errorf("engine: %s: %w", s.name, err)
		}
		ports[i] = b
	}
	if err := s.host(ports); err != nil {
		return s.from[0].fail(err.Error())
	}
	return nil
}
