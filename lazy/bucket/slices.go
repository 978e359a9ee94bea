package bucket

import "github.com/go-acap/acap/mlir"

// pointwise appends a loop nest that computes every element of a value of a type from its indices
// and the elements of inputs there.
func (m *masker) pointwise(t mlir.TensorType, ins []*mlir.Value, f func(b *body, at, x []*mlir.Value) *mlir.Value) *mlir.Value {
	rank := len(t.Shape)
	to := m.keep(mlir.NewOp("tensor.empty", nil, []mlir.Type{t}, nil)).Result()
	maps := mlir.ArrayAttr{}
	kinds := mlir.ArrayAttr{}
	var args []mlir.Type
	for _, v := range append(ins[:len(ins):len(ins)], to) {
		maps = append(maps, mlir.AffineMapAttr{Map: mlir.Identity(rank)})
		args = append(args, v.Type.(mlir.TensorType).Elem)
	}
	for range rank {
		kinds = append(kinds, mlir.OpaqueAttr{Text: "#linalg.iterator_type<parallel>"})
	}
	op := mlir.NewOp("linalg.generic", append(ins[:len(ins):len(ins)], to), []mlir.Type{t}, mlir.Attrs{
		{Name: "indexing_maps", Value: maps}, {Name: "iterator_types", Value: kinds},
		{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{int64(len(ins)), 1}}}})
	block := op.AddRegion().AddBlock(args...)
	var b body
	at := make([]*mlir.Value, rank)
	for d := range at {
		at[d] = b.index(d)
	}
	y := f(&b, at, block.Args[:len(ins)])
	for _, o := range append(b.ops, mlir.NewOp("linalg.yield", []*mlir.Value{y}, nil, nil)) {
		o.Loc = m.loc
		block.Append(o)
	}
	return m.keep(op).Result()
}

// read reads an element of a tensor.
func (b *body) read(v *mlir.Value, at []*mlir.Value) *mlir.Value {
	operands := []*mlir.Value{v}
	for _, i := range at {
		operands = append(operands, b.op("arith.index_cast", mlir.Index, nil, i))
	}
	return b.op("tensor.extract", v.Type.(mlir.TensorType).Elem, nil, operands...)
}

// extentOf is the true extent of a dimension of a value.
func (b *body) extentOf(m *masker, v *mlir.Value, d int) *mlir.Value {
	if k := m.extent(v, d); k >= 0 {
		return b.param(m.p, k)
	}
	return b.int(shapeOf(v)[d])
}

// offset is where a slice starts in a dimension.
func (b *body) offset(m *masker, op *mlir.Operation, offsets []int, d int) *mlir.Value {
	if list := m.offsets[op]; list != nil && list[d] >= 0 {
		return b.param(m.p, list[d])
	}
	return b.int(offsets[d])
}

func (b *body) clamp(x *mlir.Value, n int) *mlir.Value {
	x = b.op("arith.maxsi", mlir.I64, nil, x, b.int(0))
	return b.op("arith.minsi", mlir.I64, nil, x, b.int(n-1))
}

// fill writes a number that depends on the extent.
func (m *masker) fill(op *mlir.Operation) error {
	t := op.Result().Type.(mlir.TensorType)
	k := m.numbers[op.Operands[0].Def]
	m.replace(op, m.pointwise(t, nil, func(b *body, _, _ []*mlir.Value) *mlir.Value { return b.number(m.p, k, t.Elem) }))
	return nil
}

// masked is a value with a constant in the place of padding in some dimensions.
func (m *masker) masked(v *mlir.Value, constant mlir.Attribute, which func(d int) bool) *mlir.Value {
	t := v.Type.(mlir.TensorType)
	out := m.pointwise(t, []*mlir.Value{v}, func(b *body, at, x []*mlir.Value) *mlir.Value {
		var cond *mlir.Value
		for d := range at {
			if m.extent(v, d) >= 0 && which(d) {
				cond = b.and(cond, b.compare(less, at[d], b.extentOf(m, v, d)))
			}
		}
		if cond == nil {
			return x[0]
		}
		return b.choose(cond, x[0], b.op("arith.constant", t.Elem, mlir.Attrs{{Name: "value", Value: constant}}))
	})
	m.extents[out] = m.extents[v]
	return out
}

func zero(t mlir.Type) mlir.Attribute {
	if _, float := t.(mlir.FloatType); float {
		return mlir.Float(0, t)
	}
	return mlir.IntegerAttr{Type: t}
}

// product masks both operands of a matrix product where it sums over padding.
func (m *masker) product(op *mlir.Operation, inner, outer int) error {
	x, y := op.Operands[0], op.Operands[1]
	if m.extent(x, inner) != m.extent(y, outer) {
		return at(op, "a padded dimension meets one that is not")
	}
	if m.extent(x, inner) >= 0 {
		elem := x.Type.(mlir.TensorType).Elem
		op.Operands[0] = m.masked(x, zero(elem), func(d int) bool { return d == inner })
		op.Operands[1] = m.masked(y, zero(elem), func(d int) bool { return d == outer })
	}
	m.keep(op)
	return nil
}

