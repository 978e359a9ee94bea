package stablehlo

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
)

const reduction = linalg.Reduction

// combiner returns the name of the operation that a region of two arguments consists of, or "".
func combiner(region *mlir.Region) string {
	if len(region.Blocks) != 1 {
		return ""
	}
	b := region.Blocks[0]
	if len(b.Args) != 2 || len(b.Ops) != 2 || len(b.Ops[0].Operands) != 2 || len(b.Ops[1].Operands) != 1 ||
		b.Ops[1].Operands[0] != b.Ops[0].Result() {
		return ""
	}
	x, y := b.Ops[0].Operands[0], b.Ops[0].Operands[1]
	if x == b.Args[0] && y == b.Args[1] || x == b.Args[1] && y == b.Args[0] {
		return b.Ops[0].Name
	}
	return ""
}

// blockOf returns the block of a region, which must have one.
func (c *block) blockOf(op *mlir.Operation, i int) *mlir.Block {
	if len(op.Regions) <= i || len(op.Regions[i].Blocks) != 1 {
		c.fail("region %d must be one block", i)
	}
	return op.Regions[i].Blocks[0]
}

// reductionNest is how the elements of tensors are reduced: loops, the maps from loops to elements that are read and
// written, operands that only give loops their extents, and the shape of the results.
type reductionNest struct {
	loops       []string
	read, write mlir.AffineMap
	extra       []operand
	out         []int
}

// folded reduces tensors from initial values without dimensions. Sums and products of a half type are kept in f32.
func (c *block) folded(op *mlir.Operation, n reductionNest, ins, inits []*mlir.Value) []*mlir.Value {
	region := c.blockOf(op, 0)
	wide := false
	if name := combiner(op.Regions[0]); name == "stablehlo.add" || name == "stablehlo.multiply" {
		wide = isHalf(elemOf(inits[0]))
	}
	var inputs, outputs []operand
	for i, x := range ins {
		init := inits[i]
		if wide {
			x, init = c.converted(x, elemOf(x), mlir.F32), c.converted(init, elemOf(init), mlir.F32)
		}
		inputs = append(inputs, operand{x, n.read})
		outputs = append(outputs, operand{c.filled(init, n.out), n.write})
	}
	inputs = append(inputs, n.extra...)
	results := c.fold(n.loops, inputs, outputs, func(s scalars, e []*mlir.Value) []*mlir.Value {
		acc, x := e[len(inputs):], e[:len(ins)]
		if wide {
			r := region.Ops[0]
			return []*mlir.Value{s.applyFloat(short(r.Name), []*mlir.Value{acc[0], x[0]})}
		}
		return s.inline(region, append(append([]*mlir.Value(nil), acc...), x...))
	})
	if wide {
		results[0] = c.converted(results[0], mlir.F32, elemOf(inits[0]))
	}
	return results
}

func (c *block) reduce(op *mlir.Operation) {
	in := c.in(op)
	n := len(in) / 2
	if n == 0 || len(in) != 2*n || len(op.Results) != n {
		c.fail("%d operands for %d results", len(in), len(op.Results))
	}
	dims := shapeOf(in[0])
	over := c.dims("dimensions", c.list(op, "dimensions", -1, 0), len(dims))
	loops := parallel(len(dims))
	for _, d := range over {
		loops[d] = reduction
	}
	write, out := mlir.AffineMap{Dims: len(dims)}, []int{}
	for _, d := range others(len(dims), over) {
		write.Results = append(write.Results, mlir.Dim(d))
		out = append(out, dims[d])
	}
	nest := reductionNest{loops: loops, read: mlir.Identity(len(dims)), write: write, out: out}
	c.set(op, c.folded(op, nest, in[:n], in[n:])...)
}

