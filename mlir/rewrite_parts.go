package mlir

import (
	"maps"

	"github.com/go-acap/acap/device/kernel/parallel"
)

// Visit says what becomes of one operation, see [Rewrite].
type Visit func(r *Rewriter, op *Operation) error

// partOps is how many operations of a function's body one goroutine rewrites at a time.
const partOps = 64

// RewriteParts is [Rewrite] for visits that look at nothing but the operation: its attributes and regions,
// and of its operands the types and what is constant. The body of a large function is divided into parts,
// which are rewritten at once; where they end depends on the function alone. Each part has a visit of its
// own; visits are made in the order of the parts, and operands from another part are not up to date.
func RewriteParts(root *Operation, visit func() Visit) error {
	var large []rewriting
	for _, f := range functions(root) {
		if b := f.Body(); b != nil && len(f.Regions[0].Blocks) == 1 && len(b.Ops) >= 2*partOps {
			large = append(large, rewriting{b, b.Ops})
			b.Ops = nil
		}
	}
	err := Rewrite(root, visit())
	for _, l := range large {
		if err != nil {
			l.block.Ops = l.ops
			continue
		}
		err = l.inParts(visit)
	}
	return err
}

// functions are those of a module, or root if it is one.
func functions(root *Operation) []*Operation {
	if root.Name == "func.func" {
		return []*Operation{root}
	}
	return root.Funcs()
}

// inParts rewrites the operations of a block.
func (l rewriting) inParts(visit func() Visit) error {
	parts := make([]*Rewriter, (len(l.ops)+partOps-1)/partOps)
	blocks := make([]*Block, len(parts))
	visits := make([]Visit, len(parts))
	errs := make([]error, len(parts))
	for i := range parts {
		ops := l.ops[i*partOps : min((i+1)*partOps, len(l.ops))]
		parts[i] = &Rewriter{values: map[*Value]*Value{}}
		blocks[i] = &Block{Label: l.block.Label, Args: l.block.Args, Ops: ops, Region: l.block.Region}
		visits[i] = visit()
	}
	parallel.For(len(parts), func(i int) {
		errs[i] = parts[i].blocks([]rewriting{{block: blocks[i]}}, visits[i])
	})
	values := map[*Value]*Value{}
	for i, r := range parts {
		maps.Copy(values, r.values)
		l.block.Ops = append(l.block.Ops, blocks[i].Ops...)
	}
	parallel.For(len(parts), func(i int) {
		for _, op := range blocks[i].Ops {
			op.Block = l.block
			op.Walk(func(op *Operation) { op.ReplaceUses(values) })
		}
	})
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}
