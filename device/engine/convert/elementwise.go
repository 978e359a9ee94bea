package convert

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// scalarOp converts an operation of arith or math outside of any body, on whole tensors or scalars.
func (g *converter) scalarOp(op *mlir.Operation) {
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
		if len(w.Dims) == 0 {
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
		s.outs = append(s.outs, operand{graph.Splat(d, 0, dims), mlir.Identity(rank)})
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
