package ops

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// Resolve returns the operator that a name means for arguments, positional ones in order and then named ones, with
// the arguments in schema order.
//
// A name with its overload ("view.dtype", "relu.default") means that one, or the one beside it that takes a number
// where the arguments have one for a tensor: add.Tensor of (x, 2) is add.Scalar. A base name ("add") means the
// overload that accepts the arguments: the one that takes most of them as they are, and of those the one with the
// fewest parameters that are left to their defaults. A name of no operator is an [*UnknownError]; where no overload
// accepts the arguments, the error is that of the first one.
func Resolve(name string, args []Arg, named map[string]Arg) (*Op, []Arg, error) {
	list := Overloads(trimNamespace(name))
	if len(list) == 0 && strings.Contains(trimNamespace(name), ".") {
		return resolveNamed(name, args, named)
	}
	if len(list) == 0 {
		return nil, nil, &UnknownError{name}
	}
	var firstErr error
	var best *Op
	var bestArgs []Arg
	var bestFit fit
	for _, op := range list {
		arranged, fit, err := op.arrange(args, named)
		if err != nil {
			if firstErr == nil {
				firstErr = err
			}
			continue
		}
		if best == nil || fit.before(bestFit) {
			best, bestArgs, bestFit = op, arranged, fit
		}
	}
	if best == nil {
		return nil, nil, firstErr
	}
	return best, bestArgs, nil
}

// resolveNamed is Resolve of a name with its overload.
func resolveNamed(name string, args []Arg, named map[string]Arg) (*Op, []Arg, error) {
	op := Lookup(cmp.Or(torchNames[trimNamespace(name)], name))
	if op == nil {
		return nil, nil, &UnknownError{name}
	}
	list, _, err := op.arrange(args, named)
	if err == nil {
		return op, list, nil
	}
	if other := op.ForArgs(args); other != op {
		if list, _, failed := other.arrange(args, named); failed == nil {
			return other, list, nil
		}
	}
	return nil, nil, err
}

// torchNames are the operators whose overload has another name in PyTorch.
var torchNames = map[string]string{"floor_divide_.Tensor": "floor_divide_", "pow_.Scalar": "pow_.Tensor_Scalar",
	"pow_.Tensor": "pow_.Tensor_Tensor", "to.prim_Device": "to.prim_device"}

// fit says how well an overload fits arguments.
type fit struct {
	misplaced int // arguments in the places of parameters that must be named
	converted int // arguments that are converted
	defaults  int // parameters that are left to their defaults
}

// before reports whether f is the better one.
func (f fit) before(g fit) bool {
	return cmp.Or(cmp.Compare(f.misplaced, g.misplaced), cmp.Compare(f.converted, g.converted), cmp.Compare(f.defaults, g.defaults)) < 0
}

// arrange puts arguments into schema order and checks their kinds.
func (op *Op) arrange(args []Arg, named map[string]Arg) (out []Arg, f fit, err error) {
	c := &Call{Op: op}
	params := op.Parsed().Params
	if len(args) > len(params) {
		return nil, f, c.ArgErrorf("takes at most %d arguments, got %d", len(params), len(args))
	}
	f.misplaced = max(len(args)-op.positional(), 0)
	out = make([]Arg, len(params))
	for i := range params {
		q := &params[i]
		a, ok := named[q.Name]
		switch {
		case i < len(args):
			out[i] = args[i]
		case ok:
			out[i] = a
		case q.HasDef:
			out[i] = q.Default
		case !q.Optional:
			return nil, f, c.ArgErrorf("argument %s is missing", q.Name)
		}
		switch {
		case i >= len(args) && !ok:
			f.defaults++
		case !q.takes(out[i]):
			f.converted++
		}
		kind := out[i].Kind
		if !q.coerce(&out[i]) && !(kind == KindNone && q.HasDef) {
			return nil, f, c.ArgErrorf("argument %s is a %v, not a %s", q.Name, kind, q.describe())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(named)) {
		if op.param(name) < len(args) {
			return nil, f, c.ArgErrorf("has no argument %s, or it is given twice", name)
		}
	}
	return out, f, nil
}

// takes reports whether the parameter takes the argument as it is.
func (q *Param) takes(a Arg) bool {
	kind := a.Kind
	switch {
	case kind == KindNone:
		return q.Optional
	case q.List:
		switch q.Type {
		case TypeTensor:
			return kind == KindTensors
		case TypeInt:
			return kind == KindInts
		case TypeFloat, TypeScalar:
			return kind == KindFloats
		}
		return kind == KindBools
	case q.Type == TypeDType:
		return kind == KindDType
	case q.Type == TypeScalar:
		return kind == KindInt || kind == KindFloat || kind == KindBool || kind == KindComplex
	}
	return kind == plainKinds[q.Type]
}

// plainKinds are the kinds of arguments of parameters that are no lists.
var plainKinds = map[ParamType]Kind{TypeTensor: KindTensor, TypeInt: KindInt, TypeFloat: KindFloat, TypeBool: KindBool,
	TypeString: KindString, TypeDevice: KindString, TypeLayout: KindInt, TypeMemoryFormat: KindInt}

// positional counts the parameters before the keyword-only ones.
func (op *Op) positional() int {
	n := 0
	for _, q := range op.Parsed().Params {
		if !q.KwOnly {
			n++
		}
	}
	return n
}

// param returns the index of a parameter, or -1.
func (op *Op) param(name string) int {
	params := op.Parsed().Params
	for i := range params {
		if params[i].Name == name {
			return i
		}
	}
	return -1
}

// ForArgs returns op, or another overload of the same name if op takes tensors
// where args has numbers: add.Tensor of (x, 2) is add.Scalar.
func (op *Op) ForArgs(args []Arg) *Op {
	for i, q := range op.Parsed().Params {
		if i >= len(args) {
			break
		}
		kind := args[i].Kind
		if q.Type != TypeTensor || q.List || kind == KindNone || kind == KindTensor {
			continue
		}
		scalar := strings.Replace(op.Parsed().Overload, "Tensor", "Scalar", 1)
		if other := Lookup(op.Parsed().Name + "." + scalar); other != nil && other != op {
			return other
		}
		if other, _, err := Resolve(op.Parsed().Name, args, nil); err == nil {
			return other
		}
	}
	return op
}
