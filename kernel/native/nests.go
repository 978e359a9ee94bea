package native

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector/function"
)

// isProgram reports whether a nest becomes a vector program on x86. The others are code that package x86/nest emits.
func isProgram(n *kernel.Nest) bool { return foldsRows(n) }

// foldsRows reports whether a nest folds rows, of values that few operations make of what it reads, and has nothing but
// a stage of one point behind that.
func foldsRows(n *kernel.Nest) bool {
	if len(n.Inner) != 1 || len(n.Stages) != 2 || n.Stages[0].Once || !n.Stages[1].Once || len(n.Stages[0].Keep) > 0 {
		return false
	}
	for _, r := range n.Stages[0].Reduce {
		if r.Kind.IsArg() || r.Type == dtype.Bool {
			return false
		}
	}
	for _, s := range n.Stages {
		for _, i := range s.Body {
			if i.Op == kernel.Load && !s.Once && n.Access[i.Port].Inner[0] != 1 ||
				i.Op == kernel.LoadAt || i.Op == kernel.StoreAt || function.Is(i.Op) {
				return false
			}
		}
	}
	return true
}
