package mlir

import "github.com/go-acap/acap/base/parallel"

// Visit says what becomes of one operation, see [Rewrite].
type Visit func(r *Rewriter, op *Operation) error

// partOps is how many operations of a function's body one goroutine rewrites at a time.
const partOps = 32

// RewriteParts is [Rewrite] for visits that look at nothing but the operation: its attributes and regions,
// and of its operands the types and what is constant. The body of a large function is divided into parts,
// which are rewritten at once; where they end depends on the function alone. Each part has a visit of its
// own; visits are made in the order of the parts, and operands from another part are not up to date. The error is one
// of a visit.
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

// functions returns the functions of a module, or root if root is a function.
func functions(root *Operation) []*Operation {
	if root.Name == "func.func" {
		return []*Operation{root}
	}
	return root.Funcs()
}

// inParts rewrites the operations of a block.
func (l rewriting) inParts(visit func() Visit) error {
	l.number()
	parts := make([]*part, (len(l.ops)+partOps-1)/partOps)
	errs := make([]error, len(parts))
	for i := range parts {
		from, to := i*partOps, min((i+1)*partOps, len(l.ops))
		parts[i] = &part{from: from, first: l.ops[0],
			block: &Block{Label: l.block.Label, Args: l.block.Args, Ops: l.ops[from:to:to], Region: l.block.Region},
			visit: visit(), since: -1}
	}
	parallel.For(len(parts), func(i int) { errs[i] = parts[i].rewrite() })
	count := 0
	for _, p := range parts {
		count += len(p.block.Ops)
	}
	l.block.Ops = make([]*Operation, 0, count)
	for i, p := range parts {
		for _, op := range p.block.Ops {
			l.block.Append(op)
		}
		for _, r := range p.taking {
			for _, op := range p.block.Ops[r[0]:r[1]] {
				op.Walk(func(op *Operation) { op.mapUses(func(v *Value) *Value { return valueIn(parts, i, v) }) })
			}
		}
	}
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return nil
}

// number counts the operations, which are no longer in the block.
func (l rewriting) number() {
	for i, op := range l.ops {
		op.place = i
	}
}

// part is a part of a block while it is rewritten.
type part struct {
	Rewriter
	block  *Block
	visit  Visit
	from   int        // the place of its first operation
	first  *Operation // of all parts
	taking [][2]int   // where the operations are that may take something from an earlier part
	since  int        // where the last such place begins, if it has no end yet; else -1
}

// rewrite rewrites the part, and notes what may take something from an earlier one.
func (p *part) rewrite() error {
	p.values = make(map[*Value]*Value, len(p.block.Ops))
	err := p.blocks([]rewriting{{block: p.block}}, func(r *Rewriter, op *Operation) error {
		if r.Block == p.block {
			p.end()
			if p.takes(op) {
				p.since = len(p.block.Ops)
			}
		}
		return p.visit(r, op)
	})
	p.end()
	return err
}

// end ends a place of operations that take something.
func (p *part) end() {
	if p.since >= 0 {
		p.taking = append(p.taking, [2]int{p.since, len(p.block.Ops)})
		p.since = -1
	}
}

// takes reports whether an operation may use a result from an earlier part. Operations that this part makes have no
// place yet.
func (p *part) takes(op *Operation) bool {
	if len(op.Regions) > 0 || len(op.Successors) > 0 {
		return true
	}
	for _, v := range op.Operands {
		if d := v.Def; d != nil && p.from > 0 && (d == p.first || 0 < d.place && d.place < p.from) {
			return true
		}
	}
	return false
}

// valueIn returns what stands for a value that a part uses.
func valueIn(parts []*part, user int, v *Value) *Value {
	for {
		to, ok := parts[user].values[v]
		if !ok && v.Def != nil && v.Def.place/partOps < len(parts) {
			to, ok = parts[v.Def.place/partOps].values[v]
		}
		if !ok || to == v {
			return v
		}
		v = to
	}
}
