package lazy

import (
	"errors"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/passes"
)

// # Numbers that vary
//
// A Go number that a call is given, such as a learning rate, is a constant of the program: it is folded into the
// kernels. When a second program differs from the first in such numbers alone, the numbers vary. They then become
// inputs of the second program and of all later programs that the same lines record. A number that decides what is
// computed stays a constant; a trial shows this: the call is lowered without the number.

// generalize looks for numbers that differ from the numbers of an earlier program of the family, and makes them inputs.
// It reports whether the graph has to be collected again.
func (r *Runtime) generalize(p, before *program) bool {
	if before == nil || before.sketch == nil {
		return false
	}
	varied := p.sketch.Varied(before.sketch)
	return !slices.ContainsFunc(varied, decides) && r.open(p, varied)
}

// decides reports whether a number cannot be an input, because it decides what is computed.
func decides(v trace.Varied) bool {
	if !v.Refused() && mayVary(v.Call()) {
		return false
	}
	v.Refuse()
	return true
}

// open makes numbers inputs, and reports whether there are any.
func (r *Runtime) open(p *program, varied []trace.Varied) bool {
	varied = slices.DeleteFunc(varied, func(v trace.Varied) bool { return !v.Open() })
	if len(varied) == 0 {
		return false
	}
	r.stats.varying.Add(int64(len(varied)))
	r.why.opened(p.family, varied)
	return true
}

// mayVary reports whether a call can be lowered without knowing one of its numbers.
func mayVary(c *ops.Call, arg int) bool {
	module := mlir.NewModule()
	var inputs []mlir.Type
	c.Each(func(v ops.Value) { inputs = append(inputs, mlir.Tensor(v.Type().DType, v.Type().Shape)) })
	number := ops.OpenType(c.Args[arg].Kind)
	inputs = append(inputs, mlir.Tensor(number.DType, number.Shape))
	results := make([]mlir.Type, len(c.Out))
	for i, t := range c.Out {
		results[i] = mlir.Tensor(t.DType, t.Shape)
	}
	f := mlir.NewOp("func.func", nil, nil, mlir.Attrs{
		{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{Inputs: inputs, Results: results}}},
	})
	module.Body().Append(f)
	block := f.AddRegion().AddBlock(inputs...)
	next := -1
	value := func(ops.Value) *mlir.Value { next++; return block.Args[next] }
	open := *c
	open.Args = append([]ops.Arg(nil), c.Args...)
	open.Args[arg] = ops.OpenArg(c.Args[arg].Kind, ops.IRValue{V: block.Args[len(inputs)-1]})
	block.Append(open.Operation(func(v ops.Value) *mlir.Value {
		if number, ok := v.(ops.IRValue); ok {
			return number.V
		}
		return value(v)
	}))
	block.Append(mlir.NewOp("func.return", block.Ops[0].Results, nil, nil))
	pipeline, err := passes.Parse(passes.Lowering)
	return err == nil && pipeline.Run(module) == nil
}

// refuse makes the numbers of a graph constants for good if they are why it could not be
// compiled, and reports whether they are.
func refuse(g *trace.Graph, err error) bool {
	var open *ops.OpenError
	if !errors.As(err, &open) || len(g.Numbers) == 0 {
		return false
	}
	for _, n := range g.Numbers {
		n.Refuse()
	}
	return true
}
