package linalg

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Verify checks an operation that may not have come from a parser, before it is run. The error says what is wrong with
// the operation.
func Verify(op *mlir.Operation) error {
	def := op.Def()
	if def == nil || def.Verify == nil || def.Operands != mlir.Variadic && len(op.Operands) != def.Operands {
		return fmt.Errorf("there is no such operation with %d operands", len(op.Operands))
	}
	return def.Verify(op)
}

// verifyStructured checks what all computations on a loop space share: maps,
// iterators, extents, the region's arguments, what it yields, and the results.
func verifyStructured(op *mlir.Operation) error {
	if err := verifySegments(op); err != nil {
		return err
	}
	maps := IndexingMaps(op)
	if err := verifyMaps(op, maps); err != nil {
		return err
	}
	if err := verifyExtents(op, maps); err != nil {
		return err
	}
	if err := verifyRegion(op); err != nil {
		return err
	}
	return verifyResults(op)
}

// verifySegments checks how the operands divide into inputs and outputs.
func verifySegments(op *mlir.Operation) error {
	n := len(op.Operands)
	switch op.Name {
	case "linalg.map":
		if n == 0 {
			return fmt.Errorf("needs an output")
		}
		return nil
	case "linalg.reduce":
		if n == 0 || n%2 != 0 {
			return fmt.Errorf("needs as many outputs as inputs")
		}
		return nil
	case "linalg.transpose", "linalg.broadcast":
		return nil
	}
	inputs, outputs, ok := segmentSizes(op)
	if !ok || inputs < 0 || inputs > n || outputs != n-inputs {
		return fmt.Errorf("operandSegmentSizes does not fit %d operands", n)
	}
	if def := namedOps[op.Name[len("linalg."):]]; def != nil &&
		(inputs != def.inputsOf(op) || outputs != 1) {
		return fmt.Errorf("takes %d inputs and one output", def.inputsOf(op))
	}
	return nil
}

func verifyMaps(op *mlir.Operation, maps []mlir.AffineMap) error {
	if n := namedOps[op.Name[len("linalg."):]]; n != nil && n.maps != nil {
		for _, name := range windowAttrs {
			if _, ok := windowNumbers(op, name, n.spatial()); !ok {
				return fmt.Errorf("needs %s of %d positive numbers", name, n.spatial())
			}
		}
	}
	if maps == nil || len(maps) != len(op.Operands) {
		return fmt.Errorf("needs an affine map for each of its %d operands", len(op.Operands))
	}
	kinds := iterators(op, maps)
	loops := len(kinds)
	for i, m := range maps {
		if m.Symbols != 0 || m.Dims != loops {
			return fmt.Errorf("map %d must have %d dims, one for each loop, and no symbols: (%s)",
				i, loops, m)
		}
		if r := rank(op.Operands[i].Type); len(m.Results) != r {
			return fmt.Errorf("operand %d of type %s has %d dimensions, but its map has %d results",
				i, op.Operands[i].Type, r, len(m.Results))
		}
	}
	if op.Name != "linalg.generic" {
		if n := namedOps[op.Name[len("linalg."):]]; n != nil && n.own && op.Attrs.Get("indexing_maps") != nil {
			return verifyOwnMaps(op.Name[len("linalg."):], maps)
		}
		return nil
	}
	for _, kind := range kinds {
		if kind != Parallel && kind != Reduction && kind != "window" {
			return fmt.Errorf("unknown iterator type %q", kind)
		}
	}
	return nil
}

// verifyOwnMaps checks the maps that a named operation is given. The dimensions of a map differ, and each loop stands
// in a map. An operand of a product keeps its dimensions, the batch as the first one, or lacks some, in order, but not
// the summed one.
func verifyOwnMaps(name string, maps []mlir.AffineMap) error {
	used := map[int]bool{}
	for i, m := range maps {
		seen := map[int]bool{}
		for _, e := range m.Results {
			if e.Kind != mlir.AffineDim || seen[e.Value] {
				return fmt.Errorf("map %d is no choice of dimensions: (%s)", i, m)
			}
			seen[e.Value], used[e.Value] = true, true
		}
	}
	for d := range maps[0].Dims {
		if !used[d] {
			return fmt.Errorf("no map has the dimension d%d", d)
		}
	}
	if name == "contract" {
		return verifyContract(maps)
	}
	defaults := mapsOf(name)
	if len(defaults) != len(maps) || len(defaults) != 3 {
		return nil
	}
	summed := maps[0].Dims - 1
	for i, m := range maps {
		want := dimensions(defaults[i])
		have := dimensions(m)
		batched := want[0] == 0 && summed == 3
		ok := isSubsequence(have, want) && (len(have) == len(want) || slices.Contains(have, summed))
		if i < 2 && len(have) == len(want) {
			ok = sameElements(have, want) && (!batched || have[0] == 0)
		}
		if i == 2 {
			ok = slices.Equal(have, want)
		}
		if !ok {
			return fmt.Errorf("map %d of linalg.%s cannot be (%s); its dimensions must be the dimensions of (%s)", i, name, m, defaults[i])
		}
	}
	return nil
}

