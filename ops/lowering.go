package ops

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

// Lowering builds the linalg form of calls at the end of a block.
//
// Tensors of the linalg form are signless: u8 becomes i8, and the operations say
// whether they are unsigned. Floats of 8 bits are i8 as well. Half types compute in float32 and round where a
// value is stored, as PyTorch's kernels do.
type Lowering struct {
	Block  *mlir.Block
	Loc    mlir.Location
	values func(Value) *mlir.Value
}

// NewLowering returns a lowering that appends to block. values gives the lowered
// form of an operand.
func NewLowering(block *mlir.Block, loc mlir.Location, values func(Value) *mlir.Value) *Lowering {
	return &Lowering{Block: block, Loc: loc, values: values}
}

// LoweredType is the MLIR type that a tensor has in the linalg form.
func LoweredType(t TensorType) mlir.TensorType {
	return mlir.TensorType{Shape: t.Shape, Elem: loweredElem(t.DType)}
}

func loweredElem(d dtype.DType) mlir.Type { return mlir.ElemType(d.Signless()) }

// In returns the lowered form of tensor argument i of c.
func (l *Lowering) In(c *Call, i int) Lowered {
	v := c.Tensor(i)
	return Lowered{l.values(v), v.Type().DType}
}

// List returns the lowered forms of tensor list argument i of c.
func (l *Lowering) List(c *Call, i int) []Lowered {
	list := c.Tensors(i)
	out := make([]Lowered, len(list))
	for j, v := range list {
		out[j] = Lowered{l.values(v), v.Type().DType}
	}
	return out
}

// Lowered is a lowered tensor with the element type that its bits stand for.
type Lowered struct {
	V *mlir.Value
	D dtype.DType
}

// Shape returns the extents.
func (t Lowered) Shape() []int { return t.V.Type.(mlir.TensorType).Shape }

// Type returns the tensor type before lowering.
func (t Lowered) Type() TensorType { return TensorType{t.D, t.Shape()} }

// one wraps a single result.
func one(t Lowered) []*mlir.Value { return []*mlir.Value{t.V} }

// create appends an operation.
func (l *Lowering) create(name string, operands []*mlir.Value, results []mlir.Type,
	attrs ...mlir.Named) *mlir.Operation {
	return l.builder().Create(name, operands, results, attrs)
}

func (l *Lowering) builder() *mlir.Builder { return &mlir.Builder{Block: l.Block, Loc: l.Loc} }

// Empty returns a tensor with unspecified contents.
func (l *Lowering) Empty(d dtype.DType, dims []int) Lowered {
	t := LoweredType(TensorType{d, dims})
	return Lowered{l.create("tensor.empty", nil, []mlir.Type{t}).Result(), d}
}

// Number returns a scalar constant.
func (l *Lowering) Number(d dtype.DType, v float64) *mlir.Value {
	s := Scalars{l.builder(), l.values}
	return s.Const(d, v).V
}

// Fill returns a tensor of one number.
func (l *Lowering) Fill(d dtype.DType, dims []int, v float64) Lowered {
	return l.FillValue(Elem{l.Number(d, v), d}, dims)
}

// FillValue returns a tensor of one scalar value.
func (l *Lowering) FillValue(v Elem, dims []int) Lowered {
	out := l.Empty(v.D, dims)
	return Lowered{linalg.Fill(l.builder(), v.V, out.V), v.D}
}

// segmentSizes is the attribute that says how many operands each argument of tensors has.
const segmentSizes = "operandSegmentSizes"

func segments(sizes ...int) mlir.Named {
	a := mlir.DenseArrayAttr{Elem: mlir.I32}
	for _, n := range sizes {
		a.Ints = append(a.Ints, int64(n))
	}
	return mlir.Named{Name: segmentSizes, Value: a}
}

// Parallel and Reduction are the iterator types of [Lowering.Generic].
const (
	Parallel  = "parallel"
	Reduction = "reduction"
)

// Operand is an input of a generic with its indexing map.
type Operand struct {
	Lowered
	Map mlir.AffineMap
}

