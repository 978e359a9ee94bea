package tensor

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/ops"
)

// ToEnd stands for the end of a dimension, in a [Range] or a [Tensor.Slice].
const ToEnd = math.MaxInt

// Selection says what [Tensor.At] takes of a dimension.
type Selection struct {
	kind             selectionKind
	start, end, step int
}

type selectionKind int

const (
	selectAll selectionKind = iota
	selectRange
	selectNewAxis
	selectRest
)

// All takes all of a dimension; NewAxis adds one of extent 1; Rest takes all of as many
// dimensions as the others leave.
var (
	All     = Selection{kind: selectAll}
	NewAxis = Selection{kind: selectNewAxis}
	Rest    = Selection{kind: selectRest}
)

// Range takes the indices from start to end, without end. Negative numbers count from the
// end; [ToEnd] is the end itself.
func Range(start, end int) Selection { return RangeBy(start, end, 1) }

// RangeBy is [Range] in steps of more than one.
func RangeBy(start, end, step int) Selection {
	return Selection{kind: selectRange, start: start, end: end, step: step}
}

// At returns elements by an index for each dimension, from the first on, as x[…] does in
// Python; dimensions without one stay whole. An index is
//
//	an int               the slice at that place; negative numbers count from the end
//	All, Rest            all of a dimension, or of several
//	Range(start, end)    a part of a dimension; RangeBy has steps
//	NewAxis              another dimension of extent 1
//	[]int, a *Tensor     the slices at these places; of bools, those where it is true
//
// Without lists and tensors the result is a view: x.At(0).FillScalarInPlace(1) changes x. With them it is a copy, by
// PyTorch's rules. More indices than dimensions panic with a [*ShapeError], and so does a place outside of its
// dimension; a value of another type panics with an [*ArgError].
func (t *Tensor) At(indices ...any) *Tensor {
	taken := 0
	for _, index := range indices {
		switch v := index.(type) {
		case Selection:
			if v.kind == selectAll || v.kind == selectRange {
				taken++
			}
		case *Tensor:
			taken += dimensionsOf(v)
		default:
			taken++
		}
	}
	if taken > t.Dim() {
		raise(&ShapeError{Op: "at", Detail: fmt.Sprintf("%d indices for a tensor of %d dimensions", taken, t.Dim())})
	}
	x, dim, rest := t, 0, t.Dim()-taken
	var advanced []*Tensor
	for _, index := range indices {
		switch v := index.(type) {
		case int:
			x = x.Select(dim, v)
		case Selection:
			switch v.kind {
			case selectRange:
				x = x.Slice(dim, v.start, v.end, Step(v.step))
				dim++
			case selectAll:
				dim++
			case selectNewAxis:
				x = x.Unsqueeze(dim)
				dim++
			case selectRest:
				dim, rest = dim+rest, 0
			}
		case []int:
			advanced = place(advanced, dim, Of(int64s(v)))
			dim++
		case *Tensor:
			advanced = place(advanced, dim, v)
			dim += dimensionsOf(v)
		default:
			raise(&ArgError{Op: "at", Detail: fmt.Sprintf("%T is no index: there is int, []int, *Tensor, All, Rest, Range and NewAxis",
				index)})
		}
	}
	if len(advanced) == 0 {
		return x
	}
	for i, a := range advanced {
		if a != nil {
			advanced[i] = a.To(x.Device())
		}
	}
	return call1(opAt, nil, ops.TensorArg(x), tensorsArg(advanced))
}

var opAt = ops.MustLookup("index.Tensor")

// dimensionsOf is how many dimensions a tensor indexes: one, or all of a mask.
func dimensionsOf(index *Tensor) int {
	if index.DType() == dtype.Bool {
		return max(index.Dim(), 1)
	}
	return 1
}

// place sets the index of a dimension.
func place(list []*Tensor, dim int, index *Tensor) []*Tensor {
	for len(list) < dim {
		list = append(list, nil)
	}
	return append(list, index)
}

func int64s(list []int) []int64 {
	out := make([]int64, len(list))
	for i, v := range list {
		out[i] = int64(v)
	}
	return out
}

// Slice returns a view of the slices from start to end of a dimension, without end.
// Negative numbers count from the end; [ToEnd] is the end itself. The option Step(n) takes every n-th element.
//
//	slice.Tensor(Tensor(a) self, int dim=0, int? start=None, int? end=None, int step=1) -> Tensor(a)
func (t *Tensor) Slice(dim, start, end int, options ...Option) *Tensor {
	return call1(opSlice, options, ops.TensorArg(t), ops.IntArg(dim), ops.IntArg(start), ops.IntArg(end))
}

var opSlice = ops.MustLookup("slice.Tensor")

// oneOrMore is an int, or a list of several.
func oneOrMore(v []int) any {
	if len(v) == 1 {
		return v[0]
	}
	return v
}
