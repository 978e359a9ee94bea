package stablehlo

import (
	"maps"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/scf"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

func enum(op *mlir.Operation, name string) string { return hlo.Enum(op.Attrs.Get(name)) }

// within lowers a region's operations at the end of another block, with arguments known by args.
func (c *block) within(region *mlir.Block, b *mlir.Builder, args []*mlir.Value) []*mlir.Value {
	inner := &block{lowering: c.lowering, b: b, values: maps.Clone(c.values)}
	for i, a := range region.Args {
		inner.values[a] = args[i]
	}
	return inner.operations(region.Ops)
}

func types(values []*mlir.Value) []mlir.Type { return mlir.TypesOf(values) }

func (c *block) while(op *mlir.Operation) {
	in := c.in(op)
	cond, body := c.blockOf(op, 0), c.blockOf(op, 1)
	if len(cond.Args) != len(in) || len(body.Args) != len(in) {
		c.fail("%d operands, but regions of %d and %d arguments", len(in), len(cond.Args), len(body.Args))
	}
	loop := mlir.NewOp("scf.while", in, types(in), nil)
	before := loop.AddRegion().AddBlock(types(in)...)
	b := c.b.In(before)
	yes := c.within(cond, b, before.Args)
	if len(yes) != 1 || !isBool(elemOf(yes[0])) {
		c.fail("the condition must give one bool")
	}
	flag := tensordialect.Extract(b, yes[0])
	b.Create("scf.condition", append([]*mlir.Value{flag}, before.Args...), nil, nil)
	after := loop.AddRegion().AddBlock(types(in)...)
	b = c.b.In(after)
	b.Create("scf.yield", c.within(body, b, after.Args), nil, nil)
	c.set(op, c.b.Insert(loop).Results...)
}

func (c *block) conditional(op *mlir.Operation) {
	flag := tensordialect.Extract(c.b, c.in(op)[0])
	yes, no := c.blockOf(op, 0), c.blockOf(op, 1)
	c.set(op, scf.If(c.b, flag, c.resultTypes(op),
		func(b *mlir.Builder) []*mlir.Value { return c.within(yes, b, nil) },
		func(b *mlir.Builder) []*mlir.Value { return c.within(no, b, nil) })...)
}

func (c *block) resultTypes(op *mlir.Operation) []mlir.Type {
	out := make([]mlir.Type, len(op.Results))
	for i, r := range op.Results {
		t := r.Type.(mlir.TensorType)
		t.Elem = signlessElem(t.Elem)
		out[i] = t
	}
	return out
}

// choice is a chain of conditions; an index out of range takes the last branch.
func (c *block) choice(op *mlir.Operation) {
	if len(op.Regions) == 0 {
		c.fail("has no branches")
	}
	which := tensordialect.Extract(c.b, c.in(op)[0])
	var from func(b *mlir.Builder, i int) []*mlir.Value
	from = func(b *mlir.Builder, i int) []*mlir.Value {
		branch := c.blockOf(op, i)
		if i == len(op.Regions)-1 {
			return c.within(branch, b, nil)
		}
		here := arith.CmpI(b, arith.EQ, which, arith.Constant(b, mlir.IntegerAttr{Value: int64(i), Type: which.Type}))
		return scf.If(b, here, c.resultTypes(op),
			func(b *mlir.Builder) []*mlir.Value { return c.within(branch, b, nil) },
			func(b *mlir.Builder) []*mlir.Value { return from(b, i+1) })
	}
	c.set(op, from(c.b, 0)...)
}

// scatteredInTurn folds one update after the other with any region, as loops.
func (c *block) scatteredInTurn(region *mlir.Region, updates []*mlir.Value, places *mlir.Value, into []*mlir.Value) []*mlir.Value {
	if len(region.Blocks) != 1 {
		c.fail("a region must be one block")
	}
	dims, count := shapeOf(into[0]), shape.Size(shapeOf(places))
	total := shape.Size(dims)
	if total == 0 || count == 0 {
		return into
	}
	flat, news := make([]*mlir.Value, len(into)), make([]*mlir.Value, len(into))
	for i := range into {
		flat[i], news[i] = c.reshaped(into[i], []int{total}), c.reshaped(updates[i], []int{count})
	}
	places = c.reshaped(places, []int{count})
	zero, last, one := arith.Index(c.b, 0), arith.Index(c.b, count), arith.Index(c.b, 1)
	out := scf.For(c.b, zero, last, one, flat, func(b *mlir.Builder, i *mlir.Value, have []*mlir.Value) []*mlir.Value {
		s := scalars{b, c}
		at := s.position(s.extract(places, i), false)
		valid, safe := s.inside(at, total), s.bounded(at, total-1)
		args := make([]*mlir.Value, 2*len(have))
		for k := range have {
			args[k], args[len(have)+k] = s.extract(have[k], safe), s.extract(news[k], i)
		}
		results := s.inline(region.Blocks[0], args)
		next := make([]*mlir.Value, len(have))
		for k := range have {
			next[k] = tensordialect.Insert(b, s.sel(valid, results[k], args[k]), have[k], safe)
		}
		return next
	})
	for i := range out {
		out[i] = c.reshaped(out[i], dims)
	}
	return out
}