// verifyContract checks that a contraction sums over at least one dimension, and that both inputs have each summed
// dimension.
func verifyContract(maps []mlir.AffineMap) error {
	left, right, out := dimensions(maps[0]), dimensions(maps[1]), dimensions(maps[2])
	summed := 0
	for d := range maps[0].Dims {
		if slices.Contains(out, d) {
			continue
		}
		if !slices.Contains(left, d) || !slices.Contains(right, d) {
			return fmt.Errorf("the dimension d%d is neither one of the output nor one of both inputs", d)
		}
		summed++
	}
	if summed == 0 {
		return errors.New("the maps have no dimension to sum over: both inputs have one that the output lacks")
	}
	return nil
}

// verifySoftmax checks the dimension along which a softmax is.
func verifySoftmax(op *mlir.Operation) error {
	d := op.Attrs.Get("dimension").(mlir.IntegerAttr).Value
	if r := rank(op.Operands[0].Type); d < 0 || int(d) >= r {
		return fmt.Errorf("dimension %d is not below the rank %d", d, r)
	}
	return nil
}

// dimensions are the numbers of the dimensions that are the results of a map.
func dimensions(m mlir.AffineMap) []int {
	list := make([]int, len(m.Results))
	for i, e := range m.Results {
		list[i] = e.Value
	}
	return list
}

func isSubsequence(part, whole []int) bool {
	for _, n := range whole {
		if len(part) > 0 && part[0] == n {
			part = part[1:]
		}
	}
	return len(part) == 0
}

func sameElements(a, b []int) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// verifyExtents checks that the loops have one extent each and that every access
// stays inside its operand.
func verifyExtents(op *mlir.Operation, maps []mlir.AffineMap) error {
	extents := loopExtents(op, maps)
	for i, m := range maps {
		shape, _, _ := mlir.ShapeOf(op.Operands[i].Type)
		for j, e := range m.Results {
			if shape[j] == mlir.Dynamic {
				continue
			}
			if e.Kind == mlir.AffineDim {
				if n := extents[e.Value]; n != shape[j] && n != mlir.Dynamic {
					return fmt.Errorf("operand %d has extent %d in dimension %d, but loop d%d has %d",
						i, shape[j], j, e.Value, n)
				}
				continue
			}
			low, high, known := accessRange(e, extents)
			if known && (low < 0 || high >= shape[j]) {
				return fmt.Errorf("operand %d of type %s is accessed at %d to %d in dimension %d",
					i, op.Operands[i].Type, low, high, j)
			}
		}
	}
	return nil
}

// maxExtent bounds the extents and coefficients that ranges are computed for, so
// that nothing overflows.
const maxExtent = 1 << 28

// accessRange returns the least and greatest value of a linear expression over the
// loops; known is false where one of them is dynamic or the expression is not linear.
func accessRange(e *mlir.AffineExpr, extents []int) (low, high int, known bool) {
	coeffs, offset, linear := e.Linear(len(extents))
	if !linear || len(extents) > 64 {
		return 0, 0, false
	}
	low, high = offset, offset
	for d, c := range coeffs {
		n := extents[d]
		switch {
		case c == 0:
			continue
		case n < 0, n > maxExtent, c > maxExtent, c < -maxExtent:
			return 0, 0, false
		case n == 0:
			return 0, 0, false // nothing is accessed
		case c > 0:
			high += c * (n - 1)
		default:
			low += c * (n - 1)
		}
	}
	return low, high, true
}

// verifyRegion checks the payload's arguments and what it yields.
func verifyRegion(op *mlir.Operation) error {
	body := op.Body()
	if body == nil {
		return fmt.Errorf("needs a region")
	}
	operands := op.Operands
	if op.Name == "linalg.map" && len(body.Args) < len(operands) {
		operands = Inputs(op) // since LLVM 22 the output's element is an argument, too
	}
	if len(body.Args) != len(operands) {
		return fmt.Errorf("the region takes %d arguments, not %d", len(body.Args), len(operands))
	}
	for i, v := range operands {
		if want := elementOf(v.Type); !mlir.SameType(body.Args[i].Type, want) {
			return fmt.Errorf("argument %d of the region must be %s, not %s",
				i, want, body.Args[i].Type)
		}
	}
	yield := body.Terminator()
	if yield == nil || yield.Name != "linalg.yield" {
		return fmt.Errorf("the region must end with linalg.yield")
	}
	outs := Outputs(op)
	if len(yield.Operands) != len(outs) {
		return fmt.Errorf("yields %d values for %d outputs", len(yield.Operands), len(outs))
	}
	for i, v := range yield.Operands {
		if want := elementOf(outs[i].Type); !mlir.SameType(v.Type, want) {
			return fmt.Errorf("value %d of linalg.yield must be %s, not %s", i, want, v.Type)
		}
	}
	return nil
}

