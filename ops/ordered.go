package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// This file builds the operations of the acap dialect, which linalg lacks. A tensor
// without dimensions has one line of one element.

// lined gives a tensor without dimensions one.
func (l *Lowering) lined(t Lowered) Lowered {
	if len(t.Shape()) > 0 {
		return t
	}
	return l.Reshape(t, []int{1})
}

// Scan folds every line of t along an axis up to each of its elements. The half types are
// scanned in the widened type, for which there is machine code.
func (l *Lowering) Scan(kind string, t Lowered, axis int) Lowered {
	if len(t.Shape()) == 0 {
		return t
	}
	if wide := widened(t.D); wide != t.D {
		return l.Cast(l.Scan(kind, l.Cast(t, wide), axis), t.D)
	}
	return Lowered{acap.Scan(l.builder(), kind, t.V, axis, !t.D.IsSigned()), t.D}
}

// runningExtremes gives the extremes of the elements up to each of every line of t along
// an axis, and the last positions that they had; kind is acap.Max or acap.Min.
func (l *Lowering) runningExtremes(kind string, t Lowered, axis int) (extremes, positions Lowered) {
	half := t.D
	t = l.Cast(l.lined(t), widened(half))
	at := acap.ScanPositions(l.builder(), kind, t.V, axis, !t.D.IsSigned())
	return l.Cast(l.Scan(kind, t, axis), half), Lowered{at, dtype.I64}
}

// Sort orders every line of t along an axis and returns count places of it from first
// on, with the positions that the elements had.
func (l *Lowering) Sort(t Lowered, axis int, descending bool, first, count int) (values, positions Lowered) {
	v, p := acap.Sort(l.builder(), l.lined(t).V, acap.Order{Axis: axis, Descending: descending,
		Unsigned: !t.D.IsSigned(), First: first, Count: count})
	return Lowered{v, t.D}, Lowered{p, dtype.I64}
}

// Scatter folds updates into a copy of into, in order, at index along an axis.
func (l *Lowering) Scatter(kind string, updates, index, into Lowered, axis int) Lowered {
	out := acap.Scatter(l.builder(), updates.V, l.Cast(index, dtype.I64).V, into.V,
		acap.Folding{Kind: kind, Axis: axis, Unsigned: !into.D.IsSigned()})
	return Lowered{out, into.D}
}

// pickAlong reads t at one position of every line along an axis: at has the shape of t
// without the axis.
func (l *Lowering) pickAlong(t, at Lowered, axis int) Lowered {
	return l.FromIndex(TensorType{t.D, at.Shape()}, func(s *Scalars, index []Elem) Elem {
		place := append(append([]Elem(nil), index[:axis]...), s.At(at, index...))
		return s.At(t, append(place, index[axis:]...)...)
	})
}

// reshaped returns the values of results in the shapes of the call's.
func (l *Lowering) reshaped(c *Call, results ...Lowered) []*mlir.Value {
	out := make([]*mlir.Value, len(results))
	for i, r := range results {
		out[i] = l.Reshape(r, c.Out[i].Shape).V
	}
	return out
}

// without is dims without dimension d.
func without(dims []int, d int) []int { return shape.Reduce(dims, []int{d}, false) }
