package engine

import (
	"context"
	"runtime"
	"slices"
	"unsafe"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/kernel"
)

// binding is a program with one set of constant inputs: what has been computed
// from them, and operands in packed forms. It goes when one of these inputs goes.
type binding struct {
	p      *Program
	consts []weak.Pointer[buf.Buffer]
	fixed  []byte
	packed [][]unsafe.Pointer // of the ports of each step; nil if none is packed
	memory [][]byte           // what packed points into

	free []*frame // that no run uses; the program's lock guards it
}

// maxBindings bounds the sets of constant inputs that a program remembers.
const maxBindings = 4

// bound returns the binding of the constant inputs of a run, or nil if there is none. p.mu is held.
func (p *Program) bound(inputs []*buf.Buffer) *binding {
	for i, b := range p.bindings {
		if b.of(inputs) {
			if i > 0 {
				copy(p.bindings[1:], p.bindings[:i])
				p.bindings[0] = b
			}
			return b
		}
	}
	return nil
}

// bind makes the binding of a run that is the first with its constant inputs. Others that need one wait; those
// that have theirs do not.
func (p *Program) bind(ctx context.Context, inputs []*buf.Buffer) (*binding, error) {
	p.preparing.Lock()
	defer p.preparing.Unlock()
	p.mu.Lock()
	b := p.bound(inputs)
	p.mu.Unlock()
	if b != nil {
		return b, nil // somebody else has made it meanwhile
	}
	b = &binding{p: p}
	for _, i := range p.consts {
		b.consts = append(b.consts, weak.Make(inputs[i]))
	}
	if err := b.prepare(ctx, inputs); err != nil {
		return nil, err
	}
	p.mu.Lock()
	p.bindings = append([]*binding{b}, p.bindings...)
	if len(p.bindings) > maxBindings {
		clear(p.bindings[maxBindings:])
		p.bindings = p.bindings[:maxBindings]
	}
	p.mu.Unlock()
	for _, i := range p.consts {
		runtime.AddCleanup(inputs[i], forgetGone, weak.Make(p))
	}
	return b, nil
}

// of reports whether the binding is for the constant inputs of a run.
func (b *binding) of(inputs []*buf.Buffer) bool {
	for k, i := range b.p.consts {
		if b.consts[k].Value() != inputs[i] {
			return false
		}
	}
	return true
}

// forgetGone drops the bindings of a program, if it is still there, of which an input has
// gone.
func forgetGone(w weak.Pointer[Program]) {
	p := w.Value()
	if p == nil {
		return
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.bindings = slices.DeleteFunc(p.bindings, func(b *binding) bool {
		return slices.ContainsFunc(b.consts, func(c weak.Pointer[buf.Buffer]) bool { return c.Value() == nil })
	})
}

// prepare runs the steps that depend on constants alone and packs operands, or finds the results of both
// in the cache on disk.
func (b *binding) prepare(ctx context.Context, inputs []*buf.Buffer) error {
	b.packed = make([][]unsafe.Pointer, len(b.p.steps))
	list, total := b.p.parts()
	disk := b.p.saved(inputs, total)
	if disk != nil {
		if data, ok := disk.load(total); ok {
			b.use(list, data)
			return nil
		}
	}
	data := buf.Lasting(total)
	b.use(list, data)
	if err := b.compute(ctx, inputs, list[1:]); err != nil {
		return err
	}
	if disk != nil {
		disk.store(b.p, data)
	}
	return nil
}

// compute fills the memory of a binding; packs are its packed ports, in the order of the steps.
func (b *binding) compute(ctx context.Context, inputs []*buf.Buffer, packs []constant) error {
	f := b.newFrame()
	f.point(inputs, nil)
	f.watch(ctx)
	var later []constant // which no step that runs once reads
	for i, s := range b.p.steps {
		for len(packs) > 0 && packs[0].step == i {
			if s.fixed {
				f.pack(packs[0])
			} else {
				later = append(later, packs[0])
			}
			packs = packs[1:]
		}
		if s.fixed {
			if err := f.step(i, s); err != nil {
				return err
			}
		}
	}
	parallel.For(len(later), func(i int) {
		if !f.job.stopped() {
			f.pack(later[i])
		}
	})
	if f.job.stopped() {
		return ctx.Err()
	}
	f.forget()
	return nil
}

// newFrame allocates the memory of a run and sets the pointers that stay.
func (b *binding) newFrame() *frame {
	p := b.p
	f := &frame{b: b, arena: buf.Lasting(p.arenaBytes), ptrs: make([]unsafe.Pointer, p.ptrs)}
	threads := 1
	if p.threads > 1 {
		f.pool = workersFor(p.threads)
		threads = p.threads
	}
	f.args = make([]kernel.Args, threads)
	f.scratch = buf.Aligned(threads * p.scratch)
	for w := range f.args {
		if p.scratch > 0 {
			f.args[w].Scratch = unsafe.Pointer(&f.scratch[w*p.scratch])
		}
	}
	at := func(memory []byte, offset int) unsafe.Pointer {
		if offset >= len(memory) {
			return unsafe.Pointer(unsafe.SliceData(empty))
		}
		return unsafe.Pointer(&memory[offset])
	}
	for _, s := range p.steps {
		for i, n := range s.slots {
			sl := &p.slots[n]
			switch {
			case sl.kind == slotArgument || sl.kind == slotResult:
				f.patches = append(f.patches, patch{s.ptrs + i, sl.index, sl.kind == slotResult})
			case sl.data != nil:
				f.ptrs[s.ptrs+i] = at(sl.data, 0)
			case sl.kind == slotFixed:
				f.ptrs[s.ptrs+i] = at(b.fixed, sl.offset)
			default:
				f.ptrs[s.ptrs+i] = at(f.arena, sl.offset)
			}
		}
	}
	f.patches = slices.Clip(f.patches)
	return f
}

// empty stands for the memory of tensors without elements.
var empty = buf.Aligned(arenaAlignment)
