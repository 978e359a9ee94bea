package acap

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/mlir"
)

// The ways to fold. Assign, of scatters alone, keeps the last update; LogAddExp, of
// scans alone, is log(exp(a) + exp(b)).
const (
	Add       = "add"
	Mul       = "mul"
	Max       = "max"
	Min       = "min"
	LogAddExp = "logaddexp"
	Assign    = "assign"
)

var (
	scanKinds    = []string{Add, Mul, Max, Min, LogAddExp}
	scatterKinds = []string{Assign, Add, Mul, Max, Min}
)

// Kind returns how a scan or scatter folds.
func Kind(op *mlir.Operation) string {
	s, _ := op.Attrs.Get("kind").(mlir.StringAttr)
	return string(s)
}

// Folding says how values become one: a sum, product or extreme of them, or the last of them.
type Folding struct {
	Kind     string // such as [Add]
	Axis     int    // along which values are folded
	Unsigned bool   // integers are unsigned
}

// attrs are the attributes of a folding, in alphabetical order.
func (f Folding) attrs() mlir.Attrs {
	return flag(mlir.Attrs{{Name: "axis", Value: mlir.Int(f.Axis)},
		{Name: "kind", Value: mlir.StringAttr(f.Kind)}}, "unsigned", f.Unsigned)
}

func wantKind(op *mlir.Operation, kinds []string) error {
	if !slices.Contains(kinds, Kind(op)) {
		return fmt.Errorf("cannot fold by %q; there are %s", Kind(op), strings.Join(kinds, ", "))
	}
	return nil
}

// foldOf is how a scan or scatter folds. The dialect has the names of kernels.
func foldOf(op *mlir.Operation) kernel.FoldKind {
	fold, _ := kernel.FoldNamed(Kind(op))
	return fold
}
