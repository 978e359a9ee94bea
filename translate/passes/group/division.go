package group

import (
	"cmp"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
)

// division is a block as the host walks through it.
type division struct {
	block     *mlir.Block
	constants []*mlir.Operation // and what is carried, in an order in which they can run
	items     []*item           // in the order in which they run
	end       *mlir.Operation   // the terminator, if there is one
}

// item is a group, or one operation of the host.
type item struct {
	ops   []*mlir.Operation
	group bool
	why   error // an operation is in no group although the device takes it
}

var (
	errCrosses = errors.New("a number, or another value that is no tensor of known extents, " +
		"would cross the border of its group")
	errAround     = errors.New("the host comes between the operation and another one that exchanges a number with it")
	errReadByHost = errors.New("the host reads it")
)

// divide finds the groups of a block.
//
// A first division is by levels: the level of an operation counts the host operations on the
// longest path to it. Operations that a host operation separates have different levels, so no path leaves the
// operations of one level and comes back. The groups are then joined as long as that stays so (see joiner).
func (p *partitioner) divide(b *mlir.Block) *division {
	d := &division{block: b}
	n := &nodes{at: map[*mlir.Operation]int{}, around: map[int]bool{}}
	p.carry(b)
	for i, op := range b.Ops {
		switch {
		case i == len(b.Ops)-1 && op.Def().Has(mlir.Terminator):
			d.end = op
		case isConstantOp(op) || p.carried[op]:
			d.constants = append(d.constants, op)
		default:
			n.at[op] = len(n.ops)
			n.ops = append(n.ops, op)
		}
	}
	n.connect()
	n.beginEarly()
	n.supported = make([]bool, len(n.ops))
	for i, op := range n.ops {
		n.supported[i] = p.offered(op)
	}
	for level := []int(nil); ; {
		n.spread(p.users)
		if level = n.levels(); level != nil {
			d.items = n.merge(level, p.how.Separate).result(p.tooSmall, n.ops)
			for _, i := range d.items {
				if op := i.ops[0]; !i.group && i.why == nil && p.offered(op) {
					i.why = n.refusal(n.at[op])
				}
			}
			return d
		}
	}
}

// nodes are the operations of a block and what has to come before each of them.
type nodes struct {
	ops       []*mlir.Operation
	at        map[*mlir.Operation]int // their places
	before    [][]int
	supported []bool
	tie       []int        // operations with one root stay together; see spread
	around    map[int]bool // what was tied, and cannot be one group; see levels
}

// refusal is why an operation that the device takes has lost its support.
func (n *nodes) refusal(i int) error {
	if n.around[i] {
		return errAround
	}
	return errCrosses
}

// connect finds which operations must come before which: definitions before uses, effects in their order, and reads of
// a tensor or its views before the next write to the tensor, and after the last one.
func (n *nodes) connect() {
	n.before = make([][]int, len(n.ops))
	memory := map[*mlir.Value]*mlir.Value{} // what a view is a view of
	base := func(v *mlir.Value) *mlir.Value {
		for memory[v] != nil {
			v = memory[v]
		}
		return v
	}
	readers := map[*mlir.Value][]int{} // since the last write
	writer := map[*mlir.Value]int{}
	effects := -1
	for i, op := range n.ops {
		pure, o := op.IsPure(), ops.Lookup(op.Name)
		for at, v := range uses(op) {
			if k, ok := n.at[definer(v, op.Block)]; ok {
				n.before[i] = append(n.before[i], k)
			}
			m := base(v)
			if w, ok := writer[m]; ok {
				n.before[i] = append(n.before[i], w)
			}
			if o != nil && o.IsInplace() && at == 0 {
				n.before[i] = append(n.before[i], readers[m]...)
				readers[m], writer[m] = nil, i
			}
			readers[m] = append(readers[m], i)
		}
		if o != nil && (o.IsView() || o.IsInplace()) && len(op.Operands) > 0 && len(op.Results) > 0 {
			memory[op.Result()] = op.Operands[0]
		}
		if !pure {
			if effects >= 0 {
				n.before[i] = append(n.before[i], effects)
			}
			effects = i
		}
		n.before[i] = slices.DeleteFunc(n.before[i], func(k int) bool { return k == i })
	}
}

// beginEarly orders the operations around the ones that begin work beside the program ([ops.Op.Begins]). In front of
// such an operation come the operations that it needs and that are not placed yet; all others come later. So a group
// ends where work can begin, and no other operation delays the work.
//
// Edges of values lead from a phase to the same or a later one, and those that are added here from a
// phase to the next, so that there are no cycles.
func (n *nodes) beginEarly() {
	var begins []int
	for i, op := range n.ops {
		if o := ops.Lookup(op.Name); o != nil && o.Begins {
			begins = append(begins, i)
		}
	}
	if len(begins) == 0 {
		return
	}
	phase := make([]int, len(n.ops))
	for i := range phase {
		phase[i] = len(begins)
	}
	for k, i := range begins {
		for work := []int{i}; len(work) > 0; {
			i := work[len(work)-1]
			work = work[:len(work)-1]
			if phase[i] > k {
				phase[i] = k
				work = append(work, n.before[i]...)
			}
		}
	}
	for i, k := range phase {
		if k > 0 {
			n.before[i] = append(n.before[i], begins[k-1])
		}
	}
}

// uses are the values that op takes from outside.
func uses(op *mlir.Operation) []*mlir.Value {
	if len(op.Regions) == 0 && len(op.Successors) == 0 {
		return op.Operands
	}
	return op.Captured()
}

// definer is the operation of a block that makes v, at any depth, or nil.
func definer(v *mlir.Value, b *mlir.Block) *mlir.Operation { return within(v.Def, b) }

