package engine

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// namedPointwise are the named operations on elements, by the arith or math
// operations that they apply to floats, signed integers and, where it differs,
// unsigned ones.
var namedPointwise = map[string][3]string{
	"add": {"arith.addf", "arith.addi"}, "sub": {"arith.subf", "arith.subi"},
	"mul": {"arith.mulf", "arith.muli"}, "div": {"arith.divf", "arith.divsi"},
	"div_unsigned": {"", "arith.divui"}, "max": {"arith.maximumf", "arith.maxsi"},
	"min": {"arith.minimumf", "arith.minsi"}, "powf": {"math.powf"}, "exp": {"math.exp"},
	"log": {"math.log"}, "abs": {"math.absf", "math.absi"}, "ceil": {"math.ceil"},
	"floor": {"math.floor"}, "negf": {"arith.negf"}, "round": {"math.round"},
	"sqrt": {"math.sqrt"}, "rsqrt": {"math.rsqrt"}, "tanh": {"math.tanh"}, "erf": {"math.erf"},
}

// elementwise converts a named operation on elements: linalg.add, linalg.exp, …
func (g *graph) elementwise(op *mlir.Operation) {
	name := strings.TrimPrefix(op.Name, "linalg.")
	ins, outs := segments(op)
	s := g.sameSpace(op, ins, outs)
	if s == nil {
		return
	}
	s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
		x := make([]int, len(ins))
		for i := range x {
			var ok bool
			if x[i], ok = arg(i); !ok {
				return nil, false
			}
			if name != "select" || i > 0 {
				x[i] = convert(sc.b, x[i], s.outs[0].dtype, false)
			}
		}
		r, ok := applyNamed(sc, op, name, x)
		if !ok {
			g.fail("operation on %s is not supported", s.outs[0].dtype)
		}
		return []int{r}, ok
	}
	s.build()
}

func applyNamed(s *scalars, op *mlir.Operation, name string, x []int) (int, bool) {
	b := s.b
	d := b.Type(x[len(x)-1])
	switch name {
	case "copy":
		return x[0], true
	case "select":
		return b.Select(x[0], x[1], x[2]), true
	case "square":
		return b.Binary(kernel.Mul, x[0], x[0]), true
	case "reciprocal":
		return b.Binary(kernel.Div, b.Const(d, 1), x[0]), d.IsFloat()
	}
	form := namedPointwise[name]
	full := form[1]
	if d.IsFloat() {
		full = form[0]
	}
	if full == "" {
		return 0, false
	}
	return translators[full](s, op, x), true
}

// sameSpace starts an operation whose operands all have the shape of the result.
func (g *graph) sameSpace(op *mlir.Operation, ins, outs []*mlir.Value) *structured {
	rank := -1
	if len(op.Results) > 0 {
		if t, ok := op.Results[0].Type.(mlir.TensorType); ok {
			rank = len(t.Shape)
		}
	}
	if rank < 0 {
		g.fail("operation without a tensor result")
		return nil
	}
	maps := make([]mlir.AffineMap, len(ins)+len(outs))
	for i := range maps {
		maps[i] = mlir.Identity(rank)
	}
	return g.structuredOp(op, ins, outs, maps, make([]bool, rank))
}

// mapped converts linalg.map.
func (g *graph) mapped(op *mlir.Operation) {
	ins, outs := segments(op)
	if s := g.sameSpace(op, ins, outs); s != nil {
		g.buildRegion(op, s)
	}
}

// reduced converts linalg.reduce.
func (g *graph) reduced(op *mlir.Operation) {
	dims, ok := mlir.IntList(op.Attrs.Get("dimensions"))
	ins, outs := segments(op)
	if !ok || len(ins) == 0 {
		g.fail("no dimensions")
		return
	}
	t, isTensor := ins[0].Type.(mlir.TensorType)
	if !isTensor {
		g.fail("operand is not a ranked tensor")
		return
	}
	reduction := make([]bool, len(t.Shape))
	kept := mlir.AffineMap{Dims: len(t.Shape)}
	for i := range reduction {
		if reduction[i] = slices.Contains(dims, i); !reduction[i] {
			kept.Results = append(kept.Results, mlir.Dim(i))
		}
	}
	var maps []mlir.AffineMap
	for range ins {
		maps = append(maps, mlir.Identity(len(t.Shape)))
	}
	for range outs {
		maps = append(maps, kept)
	}
	if s := g.structuredOp(op, ins, outs, maps, reduction); s != nil {
		g.buildRegion(op, s)
	}
}

