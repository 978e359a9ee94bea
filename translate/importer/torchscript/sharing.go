package torchscript

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
)

// Some operators share memory although their schemas do not say so: their result is a view of an operand. The one then
// sees what is written to the other. See also [ops.Op.GivesSelf].

// withoutBits is resolve_conj, or resolve_neg: a copy of a tensor that shows its memory conjugated, or negated.
func withoutBits(ev *evaluator, at script.Position, args arguments) (value, bool) {
	t, ok := args.at(0).(*tensor)
	if !ok || t.ref == nil {
		return t, ok
	}
	if conjugated, negated := t.ref.MathBits(); conjugated || negated {
		return ev.aten(at, "clone", arguments{positional: []value{t}}), true
	}
	return t, true
}

// sharing are operators with views of their operands as results.
var sharing map[string]substitute

func init() { // they refer to the evaluator
	as := func(to string) substitute {
		return func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			if !isTensor(args.at(0)) {
				return nil, false
			}
			args.overload = ""
			return ev.callOperator(at, to, args), true
		}
	}
	sharing = map[string]substitute{
		"_unsafe_view": as("view"), "unsafe_chunk": as("chunk"), "unsafe_split": as("split"),
		"unsafe_split_with_sizes": as("split_with_sizes"),
		"broadcast_tensors":       broadcastViews, "meshgrid": gridViews, "cartesian_prod": onlyOperand,
		"einsum": permutedView,
	}
}

// tensorsOf are the tensors of the list that an operator takes as its argument i.
func tensorsOf(args arguments, i int, name string) (list []*tensor, dims [][]int, ok bool) {
	v, _ := args.get(i, name)
	for _, item := range itemsOf(v) {
		t, ok := item.(*tensor)
		if !ok {
			return nil, nil, false
		}
		list, dims = append(list, t), append(dims, t.typeOf().Shape)
	}
	return list, dims, len(list) > 0
}

// broadcastViews is broadcast_tensors.
func broadcastViews(ev *evaluator, at script.Position, args arguments) (value, bool) {
	tensors, dims, ok := tensorsOf(args, 0, "tensors")
	if !ok {
		return nil, false
	}
	common := dims[0]
	for _, d := range dims[1:] {
		var err error
		if common, err = shape.Broadcast(common, d); err != nil {
			return nil, false
		}
	}
	return ev.expanded(at, tensors, dims, common), true
}

// gridViews is meshgrid.
func gridViews(ev *evaluator, at script.Position, args arguments) (value, bool) {
	tensors, dims, ok := tensorsOf(args, 0, "tensors")
	if !ok {
		return nil, false
	}
	indexing, _ := args.get(1, "indexing")
	grid, of := make([]int, len(dims)), make([][]int, len(dims))
	for i, d := range dims {
		place := i
		if indexing == "xy" && i < 2 && len(dims) > 1 {
			place = 1 - i
		}
		if len(d) > 1 || indexing != nil && indexing != "xy" && indexing != "ij" {
			return nil, false
		}
		grid[place] = shape.Size(d)
		of[i] = slices.Repeat([]int{1}, len(dims))
		of[i][place] = grid[place]
	}
	return ev.expanded(at, tensors, of, grid), true
}

// expanded are views of tensors: each seen with dimensions of its own, and then expanded.
func (ev *evaluator) expanded(at script.Position, tensors []*tensor, dims [][]int, common []int) value {
	out := &list{}
	for i, t := range tensors {
		v := value(t)
		if !slices.Equal(dims[i], t.typeOf().Shape) {
			v = ev.callOperator(at, "view", arguments{positional: []value{v, ints(dims[i])}})
		}
		out.items = append(out.items, ev.callOperator(at, "expand", arguments{positional: []value{v, ints(common)}}))
	}
	return out
}

// onlyOperand is cartesian_prod of one vector.
func onlyOperand(_ *evaluator, _ script.Position, args arguments) (value, bool) {
	tensors, dims, ok := tensorsOf(args, 0, "tensors")
	if !ok || len(tensors) != 1 || len(dims[0]) != 1 {
		return nil, false
	}
	return tensors[0], true
}

// permutedView is einsum of one tensor that sums nothing: diagonals, in another order of the dimensions.
func permutedView(ev *evaluator, at script.Position, args arguments) (value, bool) {
	tensors, dims, ok := tensorsOf(args, 1, "tensors")
	equation, isText := args.at(0).(string)
	from, to, arrow := strings.Cut(strings.ReplaceAll(equation, " ", ""), "->")
	if !ok || !isText || !arrow || len(tensors) != 1 || len(from) != len(dims[0]) || strings.ContainsAny(from+to, ".,") {
		return nil, false
	}
	for _, letter := range from {
		if strings.Count(to, string(letter)) != 1 {
			return nil, false
		}
	}
	for _, letter := range to {
		if !strings.ContainsRune(from, letter) {
			return nil, false
		}
	}
	v, labels := value(tensors[0]), []byte(from)
	for i := 0; i < len(labels); i++ {
		j := i + 1 + slices.Index(labels[i+1:], labels[i])
		if j == i {
			continue
		}
		v = ev.callOperator(at, "diagonal", arguments{positional: []value{v, 0, i, j}})
		letter := labels[i]
		labels = append(slices.Delete(slices.Delete(labels, j, j+1), i, i+1), letter)
		i = -1
	}
	order := make([]int, len(labels))
	for i := range order {
		order[i] = slices.Index(labels, to[i])
	}
	return ev.callOperator(at, "permute", arguments{positional: []value{v, ints(order)}}), true
}
