package precision

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes"
	"github.com/go-acap/acap/translate/passes/lowering"
)

func init() {
	for _, to := range Types() {
		passes.Register(passes.Pass{Name: PassName(to),
			Doc: "compute products in " + to.String() + " and what is sensitive in f32, as torch.autocast does",
			Run: func(root *mlir.Operation) error { return Autocast(root, to) }})
	}
}

// Types lists the types that autocast can lower to.
func Types() []dtype.DType { return []dtype.DType{dtype.BF16, dtype.F16} }

// PassName is the name of the pass that casts to a type: "autocast-bf16".
func PassName(to dtype.DType) string { return "autocast-" + to.String() }

// ParseType reads the name of a type of [Types]. Another name is an error.
func ParseType(name string) (dtype.DType, error) {
	d, err := dtype.Parse(name)
	for _, t := range Types() {
		if err == nil && t == d {
			return d, nil
		}
	}
	return dtype.Invalid, fmt.Errorf("mixed precision is with bf16 or f16, and not with %q", name)
}

// Autocast rewrites the aten operations inside root so that they compute in the types of
// [PolicyOf], where to is the 16-bit type. An operator that is not in the table and consists of such
// as are lowered is expanded. An operation that its operator does not take is an error with its place.
func Autocast(root *mlir.Operation, to dtype.DType) error {
	keep := func(op *mlir.Operation) bool { return PolicyOf(op.Name) != Follow || !hasProducts(op) }
	if err := lowering.DecomposeBut(root, keep); err != nil {
		return err
	}
	a := &autocast{to: to, written: map[*mlir.Value]dtype.DType{}, casts: map[cast]*mlir.Value{}}
	return mlir.Rewrite(root, func(r *mlir.Rewriter, op *mlir.Operation) error {
		a.visit(r, op)
		return nil
	})
}

type autocast struct {
	to dtype.DType
	// written has, for each value whose type was changed, the type that the program wrote.
	written map[*mlir.Value]dtype.DType
	casts   map[cast]*mlir.Value
}

// cast is a conversion that was made in a block.
type cast struct {
	of    *mlir.Value
	to    dtype.DType
	block *mlir.Block
}

func (a *autocast) visit(r *mlir.Rewriter, op *mlir.Operation) {
	known := ops.Lookup(op.Name)
	if known == nil || known.IsInplace() || !a.convert(r, op) {
		a.asWritten(r, op)
	}
}

// convert gives an operation the operands and results that its policy says. It reports false if
// the operator does not take them.
func (a *autocast) convert(r *mlir.Rewriter, op *mlir.Operation) bool {
	operands := slices.Clone(op.Operands)
	if to := a.target(op); to != dtype.Invalid {
		for i, v := range operands {
			if d := elem(v); d != to && a.casts16(d) {
				operands[i] = a.cast(r, v, to)
			}
		}
	}
	before := op.Operands
	op.Operands = operands
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil || len(call.Out) != len(op.Results) {
		op.Operands = before
		return false
	}
	for i, t := range call.Out {
		v := op.Results[i]
		if d := elem(v); d != dtype.Invalid && d != t.DType {
			a.written[v] = d
			v.Type = mlir.Tensor(t.DType, t.Shape)
		}
	}
	return true
}

// target returns the type that an operation's operands are to have, or Invalid if they stay.
func (a *autocast) target(op *mlir.Operation) dtype.DType {
	switch PolicyOf(op.Name) {
	case Lower:
		return a.to
	case Single:
		return dtype.F32
	case Widest:
		to := dtype.Invalid
		for _, v := range op.Operands {
			if d := elem(v); a.casts16(d) {
				to = dtype.Promote(to, d)
			}
		}
		return to
	}
	return dtype.Invalid
}

// asWritten gives an operation the operands that the program wrote.
func (a *autocast) asWritten(r *mlir.Rewriter, op *mlir.Operation) {
	operands := slices.Clone(op.Operands)
	for i, v := range operands {
		if d, ok := a.written[v]; ok {
			operands[i] = a.cast(r, v, d)
		}
	}
	op.Operands = operands
}

// casts16 reports whether tensors of a type are converted at all.
func (a *autocast) casts16(d dtype.DType) bool {
	return d == dtype.F32 || d == dtype.F16 || d == dtype.BF16
}

// cast converts a value, once in a block.
func (a *autocast) cast(r *mlir.Rewriter, v *mlir.Value, to dtype.DType) *mlir.Value {
	key := cast{v, to, r.Block}
	if c := a.casts[key]; c != nil {
		return c
	}
	out := ops.Emit{Builder: ops.Appender{Builder: &r.Builder}}.To(ops.OfIR(v), to)
	a.casts[key] = ops.ToIR(out)
	return a.casts[key]
}

// elem is the element type of a tensor, and Invalid for what is none.
func elem(v *mlir.Value) dtype.DType {
	if t, ok := v.Type.(mlir.TensorType); ok {
		return mlir.DTypeOf(t.Elem)
	}
	return dtype.Invalid
}

// hasProducts reports whether an operation consists of others, among which are some that are
// lowered.
func hasProducts(op *mlir.Operation) bool {
	if !aten.Is(op) {
		return false
	}
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil || call.Expansion() == nil {
		return false
	}
	p := &probe{}
	return ops.Try(func() { call.Expansion()(ops.Emit{Builder: p}, call) }) == nil && p.products
}

// probe is an [ops.Builder] that builds nothing and looks for products.
type probe struct{ products bool }

// typed is a value of a probe.
type typed struct{ ops.TensorType }

// Type implements [ops.Value].
func (t *typed) Type() ops.TensorType { return t.TensorType }

// Emit implements [ops.Builder].
func (p *probe) Emit(c *ops.Call) []ops.Value {
	switch policy, expand := PolicyOf(c.Op.Name()), c.Expansion(); {
	case policy == Lower:
		p.products = true
	case policy == Follow && expand != nil && !p.products:
		return expand(ops.Emit{Builder: p}, c)
	}
	out := make([]ops.Value, len(c.Out))
	for i, t := range c.Out {
		out[i] = &typed{t}
	}
	return out
}
