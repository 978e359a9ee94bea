package simplify

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// StripLocations forgets where operations come from. The error is always nil.
func StripLocations(module *mlir.Operation) error {
	module.Walk(func(op *mlir.Operation) { op.Loc = mlir.Location{} })
	return nil
}

// ElideLarger is the number of elements above which the pass "elide" drops a constant.
const ElideLarger = 32

// Elide replaces constants of more elements than larger by dense_resource<__elided__>. The module can be read and
// printed then, but not run. The error is always nil.
func Elide(module *mlir.Operation, larger int) error {
	module.Walk(func(op *mlir.Operation) {
		for i, n := range op.Attrs {
			elided := mlir.ResourceAttr{Key: "__elided__"}
			switch a := n.Value.(type) {
			case mlir.DenseAttr:
				if a.IsSplat() || a.Len() <= larger {
					continue
				}
				elided.Type = a.Type
			case mlir.ResourceAttr:
				elided.Type = a.Type
			default:
				continue
			}
			op.Attrs = slices.Clone(op.Attrs)
			op.Attrs[i].Value = elided
		}
	})
	return nil
}
