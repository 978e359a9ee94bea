package kernel

import "slices"

// Lines are the dimensions of a dense tensor around one axis: element i of the line
// through (outer, inner) lies at (outer·N + i)·Inner + inner.
type Lines struct{ Outer, N, Inner int }

// Elements returns the elements of all lines.
func (l Lines) Elements() int { return l.Outer * l.N * l.Inner }

// With returns the lines of another length.
func (l Lines) With(n int) Lines { return Lines{l.Outer, n, l.Inner} }

func (l Lines) list() list { return list{l.Outer, l.N, l.Inner} }

func (d *decoder) lines(it *item) Lines {
	e := d.ints(it, "lines", 3)
	return Lines{e[0], e[1], e[2]}
}

// dense checks a port that holds all elements in order.
func (v *verifier) dense(what string, p Port, elements int, write bool) {
	v.port(what, p)
	if p.Write != write {
		v.fail("%s: written: %t", what, p.Write)
	}
	if v.err == nil && p.Len != elements {
		v.fail("%s: %d elements in a port of %d", what, elements, p.Len)
	}
}

// A FoldKind says how scans and scatters combine elements.
type FoldKind uint8

// The ways to fold. FoldAssign keeps the later element, FoldLogAddExp gives
// log(exp(a) + exp(b)).
const (
	FoldAdd FoldKind = iota
	FoldMul
	FoldMax
	FoldMin
	FoldLogAddExp
	FoldAssign
	numFolds
)

var foldNames = [numFolds]string{"add", "mul", "max", "min", "logaddexp", "assign"}

// String returns the name of the fold.
func (f FoldKind) String() string {
	if f < numFolds {
		return foldNames[f]
	}
	return "invalid"
}

// FoldNamed returns the fold of a name, and false if there is none.
func FoldNamed(name string) (FoldKind, bool) {
	i := slices.Index(foldNames[:], name)
	return FoldKind(max(i, 0)), i >= 0
}

func (d *decoder) fold(it *item) FoldKind {
	f, ok := FoldNamed(it.attrs["fold"])
	if !ok {
		d.fail(it, "unknown fold %q", it.attrs["fold"])
	}
	return f
}

// operands reads the ports of a block by their names, each of which must be there.
func (d *decoder) operands(it *item, names []string, ports ...*Port) {
	seen := map[string]bool{}
	for _, sub := range it.block {
		i := slices.Index(names, word(sub))
		if i < 0 || seen[names[i]] {
			d.fail(sub, "unexpected %q", word(sub))
			return
		}
		seen[names[i]] = true
		*ports[i] = d.port(sub)
	}
	if len(seen) != len(names) {
		d.fail(it, "want the operands %v", names)
	}
}
