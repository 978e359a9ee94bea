package linalg

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// The kinds of loops.
const (
	Parallel  = "parallel"
	Reduction = "reduction"
)

// Inputs returns the operands that are read only.
func Inputs(op *mlir.Operation) []*mlir.Value { return op.Operands[:numInputs(op)] }

// Outputs returns the operands that give the results their initial values.
func Outputs(op *mlir.Operation) []*mlir.Value { return op.Operands[numInputs(op):] }

func numInputs(op *mlir.Operation) int {
	n := len(op.Operands)
	switch op.Name {
	case "linalg.map", "linalg.transpose", "linalg.broadcast":
		return max(n-1, 0)
	case "linalg.reduce":
		return n / 2
	}
	inputs, _, ok := segmentSizes(op)
	if !ok {
		return n
	}
	return min(max(inputs, 0), n)
}

// segmentSizes returns how many operands an operation says are inputs and outputs; ok is false where it does not say
// two numbers.
func segmentSizes(op *mlir.Operation) (inputs, outputs int, ok bool) {
	a := op.Attrs.Get("operandSegmentSizes")
	if dense, ok := a.(mlir.DenseArrayAttr); ok && len(dense.Ints) == 2 { // as nearly all are, without a copy
		return int(dense.Ints[0]), int(dense.Ints[1]), true
	}
	list, ok := mlir.IntList(a)
	if !ok || len(list) != 2 {
		return 0, 0, false
	}
	return list[0], list[1], true
}

// rank returns the number of dimensions of a shaped type; scalars have none.
func rank(t mlir.Type) int {
	if _, element := t.(mlir.VectorType); element {
		return 0
	}
	shape, _, _ := mlir.ShapeOf(t)
	return len(shape)
}

// IndexingMaps returns the map of each operand from loops to its elements. The
// result is nil if the attributes of op are not well formed.
func IndexingMaps(op *mlir.Operation) []mlir.AffineMap {
	switch op.Name {
	case "linalg.generic":
		return genericMaps(op)
	case "linalg.map":
		return identities(op)
	case "linalg.fill":
		n := rank(op.Operands[1].Type)
		return []mlir.AffineMap{mlir.Projection(n), mlir.Identity(n)}
	case "linalg.reduce":
		return reduceMaps(op)
	case "linalg.transpose":
		return transposeMaps(op)
	case "linalg.broadcast":
		return broadcastMaps(op)
	}
	name := strings.TrimPrefix(op.Name, "linalg.")
	n := namedOps[name]
	switch {
	case n == nil:
		return nil
	case n.own && op.Attrs.Get("indexing_maps") != nil:
		return genericMaps(op)
	case name == "contract":
		return nil
	case n.maps == nil:
		return identities(op)
	}
	symbols, ok := windowSymbols(op, n.spatial())
	if !ok {
		return nil
	}
	maps := make([]mlir.AffineMap, len(n.maps))
	for i, m := range mapsOf(name) {
		maps[i] = m.BindSymbols(symbols)
	}
	return maps
}

func genericMaps(op *mlir.Operation) []mlir.AffineMap {
	list, _ := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
	maps := make([]mlir.AffineMap, len(list))
	for i, a := range list {
		m, ok := a.(mlir.AffineMapAttr)
		if !ok {
			return nil
		}
		maps[i] = m.Map
	}
	return maps
}

// identities are the maps of an elementwise operation. A scalar goes with every element.
func identities(op *mlir.Operation) []mlir.AffineMap {
	maps := make([]mlir.AffineMap, len(op.Operands))
	loops := 0
	for _, v := range op.Operands {
		loops = max(loops, rank(v.Type))
	}
	for i, v := range op.Operands {
		if maps[i] = mlir.Identity(rank(v.Type)); len(maps[i].Results) == 0 {
			maps[i] = mlir.Projection(loops)
		}
	}
	return maps
}

// windowAttrs are the attributes of convolutions and poolings, in the order of their symbols.
var windowAttrs = [...]string{"strides", "dilations"}

// windowSymbols returns strides and then dilations.
func windowSymbols(op *mlir.Operation, spatial int) ([]int, bool) {
	var symbols []int
	for _, name := range windowAttrs {
		values, ok := windowNumbers(op, name, spatial)
		if !ok {
			return nil, false
		}
		symbols = append(symbols, values...)
	}
	return symbols, true
}

// windowNumbers returns strides or dilations, which are 1 where op has none.
func windowNumbers(op *mlir.Operation, name string, spatial int) ([]int, bool) {
	a := op.Attrs.Get(name)
	if a == nil {
		return slices.Repeat([]int{1}, spatial), true
	}
	values, ok := mlir.IntList(a)
	positive := !slices.ContainsFunc(values, func(v int) bool { return v < 1 })
	return values, ok && positive && len(values) == spatial
}

