package ops

import (
	"fmt"
	"slices"
	"strings"
)

// enumerations are the ints of schemas that stand for names, by the parameter's name and
// what the operator's name contains: PyTorch's Python functions take the names.
var enumerations = []struct {
	parameter, operator string
	names               []string
}{
	{"reduction", "", []string{"none", "mean", "sum"}},
	{"interpolation_mode", "grid_sampler", []string{"bilinear", "nearest", "bicubic"}},
	{"padding_mode", "grid_sampler", []string{"zeros", "border", "reflection"}},
	{"mode", "embedding_bag", []string{"sum", "mean", "max"}},
}

// enumeration returns the names that the numbers of int parameter i stand for, or nil.
func (op *Op) enumeration(q *Param) []string {
	if q.Type != TypeInt || q.List {
		return nil
	}
	for _, e := range enumerations {
		if q.Name == e.parameter && strings.Contains(op.Parsed().Name, e.operator) {
			return e.names
		}
	}
	return nil
}

// acceptName makes the number of a name, and refuses numbers that have none.
func (c *Call) acceptName(q *Param, a *Arg, names []string) error {
	given := ""
	switch a.Kind {
	case KindString:
		given = fmt.Sprintf("%q", a.Text())
		if i := slices.Index(names, a.Text()); i >= 0 {
			*a = IntArg(i)
			return nil
		}
	case KindInt:
		given = fmt.Sprint(a.Int())
		if a.Int() >= 0 && a.Int() < len(names) {
			return nil
		}
	default:
		return nil
	}
	var list []string
	for i, n := range names {
		list = append(list, fmt.Sprintf("%s (%d)", n, i))
	}
	return c.ArgErrorf("argument %s is %s; there is %s", q.Name, given, enumerate(list))
}

// Enumeration returns the names that the numbers of parameter i stand for, or nil.
func (op *Op) Enumeration(i int) []string { return op.enumeration(&op.Parsed().Params[i]) }