func (c *block) reduceWindow(op *mlir.Operation) {
	in := c.in(op)
	n := len(in) / 2
	if n == 0 || len(in) != 2*n || len(op.Results) != n {
		c.fail("%d operands for %d results", len(in), len(op.Results))
	}
	rank := len(shapeOf(in[0]))
	window := c.list(op, "window_dimensions", rank, 1)
	strides, dilation := c.list(op, "window_strides", rank, 1), c.list(op, "window_dilations", rank, 1)
	padding := c.list(op, "padding", 2*rank, 0)
	low, high, interior := make([]int, rank), make([]int, rank), make([]int, rank)
	for i, d := range c.list(op, "base_dilations", rank, 1) {
		low[i], high[i], interior[i] = padding[2*i], padding[2*i+1], d-1
	}
	ins := make([]*mlir.Value, n)
	for i := range ins {
		ins[i] = c.padded(in[i], in[n+i], low, high, interior)
	}
	loops := parallel(2 * rank)
	read, write := mlir.AffineMap{Dims: 2 * rank}, mlir.AffineMap{Dims: 2 * rank}
	for i := range rank {
		loops[rank+i] = reduction
		read.Results = append(read.Results, mlir.Dim(i).Times(strides[i]).Plus(mlir.Dim(rank+i).Times(dilation[i])))
		write.Results = append(write.Results, mlir.Dim(i))
	}
	nest := reductionNest{loops, read, write, []operand{c.extents(window, rank)}, resultShape(op)}
	c.set(op, c.folded(op, nest, ins, in[n:])...)
}

// extents is an input of a fold that only gives loops from rank on their extents.
func (c *block) extents(window []int, rank int) operand {
	t := c.filled(c.zero(mlir.I1), window)
	m := mlir.AffineMap{Dims: 2 * rank}
	for i := range window {
		m.Results = append(m.Results, mlir.Dim(rank+i))
	}
	return operand{t, m}
}

func (c *block) mapped(op *mlir.Operation) {
	region := c.blockOf(op, 0)
	dims := resultShape(op)
	var ins []operand
	for _, v := range c.in(op) {
		ins = append(ins, operand{v, mlir.Identity(len(dims))})
	}
	c.set(op, c.generic(signlessElem(resultElem(op)), dims, ins, func(s scalars, x []*mlir.Value) *mlir.Value {
		return s.inline(region, x)[0]
	}))
}

// selectAndScatter finds in each window the element that the first region selects, and folds the
// source's element into the result there.
func (c *block) selectAndScatter(op *mlir.Operation) {
	in := c.in(op)
	dims, source := shapeOf(in[0]), shapeOf(in[1])
	rank := len(dims)
	window, strides := c.list(op, "window_dimensions", rank, 1), c.list(op, "window_strides", rank, 1)
	padding := c.list(op, "padding", 2*rank, 0)
	selects := c.blockOf(op, 0)
	total := 1
	for _, n := range dims {
		total *= n
	}
	loops := parallel(2 * rank)
	write := mlir.AffineMap{Dims: 2 * rank}
	for i := range rank {
		loops[rank+i] = reduction
		write.Results = append(write.Results, mlir.Dim(i))
	}
	none := arith.Constant(c.b, mlir.DenseInts(mlir.TensorType{Elem: mlir.I64}, []int64{int64(total)}))
	outs := []operand{{c.filled(c.zero(elemOf(in[0])), source), write}, {c.filled(none, source), write}}
	found := c.fold(loops, []operand{c.extents(window, rank)}, outs, func(s scalars, e []*mlir.Value) []*mlir.Value {
		value, place := e[1], e[2]
		valid, linear := s.int(1, mlir.I1), s.indexConstant(0)
		at := make([]*mlir.Value, rank)
		for i := range rank {
			at[i] = s.binary("addi", s.binary("muli", s.index(i), s.indexConstant(strides[i])), s.index(rank+i))
			at[i] = s.binary("subi", at[i], s.indexConstant(padding[2*i]))
			valid = s.binary("andi", valid, s.inside(at[i], dims[i]))
			at[i] = s.bounded(at[i], dims[i]-1)
			linear = s.binary("addi", s.binary("muli", linear, s.indexConstant(dims[i])), at[i])
		}
		x := s.extract(in[0], at...)
		keep := s.inline(selects, []*mlir.Value{value, x})[0]
		first := arith.CmpI(s.Builder, arith.EQ, place, s.int(int64(total), mlir.I64))
		take := s.binary("andi", valid, s.binary("ori", first, s.binary("xori", keep, s.int(1, mlir.I1))))
		return []*mlir.Value{s.sel(take, x, value), s.sel(take, arith.IndexCast(s.Builder, linear, mlir.I64), place)}
	})
	into := c.filled(in[2], dims)
	c.set(op, c.scattered(op, op.Regions[1], []*mlir.Value{in[1]}, found[1], []*mlir.Value{into})...)
}