// reduceMaps maps inputs by identity and outputs to the dimensions that stay.
func reduceMaps(op *mlir.Operation) []mlir.AffineMap {
	dims, _ := mlir.IntList(op.Attrs.Get("dimensions"))
	n := 0
	if len(op.Operands) > 0 {
		n = rank(op.Operands[0].Type)
	}
	rest := without(n, dims)
	maps := make([]mlir.AffineMap, len(op.Operands))
	for i := range maps {
		maps[i] = mlir.Identity(n)
		if i >= numInputs(op) {
			maps[i] = mlir.Projection(n, rest...)
		}
	}
	return maps
}

// without returns 0 … n-1 but for the given dims.
func without(n int, dims []int) []int {
	drop := make(map[int]bool, len(dims))
	for _, d := range dims {
		drop[d] = true
	}
	rest := []int{}
	for d := range n {
		if !drop[d] {
			rest = append(rest, d)
		}
	}
	return rest
}

// transposeMaps: dimension i of the output is dimension permutation[i] of the input.
func transposeMaps(op *mlir.Operation) []mlir.AffineMap {
	perm, _ := mlir.IntList(op.Attrs.Get("permutation"))
	n := len(perm)
	inverse := make([]int, n)
	for i, d := range perm {
		if d < 0 || d >= n {
			return nil
		}
		inverse[d] = i
	}
	return []mlir.AffineMap{mlir.Projection(n, inverse...), mlir.Identity(n)}
}

// broadcastMaps: the input lacks the given dimensions of the output.
func broadcastMaps(op *mlir.Operation) []mlir.AffineMap {
	dims, _ := mlir.IntList(op.Attrs.Get("dimensions"))
	n := rank(op.Operands[1].Type)
	return []mlir.AffineMap{mlir.Projection(n, without(n, dims)...), mlir.Identity(n)}
}

// Iterators returns the kind of each loop, or nil if the attributes of op are not
// well formed.
func Iterators(op *mlir.Operation) []string {
	if op.Name == "linalg.generic" {
		return genericIterators(op)
	}
	return iterators(op, IndexingMaps(op))
}

// iterators is Iterators of an operation with these maps.
func iterators(op *mlir.Operation, maps []mlir.AffineMap) []string {
	if op.Name == "linalg.generic" {
		return genericIterators(op)
	}
	if len(maps) == 0 {
		return nil
	}
	// A loop that the output does not depend on is a reduction.
	out := maps[len(maps)-1]
	kinds := make([]string, out.Dims)
	for i := range kinds {
		kinds[i] = Reduction
	}
	for _, e := range out.Results {
		if e.Kind == mlir.AffineDim && e.Value < len(kinds) {
			kinds[e.Value] = Parallel
		}
	}
	return kinds
}

func genericIterators(op *mlir.Operation) []string {
	list, _ := op.Attrs.Get("iterator_types").(mlir.ArrayAttr)
	kinds := make([]string, len(list))
	for i, a := range list {
		o, ok := a.(mlir.OpaqueAttr)
		if !ok {
			return nil
		}
		kinds[i] = strings.TrimSuffix(strings.TrimPrefix(o.Text, iteratorPrefix), ">")
	}
	return kinds
}

const iteratorPrefix = "#linalg.iterator_type<"

func iteratorAttr(kinds []string) mlir.ArrayAttr {
	list := make(mlir.ArrayAttr, len(kinds))
	for i, k := range kinds {
		list[i] = mlir.OpaqueAttr{Text: iteratorPrefix + k + ">"}
	}
	return list
}

// LoopExtents returns the extent of each loop, taken from the operands that have a
// loop as an index alone. A loop that none determines, or one of a dynamic extent,
// is [mlir.Dynamic].
func LoopExtents(op *mlir.Operation) []int { return loopExtents(op, IndexingMaps(op)) }

// loopExtents is LoopExtents of an operation with these maps.
func loopExtents(op *mlir.Operation, maps []mlir.AffineMap) []int {
	if len(maps) == 0 || len(maps) != len(op.Operands) {
		return nil
	}
	extents := make([]int, maps[0].Dims)
	for i := range extents {
		extents[i] = mlir.Dynamic
	}
	for i, m := range maps {
		shape, _, _ := mlir.ShapeOf(op.Operands[i].Type)
		for j, e := range m.Results {
			if e.Kind == mlir.AffineDim && e.Value < len(extents) && j < len(shape) &&
				extents[e.Value] == mlir.Dynamic {
				extents[e.Value] = shape[j]
			}
		}
	}
	return extents
}
