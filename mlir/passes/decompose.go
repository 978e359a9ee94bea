package passes

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Decompose replaces every aten operation that has an expansion by it, until
// only operations remain that lower to linalg or run on the host.
func Decompose(module *mlir.Operation) error {
	return mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !isAten(op) {
			return nil
		}
		call, err := ops.FromOperation(op, ops.OfIR)
		if err != nil {
			return at(op, err)
		}
		if call.Expansion() == nil {
			return nil
		}
		if r.Loc.Operator == "" {
			r.Loc.Operator = call.Op.Name()
		}
		var results []ops.Value
		if err := ops.Try(func() { results = (&decomposer{&r.Builder}).Emit(call) }); err != nil {
			return at(op, err)
		}
		values := make([]*mlir.Value, len(results))
		for i, v := range results {
			values[i] = v.(ops.IRValue).V
		}
		r.Replace(values...)
		return nil
	})
}

// decomposer is an [ops.Builder] that appends to a block and expands on the way.
type decomposer struct{ *mlir.Builder }

// Emit implements [ops.Builder].
func (d *decomposer) Emit(c *ops.Call) []ops.Value {
	if expand := c.Expansion(); expand != nil {
		results := expand(ops.Emit{Builder: d}, c)
		checkExpansion(c, results)
		return results
	}
	op := d.Insert(c.Operation(func(v ops.Value) *mlir.Value { return v.(ops.IRValue).V }))
	out := make([]ops.Value, len(op.Results))
	for i, r := range op.Results {
		out[i] = ops.IRValue{V: r}
	}
	return out
}

func checkExpansion(c *ops.Call, results []ops.Value) {
	for i, r := range results {
		want, got := c.Out[i], r.Type()
		if got.DType != want.DType || fmt.Sprint(got.Shape) != fmt.Sprint(want.Shape) {
			panic(fmt.Sprintf("BUG: passes: %s expands result %d to %v%v instead of %v%v",
				c.Op.Name(), i, got.DType, got.Shape, want.DType, want.Shape))
		}
	}
}

// at prefixes an error with the location of an operation.
func at(op *mlir.Operation, err error) error {
	if op.Loc.IsUnknown() {
		return fmt.Errorf("%s: %w", op.Name, err)
	}
	return fmt.Errorf("%s: %s: %w", op.Loc.Short(), op.Name, err)
}
