package precision

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
)

func init() {
	for _, f := range dtype.Formats() {
		passes.Register(passes.Pass{Name: PackedName(f),
			Doc: "round constant weights of matrix products to the values of " + f.String() + ", and what they are multiplied by",
			Run: func(root *mlir.Operation) error { return Pack(root, f) }})
	}
}

// PackedName is the name of the pass that packs weights in a format: "weights-q4".
func PackedName(f dtype.Format) string { return "weights-" + f.String() }

// Pack rewrites products of matrices with constant weights inside root, of f32, bf16 or f16, so that
// they compute what hardware does that keeps the weights in a packed format: see ops for what values
// formats have. Blocks lie along the dimension that is summed over. An operand that is multiplied by weights of bfp16
// is rounded to bfp16 as well, and an operand of weights of q4 to bf16. Products of these are exact, sums are f32. An
// operation that its operator does not take is an error with its place.
func Pack(root *mlir.Operation, f dtype.Format) error {
	keep := func(op *mlir.Operation) bool { return op.Name == "aten.mm" || op.Name == "aten.addmm" }
	if err := lowering.DecomposeBut(root, keep); err != nil {
		return err
	}
	p := &packing{to: f, made: map[packed]*mlir.Value{}, kept: kept(root)}
	return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if keep(op) {
			p.visit(r, op)
		}
		return nil
	})
}

type packing struct {
	to   dtype.Format
	made map[packed]*mlir.Value
	kept map[*mlir.Value]bool // arguments that hold the same data in many runs
}

// kept collects the arguments of functions that [ops.ConstantMark] marks, such as the frozen weights of a lazy program.
func kept(root *mlir.Operation) map[*mlir.Value]bool {
	all := map[*mlir.Value]bool{}
	root.Walk(func(f *mlir.Operation) {
		if f.Name != "func.func" || len(f.Regions) == 0 || len(f.Regions[0].Blocks) == 0 {
			return
		}
		for i, marked := range ops.ConstantArguments(f) {
			all[f.Regions[0].Blocks[0].Args[i]] = marked
		}
	})
	return all
}

// packed is a rounding that was made in a block: of the operand at a place, 0 or 1, of a product.
type packed struct {
	of    *mlir.Value
	place int
	block *mlir.Block
}

// visit rounds the operands of a product.
func (p *packing) visit(r *mlir.Rewriter, op *mlir.Operation) {
	first := 0
	if op.Name == "aten.addmm" {
		first = 1
	}
	if len(op.Operands) < first+2 {
		return
	}
	a, b := op.Operands[first], op.Operands[first+1]
	d := elem(b)
	if elem(a) != d || p.constant(a) == p.constant(b) || d != dtype.F32 && d != dtype.BF16 && d != dtype.F16 {
		return
	}
	op.Operands = slices.Clone(op.Operands)
	for place, v := range []*mlir.Value{a, b} {
		op.Operands[first+place] = p.rounded(r, v, place, p.constant(v))
	}
}

// rounded returns an operand in the values of its format and the type that it had.
func (p *packing) rounded(r *mlir.Rewriter, v *mlir.Value, place int, weights bool) *mlir.Value {
	key := packed{v, place, r.Block}
	if known := p.made[key]; known != nil {
		return known
	}
	loc := r.Loc
	r.Loc.Operator = "" // it is no part of the product
	e := ops.Emit{Builder: ops.Appender{Builder: &r.Builder}}
	x := ops.OfIR(v)
	switch {
	case !weights && p.to == dtype.Q4:
		x = e.To(x, dtype.BF16)
	case place == 0:
		x = e.Call("_to_"+p.to.String(), x)
	default: // the second operand is summed over along its first dimension
		x = e.Call("t", e.Call("_to_"+p.to.String(), e.Call("t", x)))
	}
	p.made[key] = ops.ToIR(e.To(x, elem(v)))
	r.Loc = loc
	return p.made[key]
}

// constant reports whether a value follows from constants and kept arguments alone.
func (p *packing) constant(v *mlir.Value) bool {
	op := v.Def
	if op == nil {
		return p.kept[v]
	}
	if len(op.Regions) > 0 {
		return false
	}
	if o := ops.Lookup(op.Name); op.Name != "arith.constant" && (o == nil || o.Draws) {
		return false
	}
	return !slices.ContainsFunc(op.Operands, func(x *mlir.Value) bool { return !p.constant(x) })
}
