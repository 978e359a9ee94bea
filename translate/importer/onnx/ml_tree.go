package onnx

import (
	"math"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

// forest is a set of decision trees. Its nodes are numbered; a node that is its own child is a leaf.
type forest struct {
	nodes []treeNode
	roots []int
}

type treeNode struct {
	feature   int
	relation  string // of the feature to the threshold, empty for a leaf
	threshold float64
	missing   bool // whether NaN goes to yes
	yes, no   int
	votes     []vote // of a leaf
}

// vote is what a leaf adds to a target.
type vote struct {
	target int
	weight float64
}

// relations are the comparisons of nodes by their names in the attribute nodes_modes, in the order of their numbers
// in TreeEnsemble.
var relations = []struct{ name, aten string }{{"BRANCH_LEQ", "le"}, {"BRANCH_LT", "lt"}, {"BRANCH_GTE", "ge"},
	{"BRANCH_GT", "gt"}, {"BRANCH_EQ", "eq"}, {"BRANCH_NEQ", "ne"}}

// depth refuses what is no forest, and returns the longest way from a root to a leaf.
func (n *node) depth(f *forest, features int) int {
	const unknown, open = -1, -2
	below := make([]int, len(f.nodes))
	for i := range below {
		below[i] = unknown
	}
	var longest int
	for _, root := range f.roots {
		if root < 0 || root >= len(f.nodes) {
			failf("root %d of %d nodes", root, len(f.nodes))
		}
		for stack := []int{root}; len(stack) > 0; {
			i := stack[len(stack)-1]
			p := &f.nodes[i]
			switch {
			case p.relation == "":
				below[i] = 0
			case p.feature < 0 || p.feature >= features:
				failf("node %d of a tree asks for feature %d of %d", i, p.feature, features)
			case below[i] == unknown:
				below[i] = open
				for _, child := range []int{p.no, p.yes} {
					if child < 0 || child >= len(f.nodes) {
						failf("node %d of a tree has the child %d of %d", i, child, len(f.nodes))
					}
					if below[child] == open {
						failf("node %d of a tree is its own descendant", child)
					}
					if below[child] == unknown {
						stack = append(stack, child)
					}
				}
				continue
			default:
				below[i] = 1 + max(below[p.yes], below[p.no])
			}
			stack = stack[:len(stack)-1]
		}
		longest = max(longest, below[root])
	}
	return longest
}

// leaves walks all trees at once, a level in each step, and returns the leaves [N·T] that rows of x end in.
func (n *node) leaves(f *forest, x ops.Value) ops.Value {
	rows, trees := extents(x)[0], len(f.roots)
	levels := n.depth(f, extents(x)[1])
	if err := shape.Check([]int{rows, trees}); err != nil {
		failf("%w", err)
	}
	table := func(d dtype.DType, of func(b *buf.Buffer, i int, p treeNode)) ops.Value {
		return n.table(len(f.nodes), d, func(b *buf.Buffer, i int) { of(b, i, f.nodes[i]) })
	}
	number := func(of func(p treeNode) int) ops.Value {
		return table(dtype.I64, func(b *buf.Buffer, i int, p treeNode) { b.SetInt64(i, int64(of(p))) })
	}
	truth := func(of func(p treeNode) bool) ops.Value {
		return table(dtype.Bool, func(b *buf.Buffer, i int, p treeNode) {
			if of(p) {
				b.SetInt64(i, 1)
			}
		})
	}
	at := n.view(n.Expand(n.constant(vector(f.roots)), []int{rows, trees}), rows*trees)
	if levels == 0 {
		return at
	}
	features := number(func(p treeNode) int { return p.feature })
	thresholds := table(elem(x), func(b *buf.Buffer, i int, p treeNode) { b.SetFloat64(i, p.threshold) })
	missing := truth(func(p treeNode) bool { return p.missing })
	yes, no := number(func(p treeNode) int { return p.yes }), number(func(p treeNode) int { return p.no })
	used := map[string]ops.Value{} // nodes with a relation
	for _, r := range relations {
		for _, p := range f.nodes {
			if p.relation == r.aten {
				used[r.aten] = truth(func(p treeNode) bool { return p.relation == r.aten })
				break
			}
		}
	}
	here := func(table ops.Value) ops.Value { return n.Call("index_select", table, 0, at) }
	for range levels {
		feature := n.view(n.Call("gather", x, 1, n.view(here(features), rows, trees), false), rows*trees)
		var holds ops.Value
		for _, r := range relations {
			table, ok := used[r.aten]
			if !ok {
				continue
			}
			if hit := n.Compare(r.aten, feature, here(thresholds)); holds == nil {
				holds = hit
			} else {
				holds = n.Where(here(table), hit, holds)
			}
		}
		holds = n.Where(n.Call("isnan", feature), here(missing), holds)
		at = n.Where(holds, here(yes), here(no))
	}
	return at
}

// vote lets the leaves that rows of x end in vote, and combines the votes for each target by "SUM", "AVERAGE", "MIN"
// or "MAX". A target without votes has 0.
func (n *node) vote(f *forest, x ops.Value, targets int, combine string) ops.Value {
	if len(f.roots) == 0 || targets < 1 {
		failf("%d trees and %d targets", len(f.roots), targets)
	}
	number := make([]int, len(f.nodes)) // of the leaf
	count := 0
	for i, p := range f.nodes {
		if p.relation == "" {
			number[i] = count
			count++
		}
	}
	absent := 0.0
	switch combine {
	case "SUM", "AVERAGE":
	case "MIN":
		absent = math.Inf(1)
	case "MAX":
		absent = math.Inf(-1)
	default:
		failf("aggregate_function %q is not supported", combine)
	}
	weights := n.buffer(elem(x), []int{count, targets})
	for i := range weights.Len() {
		weights.SetFloat64(i, absent)
	}
	for i, p := range f.nodes {
		for _, v := range p.votes {
			if v.target < 0 || v.target >= targets {
				failf("a leaf votes for target %d of %d", v.target, targets)
			}
			if p.relation != "" {
				failf("node %d of a tree votes and is no leaf", i)
			}
			to := number[i]*targets + v.target
			switch old := weights.Float64(to); combine {
			case "MIN":
				weights.SetFloat64(to, min(old, v.weight))
			case "MAX":
				weights.SetFloat64(to, max(old, v.weight))
			default:
				weights.SetFloat64(to, old+v.weight)
			}
		}
	}
	leaf := n.Call("index_select", n.constant(vector(number)), 0, n.leaves(f, x))
	votes := n.Call("index_select", n.constant(weights), 0, leaf)
	votes = n.view(votes, extents(x)[0], len(f.roots), targets)
	switch combine {
	case "MIN", "MAX":
		votes = n.Call(map[string]string{"MIN": "amin", "MAX": "amax"}[combine], votes, []int{1}, false)
		return n.Call("masked_fill.Scalar", votes, n.Compare("eq", votes, absent), 0)
	case "AVERAGE":
		return n.Div(n.sum(votes, []int{1}, false), float64(len(f.roots)))
	}
	return n.sum(votes, []int{1}, false)
}
