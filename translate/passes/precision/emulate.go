package precision

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
)

// EmulateName is the name of the pass [Emulate].
const EmulateName = "bf16-as-bfp16"

func init() {
	passes.Register(passes.Pass{Name: EmulateName,
		Doc: "round both operands of matrix products of bf16 to block floating point, as kernels do that multiply bf16 so",
		Run: Emulate})
}

// Emulate rewrites products of matrices of bf16 inside root, so that they compute what hardware does that turns both
// operands to bfp16 in registers: 8 values along the dimension that is summed over share an exponent. Products of these
// are exact, sums are f32. Convolutions and attention are left as they are. An operation that its operator does not
// take is an error with its place.
func Emulate(root *mlir.Operation) error {
	products := []string{"aten.mm", "aten.addmm", "aten.bmm", "aten.baddbmm"}
	keep := func(op *mlir.Operation) bool { return slices.Contains(products, op.Name) }
	if err := lowering.DecomposeBut(root, keep); err != nil {
		return err
	}
	e := &emulation{made: map[packed]*mlir.Value{}}
	return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if keep(op) {
			e.visit(r, op)
		}
		return nil
	})
}

// emulation has the roundings that were made.
type emulation struct{ made map[packed]*mlir.Value }

// visit rounds the operands of a product.
func (e *emulation) visit(r *mlir.Rewriter, op *mlir.Operation) {
	first := 0
	if op.Name == "aten.addmm" || op.Name == "aten.baddbmm" {
		first = 1
	}
	if len(op.Operands) < first+2 || elem(op.Operands[first]) != dtype.BF16 || elem(op.Operands[first+1]) != dtype.BF16 {
		return
	}
	op.Operands = slices.Clone(op.Operands)
	for place, v := range op.Operands[first : first+2] {
		op.Operands[first+place] = e.rounded(r, v, place)
	}
}

// rounded returns an operand in values of bfp16. The second one is summed over along its last dimension but one.
func (e *emulation) rounded(r *mlir.Rewriter, v *mlir.Value, place int) *mlir.Value {
	key := packed{v, place, r.Block}
	if known := e.made[key]; known != nil {
		return known
	}
	loc := r.Loc
	r.Loc.Operator = "" // it is no part of the product
	b := ops.Emit{Builder: ops.Appender{Builder: &r.Builder}}
	x, round := ops.OfIR(v), "_to_"+dtype.BFP16.String()
	if place == 0 {
		x = b.Call(round, x)
	} else {
		x = b.Call("transpose.int", b.Call(round, b.Call("transpose.int", x, -2, -1)), -2, -1)
	}
	e.made[key] = ops.ToIR(b.To(x, dtype.BF16))
	r.Loc = loc
	return e.made[key]
}
