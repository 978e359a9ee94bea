package stablehlo

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/linalg"
	tensordialect "github.com/go-acap/acap/mlir/dialect/tensor"
)

// operand is an input of a linalg.generic.
type operand struct {
	v *mlir.Value
	m mlir.AffineMap
}

func parallel(n int) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = linalg.Parallel
	}
	return out
}

// generic computes each element of a tensor from elements of others.
func (c *block) generic(elem mlir.Type, dims []int, ins []operand, body func(s scalars, x []*mlir.Value) *mlir.Value) *mlir.Value {
	out := tensordialect.Empty(c.b, mlir.TensorType{Shape: dims, Elem: elem})
	return c.fold(parallel(len(dims)), ins, []operand{{out, mlir.Identity(len(dims))}},
		func(s scalars, x []*mlir.Value) []*mlir.Value { return []*mlir.Value{body(s, x[:len(ins)])} })[0]
}

// fold is a linalg.generic with any loops and outputs.
func (c *block) fold(iterators []string, ins, outs []operand, body func(s scalars, x []*mlir.Value) []*mlir.Value) []*mlir.Value {
	var in, out []*mlir.Value
	var maps []mlir.AffineMap
	for _, o := range ins {
		in, maps = append(in, o.v), append(maps, o.m)
	}
	for _, o := range outs {
		out, maps = append(out, o.v), append(maps, o.m)
	}
	return slices.Clone(linalg.Generic(c.b, in, out, maps, iterators,
		func(b *mlir.Builder, args []*mlir.Value) []*mlir.Value { return body(scalars{b, c}, args) }))
}

// filled is a tensor of one element, the only one of a tensor without dimensions.
func (c *block) filled(v *mlir.Value, dims []int) *mlir.Value {
	return linalg.Fill(c.b, c.only(v), tensordialect.Empty(c.b, mlir.TensorType{Shape: dims, Elem: elemOf(v)}))
}

// only extracts the element of a tensor of size 1.
func (c *block) only(v *mlir.Value) *mlir.Value {
	indices := make([]*mlir.Value, len(shapeOf(v)))
	for i := range indices {
		indices[i] = arith.Index(c.b, 0)
	}
	return tensordialect.Extract(c.b, v, indices...)
}

// index is the number of a loop.
func (s scalars) index(loop int) *mlir.Value {
	return s.Create("linalg.index", nil, []mlir.Type{mlir.Index},
		mlir.Attrs{{Name: "dim", Value: mlir.Int(loop)}}).Result()
}

// cast converts between an index and an integer, or an integer or float from an index.
func (s scalars) cast(x *mlir.Value, t mlir.Type) *mlir.Value {
	if isFloat(t) {
		return arith.Cast(s.Builder, "sitofp", arith.IndexCast(s.Builder, x, mlir.I64), t)
	}
	return arith.IndexCast(s.Builder, x, t)
}

func (s scalars) extract(t *mlir.Value, indices ...*mlir.Value) *mlir.Value {
	return tensordialect.Extract(s.Builder, t, indices...)
}

func (s scalars) indexConstant(n int) *mlir.Value { return arith.Index(s.Builder, n) }

// position makes an element of an integer tensor an index.
func (s scalars) position(x *mlir.Value, unsigned bool) *mlir.Value {
	if unsigned {
		if t, ok := x.Type.(mlir.IntegerType); ok && t.Width == 64 { // an index has a sign, and room for a window
			x = s.binary("minui", x, s.int(1<<62, t))
		}
		return arith.Cast(s.Builder, "index_castui", x, mlir.Index)
	}
	return arith.IndexCast(s.Builder, x, mlir.Index)
}

// bounded clamps an index to 0 … most.
func (s scalars) bounded(x *mlir.Value, most int) *mlir.Value {
	return s.binary("maxsi", s.binary("minsi", x, s.indexConstant(most)), s.indexConstant(0))
}

// inside reports whether 0 ≤ x < n.
func (s scalars) inside(x *mlir.Value, n int) *mlir.Value {
	return s.binary("andi", arith.CmpI(s.Builder, arith.SGE, x, s.indexConstant(0)),
		arith.CmpI(s.Builder, arith.SLT, x, s.indexConstant(n)))
}

