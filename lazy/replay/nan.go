package replay

import (
	"context"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/mlir"
)

// Source is where a NaN comes from.
type Source struct {
	// Op is the call whose result holds the NaN though its operands do not, or that takes it from an input.
	Op      *mlir.Operation
	Input   bool
	Shape   []int // of the result or the input
	Element int   // its first NaN, by its place in row-major order
}

// NaN evaluates a program call by call on the reference, and follows the first result that holds a NaN back
// to where it comes from. It returns nil if the reference computes none. It is an error if the reference fails.
func NaN(ctx context.Context, module *mlir.Operation, inputs []*buf.Buffer) (*Source, error) {
	e, err := evaluate(ctx, module, inputs)
	if err != nil {
		return nil, err
	}
	if e.failed != nil {
		return nil, e.failed.Errorf("the reference fails: %w", e.err)
	}
	var source *Source
	op := e.f.Body().Terminator()
	for {
		i := slices.IndexFunc(op.Operands, func(v *mlir.Value) bool { return e.values[v].FirstNaN() >= 0 })
		if i < 0 {
			return source, nil
		}
		v := op.Operands[i]
		b := e.values[v]
		if v.Def != nil {
			op = v.Def
		}
		source = &Source{Op: op, Input: v.Def == nil, Shape: b.Shape, Element: b.FirstNaN()}
		if source.Input {
			return source, nil
		}
	}
}
