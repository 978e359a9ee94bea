package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// Decompose replaces every aten operation that has an expansion by it, until
// only operations remain that lower to linalg or run on the host.
func Decompose(module *mlir.Operation) error {
	for _, f := range module.Funcs() {
		if f.Body() == nil {
			continue
		}
		if err := decomposeFunc(f); err != nil {
			return err
		}
	}
	return nil
}

// decomposer is an [ops.Builder] that appends to a block and expands on the way.
type decomposer struct {
	block *mlir.Block
	loc   mlir.Location
}

func decomposeFunc(f *mlir.Operation) error {
	block := f.Body()
	old := block.Ops
	block.Ops = make([]*mlir.Operation, 0, len(old))
	d := &decomposer{block: block}
	values := map[*mlir.Value]*mlir.Value{}
	for _, op := range old {
		for i, v := range op.Operands {
			if w := values[v]; w != nil {
				op.Operands[i] = w
			}
		}
		if !strings.HasPrefix(op.Name, "aten.") {
			block.Append(op)
			continue
		}
		if err := d.replace(op, values); err != nil {
			return err
		}
	}
	return nil
}

func (d *decomposer) replace(op *mlir.Operation, values map[*mlir.Value]*mlir.Value) error {
	d.loc = op.Loc
	call, err := ops.FromOperation(op, ops.OfIR)
	if err != nil {
		return at(op, err)
	}
	if call.Expansion() == nil {
		d.block.Append(op)
		return nil
	}
	var results []ops.Value
	if err := ops.Try(func() { results = d.Emit(call) }); err != nil {
		return at(op, err)
	}
	for i, r := range op.Results {
		values[r] = results[i].(ops.IRValue).V
	}
	return nil
}

// Emit implements [ops.Builder].
func (d *decomposer) Emit(c *ops.Call) []ops.Value {
	if expand := c.Expansion(); expand != nil {
		results := expand(ops.Emit{Builder: d}, c)
		checkExpansion(c, results)
		return results
	}
	op := c.Operation(func(v ops.Value) *mlir.Value { return v.(ops.IRValue).V })
	op.Loc = d.loc
	d.block.Append(op)
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