// Generic appends a linalg.generic. The body gets the elements of the inputs and
// then of the outputs, and returns what is yielded.
func (l *Lowering) Generic(iterators []string, ins, outs []Operand,
	body func(s *Scalars, x []Elem) []Elem) []Lowered {
	all := slices.Concat(ins, outs)
	operands, args := make([]*mlir.Value, len(all)), make([]mlir.Type, len(all))
	maps, kinds := make(mlir.ArrayAttr, len(all)), make(mlir.ArrayAttr, len(iterators))
	for i, o := range all {
		operands[i], maps[i] = o.V, mlir.AffineMapAttr{Map: o.Map}
		args[i] = o.V.Type.(mlir.TensorType).Elem
	}
	results := make([]mlir.Type, len(outs))
	for i, o := range outs {
		results[i] = o.V.Type
	}
	for i, k := range iterators {
		kinds[i] = iteratorAttrs[k]
	}
	op := l.create("linalg.generic", operands, results, mlir.Named{Name: "indexing_maps", Value: maps},
		mlir.Named{Name: "iterator_types", Value: kinds}, segments(len(ins), len(outs)))
	block := op.AddRegion().AddBlock(args...)
	s := &Scalars{l.builder().In(block), l.values}
	x := make([]Elem, len(all))
	for i, o := range all {
		x[i] = Elem{block.Args[i], o.D}
	}
	made := body(s, x)
	yielded := make([]*mlir.Value, len(made))
	for i, e := range made {
		yielded[i] = e.V
	}
	s.Create("linalg.yield", yielded, nil, nil)
	out := make([]Lowered, len(outs))
	for i := range outs {
		out[i] = Lowered{op.Results[i], outs[i].D}
	}
	return out
}

// iteratorAttrs are the kinds of loops of linalg as attributes.
var iteratorAttrs = func() map[string]mlir.Attribute {
	all := map[string]mlir.Attribute{}
	for _, kind := range []string{Parallel, Reduction} {
		all[kind] = mlir.OpaqueAttr{Text: "#linalg.iterator_type<" + kind + ">"}
	}
	return all
}()

// broadcastMap reads a tensor of shape dims at the points of a space of shape
// out: missing leading dimensions are dropped, extents of 1 stay at 0.
func broadcastMap(dims, out []int) mlir.AffineMap {
	m := mlir.AffineMap{Dims: len(out)}
	shift := len(out) - len(dims)
	for i, n := range dims {
		if n == 1 && out[i+shift] != 1 {
			m.Results = append(m.Results, mlir.Const(0))
		} else {
			m.Results = append(m.Results, mlir.Dim(i+shift))
		}
	}
	return m
}

// repeat returns n times v.
func repeat[E any](v E, n int) []E {
	out := make([]E, n)
	for i := range out {
		out[i] = v
	}
	return out
}

// Pointwise computes body at every point of out from broadcast inputs. Half
// types reach the body as float32; its result is converted to out's type.
func (l *Lowering) Pointwise(out TensorType, ins []Lowered,
	body func(s *Scalars, x []Elem) Elem) Lowered {
	return l.pointwiseRaw(out, ins, func(s *Scalars, x []Elem) Elem {
		for i := range x {
			x[i] = s.Widen(x[i])
		}
		return body(s, x)
	})
}

// pointwiseRaw is [Lowering.Pointwise] without widening the half types.
func (l *Lowering) pointwiseRaw(out TensorType, ins []Lowered,
	body func(s *Scalars, x []Elem) Elem) Lowered {
	list := make([]Operand, len(ins))
	for i, t := range ins {
		list[i] = Operand{t, broadcastMap(t.Shape(), out.Shape)}
	}
	to := []Operand{{l.Empty(out.DType, out.Shape), mlir.Identity(len(out.Shape))}}
	return l.Generic(repeat(Parallel, len(out.Shape)), list, to,
		func(s *Scalars, x []Elem) []Elem {
			return []Elem{s.Cast(body(s, x[:len(ins)]), out.DType)}
		})[0]
}

// Cast converts a tensor to another element type.
func (l *Lowering) Cast(t Lowered, d dtype.DType) Lowered {
	if t.D == d {
		return t
	}
	return l.Pointwise(TensorType{d, t.Shape()}, []Lowered{t},
		func(s *Scalars, x []Elem) Elem { return x[0] })
}

// reduceLoops returns the iterators of a reduction over dims of a space of the
// given rank, and the map of its result.
func reduceLoops(rank int, dims []int) ([]string, mlir.AffineMap) {
	iterators := repeat(Parallel, rank)
	for _, d := range dims {
		iterators[d] = Reduction
	}
	m := mlir.AffineMap{Dims: rank}
	for i, kind := range iterators {
		if kind == Parallel {
			m.Results = append(m.Results, mlir.Dim(i))
		}
	}
	return iterators, m
}
