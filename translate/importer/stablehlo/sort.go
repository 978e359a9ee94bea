package stablehlo

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
	"github.com/go-acap/acap/mlir/dialect/arith"
)

// largestRanked is the longest line whose places are found by comparing all pairs.
const largestRanked = 1 << 15

// sort orders lines. A comparison of one integer operand with itself is the acap dialect's own sort. Any other
// comparator ranks each element by the number of elements that come before it, which is the stable order of every
// strict weak ordering.
func (c *block) sort(op *mlir.Operation) {
	in := c.in(op)
	dims := shapeOf(in[0])
	rank := len(dims)
	axis := c.integer(op, "dimension", -1)
	if axis < 0 {
		axis += rank
	}
	if rank == 0 || len(in) != len(op.Results) {
		c.fail("%d operands for %d results, of %d dimensions", len(in), len(op.Results), rank)
	}
	c.dims("dimension", []int{axis}, rank)
	n := dims[axis]
	if n <= 1 {
		c.set(op, in...)
		return
	}
	compares := c.blockOf(op, 0)
	if k, descending, ok := direct(compares); ok {
		_, positions := acap.Sort(c.b, in[k], acap.Order{Axis: axis, Descending: descending,
			Unsigned: isUnsigned(operandElem(op, k)), Count: n})
		results := make([]*mlir.Value, len(in))
		for i, x := range in {
			results[i] = c.taken(x, positions, axis)
		}
		c.set(op, results...)
		return
	}
	if n > largestRanked {
		c.fail("a comparator of this kind for lines of %d elements, more than %d", n, largestRanked)
	}
	loops := append(parallel(rank), reduction)
	here, there := mlir.Projection(rank+1, shape.UpTo(rank)...), mlir.Projection(rank+1, shape.UpTo(rank)...)
	there.Results[axis] = mlir.Dim(rank)
	var ins []operand
	for _, x := range in {
		ins = append(ins, operand{x, here}, operand{x, there})
	}
	zero := c.filled(c.zero(mlir.I64), dims)
	place := c.fold(loops, ins, []operand{{zero, here}}, func(s scalars, e []*mlir.Value) []*mlir.Value {
		before, after := make([]*mlir.Value, 0, 2*len(in)), make([]*mlir.Value, 0, 2*len(in))
		for i := range in {
			mine, other := e[2*i], e[2*i+1]
			before, after = append(before, other, mine), append(after, mine, other)
		}
		first := s.inline(compares, before)[0]
		last := s.inline(compares, after)[0]
		earlier := arith.CmpI(s.Builder, arith.SLT, s.index(rank), s.index(axis))
		tie := s.binary("andi", s.binary("xori", last, s.int(1, mlir.I1)), earlier)
		counts := arith.Cast(s.Builder, "extui", s.binary("ori", first, tie), mlir.I64)
		return []*mlir.Value{s.binary("addi", e[2*len(in)], counts)}
	})[0]
	results := make([]*mlir.Value, len(in))
	for i, x := range in {
		results[i] = acap.Scatter(c.b, x, place, x, acap.Folding{Kind: acap.Assign, Axis: axis})
	}
	c.set(op, results...)
}

// direct recognizes a comparator that compares integers of one operand.
func direct(b *mlir.Block) (operand int, descending, ok bool) {
	if len(b.Ops) != 2 || b.Ops[0].Name != "stablehlo.compare" || b.Ops[1].Operands[0] != b.Ops[0].Result() {
		return 0, false, false
	}
	x, y := b.Ops[0].Operands[0], b.Ops[0].Operands[1]
	t, _ := x.Type.(mlir.TensorType)
	if x.Owner != b || y.Owner != b || isFloat(t.Elem) || isBool(t.Elem) {
		return 0, false, false
	}
	switch enum(b.Ops[0], "comparison_direction") {
	case "LT":
	case "GT":
		descending = true
	default:
		return 0, false, false
	}
	if x.Index%2 == 0 && y.Index == x.Index+1 {
		return x.Index / 2, descending, true
	}
	return 0, false, false
}

// taken reorders lines of x: place i of a line gets the element at positions[i].
func (c *block) taken(x, positions *mlir.Value, axis int) *mlir.Value {
	dims := shapeOf(positions)
	return c.generic(elemOf(x), dims, []operand{{positions, mlir.Identity(len(dims))}},
		func(s scalars, e []*mlir.Value) *mlir.Value {
			at := make([]*mlir.Value, len(dims))
			for i := range at {
				at[i] = s.index(i)
			}
			at[axis] = s.position(e[0], false)
			return s.extract(x, at...)
		})
}

func (c *block) topK(op *mlir.Operation) {
	x := c.in(op)[0]
	dims := shapeOf(x)
	k := c.integer(op, "k", 0)
	axis := len(dims) - 1
	if axis < 0 || k < 0 || k > dims[axis] {
		c.fail("k is %d, of %s", k, x.Type)
	}
	order := acap.Order{Axis: axis, Descending: true, Unsigned: isUnsigned(operandElem(op, 0)), Count: k}
	keys, floats := x, isFloat(elemOf(x))
	if floats { // in the total order, in which a NaN with a sign is the least
		bits := mlir.IntegerType{Width: mlir.BitWidth(elemOf(x))}
		keys = c.generic(bits, dims, []operand{{x, mlir.Identity(len(dims))}},
			func(s scalars, e []*mlir.Value) *mlir.Value { return s.ordered(e[0]) })
	}
	values, positions := acap.Sort(c.b, keys, order)
	if floats {
		values = c.taken(x, positions, axis)
	}
	c.set(op, values, c.converted(positions, mlir.I64, elemOfType(op.Results[1].Type)))
}

func elemOfType(t mlir.Type) mlir.Type { return t.(mlir.TensorType).Elem }
