package mlir

// Rewriter replaces operations while it visits them. Every pass that changes operations uses a Rewriter, which knows
// regions, successors and values that regions capture. So a pass only says what becomes of one operation.
type Rewriter struct {
	Builder // appends in front of the operation that is visited, behind it after Keep

	op       *Operation // the visited one
	state    visitState
	values   map[*Value]*Value // what stands for the results of replaced operations
	replaced int
}

type visitState uint8

const (
	pending visitState = iota
	kept
	gone
)

// Rewrite visits the operations inside root, an operation before the operations of its regions and a definition before
// its uses, except where a graph region uses a value first. The operands of the visited operation are up to date.
// Operations that visit does not replace stay; operations that it builds are not visited. After an error the rest of
// root is as it was.
func Rewrite(root *Operation, visit Visit) error {
	_, err := RewriteCount(root, visit)
	return err
}

// RewriteCount is [Rewrite] that returns how many operations were replaced. The error is the first one of visit.
func RewriteCount(root *Operation, visit Visit) (int, error) {
	r := &Rewriter{values: map[*Value]*Value{}}
	err := r.blocks(pushBlocks(nil, root), visit)
	if len(r.values) > 0 {
		root.Walk(func(op *Operation) { op.ReplaceUses(r.values) })
	}
	return r.replaced, err
}

// Replace lets values stand for the results of the visited operation, which goes.
func (r *Rewriter) Replace(values ...*Value) {
	for i, v := range r.op.Results {
		r.values[v] = values[i]
	}
	r.state = gone
	r.replaced++
}

// Erase removes the visited operation, whose results nothing uses.
func (r *Rewriter) Erase() {
	r.state = gone
	r.replaced++
}

// Keep puts the visited operation here, so that what is built next comes behind it.
func (r *Rewriter) Keep() {
	if r.state == pending {
		r.Block.Append(r.op)
		r.state = kept
	}
}

// Substitute lets another value stand for v from here on, for instance for an
// argument of a block.
func (r *Rewriter) Substitute(v, by *Value) { r.values[v] = by }

// rewriting is a block that is being visited; visited operations wait with their
// regions until the block is done.
type rewriting struct {
	block *Block
	ops   []*Operation
}

// blocks visits the blocks on a stack, the last one first, and everything inside.
func (r *Rewriter) blocks(stack []rewriting, visit Visit) error {
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		if top.ops == nil {
			top.ops = top.block.Ops
			top.block.Ops = make([]*Operation, 0, len(top.ops))
		}
		if len(top.ops) == 0 {
			stack = stack[:len(stack)-1]
			continue
		}
		op := top.ops[0]
		top.ops = top.ops[1:]
		op.ReplaceUses(r.values)
		r.Builder, r.op, r.state = Builder{Block: top.block, Loc: op.Loc}, op, pending
		err := visit(r, op)
		if err == nil || r.state == pending {
			r.Keep()
		}
		if err != nil {
			for _, s := range stack {
				if s.ops != nil {
					s.block.Ops = append(s.block.Ops, s.ops...)
				}
			}
			return err
		}
		if r.state == kept && len(op.Regions) > 0 {
			stack = pushBlocks(stack, op)
		}
	}
	return nil
}

// pushBlocks pushes the blocks of the regions of op so that the first comes out first.
func pushBlocks(stack []rewriting, op *Operation) []rewriting {
	for i := len(op.Regions) - 1; i >= 0; i-- {
		blocks := inDominance(op.Regions[i])
		for k := len(blocks) - 1; k >= 0; k-- {
			if len(blocks[k].Ops) > 0 {
				stack = append(stack, rewriting{block: blocks[k]})
			}
		}
	}
	return stack
}

// inDominance returns the blocks of a region in an order in which a block comes before
// those that it dominates; those that cannot be reached come last.
func inDominance(r *Region) []*Block {
	if len(r.Blocks) < 2 {
		return r.Blocks
	}
	order := postorder(r.Blocks[0])
	seen := make(map[*Block]bool, len(order))
	blocks := make([]*Block, 0, len(r.Blocks))
	for i := len(order) - 1; i >= 0; i-- {
		seen[order[i]] = true
		blocks = append(blocks, order[i])
	}
	for _, b := range r.Blocks {
		if !seen[b] {
			blocks = append(blocks, b)
		}
	}
	return blocks
}

// Captured returns the outer values that op uses: its operands, the operands for its successors, and the values that
// its regions use without defining them. Each value is listed once, in the order of the text.
func (op *Operation) Captured() []*Value {
	seen := map[*Value]bool{}
	inside := map[*Block]bool{}
	var values []*Value
	use := func(list []*Value) {
		for _, v := range list {
			home := v.Owner
			if v.Def != nil {
				home = v.Def.Block
			}
			if !seen[v] && !inside[home] {
				seen[v] = true
				values = append(values, v)
			}
		}
	}
	if len(op.Regions) > 0 {
		op.Walk(func(inner *Operation) {
			for _, r := range inner.Regions {
				for _, b := range r.Blocks {
					inside[b] = true
				}
			}
		})
	}
	op.Walk(func(inner *Operation) {
		use(inner.Operands)
		for _, s := range inner.Successors {
			use(s.Args)
		}
	})
	return values
}

// CountUses returns how often each value is used inside root and by it.
func CountUses(root *Operation) map[*Value]int {
	uses := map[*Value]int{}
	root.Walk(func(op *Operation) {
		for _, v := range op.Operands {
			uses[v]++
		}
		for _, s := range op.Successors {
			for _, v := range s.Args {
				uses[v]++
			}
		}
	})
	return uses
}
