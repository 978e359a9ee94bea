package stablehlo

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Classes of chlo, whose tensors may have no rank.
const (
	open        = "tensor*(pred | signed | unsigned | real | pairs | quantized | peraxis)"
	openReals   = "tensor*(real)"
	openHalves  = "tensor*(real | pairs)"
	openComplex = "tensor*(pairs)"
	openBits    = "tensor*(pred | signed | unsigned)"
	openPreds   = "tensor*(pred)"
)

func spread(names, class, result, rules string, check func(facts) error) row {
	return row{names: names, traits: mlir.Pure, operands: "lhs is " + class + ", rhs is " + class, results: gives + result,
		rules: rules, form: plain, check: check}
}

// chloRows are the operations of chlo: functions, and operations of the other dialect that broadcast.
var chloRows = []row{
	unary("acos acosh asin asinh atan atanh bessel_i1e conj cosh sinh tan square", openHalves, openHalves, "compatible(operand, result)", nil),
	unary("_asin_acos_kernel", openComplex, openComplex, "compatible(operand, result)", nil),
	unary("digamma erf erf_inv erfc lgamma", openReals, openReals, "compatible(operand, result)", nil),
	unary("is_inf is_neg_inf is_pos_inf", openReals, openPreds, "shape(operand, result)", nil),
	{names: "constant_like", traits: mlir.Pure, operands: onValue + open, results: gives + open, attrs: "value: any",
		rules: "shape(operand, result)", form: plain, check: verifyConstantLike},
	spread("mulhi", integers, integers, "compatible(lhs, rhs, result)", nil),
	spread("next_after polygamma zeta", openReals, openReals, "compatible(lhs, rhs, result)", nil),
	spread(`broadcast_add broadcast_atan2 broadcast_divide broadcast_maximum broadcast_minimum broadcast_multiply
		broadcast_next_after broadcast_polygamma broadcast_power broadcast_remainder broadcast_shift_left
		broadcast_shift_right_arithmetic broadcast_shift_right_logical broadcast_subtract`, open, open, "elements(lhs, rhs, result)", nil),
	spread("broadcast_zeta", openReals, openReals, "elements(lhs, rhs, result)", nil),
	spread("broadcast_and broadcast_or broadcast_xor", openBits, openBits, "elements(lhs, rhs, result)", nil),
	spread("broadcast_complex", openReals, openComplex, "elements(lhs, rhs)", nil),
	spread("broadcast_compare", open, openPreds, "elements(lhs, rhs)", nil),
	{names: "broadcast_select", traits: mlir.Pure, operands: "pred is " + preds + ", true is " + open + ", false is " + open,
		results: gives + open, rules: "elements(true, false, result)", form: plain},
	{names: "constant", traits: mlir.Pure | mlir.ConstantLike, results: gives + all, attrs: "value: elements", rules: "static(result)",
		form: form{parseConstant, printConstant}, check: verifyConstant},
	{names: "top_k", traits: mlir.Pure, operands: onValue + open, results: "values is " + open + ", indices is " + open,
		attrs: "k: i64, is_stable: bool?", form: form{parseTopK, nil}, check: verifyTopK},
	{names: "ragged_dot", traits: mlir.Pure, operands: "lhs is " + open + ", rhs is " + open + ", groups is " + integers, results: gives + open,
		attrs: "ragged_dot_dimension_numbers: any", check: verifyRaggedDot},
	{names: "scan", traits: mlir.RecursiveEffects, operands: "inputs* is " + open + ", inits* is " + open,
		results: "results* is " + open, regions: "body", attrs: "dimension: i64(0..), scan_dim_size: i64(0..)?, is_reverse: bool?",
		form: form{parseScan, nil}, check: verifyScan},
}

func verifyConstantLike(f facts) error {
	if t := mlir.TypeOf(f.Attrs.Get("value")); t != nil && !mlir.SameType(t, mlir.ElementOf(f.Results[0].Type)) {
		return fmt.Errorf("the value is of type %s, and the result of %s", t, f.Results[0].Type)
	}
	return nil
}

