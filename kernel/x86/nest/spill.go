package nest

import (
	"math/bits"

	"github.com/go-acap/acap/kernel/x86/asm"
)

// evict stores the value that is needed last.
func (e *emitter) evict(n int32) {
	victim, farthest := -1, int32(-1)
	for r, v := range e.owner {
		if v == noValue || e.locked&(1<<r) != 0 || e.reg[v] != int8(r) {
			continue
		}
		if e.counted && e.hoisted(v) && e.saved[v] >= 0 {
			continue // the value is in its register at the start of every turn of the loop
		}
		next := e.after(v, n-1)
		if next < 0 {
			next = 1 << 30
		}
		if next > farthest {
			victim, farthest = r, next
		}
	}
	if victim < 0 {
		panic(errPressure)
	}
	v := e.owner[victim]
	if e.slot[v] < 0 {
		e.slot[v] = int32(e.slots)
		e.slots++
		e.a.Emit(asm.VMOVUPS, e.spillAt(int(e.slot[v])), asm.Vec(e.bytes(e.kindOf(v)), victim))
	}
	e.drop(v)
}

// reserve makes sure that at least n registers are free, by spilling hoisted
// values; called between the hoisted part and the loop.
func (e *emitter) reserve(n int) {
	e.locked = 0
	for bits.OnesCount32(e.free) < n-len(e.promoted) && e.owns() {
		e.evict(-1)
	}
}

func (e *emitter) owns() bool {
	for r, v := range e.owner {
		if v != noValue && e.reg[v] == int8(r) {
			return true
		}
	}
	return false
}
