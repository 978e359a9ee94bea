package torchscript

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/torch"
	"github.com/go-acap/acap/ops"
)

// textRun is a run of a function.
type textRun struct {
	ev      *evaluator
	text    *Text
	values  map[*mlir.Value]value
	symbols map[*mlir.Value]int // extents that have names
	globals map[string]value
}

// place is where an operation stands.
func (r *textRun) place(op *mlir.Operation) script.Position {
	return script.Position{File: op.Loc.File, Line: op.Loc.Line, Col: op.Loc.Col}
}

// input takes an input: a tensor, or a number in one.
func (r *textRun) input(at script.Position, i int, t mlir.Type, v ops.Value) value {
	kind := torch.Kind(t)
	if d, plain := numberTypes[kind]; plain {
		if _, ok := r.ev.builder.Reader(); !ok {
			failAt(at, "input %d is a number of type %s, which becomes a part of the program: give all inputs, the number as a tensor of one element", i, kind)
		}
		n := r.ev.scalarOf(at, r.ev.newTensor(v), fmt.Sprintf("input %d of type %s", i, kind))
		switch {
		case d == dtype.Bool:
			return r.ev.truth(at, n)
		case d == dtype.F64:
			x, _ := number(n)
			return float(x)
		}
		return r.ev.intOf(at, n)
	}
	if kind != "vtensor" && kind != "tensor" {
		failAt(at, "input %d is of type %s, and only tensors and numbers are given", i, t)
	}
	x := r.ev.newTensor(v)
	r.fits(at, fmt.Sprintf("input %d", i), t, x)
	return x
}

// fits checks a tensor against what the text says of it.
func (r *textRun) fits(at script.Position, what string, t mlir.Type, x *tensor) {
	want, ok := textTensor(t)
	if !ok {
		return
	}
	got := x.typeOf()
	fits := mlir.DTypeOf(want.Elem) == got.DType && len(want.Shape) == len(got.Shape)
	for d := 0; fits && d < len(want.Shape); d++ {
		fits = want.Shape[d] == mlir.Dynamic || want.Shape[d] == got.Shape[d]
	}
	if !fits {
		failAt(at, "%s is of type %s, and the program has %v %s", what, t, got.DType, shape.String(got.Shape))
	}
}

// initialize gives the globals their first values.
func (r *textRun) initialize() {
	body := r.text.module.Body()
	if body == nil {
		return
	}
	for _, op := range body.Ops {
		if op.Name != "torch.global_slot.module_initializer" {
			continue
		}
		end, values := r.block(op.Regions[0].Blocks[0])
		names, _ := end.Attrs.Get("slotSymNames").(mlir.ArrayAttr)
		for i, v := range values {
			if i < len(names) {
				name, _ := names[i].(mlir.SymbolRefAttr)
				r.globals[strings.Join(name, "::")] = v
			}
		}
	}
}

// call runs a function of one block.
func (r *textRun) call(at script.Position, f *mlir.Operation, args []value) []value {
	if r.ev.calls++; r.ev.calls > maxCalls {
		failAt(at, "calls are nested more than %d deep", maxCalls)
	}
	body := f.Body()
	if body == nil || len(f.Regions[0].Blocks) != 1 {
		failAt(at, "the function %s is no program of one block", f.Symbol())
	}
	outer := r.values
	r.values = map[*mlir.Value]value{}
	r.bind(body, args)
	_, results := r.block(body)
	r.values = outer
	r.ev.calls--
	return results
}

func (r *textRun) bind(b *mlir.Block, args []value) {
	for i, a := range b.Args {
		r.values[a] = args[i]
	}
}

// block runs the operations of a block and returns its terminator with the values that it passes on.
func (r *textRun) block(b *mlir.Block) (*mlir.Operation, []value) {
	for _, op := range b.Ops {
		at := r.place(op)
		r.ev.charge(at, 1)
		in := make([]value, len(op.Operands))
		for i, v := range op.Operands {
			in[i] = r.values[v]
		}
		if op.Def().Has(mlir.Terminator) {
			return op, in
		}
		out := r.run(at, op, in)
		if len(out) != len(op.Results) {
			failAt(at, "%s gives %d values, not %d", op.Name, len(out), len(op.Results))
		}
		for i, v := range op.Results {
			if x, ok := out[i].(*tensor); ok {
				r.fits(at, "the result of "+op.Name, v.Type, x)
			}
			r.values[v] = out[i]
		}
	}
	return nil, nil
}

// region runs a region of one block.
func (r *textRun) region(at script.Position, region *mlir.Region, args ...value) []value {
	r.bind(region.Blocks[0], args)
	_, out := r.block(region.Blocks[0])
	return out
}

// run runs an operation that is no terminator.
func (r *textRun) run(at script.Position, op *mlir.Operation, in []value) []value {
	if f := textOperations[op.Name]; f != nil {
		return f(r, at, op, in)
	}
	name, overload, ok := operatorOf(op)
	if !ok {
		failAt(at, "%s is not supported in a program of the torch dialect; there are the operators of ATen, %s", op.Name,
			strings.Join(slices.Sorted(maps.Keys(textOperations)), ", "))
	}
	args := arguments{positional: in, overload: overload}
	switch name {
	case "sym_constrain_range", "sym_constrain_range_for_size":
		r.ev.constrain(at, args)
		return nil
	case "_assert_scalar":
		if !r.ev.truth(at, in[0]) {
			failAt(at, "the inputs do not hold what the program asserts: %s", text(args.at(1)))
		}
		return nil
	}
	out := r.ev.callOperator(at, name, args)
	if len(op.Results) == 1 {
		return []value{out}
	}
	if len(op.Results) == 0 {
		return nil
	}
	return itemsOf(out)
}

// operatorOf is the name of an operator of ATen or of the language, and its overload.
func operatorOf(op *mlir.Operation) (name, overload string, ok bool) {
	full := op.Name
	if full == "torch.operator" {
		text, _ := op.Attrs.Get("name").(mlir.StringAttr)
		full = string(text)
	}
	for _, prefix := range []string{"torch.aten.", "torch.prims.", "torch.prim.", "torch.valsem.aten."} {
		if rest, found := strings.CutPrefix(full, prefix); found {
			name, overload, _ = strings.Cut(rest, ".")
			// Twins of overloads take lists of tensors without None.
			return name, strings.TrimSuffix(strings.TrimSuffix(overload, "hacked_twin"), "_"), true
		}
	}
	return "", "", false
}
