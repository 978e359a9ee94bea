package mlir

// dominance checks that every operand is defined before its use: earlier in the
// block, in a dominating block, or in a block around it, and not across an
// isolated region.
func (v *verifier) dominance(root *Operation) {
	d := &dominators{order: map[*Operation]int{}, trees: map[*Region]*domTree{}}
	root.Walk(func(op *Operation) {
		for _, r := range op.Regions {
			for _, b := range r.Blocks {
				for i, inner := range b.Ops {
					d.order[inner] = i
				}
			}
		}
	})
	root.Walk(func(op *Operation) {
		if op == root {
			return // its operands come from outside
		}
		for i, operand := range op.Operands {
			v.use(d, root, op, i, operand)
		}
		for _, s := range op.Successors {
			for i, arg := range s.Args {
				v.use(d, root, op, i, arg)
			}
		}
	})
}

func (v *verifier) use(d *dominators, root, op *Operation, i int, operand *Value) {
	switch d.check(root, op, operand) {
	case notVisible:
		v.errorf(op, "operand %d is not visible here", i)
	case notDominated:
		v.errorf(op, "operand %d does not dominate this use", i)
	}
}

type visibility uint8

const (
	visible visibility = iota
	notVisible
	notDominated
)

// dominators answers which blocks come before others on every path.
type dominators struct {
	order map[*Operation]int // position in the block
	trees map[*Region]*domTree
}

// check climbs from the use to the block that defines the value.
func (d *dominators) check(root, use *Operation, value *Value) visibility {
	home := value.Owner
	if value.Def != nil {
		home = value.Def.Block
	}
	if home == nil {
		return notVisible
	}
	for at := use; ; at = at.Parent() {
		if at == nil || at.Block == nil {
			return notVisible
		}
		if at.Block.Region == home.Region {
			return d.before(at, home, value)
		}
		parent := at.Parent()
		if parent == nil || parent.Def().Has(IsolatedFromAbove) {
			return notVisible
		}
		if parent == root {
			return visible // defined around what is checked
		}
	}
}

// before reports whether a value of block home is defined before op, both being in
// one region.
func (d *dominators) before(op *Operation, home *Block, value *Value) visibility {
	def := home.Region.Parent.Def()
	switch {
	case op.Block == home && value.Def == nil, def == nil, def.Has(GraphRegion):
		return visible // nothing is known about the order in regions of unknown operations
	case op.Block == home:
		if at, ok := d.order[value.Def]; ok && at < d.order[op] || !d.tree(home.Region).reached(home) {
			return visible
		}
	case d.tree(home.Region).dominates(home, op.Block):
		return visible
	}
	return notDominated
}

func (d *dominators) tree(r *Region) *domTree {
	t := d.trees[r]
	if t == nil {
		t = newDomTree(r)
		d.trees[r] = t
	}
	return t
}

// domTree holds the immediate dominator of each block that can be reached, found by
// iteration to a fixed point (Cooper, Harvey, Kennedy: A Simple, Fast Dominance
// Algorithm, 2001).
type domTree struct {
	number map[*Block]int // in postorder
	idom   []int
}

func newDomTree(r *Region) *domTree {
	order := postorder(r.Blocks[0])
	t := &domTree{number: make(map[*Block]int, len(order)), idom: make([]int, len(order))}
	for i, b := range order {
		t.number[b] = i
		t.idom[i] = -1
	}
	preds := predecessors(r)
	entry := len(order) - 1
	t.idom[entry] = entry
	for changed := true; changed; {
		changed = false
		for i := entry - 1; i >= 0; i-- {
			best := -1
			for _, p := range preds[order[i]] {
				n, reached := t.number[p]
				switch {
				case !reached || t.idom[n] < 0:
				case best < 0:
					best = n
				default:
					best = t.meet(best, n)
				}
			}
			if best != t.idom[i] {
				t.idom[i] = best
				changed = true
			}
		}
	}
	return t
}

// meet returns the nearest common dominator.
func (t *domTree) meet(a, b int) int {
	for a != b {
		for a < b {
			a = t.idom[a]
		}
		for b < a {
			b = t.idom[b]
		}
	}
	return a
}

func (t *domTree) reached(b *Block) bool {
	_, ok := t.number[b]
	return ok
}

// dominates reports whether every path to b leads through a. A block that cannot be
// reached is dominated by all.
func (t *domTree) dominates(a, b *Block) bool {
	to, reached := t.number[b]
	if !reached {
		return true
	}
	from, ok := t.number[a]
	if !ok {
		return false
	}
	for to < from {
		to = t.idom[to]
	}
	return to == from
}

// postorder lists the blocks that can be reached, each behind its successors.
func postorder(entry *Block) []*Block {
	type frame struct {
		block *Block
		next  int
	}
	var order []*Block
	seen := map[*Block]bool{entry: true}
	stack := []frame{{block: entry}}
	for len(stack) > 0 {
		top := &stack[len(stack)-1]
		var successors []Successor
		if t := top.block.Terminator(); t != nil {
			successors = t.Successors
		}
		if top.next == len(successors) {
			order = append(order, top.block)
			stack = stack[:len(stack)-1]
			continue
		}
		next := successors[top.next].Block
		top.next++
		if !seen[next] {
			seen[next] = true
			stack = append(stack, frame{block: next})
		}
	}
	return order
}

// DominatorTree returns the blocks of a region that can be reached from the first
// one, each listed under its immediate dominator.
func DominatorTree(r *Region) map[*Block][]*Block {
	if len(r.Blocks) < 2 {
		return nil
	}
	t := newDomTree(r)
	order := postorder(r.Blocks[0])
	children := map[*Block][]*Block{}
	for i := len(order) - 2; i >= 0; i-- {
		parent := order[t.idom[i]]
		children[parent] = append(children[parent], order[i])
	}
	return children
}

// Reachable returns the blocks of a region that can be reached from the first one.
func Reachable(r *Region) map[*Block]bool {
	reached := map[*Block]bool{}
	if len(r.Blocks) > 0 {
		for _, b := range postorder(r.Blocks[0]) {
			reached[b] = true
		}
	}
	return reached
}
