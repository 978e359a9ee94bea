package replay

import (
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// evaluation is a program with the value of each of its calls by the reference.
type evaluation struct {
	f      *mlir.Operation // the entry function
	inputs []*buf.Buffer
	values map[*mlir.Value]*buf.Buffer
	failed *mlir.Operation // the first call that the reference cannot evaluate
	err    error           // why
}

// evaluate runs the calls of a module one by one.
func evaluate(ctx context.Context, module *mlir.Operation, inputs []*buf.Buffer) (*evaluation, error) {
	f := module.Func(compiler.Entry)
	if f == nil || f.Body() == nil {
		return nil, fmt.Errorf("the program has no function @%s", compiler.Entry)
	}
	if len(inputs) != len(f.Body().Args) {
		return nil, fmt.Errorf("%d inputs were given, the program has %d", len(inputs), len(f.Body().Args))
	}
	e := &evaluation{f: f, inputs: inputs, values: map[*mlir.Value]*buf.Buffer{}}
	for i, a := range f.Body().Args {
		e.values[a] = inputs[i]
	}
	for _, op := range f.Body().Ops {
		if op.Name == "func.return" {
			break
		}
		if len(op.Regions) > 0 || op.Name == "func.call" {
			return nil, op.Errorf("only programs without control flow and calls can be taken apart")
		}
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if e.err = e.call(ctx, op); e.err != nil {
			e.failed = op
			break
		}
	}
	return e, nil
}

// call evaluates one operation alone.
func (e *evaluation) call(ctx context.Context, op *mlir.Operation) error {
	p := newPart([]*mlir.Operation{op}, op.Results)
	in := make([]*buf.Buffer, len(p.inputs))
	for i, v := range p.inputs {
		in[i] = e.values[v]
	}
	out, err := runReference(ctx, p.module, in)
	if err != nil {
		return err
	}
	for i, r := range op.Results {
		e.values[r] = out[i]
	}
	return nil
}

// runReference lowers a module and evaluates it element by element. Operations of the host run on the host here, too.
func runReference(ctx context.Context, module *mlir.Operation, inputs []*buf.Buffer) ([]*buf.Buffer, error) {
	text := module.String()
	if err := compiler.Lower(module); err != nil {
		return nil, err
	}
	f := module.Func(compiler.Entry)
	whole := true
	for _, op := range f.Body().Ops {
		whole = whole && op.Name != "func.call" && ops.Lookup(op.Name) == nil
	}
	if whole {
		return reference.Run(f, inputs)
	}
	again, err := mlir.Parse("part.mlir", []byte(text))
	if err != nil {
		return nil, err
	}
	exe, err := compiler.CompileWith(ctx, again, portable.Compile)
	if err != nil {
		return nil, err
	}
	defer exe.Close()
	return exe.Run(ctx, inputs)
}

// part is some operations of a function as a module of their own.
type part struct {
	module *mlir.Operation
	inputs []*mlir.Value // of the function that it was taken from, in the order of its arguments
}

// newPart makes a module of operations, in their order, that returns some values.
func newPart(list []*mlir.Operation, results []*mlir.Value) part {
	var p part
	inside := map[*mlir.Value]bool{}
	seen := map[*mlir.Value]bool{}
	input := func(v *mlir.Value) {
		if !inside[v] && !seen[v] {
			seen[v] = true
			p.inputs = append(p.inputs, v)
		}
	}
	for _, op := range list {
		for _, v := range op.Operands {
			input(v)
		}
		for _, r := range op.Results {
			inside[r] = true
		}
	}
	for _, v := range results {
		input(v)
	}
	types := mlir.FunctionType{Inputs: typesOf(p.inputs), Results: typesOf(results)}
	p.module = mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr(compiler.Entry)},
		{Name: "function_type", Value: mlir.TypeAttr{Type: types}},
	})
	p.module.Body().Append(f)
	block := f.AddRegion().AddBlock(types.Inputs...)
	values := map[*mlir.Value]*mlir.Value{}
	for i, v := range p.inputs {
		values[v] = block.Args[i]
	}
	mapped := func(list []*mlir.Value) []*mlir.Value {
		out := make([]*mlir.Value, len(list))
		for i, v := range list {
			out[i] = values[v]
		}
		return out
	}
	for _, op := range list {
		c := mlir.NewOp(op.Name, mapped(op.Operands), typesOf(op.Results), slices.Clone(op.Attrs))
		c.Loc = op.Loc
		block.Append(c)
		for i, r := range op.Results {
			values[r] = c.Results[i]
		}
	}
	block.Append(mlir.NewOp("func.return", mapped(results), nil, nil))
	return p
}

func typesOf(values []*mlir.Value) []mlir.Type {
	types := make([]mlir.Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

// Tolerance says when two numbers are the same: |a-b| <= Absolute + Relative·|b|.
type Tolerance struct{ Relative, Absolute float64 }

// differs describes the largest difference of two results, or returns "".
func (t Tolerance) differs(got, want *buf.Buffer) string {
	if got.DType != want.DType || !shape.Equal(got.Shape, want.Shape) {
		return fmt.Sprintf("%v%s instead of %v%s", got.DType, shape.String(got.Shape), want.DType, shape.String(want.Shape))
	}
	worst, at := -1.0, -1
	for i := range got.Len() {
		a, b := got.Complex(i), want.Complex(i)
		for _, pair := range [][2]float64{{real(a), real(b)}, {imag(a), imag(b)}} {
			g, w := pair[0], pair[1]
			if g == w || math.IsNaN(g) && math.IsNaN(w) {
				continue
			}
			d := math.Abs(g-w) - t.Absolute - t.Relative*math.Abs(w)
			if math.IsNaN(d) {
				d = math.Inf(1)
			}
			if d > 0 && d > worst {
				worst, at = d, i
			}
		}
	}
	if at < 0 {
		return ""
	}
	a, b := got.Complex(at), want.Complex(at)
	if !got.DType.IsComplex() {
		return fmt.Sprintf("element %d is %v instead of %v", at, real(a), real(b))
	}
	return fmt.Sprintf("element %d is %v instead of %v", at, a, b)
}
