package plan

import (
	"sort"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
)

// arenaAlignment of every tensor in the arena, in bytes.
const arenaAlignment = 64

// mostBytes is where counting stops: a program that needs as much is refused.
const mostBytes = 1 << 60

// SlotKind says which memory a slot is part of.
type SlotKind uint8

const (
	Arena    SlotKind = iota
	Argument          // an input of the run
	Result            // a result of the run
	Fixed             // constants, and what is computed from constants alone
)

// slot is where a tensor of the program lies.
type slot struct {
	Kind        SlotKind
	t           *graph.Tensor // while the program is planned; nil for memory that the workers of one step share
	DType       dtype.DType
	Size        int    // elements; 0 for such memory
	Data        []byte // of a constant
	Index       int    // of an argument or result
	Offset      int    // in the arena, or in the fixed memory
	Bytes       int
	First, Last int // the steps between which it is in use; -1 if none
	placed      bool
	given       bool // a later slot has taken the memory over
}

// block is free memory in the arena.
type block struct{ offset, bytes int }

// arena hands out memory for lifetimes in the order in which they begin.
type arena struct {
	free []block // sorted by offset, not adjacent
	size int
}

func roundUp(n int) int { return (n + arenaAlignment - 1) &^ (arenaAlignment - 1) }

// take returns the offset of n bytes: the smallest free block that fits, or the end.
func (a *arena) take(n int) int {
	n = max(roundUp(n), arenaAlignment)
	best := -1
	for i, b := range a.free {
		if b.bytes >= n && (best < 0 || b.bytes < a.free[best].bytes) {
			best = i
		}
	}
	if best < 0 {
		return a.grow(n)
	}
	b := &a.free[best]
	offset := b.offset
	b.offset += n
	b.bytes -= n
	if b.bytes == 0 {
		a.free = append(a.free[:best], a.free[best+1:]...)
	}
	return offset
}

// grow takes n bytes at the end, together with a free block that lies there.
func (a *arena) grow(n int) int {
	offset := a.size
	if k := len(a.free) - 1; k >= 0 && a.free[k].offset+a.free[k].bytes == a.size {
		offset = a.free[k].offset
		a.free = a.free[:k]
	}
	a.size = min(offset+n, mostBytes)
	return offset
}

// give returns memory.
func (a *arena) give(offset, n int) {
	n = max(roundUp(n), arenaAlignment)
	i := sort.Search(len(a.free), func(i int) bool { return a.free[i].offset > offset })
	a.free = append(a.free, block{})
	copy(a.free[i+1:], a.free[i:])
	a.free[i] = block{offset, n}
	if i+1 < len(a.free) && offset+n == a.free[i+1].offset {
		a.free[i].bytes += a.free[i+1].bytes
		a.free = append(a.free[:i+1], a.free[i+2:]...)
	}
	if i > 0 && a.free[i-1].offset+a.free[i-1].bytes == offset {
		a.free[i-1].bytes += a.free[i].bytes
		a.free = append(a.free[:i], a.free[i+1:]...)
	}
}
