package stablehlo

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

func init() {
	d := &mlir.Dialect{Name: "chlo"}
	add := func(operands int, names string) {
		for _, name := range strings.Fields(names) {
			d.Ops = append(d.Ops, mlir.OpDef{Name: "chlo." + name, Traits: mlir.Pure, Operands: operands, Results: 1,
				Parse: parsePlain, Print: mlir.PrintFunctional})
		}
	}
	add(1, `acos acosh asin asin_acos_kernel asinh atan atanh bessel_i1e conj cosh digamma erf erf_inv erfc is_inf
		is_neg_inf is_pos_inf lgamma sinh square tan constant_like`)
	add(2, `mulhi next_after polygamma zeta broadcast_add broadcast_and broadcast_atan2 broadcast_compare broadcast_complex
		broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply broadcast_next_after broadcast_or
		broadcast_polygamma broadcast_power broadcast_remainder broadcast_shift_left
		broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract broadcast_xor
		broadcast_zeta`)
	add(3, "broadcast_select")
	d.Ops = append(d.Ops,
		mlir.OpDef{Name: "chlo.constant", Traits: mlir.Pure | mlir.ConstantLike, Operands: 0, Results: 1,
			Parse: parseConstant, Print: printConstant},
		mlir.OpDef{Name: "chlo.top_k", Traits: mlir.Pure, Operands: 1, Results: 2, Parse: parseTopK},
		mlir.OpDef{Name: "chlo.ragged_dot", Traits: mlir.Pure, Operands: 3, Results: 1},
		mlir.OpDef{Name: "chlo.scan", Traits: mlir.RecursiveEffects, Operands: mlir.Variadic, Results: mlir.Variadic,
			Regions: 1, Parse: parseScan})
	mlir.RegisterDialect(d)
}

// parseTopK reads (%x, k = 2) : T -> (T, U).
func parseTopK(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	refs := []mlir.Ref{p.Operand()}
	p.Expect(",")
	p.Expect("k")
	p.Expect("=")
	op.Attrs = append(op.Attrs, mlir.Named{Name: "k", Value: mlir.Int(p.Int())})
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// parseScan reads (%x) inits(%i) dimension=0 attributes {…} {…} : (T, U) -> (T, U).
func parseScan(p *mlir.Parser, op *mlir.Operation) {
	inputs := p.OperandList("(", ")")
	p.Expect("inits")
	inits := p.OperandList("(", ")")
	p.Expect("dimension")
	p.Expect("=")
	op.Attrs = append(op.Attrs, mlir.Named{Name: "dimension", Value: mlir.Int(p.Int())})
	if p.Accept("attributes") {
		op.Attrs = append(op.Attrs, p.AttrDict()...)
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{Elem: mlir.I32,
		Ints: []int64{int64(len(inputs)), int64(len(inits))}}})
	p.Region(op, nil)
	p.Expect(":")
	t := p.FunctionType()
	op.Operands = p.ResolveAll(append(inputs, inits...), t.Inputs)
	op.SetResults(t.Results...)
}