// verifyResults checks that each tensor among the outputs has a result of its type.
func verifyResults(op *mlir.Operation) error {
	tensors, memrefs, outputs := 0, 0, 0 // tensors that are outputs
	same, inputs := true, numInputs(op)
	for i, v := range op.Operands {
		output := i >= inputs
		switch v.Type.(type) {
		case mlir.TensorType:
			tensors++
			if output {
				same = same && outputs < len(op.Results) && mlir.SameType(op.Results[outputs].Type, v.Type)
				outputs++
			}
		case mlir.MemRefType:
			memrefs++
		default:
			if output {
				return fmt.Errorf("an output must be a ranked tensor or memref, not %s", v.Type)
			}
		}
	}
	if tensors > 0 && memrefs > 0 {
		return fmt.Errorf("works on tensors or on memrefs, not on both")
	}
	if !same || outputs != len(op.Results) {
		var want []mlir.Type
		for _, v := range op.Operands[inputs:] {
			if _, ok := v.Type.(mlir.TensorType); ok {
				want = append(want, v.Type)
			}
		}
		return fmt.Errorf("gives the types of its outputs, %s, not %s",
			mlir.TupleType{Elems: want}, mlir.TupleType{Elems: mlir.TypesOf(op.Results)})
	}
	return nil
}

// verifyReduce checks the dimensions of a linalg.reduce.
func verifyReduce(op *mlir.Operation) error {
	if err := verifySegments(op); err != nil {
		return err
	}
	n := rank(op.Operands[0].Type)
	if err := distinct(op, "dimensions", n); err != nil {
		return err
	}
	if dims, _ := mlir.IntList(op.Attrs.Get("dimensions")); !slices.IsSorted(dims) {
		return fmt.Errorf("the dimensions %v are not in increasing order", dims)
	}
	return verifyStructured(op)
}

func verifyTranspose(op *mlir.Operation) error {
	n := rank(op.Operands[1].Type)
	if err := distinct(op, "permutation", n); err != nil {
		return err
	}
	if perm, _ := mlir.IntList(op.Attrs.Get("permutation")); len(perm) != n {
		return fmt.Errorf("the permutation has %d entries for %d dimensions", len(perm), n)
	}
	return verifyMoved(op)
}

func verifyBroadcast(op *mlir.Operation) error {
	if err := distinct(op, "dimensions", rank(op.Operands[1].Type)); err != nil {
		return err
	}
	return verifyMoved(op)
}

// verifyMoved checks an operation that moves the elements of its input and changes none.
func verifyMoved(op *mlir.Operation) error {
	if in, out := mlir.ElementOf(op.Operands[0].Type), mlir.ElementOf(op.Operands[1].Type); !mlir.SameType(in, out) {
		return fmt.Errorf("moves elements of type %s to elements of type %s", in, out)
	}
	return verifyStructured(op)
}

// distinct checks that an attribute lists different dimensions below n.
func distinct(op *mlir.Operation, name string, n int) error {
	dims, ok := mlir.IntList(op.Attrs.Get(name))
	if !ok {
		return fmt.Errorf("needs %s", name)
	}
	seen := map[int]bool{}
	for _, d := range dims {
		if d < 0 || d >= n || seen[d] {
			return fmt.Errorf("%s must be different and below %d: %v", name, n, dims)
		}
		seen[d] = true
	}
	return nil
}

// verifyIndex checks that a linalg.index names a loop of the computation around it.
func verifyIndex(op *mlir.Operation) error {
	dim, ok := op.Attrs.Get("dim").(mlir.IntegerAttr)
	if !ok || !mlir.SameType(op.Results[0].Type, mlir.Index) {
		return fmt.Errorf("needs dim and a result of type index")
	}
	parent := op.Parent()
	if parent == nil || !IsStructured(parent) {
		return fmt.Errorf("must be directly in a linalg operation")
	}
	if loops := len(Iterators(parent)); dim.Value < 0 || dim.Value >= int64(loops) {
		return fmt.Errorf("there is no loop %d among %d", dim.Value, loops)
	}
	return nil
}
