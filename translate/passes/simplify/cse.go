package simplify

import (
	"hash/maphash"

	"github.com/go-acap/acap/mlir"
)

// CSE replaces an operation without effects by an equal one that comes before it on
// every path. Regions are compared too, so that equal linalg operations merge. The error is always nil.
func CSE(module *mlir.Operation) error {
	c := &merger{seed: maphash.MakeSeed(), numbers: map[*mlir.Value]uint64{},
		values: map[*mlir.Value]*mlir.Value{}, table: map[uint64][]*mlir.Operation{}}
	c.run(module)
	if len(c.values) > 0 {
		module.Walk(func(op *mlir.Operation) { op.ReplaceUses(c.values) })
	}
	return nil
}

// merger walks the blocks in the order of dominance. The table holds the operations
// that dominate the current one.
type merger struct {
	seed    maphash.Seed
	numbers map[*mlir.Value]uint64 // of values, for hashing
	values  map[*mlir.Value]*mlir.Value
	table   map[uint64][]*mlir.Operation
	stack   []frame
}

// frame is a block that is being walked.
type frame struct {
	block    *mlir.Block
	ops      []*mlir.Operation // what is left of it
	children []*mlir.Block     // blocks that it dominates and that come next
	tree     map[*mlir.Block][]*mlir.Block
	added    []uint64                     // hashes to take out of the table in the end
	outer    map[uint64][]*mlir.Operation // the table around an isolated region
}

func (c *merger) run(module *mlir.Operation) {
	c.enter(module)
	for len(c.stack) > 0 {
		top := &c.stack[len(c.stack)-1]
		switch {
		case len(top.ops) > 0:
			op := top.ops[0]
			top.ops = top.ops[1:]
			op.ReplaceUses(c.values)
			if !c.merge(top, op) {
				top.block.Ops = append(top.block.Ops, op)
				c.enter(op)
			}
		case len(top.children) > 0:
			next := top.children[0]
			top.children = top.children[1:]
			c.push(next, top.tree, nil)
		default:
			c.leave(top)
		}
	}
}

// enter pushes the first blocks of the regions of op.
func (c *merger) enter(op *mlir.Operation) {
	for _, r := range op.Regions {
		if len(r.Blocks) == 0 {
			continue
		}
		var outer map[uint64][]*mlir.Operation
		if op.Def().Has(mlir.IsolatedFromAbove) && len(op.Regions) == 1 {
			outer = c.table
			c.table = map[uint64][]*mlir.Operation{}
		}
		c.push(r.Blocks[0], mlir.DominatorTree(r), outer)
	}
}

func (c *merger) push(b *mlir.Block, tree map[*mlir.Block][]*mlir.Block,
	outer map[uint64][]*mlir.Operation) {
	c.stack = append(c.stack, frame{
		block: b, ops: b.Ops, children: tree[b], tree: tree, outer: outer})
	b.Ops = b.Ops[:0:0]
}

func (c *merger) leave(top *frame) {
	for _, h := range top.added {
		bucket := c.table[h]
		if len(bucket) == 1 {
			delete(c.table, h)
		} else {
			c.table[h] = bucket[:len(bucket)-1]
		}
	}
	if top.outer != nil {
		c.table = top.outer
	}
	c.stack = c.stack[:len(c.stack)-1]
}

// merge reports whether an equal operation stands for op.
func (c *merger) merge(top *frame, op *mlir.Operation) bool {
	if len(op.Results) == 0 || !removable(op) {
		return false
	}
	if len(op.Regions) > 0 && len(c.values) > 0 {
		op.Walk(func(inner *mlir.Operation) { inner.ReplaceUses(c.values) })
	}
	h := c.hash(op)
	for _, known := range c.table[h] {
		if sameOperation(known, op, map[*mlir.Value]*mlir.Value{}) {
			for i, r := range op.Results {
				c.values[r] = known.Results[i]
			}
			return true
		}
	}
	c.table[h] = append(c.table[h], op)
	top.added = append(top.added, h)
	return false
}

// number gives each value a number of its own.
func (c *merger) number(v *mlir.Value) uint64 {
	n, ok := c.numbers[v]
	if !ok {
		n = uint64(len(c.numbers))
		c.numbers[v] = n
	}
	return n
}
