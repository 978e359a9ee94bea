package lowering

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/arith"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/mlir/dialect/scf"
	"github.com/go-acap/acap/ops"
)

// Decompose replaces every aten operation that has an expansion by it, until
// only operations remain that lower to linalg or run on the host. An operation that its operator does not take is an
// error with its place.
func Decompose(module *mlir.Operation) error { return DecomposeBut(module, nil) }

// DecomposeBut is [Decompose] without the operations for which keep returns true, such as operations that a device
// takes whole. keep is also asked about the operations of an expansion. A nil keep is true for none. Errors are those
// of [Decompose].
func DecomposeBut(module *mlir.Operation, keep func(op *mlir.Operation) bool) error {
	return decompose(module, func(b *mlir.Builder) ops.Builder { return &decomposer{b, keep} }, keep)
}

// DecomposeIntoLoops is [DecomposeBut] that writes expansions of many like turns, such as the steps of a recurrent
// layer, as an scf.for: a body that is compiled once. Without, they are written turn by turn. Errors are those of
// [Decompose].
func DecomposeIntoLoops(module *mlir.Operation, keep func(op *mlir.Operation) bool) error {
	return decompose(module, func(b *mlir.Builder) ops.Builder { return &looper{decomposer{b, keep}} }, keep)
}

func decompose(module *mlir.Operation, builder func(*mlir.Builder) ops.Builder, keep func(op *mlir.Operation) bool) error {
	visit := func(r *mlir.Rewriter, op *mlir.Operation) error {
		if !aten.Is(op) || keep != nil && keep(op) {
			return nil
		}
		call, err := ops.FromOperation(op, ops.OfIR)
		if err != nil {
			return op.Errorf("%w", err)
		}
		if call.Expansion() == nil {
			return nil
		}
		if r.Loc.Operator == "" {
			r.Loc.Operator = call.Op.Name()
		}
		var results []ops.Value
		if err := ops.Try(func() {
			results = call.Expansion()(ops.Emit{Builder: builder(&r.Builder)}, call)
			checkExpansion(call, results)
		}); err != nil {
			return op.Errorf("%w", err)
		}
		values := make([]*mlir.Value, len(results))
		for i, v := range results {
			values[i] = ops.ToIR(v)
		}
		r.Replace(values...)
		return nil
	}
	return rewriteCalls(module, func() mlir.Visit { return visit })
}

// rewriteCalls rewrites calls, each by itself. A module with complex numbers is not divided into parts, because a call
// on complex numbers looks at the operations that make its operands.
func rewriteCalls(module *mlir.Operation, visit func() mlir.Visit) error {
	if makesComplex(module) {
		return mlir.Rewrite(module, visit())
	}
	return mlir.RewriteParts(module, visit)
}

// makesComplex reports whether an operation has a result of complex numbers.
func makesComplex(module *mlir.Operation) (found bool) {
	module.Walk(func(op *mlir.Operation) {
		for _, v := range op.Results {
			t, _ := v.Type.(mlir.TensorType)
			_, is := t.Elem.(mlir.ComplexType)
			found = found || is
		}
	})
	return found
}

// decomposer is an [ops.Builder] that appends to a block and expands on the way.
type decomposer struct {
	*mlir.Builder
	keep func(*mlir.Operation) bool
}

// NewBuilder returns an [ops.Builder] that appends to the block of b, and expands the operations for which keep returns
// false.
func NewBuilder(b *mlir.Builder, keep func(*mlir.Operation) bool) ops.Builder {
	return &decomposer{b, keep}
}

// Emit implements [ops.Builder].
func (d *decomposer) Emit(c *ops.Call) []ops.Value { return d.emit(c, d) }

// emit appends a call as its expansion by a builder, or as it is if it has none or is to be kept.
func (d *decomposer) emit(c *ops.Call, by ops.Builder) []ops.Value {
	expand := c.Expansion()
	var op *mlir.Operation
	if expand == nil || d.keep != nil {
		op = c.Operation(ops.ToIR)
	}
	if expand != nil && (op == nil || !d.keep(op)) {
		results := expand(ops.Emit{Builder: by}, c)
		checkExpansion(c, results)
		return results
	}
	return ops.ResultsOf(d.Insert(op))
}

// looper is a decomposer that is an [ops.Looper].
type looper struct{ decomposer }

// Emit implements [ops.Builder].
func (l *looper) Emit(c *ops.Call) []ops.Value { return l.emit(c, l) }

// Loop implements [ops.Looper].
func (l *looper) Loop(count int, start []ops.Value, body func(e ops.Emit, carried []ops.Value) []ops.Value) []ops.Value {
	inits := make([]*mlir.Value, len(start))
	for i, v := range start {
		inits[i] = ops.ToIR(v)
	}
	results := scf.For(l.Builder, arith.Index(l.Builder, 0), arith.Index(l.Builder, count), arith.Index(l.Builder, 1), inits,
		func(b *mlir.Builder, _ *mlir.Value, carried []*mlir.Value) []*mlir.Value {
			next := body(ops.Emit{Builder: &looper{decomposer{b, l.keep}}}, irValues(carried))
			out := make([]*mlir.Value, len(next))
			for i, v := range next {
				out[i] = ops.ToIR(v)
			}
			return out
		})
	return irValues(results)
}

func irValues(list []*mlir.Value) []ops.Value {
	out := make([]ops.Value, len(list))
	for i, v := range list {
		out[i] = ops.IRValue{V: v}
	}
	return out
}

func checkExpansion(c *ops.Call, results []ops.Value) {
	for i, r := range results {
		want, got := c.Out[i], r.Type()
		if got.DType != want.DType || !slices.Equal(got.Shape, want.Shape) {
			panic(fmt.Sprintf("BUG: lowering: %s expands result %d to %v%v instead of %v%v",
				c.Op.Name(), i, got.DType, got.Shape, want.DType, want.Shape))
		}
	}
}
