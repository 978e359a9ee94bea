package plan

import (
	"cmp"
	"math"
	"slices"

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

// lifetime is memory in the arena, and the steps between which it is in use.
type lifetime struct{ first, last, offset, bytes int }

func roundUp(n int) int { return (n + arenaAlignment - 1) &^ (arenaAlignment - 1) }

// arrange gives the lifetimes their offsets, and returns the bytes of the arena. The largest come first: small ones
// fill the gaps between them.
func arrange(list []*lifetime) (size int) {
	slices.SortStableFunc(list, func(x, y *lifetime) int { return cmp.Compare(y.bytes, x.bytes) })
	placed := make([]*lifetime, 0, len(list)) // by offset
	for _, l := range list {
		l.bytes = min(max(roundUp(l.bytes), arenaAlignment), mostBytes)
		l.offset = l.gap(placed)
		size = max(size, min(l.offset+l.bytes, mostBytes))
		i, _ := slices.BinarySearchFunc(placed, l.offset, func(p *lifetime, offset int) int { return cmp.Compare(p.offset, offset) })
		placed = slices.Insert(placed, i, l)
	}
	return size
}

// gap returns the offset of the smallest gap that holds l between the lifetimes that share a step with l, or of the end
// of these.
func (l *lifetime) gap(placed []*lifetime) int {
	end, best, least := 0, -1, math.MaxInt
	for _, p := range placed {
		if p.last < l.first || l.last < p.first {
			continue
		}
		if free := p.offset - end; l.bytes <= free && free < least {
			best, least = end, free
		}
		end = min(max(end, p.offset+p.bytes), mostBytes)
	}
	if best < 0 {
		return end
	}
	return best
}
