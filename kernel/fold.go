package kernel

import "slices"

// A FoldKind says how scans and scatters combine elements.
type FoldKind uint8

// The ways to fold. FoldAssign keeps the later element, FoldLogAddExp gives log(exp(a) + exp(b)).
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

func (d *decoder) fold(it *item, key string) FoldKind {
	f, ok := FoldNamed(it.attr(key))
	if !ok {
		d.fail(it, "unknown fold %q", it.attr(key))
	}
	return f
}
