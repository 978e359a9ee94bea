package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

func init() {
	registerIn(classical, "TreeEnsembleRegressor", func(n *node) {
		x, targets := n.rows(0), n.int("n_targets", 1)
		f := n.namedForest("target")
		y := n.vote(f, x, targets, n.text("aggregate_function", "SUM"))
		if base := n.attributeFloats("base_values_as_tensor", "base_values"); len(base) > 0 {
			y = n.Add(y, n.floatVector(n.forAll(base, targets), elem(x)))
		}
		n.set(n.To(n.transformed(y, n.text("post_transform", "NONE")), dtype.F32))
	})
	registerIn(classical, "TreeEnsembleClassifier", classifyByTrees)
	registerIn(classical, "TreeEnsemble", treeEnsemble)
}

// forAll refuses base values that are not one for each target.
func (n *node) forAll(base []float64, targets int) []float64 {
	if len(base) != targets && len(base) != 1 {
		failf("%d base values for %d targets", len(base), targets)
	}
	return base
}

// classifyByTrees sums the votes for each class. If all votes are for one of two classes their sum s is the second's,
// and the scores are 1-s and s, where no vote is negative and there is no post_transform, or -s and s.
func classifyByTrees(n *node) {
	x, c, transform := n.rows(0), n.classes("classlabels_int64s"), n.text("post_transform", "NONE")
	f := n.namedForest("class")
	targets := map[int]bool{}
	positive := true
	for _, p := range f.nodes {
		for _, v := range p.votes {
			targets[v.target] = true
			positive = positive && v.weight >= 0
		}
	}
	scores := n.vote(f, x, c.len(), "SUM")
	base := n.attributeFloats("base_values_as_tensor", "base_values")
	if c.len() != 2 || len(targets) != 1 {
		if len(base) > 0 {
			scores = n.Add(scores, n.floatVector(n.forAll(base, c.len()), elem(x)))
		}
		n.classify(c, n.transformed(scores, transform), 0.5)
		return
	}
	sum := n.sum(scores, []int{1}, true) // one column is zero
	if len(base) > 0 {
		sum = n.Add(sum, n.forAll(base, 2)[len(base)-1])
	}
	scores = n.twoScores(sum)
	if positive && (transform == "NONE" || transform == "PROBIT") {
		scores = n.Add(scores, n.floatVector([]float64{1, 0}, elem(x)))
	}
	n.classify(c, n.transformed(scores, transform), 0.5)
}

// namedForest reads the trees of the versions before 5, whose nodes have numbers within their tree; votes is the
// prefix of the attributes of the leaves' votes.
func (n *node) namedForest(votes string) *forest {
	type place struct{ tree, node int }
	ints := func(name string, length int) []int {
		list, _ := n.ints(name)
		if len(list) != length {
			failf("%s has %d numbers, not %d", name, len(list), length)
		}
		return list
	}
	trees, _ := n.ints("nodes_treeids")
	count := len(trees)
	ids, features := ints("nodes_nodeids", count), ints("nodes_featureids", count)
	yes, no := ints("nodes_truenodeids", count), ints("nodes_falsenodeids", count)
	modes, values := n.strings("nodes_modes"), n.attributeFloats("nodes_values_as_tensor", "nodes_values")
	missing, _ := n.ints("nodes_missing_value_tracks_true")
	if len(modes) != count || len(values) != count || len(missing) != 0 && len(missing) != count {
		failf("%d nodes with %d modes, %d values and %d ways of missing values", count, len(modes), len(values), len(missing))
	}
	at := map[place]int{}
	f := &forest{nodes: make([]treeNode, count)}
	seen := map[int]bool{}
	for i, tree := range trees {
		p := place{tree, ids[i]}
		if _, ok := at[p]; ok {
			failf("node %d of tree %d is there twice", ids[i], tree)
		}
		if at[p] = i; !seen[tree] { // the first one is the root
			seen[tree] = true
			f.roots = append(f.roots, i)
		}
	}
	child := func(tree, id int) int {
		i, ok := at[place{tree, id}]
		if !ok {
			failf("there is no node %d of tree %d", id, tree)
		}
		return i
	}
	for i, tree := range trees {
		if modes[i] == "LEAF" {
			f.nodes[i] = treeNode{yes: i, no: i}
			continue
		}
		r := slices.IndexFunc(relations, func(r struct{ name, aten string }) bool { return r.name == modes[i] })
		if r < 0 {
			failf("mode %q of a node is not supported", modes[i])
		}
		f.nodes[i] = treeNode{feature: features[i], relation: relations[r].aten, threshold: values[i],
			missing: len(missing) > 0 && missing[i] != 0, yes: child(tree, yes[i]), no: child(tree, no[i])}
	}
	of, _ := n.ints(votes + "_treeids")
	leaves, targets := ints(votes+"_nodeids", len(of)), ints(votes+"_ids", len(of))
	weights := n.attributeFloats(votes+"_weights_as_tensor", votes+"_weights")
	if len(weights) != len(of) {
		failf("%d weights for %d votes", len(weights), len(of))
	}
	for i, tree := range of {
		p := &f.nodes[child(tree, leaves[i])]
		p.votes = append(p.votes, vote{targets[i], weights[i]})
	}
	return f
}

