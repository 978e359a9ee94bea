package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/ops"
)

// Tracing writes x * 0.5 as mul(x, CONSTANTS.c0), with a tensor without dimensions that PyTorch has marked as a number
// that was wrapped: a number in the promotion of types. The mark is not in the file. torch.jit.load makes up for that:
// its executor (CanonicalizeOps) takes every constant without dimensions for a number where it is the second operand of
// add, sub, mul or div. Of the other calls in which Python wraps numbers it makes none, and gives another type than the
// traced program; here they are numbers where the constant has a type that wrapped numbers have.

// wrapping are the operators for which Python wraps numbers, and those that write in place.
var wrapping = map[string]bool{"add": true, "sub": true, "mul": true, "div": true, "floor_divide": true, "true_divide": true,
	"multiply": true, "subtract": true, "divide": true}

// executed are the operators whose second operand is always a number if it is a constant without dimensions.
var executed = map[string]bool{"add": true, "sub": true, "mul": true, "div": true}

// withWrapped replaces constants of a traced program by the numbers that they stand for.
func (ev *evaluator) withWrapped(at script.Position, name string, args arguments) arguments {
	if ev.model.exported != nil || len(args.positional) < 2 || !wrapping[strings.TrimSuffix(name, "_")] {
		return args
	}
	self, ok1 := args.positional[0].(*tensor)
	other, ok2 := args.positional[1].(*tensor)
	if !ok1 || !ok2 {
		return args
	}
	_, named := roundedDivision(name, args.named)
	if n, ok := other.constant(executed[name] && len(named) == len(args.named)); ok {
		args.positional = append([]value{self, n}, args.positional[2:]...)
	} else if n, ok := self.constant(false); ok {
		d := resultType([]operand{{other.typeOf().DType, true}, {numberTensor(n).dtype, false}})
		args.positional = append([]value{rounded(n, d)}, args.positional[1:]...)
	}
	return args
}

// wrapped returns the arguments of the overload that a program of torch.export names, with tensors for numbers where
// the overload takes tensors. Decompositions write 3 - x as sub.Tensor(3, x, alpha=1), and Python wraps the 3: its type
// counts only if its category is higher than the tensors'. Arguments of a program that names no overload stay as they
// are.
func wrapped(name string, args arguments) arguments {
	op := ops.Lookup(strings.ReplaceAll(name, "::", ".") + "." + args.overload)
	if args.overload == "" || op == nil {
		return args
	}
	args.positional, args.named = slices.Clone(args.positional), slices.Clone(args.named)
	var places []*value
	for i, q := range op.Parsed().Params {
		if q.Type != ops.TypeTensor || q.List {
			continue
		}
		if i < len(args.positional) {
			places = append(places, &args.positional[i])
		}
		for j := range args.named {
			if args.named[j].name == q.Name {
				places = append(places, &args.named[j].value)
			}
		}
	}
	var operands []operand
	for _, p := range places {
		if t, ok := (*p).(*tensor); ok {
			operands = append(operands, operand{t.typeOf().DType, true})
		} else if _, ok := number(*p); ok {
			operands = append(operands, operand{numberTensor(*p).dtype, false})
		}
	}
	d := resultType(operands)
	for _, p := range places {
		if n, ok := number(*p); ok {
			*p = rounded(n, d)
		}
	}
	return args
}

// constant returns the number that a constant of the program without dimensions stands for: of any type, or only of
// one that wrapped numbers have.
func (t *tensor) constant(anyType bool) (value, bool) {
	p := t.parameter
	if p == nil || t.written || !strings.HasPrefix(p.Name, constantsPrefix) || !t.isScalar() {
		return nil, false
	}
	switch d := p.Data.DType; {
	case d == dtype.Bool:
		return p.Data.Int64(0) != 0, true
	case d == dtype.I64 || anyType && d.IsInt():
		return int(p.Data.Int64(0)), true
	case d == dtype.F64 || anyType && d.IsFloat():
		return p.Data.Float64(0), true
	case (d == dtype.C128 || anyType && d.IsComplex()) && !p.Data.DType.IsFloat():
		return p.Data.Complex(0), true
	}
	return nil, false
}
