package ops

import "strings"

// Resolve picks the overload of a base name ("add") that accepts the arguments:
// positional ones in order, then named ones. It returns the operator and the
// arguments in schema order. Overloads are tried with exact kinds first, so that
// a tensor picks "Tensor" and a number "Scalar".
func Resolve(base string, args []Arg, named map[string]Arg) (*Op, []Arg, error) {
	if op := Lookup(base); op != nil && len(Overloads(op.schema.Name)) == 1 {
		list, err := op.arrange(args, named)
		return op, list, err
	}
	list := Overloads(trimNamespace(base))
	if len(list) == 0 {
		return nil, nil, &UnknownError{base}
	}
	var firstErr error
	var best *Op
	var bestArgs []Arg
	bestScore := -1
	for _, op := range list {
		arranged, err := op.arrange(args, named)
		if err != nil {
			if firstErr == nil {
				firstErr = err
			}
			continue
		}
		score := op.score(arranged)
		if len(args) > op.positional() {
			score -= 100
		}
		if score > bestScore {
			best, bestArgs, bestScore = op, arranged, score
		}
	}
	if best == nil {
		return nil, nil, firstErr
	}
	return best, bestArgs, nil
}

// arrange puts arguments into schema order and checks their kinds.
func (op *Op) arrange(args []Arg, named map[string]Arg) ([]Arg, error) {
	c := &Call{Op: op}
	params := op.schema.Params
	if len(args) > len(params) {
		return nil, c.ArgErrorf("takes at most %d arguments, got %d", len(params), len(args))
	}
	out := make([]Arg, len(params))
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
			return nil, c.ArgErrorf("argument %s is missing", q.Name)
		}
		kind := out[i].Kind
		if !q.coerce(&out[i]) && !(kind == KindNone && q.HasDef) {
			return nil, c.ArgErrorf("argument %s is a %v, not a %s", q.Name, kind, q.describe())
		}
	}
	for name := range named {
		if op.param(name) < len(args) {
			return nil, c.ArgErrorf("has no argument %s, or it is given twice", name)
		}
	}
	return out, nil
}

// positional counts the parameters before the keyword-only ones.
func (op *Op) positional() int {
	n := 0
	for _, q := range op.schema.Params {
		if !q.KwOnly {
			n++
		}
	}
	return n
}

// param returns the index of a parameter, or -1.
func (op *Op) param(name string) int {
	for i := range op.schema.Params {
		if op.schema.Params[i].Name == name {
			return i
		}
	}
	return -1
}

// score prefers overloads that take the given kinds as they are, with fewer
// parameters left to their defaults.
func (op *Op) score(args []Arg) int {
	score := 1000 - len(args)
	for i, q := range op.schema.Params {
		switch {
		case args[i].Kind == KindTensor && q.Type == TypeTensor,
			args[i].Kind == KindInt && q.Type == TypeInt,
			args[i].Kind == KindFloat && q.Type == TypeFloat:
			score += 2
		case args[i].Kind != KindNone:
			score++
		}
	}
	return score
}

// ForArgs returns op, or another overload of the same name if op takes tensors
// where args has numbers: add.Tensor of (x, 2) is add.Scalar.
func (op *Op) ForArgs(args []Arg) *Op {
	for i, q := range op.schema.Params {
		if i >= len(args) {
			break
		}
		kind := args[i].Kind
		if q.Type != TypeTensor || q.List || kind == KindNone || kind == KindTensor {
			continue
		}
		scalar := strings.Replace(op.schema.Overload, "Tensor", "Scalar", 1)
		if other := Lookup(op.schema.Name + "." + scalar); other != nil && other != op {
			return other
		}
		if other, _, err := Resolve(op.schema.Name, args, nil); err == nil {
			return other
		}
	}
	return op
}