// treeEnsemble sums, averages or compares the votes of the trees of version 5.
func treeEnsemble(n *node) {
	x := n.tensor(0)
	if rank(x) != 2 || !elem(x).IsFloat() {
		failf("takes a matrix of floats, not %v in %d dimensions", elem(x), rank(x))
	}
	combine, transform := n.int("aggregate_function", 1), n.int("post_transform", 0)
	combinations := []string{"AVERAGE", "SUM", "MIN", "MAX"}
	transforms := []string{"NONE", "SOFTMAX", "LOGISTIC", "SOFTMAX_ZERO", "PROBIT"}
	if combine < 0 || combine >= len(combinations) || transform < 0 || transform >= len(transforms) {
		failf("aggregate_function %d and post_transform %d", combine, transform)
	}
	wide := x
	if elem(x).Size() < 4 {
		wide = n.To(x, dtype.F32)
	}
	y := n.vote(n.numberedForest(), wide, n.int("n_targets", 1), combinations[combine])
	n.set(n.To(n.transformed(y, transforms[transform]), elem(x)))
}

// numberedNodes are the nodes of the trees of version 5, which has leaves apart from nodes.
type numberedNodes struct {
	features        []int
	yes, no         []int // numbers of children
	yesLeaf, noLeaf []int // 1 if the child is a leaf
	missing         []int // 1 if a missing value is true; none if no value is
	modes           []int
	splits          []float64
	leaves          int
}

// numberedNodes reads the nodes of the trees of version 5.
func (n *node) numberedNodes() *numberedNodes {
	t := &numberedNodes{modes: integers(n.knownAttribute("nodes_modes")), splits: floats(n.knownAttribute("nodes_splits"))}
	lists := map[string]*[]int{"nodes_featureids": &t.features, "nodes_truenodeids": &t.yes, "nodes_falsenodeids": &t.no,
		"nodes_trueleafs": &t.yesLeaf, "nodes_falseleafs": &t.noLeaf, "nodes_missing_value_tracks_true": &t.missing}
	for name, list := range lists {
		*list, _ = n.ints(name)
	}
	count := len(t.features)
	for _, length := range []int{len(t.yes), len(t.no), len(t.yesLeaf), len(t.noLeaf), len(t.modes), len(t.splits)} {
		if length != count || len(t.missing) != 0 && len(t.missing) != count {
			failf("%d features, %d and %d children, %d and %d that are leaves, %d modes, %d splits, %d ways of missing "+
				"values", count, len(t.yes), len(t.no), len(t.yesLeaf), len(t.noLeaf), len(t.modes), len(t.splits), len(t.missing))
		}
	}
	return t
}

// knownAttribute returns the values of a tensor that is an attribute.
func (n *node) knownAttribute(name string) *buf.Buffer {
	v := n.attributeTensor(name)
	if v == nil || v.known == nil {
		failf("attribute %s is missing", name)
	}
	return v.known
}

// child returns the place of a child of node i among the nodes, behind which the leaves stand.
func (t *numberedNodes) child(list, isLeaf []int, i int) int {
	limit, from := len(t.features), 0
	if isLeaf[i] != 0 {
		limit, from = t.leaves, len(t.features)
	}
	if list[i] < 0 || list[i] >= limit {
		failf("node %d of a tree has the child %d of %d", i, list[i], limit)
	}
	return from + list[i]
}

// numberedForest reads the trees of version 5. A node that asks whether a feature is one of a set is read as a chain of
// nodes that ask for one member each.
func (n *node) numberedForest() *forest {
	t := n.numberedNodes()
	weights := floats(n.knownAttribute("leaf_weights"))
	targets, _ := n.ints("leaf_targetids")
	if len(targets) != len(weights) {
		failf("%d weights and %d targets of leaves", len(weights), len(targets))
	}
	t.leaves = len(weights)
	sets, count := n.memberSets(), len(t.features)
	f := &forest{nodes: make([]treeNode, count+len(weights))}
	for i, w := range weights {
		f.nodes[count+i] = treeNode{yes: count + i, no: count + i, votes: []vote{{targets[i], w}}}
	}
	for i := range count {
		p := treeNode{feature: t.features[i], threshold: t.splits[i], missing: len(t.missing) > 0 && t.missing[i] != 0,
			yes: t.child(t.yes, t.yesLeaf, i), no: t.child(t.no, t.noLeaf, i)}
		switch mode := t.modes[i]; {
		case mode >= 0 && mode < len(relations):
			p.relation = relations[mode].aten
		case mode == len(relations): // BRANCH_MEMBER
			if len(sets) == 0 || len(sets[0]) == 0 {
				failf("node %d of a tree asks for members of a set that has none", i)
			}
			p.relation = "eq"
			for _, m := range sets[0][1:] {
				next := p
				next.threshold = m
				f.nodes = append(f.nodes, next)
				p.no = len(f.nodes) - 1
			}
			p.threshold, sets = sets[0][0], sets[1:]
		default:
			failf("mode %d of a node is not supported", mode)
		}
		f.nodes[i] = p
	}
	f.roots, _ = n.ints("tree_roots")
	for _, root := range f.roots {
		if root >= count {
			failf("root %d of %d nodes", root, count)
		}
	}
	return f
}

// memberSets returns the sets of the attribute membership_values, which has a NaN between two sets.
func (n *node) memberSets() [][]float64 {
	v := n.attributeTensor("membership_values")
	if v == nil || v.known == nil {
		return nil
	}
	sets := [][]float64{nil}
	for _, m := range floats(v.known) {
		if math.IsNaN(m) {
			sets = append(sets, nil)
		} else {
			sets[len(sets)-1] = append(sets[len(sets)-1], m)
		}
	}
	return sets
}
