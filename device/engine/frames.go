package engine

import (
	"slices"
	"sync"
	"unsafe"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/device/engine/workers"
	"github.com/go-acap/acap/kernel"
)

// newFrame allocates the memory of a run and sets the pointers that stay.
func (p *Program) newFrame() *frame {
	f := &frame{ptrs: make([]unsafe.Pointer, p.Ptrs)}
	threads := 1
	if p.threads > 1 {
		f.pool = workers.Shared(p.threads)
		threads = p.threads
	}
	f.args = make([]kernel.Args, threads)
	f.scratch = buf.Aligned(threads * p.Scratch)
	for w := range f.args {
		if p.Scratch > 0 {
			f.args[w].Scratch = unsafe.Pointer(&f.scratch[w*p.Scratch])
		}
	}
	for _, s := range p.Steps {
		for i, n := range s.Slots {
			sl, begin := &p.Slots[n], s.Begin(i)
			switch {
			case sl.Kind == plan.Argument || sl.Kind == plan.Result:
				f.patches = append(f.patches, patch{s.Ptrs + i, sl.Index, begin, sl.Kind == plan.Result})
			case sl.Data != nil:
				f.ptrs[s.Ptrs+i] = at(sl.Data, begin)
			case sl.Kind == plan.Fixed:
				f.once = append(f.once, patch{at: s.Ptrs + i, begin: sl.Offset + begin})
			}
		}
	}
	p.lay(f)
	f.patches, f.once = slices.Clip(f.patches), slices.Clip(f.once)
	return f
}

// bind makes the frame one of a binding. It costs little, so that runs with many sets of weights share their memory.
func (f *frame) bind(b *binding) {
	if f.b == b {
		return
	}
	f.b = b
	for _, p := range f.once {
		f.ptrs[p.at] = at(b.fixed, p.begin)
	}
}

// unbind drops what frames that no run uses have of a binding, which is then garbage. p.mu is held.
func (p *Program) unbind(b *binding) {
	for _, f := range p.frames {
		if f.b != b {
			continue
		}
		f.b = nil
		for _, p := range f.once {
			f.ptrs[p.at] = nil
		}
		for w := range f.args {
			f.args[w].Packed = nil
		}
	}
}

// take returns a frame that no run uses, if there is one, one of the binding before others. p.mu is held.
func (p *Program) take(b *binding) *frame {
	last := len(p.frames) - 1
	if last < 0 {
		return nil
	}
	i := last
	for i > 0 && p.frames[i].b != b {
		i--
	}
	if p.frames[i].b != b {
		i = last
	}
	f := p.frames[i]
	p.frames[i] = p.frames[last]
	p.frames[last] = nil
	p.frames = p.frames[:last]
	p.lay(f)
	return f
}

// frame returns a frame of a binding that no run uses.
func (p *Program) frame(b *binding) *frame {
	p.mu.Lock()
	f := p.take(b)
	p.mu.Unlock()
	if f == nil {
		f = p.newFrame()
	}
	f.bind(b)
	return f
}

// maxFrames bounds the frames that are kept for later runs.
const maxFrames = 16

// spare keeps a frame for a later run.
func (p *Program) spare(f *frame) {
	f.forget()
	p.leave(f)
	p.mu.Lock()
	p.keepFrame(f)
	p.mu.Unlock()
}

// keepFrame is spare for who holds p.mu.
func (p *Program) keepFrame(f *frame) {
	if len(p.frames) < maxFrames && !p.closed {
		p.frames = append(p.frames, f)
	}
}

// at is the address of an offset in memory.
func at(memory []byte, offset int) unsafe.Pointer {
	if offset >= len(memory) {
		return empty()
	}
	return unsafe.Pointer(&memory[offset])
}

// empty stands for the memory of tensors without elements.
var empty = sync.OnceValue(func() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(buf.Aligned(buf.Alignment))) })
