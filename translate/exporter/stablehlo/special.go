package stablehlo

import "github.com/go-acap/acap/mlir"

// special are the operators of ATen that are one elementwise operation of CHLO.
var special = map[string]string{
	"aten.lgamma": "chlo.lgamma", "aten.digamma": "chlo.digamma", "aten.erfinv": "chlo.erf_inv",
	"aten.special_i1e": "chlo.bessel_i1e", "aten.special_zeta": "chlo.zeta",
}

// specialFunction writes such an operator, and reports whether it is one on operands of one type.
func (w *writer) specialFunction(op *mlir.Operation) bool {
	name := special[op.Name]
	if name == "" {
		return false
	}
	for _, v := range op.Operands {
		if !mlir.SameType(v.Type, op.Result().Type) {
			return false
		}
	}
	w.set(op, w.create(name, op.Result().Type, nil, w.in(op)...))
	return true
}

// triangularSolve writes aten.linalg_solve_triangular.
func (w *writer) triangularSolve(op *mlir.Operation) {
	flag := func(name string, otherwise bool) bool {
		if a, ok := op.Attrs.Get(name).(mlir.IntegerAttr); ok {
			return a.Value != 0
		}
		return otherwise
	}
	x := w.in(op)
	n := len(shapeOf(x[0].Type))
	if n != len(shapeOf(x[1].Type)) {
		w.fail("matrices of different ranks")
	}
	for d, extent := range shapeOf(x[0].Type)[:n-2] {
		if shapeOf(x[1].Type)[d] != extent {
			w.fail("batches that are broadcast")
		}
	}
	w.set(op, w.create("triangular_solve", op.Result().Type, mlir.Attrs{
		{Name: "left_side", Value: mlir.Bool(flag("left", true))},
		{Name: "lower", Value: mlir.Bool(!flag("upper", false))},
		{Name: "transpose_a", Value: mlir.OpaqueAttr{Text: "#stablehlo<transpose NO_TRANSPOSE>"}},
		{Name: "unit_diagonal", Value: mlir.Bool(flag("unitriangular", false))},
	}, x...))
}
