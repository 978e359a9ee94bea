package vector

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// byHand are the operations whose form no description gives.
func byHand() []mlir.OpDef {
	const any = mlir.Variadic
	return []mlir.OpDef{
		{Name: "vector.contract", Traits: mlir.Pure, Operands: 3, Results: 1, Verify: verifyContract, Parse: parseContract, Print: printContract},
		{Name: "vector.outerproduct", Traits: mlir.Pure, Operands: any, Results: 1, Verify: verifyOuter,
			Parse: parseOuter, Print: printOuter},
		{Name: "vector.shuffle", Traits: mlir.Pure, Operands: 2, Results: 1, Verify: verifyShuffle,
			Parse: parseShuffle, Print: printShuffle},
		{Name: "vector.transfer_read", Operands: any, Results: 1, Verify: verifyTransfer,
			Parse: parseRead, Print: printRead},
		{Name: "vector.transfer_write", Operands: any, Results: any, Verify: verifyTransfer,
			Parse: parseWrite, Print: printWrite},
		{Name: "vector.mask", Operands: any, Results: any, Regions: 1, Traits: mlir.RecursiveEffects,
			Verify: verifyMask, Parse: parseMask, Print: printMask},
		{Name: "vector.warp_execute_on_lane_0", Operands: any, Results: any, Regions: 1,
			Traits: mlir.SingleBlock | mlir.RecursiveEffects, Verify: verifyWarp, Parse: parseWarp, Print: printWarp},
	}
}

// parseContract reads {…} %a, %b, %c : T, U into V.
func parseContract(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = iterators(p.AttrDictOrAlias(), true)
	refs := p.OperandsN(3)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	types := p.TypeList()
	p.Expect("into")
	result := p.Type()
	op.Operands = p.ResolveAll(refs, append(types, result))
	op.SetResults(result)
}

// iterators turns the iterator types between strings, as the text has them, and
// attributes.
func iterators(attrs mlir.Attrs, read bool) mlir.Attrs {
	attrs = slices.Clone(attrs)
	for i, n := range attrs {
		list, ok := n.Value.(mlir.ArrayAttr)
		if n.Name != "iterator_types" || !ok {
			continue
		}
		list = slices.Clone(list)
		for k, e := range list {
			list[k] = respelled(e, read)
		}
		attrs[i].Value = list
	}
	return attrs
}

// respelled turns a string into the attribute of an iterator's type, or back if it is not read.
func respelled(a mlir.Attribute, read bool) mlir.Attribute {
	const before, after = "#vector.iterator_type<", ">"
	switch e := a.(type) {
	case mlir.StringAttr:
		if read {
			return mlir.OpaqueAttr{Text: before + string(e) + after}
		}
	case mlir.OpaqueAttr:
		for _, word := range []string{"parallel", "reduction"} {
			if !read && e.Text == before+word+after {
				return mlir.StringAttr(word)
			}
		}
	}
	return a
}

func printContract(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Attrs(iterators(op.Attrs, false))
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" : ")
	p.TypesOf(op.Operands[:2])
	p.Text(" into ")
	p.TypesOf(op.Results)
}

// parseOuter reads %a, %b, %c {…} : T, U.
func parseOuter(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	op.Attrs = p.AttrDict()
	p.Expect(":")
	types := p.TypeList()
	if len(types) != 2 || len(refs) < 2 || len(refs) > 3 {
		p.ErrorAt(op.Loc, "vector.outerproduct takes two or three values of two types")
		return
	}
	left, ok := types[0].(mlir.VectorType)
	result := mlir.VectorType{Elem: left.Elem, Shape: slices.Clone(left.Shape), Scalable: slices.Clone(left.Scalable)}
	if right, both := types[1].(mlir.VectorType); both {
		result.Shape = append(result.Shape, right.Shape...)
		if result.Scalable != nil || right.Scalable != nil {
			result.Scalable = append(padded(left), padded(right)...)
		}
	}
	if !ok {
		p.ErrorAt(op.Loc, "vector.outerproduct needs a vector first")
		return
	}
	if len(refs) == 3 {
		types = append(types, result)
	}
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(result)
}

// padded returns which extents of a vector are scalable, one entry for each.
func padded(t mlir.VectorType) []bool {
	out := make([]bool, len(t.Shape))
	copy(out, t.Scalable)
	return out
}

func printOuter(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.TypesOf(op.Operands[:2])
}

