package simplify

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// DCE removes operations without effects whose results nobody uses, and blocks that cannot be reached. Its error is
// always nil, as a pass has one.
func DCE(module *mlir.Operation) error {
	removeUnreachable(module)
	uses := map[*mlir.Value]int{}
	count := func(op *mlir.Operation, by int) {
		for _, v := range op.Operands {
			uses[v] += by
		}
		for _, s := range op.Successors {
			for _, v := range s.Args {
				uses[v] += by
			}
		}
	}
	var work []*mlir.Operation
	module.Walk(func(op *mlir.Operation) {
		count(op, 1)
		work = append(work, op)
	})
	dead := map[*mlir.Operation]bool{}
	for len(work) > 0 {
		op := work[len(work)-1]
		work = work[:len(work)-1]
		if dead[op] || op == module || !unused(op, uses) || !removable(op) {
			continue
		}
		op.Walk(func(inner *mlir.Operation) {
			if dead[inner] {
				return // counted already
			}
			dead[inner] = true
			count(inner, -1)
			for _, v := range inner.Operands {
				if v.Def != nil && uses[v] == 0 {
					work = append(work, v.Def)
				}
			}
		})
	}
	if len(dead) > 0 {
		sweep(module, dead)
	}
	return nil
}

func unused(op *mlir.Operation, uses map[*mlir.Value]int) bool {
	for _, r := range op.Results {
		if uses[r] > 0 {
			return false
		}
	}
	return true
}

// removable reports whether nobody misses an operation without uses.
func removable(op *mlir.Operation) bool {
	return !op.Def().Has(mlir.Terminator) && op.IsPure()
}

// sweep takes dead operations out of their blocks.
func sweep(module *mlir.Operation, dead map[*mlir.Operation]bool) {
	module.Walk(func(op *mlir.Operation) {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				live := b.Ops[:0]
				for _, inner := range b.Ops {
					if !dead[inner] {
						live = append(live, inner)
					}
				}
				clear(b.Ops[len(live):])
				b.Ops = live
			}
		}
	})
}

func removeUnreachable(module *mlir.Operation) {
	module.Walk(func(op *mlir.Operation) {
		for _, r := range op.Regions {
			if len(r.Blocks) < 2 {
				continue
			}
			reached := mlir.Reachable(r)
			r.Blocks = slices.DeleteFunc(r.Blocks, func(b *mlir.Block) bool { return !reached[b] })
		}
	})
}
