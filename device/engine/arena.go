package engine

import (
	"slices"
	"sync"
	"unsafe"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/plan"
)

// arena is the memory of what lies between the kernels of a run. Programs share large arenas: a model that has a
// program for each length of a prompt runs one at a time.
type arena struct {
	memory []byte
	taken  bool // by a run; arenas.Mutex is held
}

// arenas are the large ones that frames have.
var arenas struct {
	sync.Mutex
	list []weak.Pointer[arena]
}

// An arena is shared from leastShared bytes on, by programs that need at least one part in mostSpare of the arena.
const leastShared, mostSpare = 1 << 20, 4

// takeArena returns an arena of at least n bytes that no other run has: the largest of those that are free, or a new
// one, which takes the place of smaller ones.
func takeArena(n int) *arena {
	arenas.Lock()
	defer arenas.Unlock()
	var best *arena
	arenas.list = slices.DeleteFunc(arenas.list, func(w weak.Pointer[arena]) bool {
		a := w.Value()
		if a == nil || a.memory == nil {
			return true
		}
		if !a.taken && a.serves(n) && (best == nil || len(a.memory) > len(best.memory)) {
			best = a
		}
		return false
	})
	if best == nil {
		best = &arena{memory: buf.Lasting(n)}
		for _, w := range arenas.list {
			if a := w.Value(); a != nil && !a.taken && best.serves(len(a.memory)) {
				a.memory = nil
			}
		}
		arenas.list = append(arenas.list, weak.Make(best))
	}
	best.taken = true
	return best
}

// serves reports whether the arena has room for n bytes, and not much more.
func (a *arena) serves(n int) bool {
	return n <= len(a.memory) && len(a.memory)/mostSpare <= n
}

// lay puts what lies between the kernels of a run into an arena: a small one of the frame's own, or a large one that
// the run takes.
func (p *Program) lay(f *frame) {
	switch {
	case p.ArenaBytes >= leastShared:
		f.arena = takeArena(p.ArenaBytes)
	case f.arena == nil:
		f.arena = &arena{memory: buf.Lasting(p.ArenaBytes)}
	default:
		return
	}
	p.between(f, func(offset int) unsafe.Pointer { return at(f.arena.memory, offset) })
}

// leave makes a large arena free for other runs. The frame drops its pointers, which would keep the memory.
func (p *Program) leave(f *frame) {
	if p.ArenaBytes < leastShared {
		return
	}
	p.between(f, func(int) unsafe.Pointer { return nil })
	arenas.Lock()
	f.arena.taken = false
	arenas.Unlock()
}

// between sets the pointers to what lies between kernels, by their offsets in the arena.
func (p *Program) between(f *frame, pointer func(offset int) unsafe.Pointer) {
	for _, s := range p.Steps {
		for i, n := range s.Slots {
			if sl := &p.Slots[n]; sl.Kind == plan.Arena {
				f.ptrs[s.Ptrs+i] = pointer(sl.Offset + s.Begin(i))
			}
		}
	}
}