// elementwise lowers an operation on elements; operands without dimensions and, of chlo's
// broadcast operations, smaller ones are broadcast.
func (c *block) elementwise(op *mlir.Operation) {
	if len(op.Operands) == 0 || len(op.Results) != 1 || len(op.Regions) > 0 {
		c.fail("is not supported")
	}
	out := op.Result().Type.(mlir.TensorType)
	ins := make([]operand, len(op.Operands))
	for i, v := range c.in(op) {
		have := shapeOf(v)
		if len(have) > len(out.Shape) {
			c.fail("operand %d has more dimensions than the result", i)
		}
		m := mlir.AffineMap{Dims: len(out.Shape)}
		places := shape.UpTo(len(have))
		for j := range places {
			places[j] += len(out.Shape) - len(have)
		}
		if list, ok := mlir.IntList(op.Attrs.Get("broadcast_dimensions")); ok && len(list) == len(have) &&
			len(have) < len(out.Shape) {
			places = c.dims("broadcast_dimensions", list, len(out.Shape))
		}
		for j, n := range have {
			switch {
			case n == out.Shape[places[j]]:
				m.Results = append(m.Results, mlir.Dim(places[j]))
			case n == 1:
				m.Results = append(m.Results, mlir.Const(0))
			default:
				c.fail("operand %d of type %s does not fit the result %s", i, v.Type, out)
			}
		}
		ins[i] = operand{v, m}
	}
	c.set(op, c.generic(signlessElem(out.Elem), out.Shape, ins, func(s scalars, x []*mlir.Value) *mlir.Value {
		return s.apply(op, x)
	}))
}

// inline appends the computation of a region on single elements and returns its results.
func (s scalars) inline(region *mlir.Block, args []*mlir.Value) []*mlir.Value {
	values := map[*mlir.Value]*mlir.Value{}
	if len(args) != len(region.Args) {
		s.c.fail("a region takes %d arguments, not %d", len(region.Args), len(args))
	}
	for i, a := range region.Args {
		values[a] = args[i]
	}
	outer := s.c.op
	defer func() { s.c.op = outer }()
	get := func(v *mlir.Value) *mlir.Value {
		if w := values[v]; w != nil {
			return w
		}
		w := s.c.value(v) // from outside: a tensor
		if len(shapeOf(w)) != 0 {
			s.c.fail("a region uses a tensor with dimensions")
		}
		return s.extract(w)
	}
	for _, op := range region.Ops {
		s.c.op = op
		x := make([]*mlir.Value, len(op.Operands))
		for i, v := range op.Operands {
			x[i] = get(v)
		}
		switch op.Name {
		case "stablehlo.return":
			return x
		case "stablehlo.constant":
			d, ok := op.Attrs.Get("value").(mlir.DenseAttr)
			if !ok || d.Len() != 1 {
				s.c.fail("a constant of a region must be one element")
			}
			t := signlessElem(d.Elem())
			if isFloat(t) {
				values[op.Result()] = s.float(d.FloatAt(0), t)
			} else {
				values[op.Result()] = s.int(d.IntAt(0), t)
			}
			continue
		case "stablehlo.reshape", "stablehlo.broadcast_in_dim", "stablehlo.optimization_barrier":
			values[op.Result()] = x[0]
			continue
		case "func.call":
			for i, r := range s.call(op, x) {
				values[op.Results[i]] = r
			}
			continue
		}
		if !ours(op.Name) || len(op.Results) != 1 || len(op.Operands) == 0 {
			s.c.fail("is not supported in the region of another operation")
		}
		values[op.Result()] = s.apply(op, x)
	}
	s.c.fail("a region ends without stablehlo.return")
	return nil
}

// call inlines a function of single elements.
func (s scalars) call(op *mlir.Operation, x []*mlir.Value) []*mlir.Value {
	ref, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
	if len(ref) != 1 || s.c.functions[ref[0]] == nil || s.c.functions[ref[0]].Body() == nil {
		s.c.fail("a call of an unknown function")
	}
	if len(s.c.calls) > 64 {
		s.c.fail("calls are nested too deeply")
	}
	body := s.c.functions[ref[0]].Body()
	s.c.calls = append(s.c.calls, ref[0])
	defer func() { s.c.calls = s.c.calls[:len(s.c.calls)-1] }()
	copied := &mlir.Block{Args: body.Args, Ops: append([]*mlir.Operation(nil), body.Ops...)}
	last := copied.Ops[len(copied.Ops)-1]
	copied.Ops[len(copied.Ops)-1] = mlir.NewOp("stablehlo.return", last.Operands, nil, nil)
	return s.inline(copied, x)
}