// unitStrides reports whether a slice takes or writes every element.
func unitStrides(op *mlir.Operation) bool {
	strides, _ := mlir.IntList(op.Attrs.Get("static_strides"))
	for _, s := range strides {
		if s != 1 {
			return false
		}
	}
	return true
}

// extractSlice reads from where the exact program does.
func (m *masker) extractSlice(op *mlir.Operation) error {
	v, t := op.Operands[0], op.Result().Type.(mlir.TensorType)
	offsets, _ := mlir.IntList(op.Attrs.Get("static_offsets"))
	strides, _ := mlir.IntList(op.Attrs.Get("static_strides"))
	if len(op.Operands) != 1 || len(offsets) != len(t.Shape) || len(shapeOf(v)) != len(t.Shape) {
		return at(op, "a slice that drops dimensions or starts where it is told")
	}
	if m.offsets[op] == nil {
		m.keep(op)
		return nil
	}
	m.replace(op, m.pointwise(t, nil, func(b *body, at, _ []*mlir.Value) *mlir.Value {
		from := make([]*mlir.Value, len(at))
		for d := range at {
			i := b.op("arith.muli", mlir.I64, nil, at[d], b.int(strides[d]))
			i = b.op("arith.addi", mlir.I64, nil, i, b.offset(m, op, offsets, d))
			from[d] = b.clamp(i, shapeOf(v)[d])
		}
		return b.read(v, from)
	}))
	return nil
}

// insertSlice writes what is valid to where the exact program does.
func (m *masker) insertSlice(op *mlir.Operation) error {
	src, into := op.Operands[0], op.Operands[1]
	t := into.Type.(mlir.TensorType)
	offsets, _ := mlir.IntList(op.Attrs.Get("static_offsets"))
	if len(op.Operands) != 2 || len(offsets) != len(t.Shape) || len(shapeOf(src)) != len(t.Shape) {
		return at(op, "a slice that drops dimensions or starts where it is told")
	}
	whole := m.offsets[op] == nil
	for d := range offsets {
		if k := m.extent(src, d); k >= 0 && (offsets[d] != 0 || k != m.extent(into, d)) {
			whole = false
		}
	}
	if whole {
		m.keep(op)
		return nil
	}
	if !unitStrides(op) {
		return at(op, "writes padding in steps")
	}
	m.replace(op, m.pointwise(t, []*mlir.Value{into}, func(b *body, at, x []*mlir.Value) *mlir.Value {
		var inside *mlir.Value
		from := make([]*mlir.Value, len(at))
		for d := range at {
			i := b.op("arith.subi", mlir.I64, nil, at[d], b.offset(m, op, offsets, d))
			inside = b.and(inside, b.compare(greaterEqual, i, b.int(0)))
			inside = b.and(inside, b.compare(less, i, b.extentOf(m, src, d)))
			from[d] = b.clamp(i, shapeOf(src)[d])
		}
		return b.choose(inside, b.read(src, from), x[0])
	}))
	return nil
}

// pad puts the border behind what is valid.
func (m *masker) pad(op *mlir.Operation) error {
	high, _ := mlir.IntList(op.Attrs.Get("static_high"))
	v := op.Operands[0]
	border := false
	for d := range high {
		border = border || high[d] != 0 && m.extent(v, d) >= 0
	}
	end := op.Regions[0].Blocks[0].Terminator()
	if border {
		def := end.Operands[0].Def
		if def == nil || def.Name != "arith.constant" || m.takesNumber(end) {
			return at(op, "a border that is no constant")
		}
		op.Operands[0] = m.masked(v, def.Attrs.Get("value"), func(d int) bool { return high[d] != 0 })
	}
	m.keep(op)
	return nil
}

// scatter leaves updates out that are padding.
func (m *masker) scatter(op *mlir.Operation) error {
	updates, index := op.Operands[0], op.Operands[1]
	axis, _ := op.Attrs.Get("axis").(mlir.IntegerAttr)
	kind, _ := op.Attrs.Get("kind").(mlir.StringAttr)
	any := func(int) bool { return true }
	if m.padded(index) { // what the padding says may be no index
		op.Operands[1] = m.masked(index, zero(index.Type.(mlir.TensorType).Elem), any)
	}
	if m.extent(updates, int(axis.Value)) >= 0 {
		if kind != "add" {
			return at(op, "scatters along a padded dimension")
		}
		nothing, ok := identity("arith.addf", updates.Type.(mlir.TensorType).Elem)
		if !ok {
			nothing = zero(updates.Type.(mlir.TensorType).Elem)
		}
		op.Operands[0] = m.masked(updates, nothing, any)
	}
	m.keep(op)
	return nil
}
