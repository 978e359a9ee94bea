package emit

import (
	"slices"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// guardsOf returns how many mask registers a program may keep for accesses of some lanes: more if no value is in one.
func guardsOf(masks []bool) int {
	if slices.Contains(masks, true) {
		return 2
	}
	return len(maskRegisters)
}

// guard keeps a mask register for the lanes of an access, if no instruction moves its bytes without a mask.
func (t *target) guard(i *vector.Instr) {
	lanes := int(i.Count)
	if t.f.Level != cpu.AVX512 || lanes == 0 || i.Mem == vector.Long {
		return
	}
	switch i.Op {
	case vector.Load, vector.Store:
		if _, _, ok := whole(lanes * i.Mem.Size(i.Kind)); ok {
			return
		}
	case vector.LoadStrided:
		if !t.readsEveryOther(i) {
			return
		}
		if last := 2*lanes - 1; last < t.p.Lanes {
			lanes = last
		}
	default:
		return
	}
	if len(t.guards) < t.mostGuards && !slices.Contains(t.guards, lanes) {
		t.guards = append(t.guards, lanes)
	}
}

// keptGuard is mask register n from the last one on.
func keptGuard(n int) asm.Reg { return asm.K(maskRegisters[len(maskRegisters)-1-n]) }

// setGuards sets the mask registers that the program keeps.
func (e *emitter) setGuards() {
	for n, lanes := range e.guards {
		e.lowest(keptGuard(n), lanes)
	}
}

// lowest sets a mask to some of the lowest lanes.
func (e *emitter) lowest(k asm.Reg, lanes int) {
	e.a.Emit(asm.MOV, scratch, asm.Imm(1<<lanes-1))
	e.a.Emit(asm.KMOVQ, k, scratch)
}

// lowestLanes returns a mask of some of the lowest lanes: one that the program keeps, or the mask of the moment.
func (e *emitter) lowestLanes(lanes int) asm.Reg {
	if n := slices.Index(e.guards, lanes); n >= 0 {
		return keptGuard(n)
	}
	k := asm.K(maskScratch)
	e.lowest(k, lanes)
	return k
}

// markMasks marks the values that are in mask registers: results of comparisons, and of operations on such masks alone,
// that serve other operations as masks alone.
func markMasks(p *vector.Program, in []bool) {
	if !slices.ContainsFunc(comparisons, p.Has) {
		return
	}
	changed := false
	p.Each(func(i *vector.Instr) {
		if i.Def >= 0 {
			in[i.Def] = compares(i.Op) || combines(i.Op) && !i.Kind.IsFloat() && !slices.ContainsFunc(i.Args, func(v vector.Value) bool { return !in[v] })
			changed = changed || in[i.Def]
		}
	})
	for changed {
		changed = false
		drop := func(list ...vector.Value) {
			for _, v := range list {
				changed = changed || in[v]
				in[v] = false
			}
		}
		p.Each(func(i *vector.Instr) {
			whole := combines(i.Op) && in[i.Def]
			for n, v := range i.Args {
				switch {
				case whole && !in[v]:
					drop(i.Def)
				case !whole && !guards(i, n, in):
					drop(v)
				}
			}
			if i.Op == vector.Loop {
				drop(i.Init...)
				drop(i.Body.Yield...)
			}
		})
	}
}

func compares(o vector.Op) bool { return slices.Contains(comparisons, o) }

// comparisons are the operations that make masks.
var comparisons = []vector.Op{vector.Equal, vector.Less, vector.LessEqual, vector.Below, vector.Unordered}

// combines reports whether an operation makes a mask of masks.
func combines(o vector.Op) bool {
	switch o {
	case vector.And, vector.AndNot, vector.Or, vector.Xor, vector.Not, vector.Widen, vector.Narrow:
		return true
	}
	return false
}

// guards reports whether a mask register serves as operand n of an operation: it says which lanes of other operands
// count.
func guards(i *vector.Instr, n int, in []bool) bool {
	switch i.Op {
	case vector.Select, vector.Fault:
		return n == 0
	case vector.And, vector.AndNot, vector.Or:
		return n == 1 && !in[i.Args[0]]
	}
	return false
}