// within returns the operation of block b that is op or contains op, or nil if b does not contain op.
func within(op *mlir.Operation, b *mlir.Block) *mlir.Operation {
	for op != nil && op.Block != b {
		op = op.Parent()
	}
	return op
}

// spread takes the support from operations that would have to pass a number, or another value
// that is no tensor, across the border of a group, and ties the others that pass one.
func (n *nodes) spread(users map[*mlir.Value][]*mlir.Operation) {
	n.tie = roots(len(n.ops))
	neighbours := make([][]int, len(n.ops)) // by values that are no tensors; -1 is outside
	for i, op := range n.ops {
		for _, v := range uses(op) {
			if isConstant(v) || mlir.IsStaticTensor(v.Type) {
				continue
			}
			k, ok := n.at[definer(v, op.Block)]
			if !ok {
				k = -1
			}
			neighbours[i] = append(neighbours[i], k)
		}
		for _, v := range op.Results {
			if mlir.IsStaticTensor(v.Type) {
				continue
			}
			for _, u := range users[v] {
				k, ok := n.at[within(u, op.Block)]
				if !ok {
					k = -1
				}
				neighbours[i] = append(neighbours[i], k)
			}
		}
	}
	alone := func(i int) bool {
		return slices.ContainsFunc(neighbours[i], func(k int) bool { return k < 0 || !n.supported[k] })
	}
	var work []int
	for i := range n.ops {
		work = append(work, i)
	}
	for len(work) > 0 {
		i := work[len(work)-1]
		work = work[:len(work)-1]
		if n.supported[i] && alone(i) {
			n.supported[i] = false
			for _, k := range neighbours[i] {
				if k >= 0 {
					work = append(work, k)
				}
			}
		}
	}
	for i := range n.ops {
		for _, k := range neighbours[i] {
			if n.supported[i] && k >= 0 {
				join(n.tie, i, k)
			}
		}
	}
}

// levels returns the level of every operation. Tied operations with a path between them through other operations cannot
// be one group: they lose their support, and the result is nil.
func (n *nodes) levels() []int {
	waits := make([]int, len(n.ops)) // by root: edges from others that are not counted yet
	after := make([][]int, len(n.ops))
	for i := range n.ops {
		for _, k := range n.before[i] {
			if a, b := root(n.tie, k), root(n.tie, i); a != b {
				waits[b]++
				after[a] = append(after[a], b)
			}
		}
	}
	var ready []int
	for i := range n.ops {
		if root(n.tie, i) == i && waits[i] == 0 {
			ready = append(ready, i)
		}
	}
	level := make([]int, len(n.ops))
	for len(ready) > 0 {
		a := ready[0]
		ready = ready[1:]
		behind := level[a]
		if !n.supported[a] {
			behind++
		}
		for _, b := range after[a] {
			level[b] = max(level[b], behind)
			if waits[b]--; waits[b] == 0 {
				ready = append(ready, b)
			}
		}
	}
	stuck := false
	for i := range n.ops {
		if r := root(n.tie, i); r != i {
			level[i] = level[r]
			if waits[r] > 0 {
				stuck, n.supported[i], n.supported[r] = true, false, false
				n.around[i], n.around[r] = true, true
			}
		}
	}
	if stuck {
		return nil
	}
	return level
}

// tooSmall returns an error for operations that with what they carry are not enough for a group.
func (p *partitioner) tooSmall(ops []*mlir.Operation) error {
	if len(ops) >= p.how.MinNodes {
		return nil
	}
	_, along := p.inputs(ops)
	var names []string
	for _, op := range slices.Concat(along, ops) {
		if !isConstantOp(op) {
			names = append(names, op.Name)
		}
	}
	if len(names) >= p.how.MinNodes {
		return nil
	}
	const shown = 5
	count := len(names)
	if count > shown {
		names = append(names[:shown], "…")
	}
	return fmt.Errorf("its group (%s) has %d of the %d operations that a group needs", strings.Join(names, ", "), count, p.how.MinNodes)
}

// merge joins operations to groups, and finds an order in which these and the host operations run.
func (n *nodes) merge(level []int, separate bool) *joiner {
	group := roots(len(n.ops))
	first := map[int]int{} // an operation of each level
	for i := range n.ops {
		if !n.supported[i] {
			continue
		}
		join(group, i, n.tie[i])
		for _, k := range n.before[i] {
			if n.supported[k] && level[k] == level[i] {
				join(group, i, k)
			}
		}
		if k, ok := first[level[i]]; ok && !separate {
			join(group, i, k)
		}
		first[level[i]] = i
	}
	byRoot := map[int][]int{}
	var order []int
	for i := range n.ops {
		r := root(group, i)
		if byRoot[r] == nil {
			order = append(order, r)
		}
		byRoot[r] = append(byRoot[r], i)
	}
	slices.SortStableFunc(order, func(a, b int) int {
		if c := cmp.Compare(level[a], level[b]); c != 0 || n.supported[a] == n.supported[b] {
			return c
		}
		if n.supported[a] {
			return -1
		}
		return 1
	})
	m := newJoiner(n, order, byRoot)
	m.joinNeighbours()
	if !separate {
		m.joinAny()
	}
	return m
}

// roots makes n sets of one element each.
func roots(n int) []int {
	of := make([]int, n)
	for i := range of {
		of[i] = i
	}
	return of
}

// root is the element that stands for the set of i.
func root(of []int, i int) int {
	for of[i] != i {
		of[i] = of[of[i]]
		i = of[i]
	}
	return i
}

// join makes one set of two.
func join(of []int, i, k int) { of[root(of, i)] = root(of, k) }