// parseShuffle reads %a, %b [0, 1] {…} : T, U.
func parseShuffle(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	mask := p.Attr()
	op.Attrs = append(mlir.Attrs{{Name: "mask", Value: mask}}, p.AttrDict()...)
	p.Expect(":")
	types := p.TypeList()
	op.Operands = p.ResolveAll(refs, types)
	list, ok := mlir.IntList(mask)
	if p.Failed() {
		return
	}
	t, vector := types[0].(mlir.VectorType)
	if !ok || !vector || len(list) == 0 {
		p.ErrorAt(op.Loc, "vector.shuffle needs vectors and a list of positions")
		return
	}
	shape := append([]int{len(list)}, t.Shape[min(1, len(t.Shape)):]...)
	op.SetResults(mlir.VectorType{Shape: shape, Elem: t.Elem})
}

func printShuffle(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" ")
	p.Attr(op.Attrs.Get("mask"))
	p.OptionalAttrs(op.Attrs, "mask")
	p.Text(" : ")
	p.TypesOf(op.Operands)
}

const segments = "operandSegmentSizes"

// minorIdentity is the map of the last dimensions of the source, which goes without
// saying.
func minorIdentity(source, vector mlir.Type) (mlir.AffineMapAttr, bool) {
	shape, elem, _ := mlir.ShapeOf(source)
	v, ok := vector.(mlir.VectorType)
	rank := len(v.Shape)
	if of, nested := elem.(mlir.VectorType); nested {
		rank -= len(of.Shape)
	}
	if !ok || rank > len(shape) || rank < 0 {
		return mlir.AffineMapAttr{}, false
	}
	m := mlir.AffineMap{Dims: len(shape), Results: []*mlir.AffineExpr{}}
	for i := len(shape) - rank; i < len(shape); i++ {
		m.Results = append(m.Results, mlir.Dim(i))
	}
	return mlir.AffineMapAttr{Map: m}, true
}

// complete adds the permutation map and the bounds that the text leaves out.
func complete(p *mlir.Parser, op *mlir.Operation, source, vector mlir.Type) {
	m, ok := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	if !ok {
		if m, ok = minorIdentity(source, vector); !ok {
			p.ErrorAt(op.Loc, "%s needs a permutation map", op.Name)
			return
		}
		op.Attrs = op.Attrs.With("permutation_map", m)
	}
	if op.Attrs.Get("in_bounds") == nil {
		bounds := make(mlir.ArrayAttr, len(m.Map.Results))
		for i := range bounds {
			bounds[i] = mlir.Bool(false)
		}
		op.Attrs = op.Attrs.With("in_bounds", bounds)
	}
}

// shown returns the attributes that the text shows.
func shown(op *mlir.Operation, source, vector mlir.Type) mlir.Attrs {
	attrs := op.Attrs.Without(segments)
	given := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	if m, ok := minorIdentity(source, vector); ok && m.String() == given.String() {
		attrs = attrs.Without("permutation_map")
	}
	if list, ok := attrs.Get("in_bounds").(mlir.ArrayAttr); ok {
		inside := false
		for _, e := range list {
			n, _ := e.(mlir.IntegerAttr)
			inside = inside || n.Value != 0
		}
		if !inside {
			attrs = attrs.Without("in_bounds")
		}
	}
	return attrs
}

func sizesAttr(sizes ...int64) mlir.Named {
	return mlir.Named{Name: segments, Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: sizes}}
}

func maskType(m mlir.AffineMapAttr, vector mlir.Type) mlir.Type {
	v, _ := vector.(mlir.VectorType)
	t := mlir.VectorType{Elem: mlir.I1, Shape: slices.Clone(v.Shape), Scalable: v.Scalable}
	if n := len(m.Map.Results); n <= len(t.Shape) {
		at := make([]int, 0, n) // dims of the source in their order
		for i, e := range m.Map.Results {
			if e.Kind == mlir.AffineDim {
				at = append(at, i)
			}
		}
		slices.SortStableFunc(at, func(a, b int) int { return m.Map.Results[a].Value - m.Map.Results[b].Value })
		shape := make([]int, 0, n)
		var scalable []bool
		for _, i := range at {
			shape = append(shape, t.Shape[i])
			if t.Scalable != nil {
				scalable = append(scalable, t.Scalable[i])
			}
		}
		if len(shape) > 0 {
			t.Shape, t.Scalable = shape, scalable
		}
	}
	return t
}