// verifyRaggedDot checks a product with one dimension that is divided into groups. The dimension is a row dimension of
// the left side, and each group has a right side of its own; or it is summed over, and each group has a result; or it
// is a batch dimension.
func verifyRaggedDot(f facts) error {
	x, w, sizes := f.in(0), f.in(1), f.in(2)
	fields := Fields(f.Attrs.Get("ragged_dot_dimension_numbers"))
	ragged, group := fields["lhs_ragged_dimensions"], fields["rhs_group_dimensions"]
	if err := verifyPrecision(f); err != nil {
		return err
	}
	if len(ragged) != 1 {
		return fmt.Errorf("divides one dimension of the left side into groups, not %d", len(ragged))
	}
	if err := first(dimensions("lhs_ragged_dimensions", ragged, len(x.Shape)), dimensions("the right side",
		slices.Concat(group, fields["rhs_batching_dimensions"], fields["rhs_contracting_dimensions"]), len(w.Shape))); err != nil {
		return err
	}
	batch, summed := fields["lhs_batching_dimensions"], fields["lhs_contracting_dimensions"]
	rows := !slices.Contains(batch, ragged[0]) && !slices.Contains(summed, ragged[0])
	if want := map[bool]int{true: 1, false: 0}[rows]; len(group) != want {
		return fmt.Errorf("the right side has %d group dimensions, not %d", want, len(group))
	}
	if len(sizes.Shape) == 0 {
		return fmt.Errorf("the sizes of groups need a dimension")
	}
	groups := sizes.Shape[len(sizes.Shape)-1]
	if len(sizes.Shape) > 1 {
		var want []int
		for _, d := range beforeRagged(ragged[0], len(x.Shape), batch, summed) {
			want = append(want, x.Shape[d])
		}
		if want = append(want, groups); !slices.EqualFunc(want, sizes.Shape, same) {
			return fmt.Errorf("the sizes of groups are of shape %s, not %s", extents(want), extents(sizes.Shape))
		}
	}
	right := w
	if rows {
		if n := w.Shape[group[0]]; !same(n, groups) {
			return fmt.Errorf("the right side has %d groups, and there are sizes of %d", n, groups)
		}
		right.Shape = slices.Delete(slices.Clone(w.Shape), group[0], group[0]+1)
		for _, name := range []string{"rhs_batching_dimensions", "rhs_contracting_dimensions"} {
			fields[name] = withoutDimension(fields[name], group[0])
		}
	}
	shape, err := dotShape(x, right, fields)
	if err != nil {
		return err
	}
	if slices.Contains(summed, ragged[0]) {
		shape = append([]int{groups}, shape...)
	}
	return f.shape(shape)
}

// beforeRagged returns the dimensions of the left side over which the sizes of groups may differ: the batch dimensions
// and those of the ragged one's kind, up to the ragged one.
func beforeRagged(ragged, rank int, batch, summed []int) []int {
	if i := slices.Index(batch, ragged); i >= 0 {
		return batch[:i]
	}
	kind := summed
	if !slices.Contains(summed, ragged) {
		kind = nil
		for d := range rank {
			if !slices.Contains(batch, d) && !slices.Contains(summed, d) {
				kind = append(kind, d)
			}
		}
	}
	return slices.Concat(batch, kind[:slices.Index(kind, ragged)])
}

// withoutDimension returns the numbers that dimensions have when dimension gone is left out.
func withoutDimension(dims []int, gone int) (out []int) {
	for _, d := range dims {
		if d > gone {
			d--
		}
		out = append(out, d)
	}
	return out
}

func verifyScan(f facts) error {
	segments := f.ints("operandSegmentSizes")
	inputs, dim := segments[0], f.int("dimension")
	extent := mlir.Dynamic
	if f.Attrs.Get("scan_dim_size") != nil {
		extent = f.int("scan_dim_size")
	}
	want := make([]mlir.Type, len(f.Operands))
	for i := range f.Operands {
		t := f.in(i)
		if i < inputs {
			if dim >= len(t.Shape) {
				return fmt.Errorf("scans dimension %d of %s", dim, t)
			}
			if !same(t.Shape[dim], extent) {
				return fmt.Errorf("scans %d places, and %s has %d", extent, t, t.Shape[dim])
			}
			if t.Shape[dim] != mlir.Dynamic {
				extent = t.Shape[dim]
			}
			t.Shape = slices.Delete(slices.Clone(t.Shape), dim, dim+1)
		}
		want[i] = t
	}
	if len(f.Operands) == 0 && len(f.Results) == 0 {
		return fmt.Errorf("needs inputs or results")
	}
	return takes(f.Regions[0], "body", want)
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
