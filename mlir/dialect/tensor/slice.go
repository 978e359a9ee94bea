package tensor

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// Bound is an offset, size, stride or padding width: a constant, or a value of
// type index.
type Bound struct {
	Value  *mlir.Value // nil for a constant
	Static int
}

// Statics returns constant bounds.
func Statics(values ...int) []Bound {
	bounds := make([]Bound, len(values))
	for i, v := range values {
		bounds[i].Static = v
	}
	return bounds
}

// splitBounds appends the values among the bounds to the operands and returns the
// constants, with the dynamic mark for the values.
func splitBounds(op *mlir.Operation, bounds []Bound) mlir.DenseArrayAttr {
	a := mlir.DenseArrayAttr{Elem: mlir.I64, Ints: make([]int64, len(bounds))}
	for i, b := range bounds {
		a.Ints[i] = int64(b.Static)
		if b.Value != nil {
			a.Ints[i] = mlir.DynamicStride
			op.Operands = append(op.Operands, b.Value)
		}
	}
	return a
}

// joinBounds is the inverse: it takes the values that it needs from the front of
// dynamic and returns the rest.
func joinBounds(a mlir.Attribute, dynamic []*mlir.Value) ([]Bound, []*mlir.Value) {
	list, _ := a.(mlir.DenseArrayAttr)
	bounds := make([]Bound, len(list.Ints))
	for i, n := range list.Ints {
		bounds[i].Static = int(n)
		if n == mlir.DynamicStride && len(dynamic) > 0 {
			bounds[i] = Bound{Value: dynamic[0]}
			dynamic = dynamic[1:]
		}
	}
	return bounds, dynamic
}

// parseBounds reads [0, %i].
func parseBounds(p *mlir.Parser) []Bound {
	var bounds []Bound
	p.List("[", "]", func() {
		if p.NextOperand() {
			bounds = append(bounds, Bound{Value: p.Resolve(p.Operand(), mlir.Index)})
		} else {
			bounds = append(bounds, Bound{Static: p.Int()})
		}
	})
	return bounds
}

func printBounds(p *mlir.Printer, bounds []Bound) {
	p.Text("[")
	for i, b := range bounds {
		if i > 0 {
			p.Text(", ")
		}
		if b.Value != nil {
			p.Value(b.Value)
		} else {
			p.Text(strconv.Itoa(b.Static))
		}
	}
	p.Text("]")
}

// Slice selects a part of a tensor: for each dimension the first index, the number
// of elements, and their distance. No Strides means 1 each.
type Slice struct{ Offsets, Sizes, Strides []Bound }

// set stores the slice in op behind the given number of leading operands.
func (s Slice) set(op *mlir.Operation) {
	segments := make([]int64, len(op.Operands))
	for i := range segments {
		segments[i] = 1
	}
	if s.Strides == nil {
		s.Strides = make([]Bound, len(s.Sizes))
		for i := range s.Strides {
			s.Strides[i].Static = 1
		}
	}
	var attrs mlir.Attrs
	for _, part := range []struct {
		name   string
		bounds []Bound
	}{{"static_offsets", s.Offsets}, {"static_sizes", s.Sizes}, {"static_strides", s.Strides}} {
		before := len(op.Operands)
		a := splitBounds(op, part.bounds)
		segments = append(segments, int64(len(op.Operands)-before))
		attrs = append(attrs, mlir.Named{Name: part.name, Value: a})
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: "operandSegmentSizes",
		Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: segments}})
	op.Attrs = append(op.Attrs, attrs...)
}

// sliceOf returns what an extract_slice selects, or an insert_slice, also of a parallel loop.
func sliceOf(op *mlir.Operation) Slice {
	first := 1
	if op.Name != "tensor.extract_slice" {
		first = 2
	}
	var s Slice
	rest := op.Operands[min(first, len(op.Operands)):]
	s.Offsets, rest = joinBounds(op.Attrs.Get("static_offsets"), rest)
	s.Sizes, rest = joinBounds(op.Attrs.Get("static_sizes"), rest)
	s.Strides, _ = joinBounds(op.Attrs.Get("static_strides"), rest)
	return s
}

func parseSlice(p *mlir.Parser) Slice {
	return Slice{parseBounds(p), parseBounds(p), parseBounds(p)}
}

func printSlice(p *mlir.Printer, s Slice) {
	printBounds(p, s.Offsets)
	p.Text(" ")
	printBounds(p, s.Sizes)
	p.Text(" ")
	printBounds(p, s.Strides)
}

// sliceAttrs are the attributes that the custom forms show as bounds.
var sliceAttrs = []string{
	"operandSegmentSizes", "static_offsets", "static_sizes", "static_strides"}

// parseExtractSlice reads %t[offsets] [sizes] [strides] {…} : T to U.
func parseExtractSlice(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	s := parseSlice(p)
	attrs := p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("to")
	op.SetResults(p.Type())
	s.set(op)
	op.Attrs = append(op.Attrs, attrs...)
}

func printExtractSlice(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	printSlice(p, sliceOf(op))
	p.OptionalAttrs(op.Attrs, sliceAttrs...)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" to ")
	p.Type(op.Results[0].Type)
}

// parseInsertSlice reads %s into %t[offsets] [sizes] [strides] {…} : S into T.
func parseInsertSlice(p *mlir.Parser, op *mlir.Operation) {
	source := p.Operand()
	p.Expect("into")
	dest := p.Operand()
	s := parseSlice(p)
	attrs := p.AttrDict()
	p.Expect(":")
	st := p.Type()
	p.Expect("into")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(source, st), p.Resolve(dest, t)}
	op.SetResults(t)
	s.set(op)
	op.Attrs = append(op.Attrs, attrs...)
}

func printInsertSlice(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" into ")
	p.Value(op.Operands[1])
	printSlice(p, sliceOf(op))
	p.OptionalAttrs(op.Attrs, sliceAttrs...)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" into ")
	p.Type(op.Operands[1].Type)
}
