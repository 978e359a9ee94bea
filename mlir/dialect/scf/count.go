package scf

import (
	"fmt"
	"iter"

	"github.com/go-acap/acap/mlir"
)

// unsignedAttr names the attribute of an scf.for that compares its counter without a sign.
const unsignedAttr = "unsignedCmp"

// Counter says how an scf.for counts. The zero value counts with a sign.
type Counter struct {
	unsigned uint64 // the bits of the counter's type, 0 with a sign
}

// CounterOf returns how op, an scf.for, counts.
func CounterOf(op *mlir.Operation) Counter {
	if op.Attrs.Get(unsignedAttr) == nil {
		return Counter{}
	}
	bits := ^uint64(0)
	if t, ok := op.Operands[0].Type.(mlir.IntegerType); ok && t.Width < 64 {
		bits = 1<<t.Width - 1
	}
	return Counter{unsigned: bits}
}

// Signed reports whether the counter is compared with a sign.
func (c Counter) Signed() bool { return c.unsigned == 0 }

// Count yields the counter of each turn. The bounds and the step are what the bits of their values are with a sign.
// The loop ends before the counter wraps around. A step of 0, or with a sign below 0, is an error.
func (c Counter) Count(from, to, step int64) (iter.Seq[int64], error) {
	if step == 0 || step < 0 && c.Signed() {
		return nil, fmt.Errorf("the step is %d", step)
	}
	bits, sign := c.unsigned, uint64(0)
	if c.Signed() {
		bits, sign = ^uint64(0), 1<<63 // the order of numbers with a sign is that of their bits with another sign
	}
	i, end, by := uint64(from)&bits^sign, uint64(to)&bits^sign, uint64(step)&bits
	return func(yield func(int64) bool) {
		for ; i < end; i += by {
			if !yield(int64(i^sign)) || end-i <= by {
				return
			}
		}
	}, nil
}
