package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/script"
)

// substitute is an operator by means of others. It reports false for arguments that it does not take.
type substitute = func(ev *evaluator, at script.Position, args arguments) (value, bool)

// spellings are the operators whose arguments differ from the arguments of the operators that do the work.
func spellings() map[string]substitute {
	// splitAlong splits along a dimension, which may depend on the number of them.
	splitAlong := func(dim func(rank int) int) substitute {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			x, ok := args.at(0).(*tensor)
			if !ok || len(args.positional) != 2 {
				return nil, false
			}
			d := dim(len(x.typeOf().Shape))
			return ev.callOperator(at, "tensor_split", arguments{positional: append(args.positional, d)}), true
		}
	}
	return map[string]substitute{
		"hsplit": splitAlong(func(rank int) int { return min(rank-1, 1) }),
		"vsplit": splitAlong(func(int) int { return 0 }),
		"dsplit": splitAlong(func(int) int { return 2 }),
		"argwhere": func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			return ev.callOperator(at, "nonzero", args), len(args.positional) == 1
		},
		"tensor_split": splitAtTensor, "narrow": narrowAtTensor,
		"where": whereTrue, "istft": inverseFourier, "histogramdd": histogramOfPoints,
	}
}

// splitAtTensor is tensor_split with the number of parts, or the places between them, in a tensor.
func splitAtTensor(ev *evaluator, at script.Position, args arguments) (value, bool) {
	given, _ := args.get(1, "tensor_indices_or_sections")
	t, ok := given.(*tensor)
	if !ok {
		return nil, false
	}
	where := value(nil)
	if t.isScalar() {
		where = ev.scalarOf(at, t, "the number of parts")
	} else {
		b := ev.read(at, t, "the places where tensor_split splits")
		list := &list{}
		for i := range b.Len() {
			list.items = append(list.items, int(b.Int64(i)))
		}
		where = list
	}
	dim, _ := args.get(2, "dim")
	if dim == nil {
		dim = 0
	}
	return ev.callOperator(at, "tensor_split", arguments{positional: []value{args.at(0), where, dim}}), true
}

// narrowAtTensor is narrow with the start in a tensor.
func narrowAtTensor(ev *evaluator, at script.Position, args arguments) (value, bool) {
	given, _ := args.get(2, "start")
	start, ok := given.(*tensor)
	dim, ok1 := args.get(1, "dim")
	length, ok2 := args.get(3, "length")
	if !ok || !ok1 || !ok2 {
		return nil, false
	}
	return ev.callOperator(at, "narrow", arguments{positional: []value{args.at(0), dim, ev.scalarOf(at, start, "the start of narrow"), length}}), true
}

// whereTrue gives for each dimension the places of what is true.
func whereTrue(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok := args.at(0).(*tensor)
	if !ok || len(args.positional) != 1 || len(args.named) > 0 {
		return nil, false
	}
	places := ev.callOperator(at, "nonzero", args)
	out := &list{}
	for d := range x.typeOf().Shape {
		out.items = append(out.items, ev.callOperator(at, "select", arguments{positional: []value{places, 1, d}}))
	}
	return out, true
}

// histogramOfPoints is histogramdd: the counts, and a list of the edges of the bins in each dimension. Bins are lists
// of edges, or how many there are: in each dimension, or in all.
func histogramOfPoints(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok := args.at(0).(*tensor)
	if !ok || len(x.typeOf().Shape) == 0 {
		return nil, false
	}
	bins, _ := args.get(1, "bins")
	if n, same := bins.(int); same {
		dims := x.typeOf().Shape
		bins = ints(slices.Repeat([]int{n}, dims[len(dims)-1]))
	}
	a := arguments{positional: []value{x, bins}}
	for i, k := range []string{"range", "weight", "density"} {
		if v, _ := args.get(2+i, k); v != nil {
			a.named = append(a.named, namedValue{k, v})
		}
	}
	if edges := itemsOf(bins); len(edges) > 0 && isTensor(edges[0]) {
		return &tuple{items: []value{ev.callOperator(at, "_histogramdd_from_bin_tensors", a), bins}}, true
	}
	return &tuple{items: []value{ev.callOperator(at, "_histogramdd_from_bin_cts", a),
		ev.callOperator(at, "_histogramdd_bin_edges", a)}}, true
}
