package kernel

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
)

// Narrow rewrites in place conversions of f32 to i64 whose value is known to fit i32 if only the low two bytes of the
// result are kept: they become conversions to i32, which processors have for twice as many lanes. A NaN has zeros in
// these bytes either way. refs are further references into the body.
func Narrow(b Body, refs []*int) {
	kept := make([]bool, len(b)) // values whose upper bytes matter
	for _, r := range refs {
		kept[*r] = true
	}
	for k := len(b) - 1; k >= 0; k-- {
		in := b[k]
		cut := in.Op == Cast && in.Type.IsInt() && (in.Type.Size() <= 2 || in.Type == dtype.I32 && !kept[k])
		for _, o := range in.Operands() {
			kept[o] = kept[o] || !cut
		}
		if in.Op != Cast || in.Type != dtype.I64 || kept[k] || b[in.A].Type != dtype.F32 {
			continue
		}
		if low, high := b.Bounds(in.A); low >= math.MinInt32 && high <= math.MaxInt32/2 {
			b[k].Type = dtype.I32
		}
	}
}

// Bounds returns what minima and maxima with constants say of a value of f32, if it is not NaN.
func (b Body) Bounds(v int) (low, high float64) {
	in := b[v]
	if in.Op != Min && in.Op != Max {
		return math.Inf(-1), math.Inf(1)
	}
	x, c := in.A, in.B
	if b[x].Op == Const {
		x, c = c, x
	}
	low, high = b.Bounds(x)
	limit := float64(math.Float32frombits(uint32(b[c].Imm)))
	switch {
	case b[c].Op != Const || in.Type != dtype.F32 || limit != limit:
		return math.Inf(-1), math.Inf(1)
	case in.Op == Min:
		return min(low, limit), min(high, limit)
	}
	return max(low, limit), max(high, limit)
}