// parseRead reads %m[%i, …], %padding, %mask {…} : T, V.
func parseRead(p *mlir.Parser, op *mlir.Operation) {
	source := p.Operand()
	indices := p.OperandList("[", "]")
	p.Expect(",")
	padding := p.Operand()
	var mask []mlir.Ref
	if p.Accept(",") {
		mask = append(mask, p.Operand())
	}
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	p.Expect(",")
	v := p.Type()
	if p.Failed() {
		return
	}
	_, elem, _ := mlir.ShapeOf(t)
	op.Operands = []*mlir.Value{p.Resolve(source, t)}
	for _, r := range indices {
		op.Operands = append(op.Operands, p.Resolve(r, mlir.Index))
	}
	op.Operands = append(op.Operands, p.Resolve(padding, elem))
	complete(p, op, t, v)
	m, _ := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	for _, r := range mask {
		op.Operands = append(op.Operands, p.Resolve(r, maskType(m, v)))
	}
	op.Attrs = append(op.Attrs, sizesAttr(1, int64(len(indices)), 1, int64(len(mask))))
	op.SetResults(v)
}

func printRead(p *mlir.Printer, op *mlir.Operation) {
	sizes, _ := mlir.IntList(op.Attrs.Get(segments))
	n := sizes[1]
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text("[")
	p.Values(op.Operands[1 : 1+n])
	p.Text("], ")
	p.Values(op.Operands[1+n:])
	p.OptionalAttrs(shown(op, op.Operands[0].Type, op.Results[0].Type))
	p.Text(" : ")
	p.TypesOf(op.Operands[:1])
	p.Text(", ")
	p.TypesOf(op.Results)
}

// parseWrite reads %v, %m[%i, …], %mask {…} : V, T.
func parseWrite(p *mlir.Parser, op *mlir.Operation) {
	vector := p.Operand()
	p.Expect(",")
	dest := p.Operand()
	indices := p.OperandList("[", "]")
	var mask []mlir.Ref
	if p.Accept(",") {
		mask = append(mask, p.Operand())
	}
	op.Attrs = p.AttrDict()
	p.Expect(":")
	v := p.Type()
	p.Expect(",")
	t := p.Type()
	if p.Failed() {
		return
	}
	op.Operands = []*mlir.Value{p.Resolve(vector, v), p.Resolve(dest, t)}
	for _, r := range indices {
		op.Operands = append(op.Operands, p.Resolve(r, mlir.Index))
	}
	complete(p, op, t, v)
	m, _ := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	for _, r := range mask {
		op.Operands = append(op.Operands, p.Resolve(r, maskType(m, v)))
	}
	op.Attrs = append(op.Attrs, sizesAttr(1, 1, int64(len(indices)), int64(len(mask))))
	op.SetResults()
	if _, tensor := t.(mlir.TensorType); tensor {
		op.SetResults(t)
	}
}

func printWrite(p *mlir.Printer, op *mlir.Operation) {
	sizes, _ := mlir.IntList(op.Attrs.Get(segments))
	n := sizes[2]
	p.Text(" ")
	p.Values(op.Operands[:2])
	p.Text("[")
	p.Values(op.Operands[2 : 2+n])
	p.Text("]")
	if mask := op.Operands[2+n:]; len(mask) > 0 {
		p.Text(", ")
		p.Values(mask)
	}
	p.OptionalAttrs(shown(op, op.Operands[1].Type, op.Operands[0].Type))
	p.Text(" : ")
	p.TypesOf(op.Operands[:2])
}

// parseMask reads %m, %passthru { operation } : T -> U.
func parseMask(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	r := p.Region(op, nil)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	mask := p.Type()
	op.SetResults()
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
	if p.Failed() {
		return
	}
	types := []mlir.Type{mask}
	if len(refs) == 2 {
		types = append(types, mlir.TypesOf(op.Results)...)
	}
	op.Operands = p.ResolveAll(refs, types)
	if len(r.Blocks) == 0 {
		r.AddBlock()
	}
	b := r.Blocks[0]
	if t := b.Terminator(); t == nil || t.Name != "vector.yield" {
		yield := mlir.NewOp("vector.yield", nil, nil, nil)
		yield.Loc = op.Loc
		if t != nil {
			yield.Operands = slices.Clone(t.Results)
		}
		b.Append(yield)
	}
}

func printMask(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.Text(" { ")
	b := op.Body()
	last := b.Ops[:len(b.Ops)-1]
	if len(last) == 1 && slices.Equal(b.Terminator().Operands, last[0].Results) {
		p.OperationWithoutResults(last[0])
	} else {
		for _, inner := range b.Ops {
			p.Operation(inner)
			p.Newline()
		}
	}
	p.Text(" }")
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Arrow(mlir.TypesOf(op.Results))
}
