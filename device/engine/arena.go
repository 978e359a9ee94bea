package engine

import (
	"slices"
	"sync"
	"weak"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/engine/plan"
)

// arena is the memory of what lies between the kernels of a run. Programs share large arenas: a model that has a program
// for each length of a prompt runs one at a time.
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

// takeArena returns an arena of at least n bytes that no other run has: the largest of those that are free, so that
// nobody keeps the others, or a new one. Of two the last one goes before the other.
func takeArena(n int, last *arena) *arena {
	if n < leastShared {
		if last == nil {
			last = &arena{memory: buf.Lasting(n)}
		}
		return last
	}
	arenas.Lock()
	defer arenas.Unlock()
	var best *arena
	arenas.list = slices.DeleteFunc(arenas.list, func(w weak.Pointer[arena]) bool {
		a := w.Value()
		if a != nil && a.serves(n) && (best == nil || len(a.memory) > len(best.memory) || len(a.memory) == len(best.memory) && a == last) {
			best = a
		}
		return a == nil
	})
	if best == nil {
		best = &arena{memory: buf.Lasting(n)}
		arenas.list = append(arenas.list, weak.Make(best))
	}
	best.taken = true
	return best
}

// serves reports whether a run that needs n bytes may take the arena. arenas.Mutex is held.
func (a *arena) serves(n int) bool {
	return !a.taken && n <= len(a.memory) && len(a.memory)/mostSpare <= n
}

// leave makes the arena free for other runs.
func (a *arena) leave() {
	if len(a.memory) < leastShared {
		return
	}
	arenas.Lock()
	a.taken = false
	arenas.Unlock()
}

// lay gives a frame an arena, and puts the tensors between kernels into the arena.
func (p *Program) lay(f *frame) {
	a := takeArena(p.ArenaBytes, f.arena)
	if a == f.arena {
		return
	}
	f.arena = a
	for _, s := range p.Steps {
		for i, n := range s.Slots {
			if sl := &p.Slots[n]; sl.Kind == plan.Arena {
				f.ptrs[s.Ptrs+i] = at(a.memory, sl.Offset+s.Begin(i))
			}
		}
	}
}