// transposed converts linalg.transpose: a view.
func (g *graph) transposed(op *mlir.Operation) {
	perm, ok := mlir.IntList(op.Attrs.Get("permutation"))
	v, known := g.value(op.Operands[0])
	if !known {
		return
	}
	sorted := slices.Clone(perm)
	slices.Sort(sorted)
	for i, p := range sorted {
		ok = ok && p == i
	}
	if !ok || len(perm) != len(v.dims) {
		g.fail("permutation %v of a tensor of rank %d", perm, len(v.dims))
		return
	}
	g.bind(op, v.permute(perm))
}

// broadcasted converts linalg.broadcast: a view whose new dimensions have stride 0.
func (g *graph) broadcasted(op *mlir.Operation) {
	added, ok := mlir.IntList(op.Attrs.Get("dimensions"))
	v, known := g.value(op.Operands[0])
	t, isTensor := op.Results[0].Type.(mlir.TensorType)
	if !known {
		return
	}
	if !ok || !isTensor || len(added)+len(v.dims) != len(t.Shape) {
		g.fail("dimensions %v do not extend rank %d", added, len(v.dims))
		return
	}
	dims, next := make([]dim, len(t.Shape)), 0
	for i := range dims {
		switch {
		case slices.Contains(added, i):
			dims[i] = newDim(factor{t.Shape[i], 0})
		case next < len(v.dims):
			dims[i] = v.dims[next]
			next++
		}
	}
	v.dims = dims
	g.bind(op, v)
}

// filled converts linalg.fill: a view of the scalar with strides of 0.
func (g *graph) filled(op *mlir.Operation) {
	v, ok := g.value(op.Operands[0])
	t, isTensor := op.Results[0].Type.(mlir.TensorType)
	if !ok {
		return
	}
	if len(v.dims) != 0 || !isTensor || elemType(t) != v.dtype {
		g.fail("fill of %s with %s", op.Results[0].Type, op.Operands[0].Type)
		return
	}
	g.bind(op, v.broadcastTo(t.Shape))
}

// broadcastTo repeats a scalar.
func (v view) broadcastTo(dims []int) view {
	v.dims = make([]dim, len(dims))
	for i, n := range dims {
		v.dims[i] = newDim(factor{n, 0})
	}
	return v
}

// whole tensors and scalars: arith and math operations outside of any body.
func (g *graph) scalarOp(op *mlir.Operation) {
	if len(op.Results) == 0 {
		g.fail("operation is not supported")
		return
	}
	rank := 0
	if t, ok := op.Results[0].Type.(mlir.TensorType); ok {
		rank = len(t.Shape)
	}
	s := &structured{g: g, reduction: make([]bool, rank), results: op.Results}
	inputs := map[*mlir.Value]int{}
	for _, v := range op.Operands {
		w, ok := g.value(v)
		if !ok {
			return
		}
		m := mlir.Identity(rank)
		if len(w.dims) == 0 {
			m = mlir.AffineMap{Dims: rank}
		}
		inputs[v] = len(s.ins)
		s.ins = append(s.ins, operand{w, m})
	}
	for _, r := range op.Results {
		d := elemType(r.Type)
		dims, ok := g.shapeOf(r)
		if !ok || !supported(d) {
			g.fail("result of type %s", r.Type)
			return
		}
		s.outs = append(s.outs, operand{splat(d, 0, dims), mlir.Identity(rank)})
	}
	s.body = func(sc *scalars, arg func(int) (int, bool)) ([]int, bool) {
		sc.outer = func(v *mlir.Value) (int, bool) { return arg(inputs[v]) }
		if !sc.operation(op) {
			return nil, false
		}
		var out []int
		for _, r := range op.Results {
			out = append(out, sc.values[r])
		}
		return out, true
	}
	s.build()
}

// supported reports whether kernels compute on a type.
func supported(d dtype.DType) bool { return d.Valid() && !d.IsComplex() }
