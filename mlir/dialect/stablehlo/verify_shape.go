package stablehlo

import (
	"fmt"
	"slices"
	"sort"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

// Checks of operations that move elements.

func verifyBroadcast(f facts) error {
	sizes := f.ints("broadcast_sizes")
	if slices.ContainsFunc(sizes, func(n int) bool { return n < 0 }) {
		return fmt.Errorf("broadcast_sizes must not be negative: %s", extents(sizes))
	}
	return f.shape(append(slices.Clone(sizes), f.in(0).Shape...))
}

func verifyBroadcastInDim(f facts) error {
	x, y, dims := f.in(0), f.out(0), f.ints("broadcast_dimensions")
	if err := first(length("broadcast_dimensions", dims, len(x.Shape)),
		dimensions("broadcast_dimensions", dims, len(y.Shape))); err != nil {
		return err
	}
	for i, d := range dims {
		if n := x.Shape[i]; n != 1 && !same(n, y.Shape[d]) {
			return fmt.Errorf("dimension %d of the operand has %d places, where dimension %d of the result has %d", i, n, d, y.Shape[d])
		}
	}
	if !isQuantized(x) && !sameElements(x, y) {
		return fmt.Errorf("elements are not compatible: %s and %s", x, y)
	}
	return spreadScales(x, y, dims)
}

// spreadScales checks scales along a dimension that is broadcast.
func spreadScales(x, y mlir.TensorType, dims []int) error {
	u, first := quant.Of(x.Elem)
	v, second := quant.Of(y.Elem)
	if !first || !second {
		return nil
	}
	if u.Axis < 0 || v.Axis < 0 {
		return sameScales(x, y)
	}
	if v.Axis != dims[u.Axis] {
		return fmt.Errorf("the result is quantized along %d, where the operand's dimension becomes %d", v.Axis, dims[u.Axis])
	}
	if x.Shape[u.Axis] != 1 {
		return nil
	}
	for i := range v.Scales {
		if v.Scales[i] != u.Scales[0] || v.Zeros[i] != u.Zeros[0] {
			return fmt.Errorf("scale and zero point %d of the result, %v and %d, differ from the operand's, %v and %d",
				i, v.Scales[i], v.Zeros[i], u.Scales[0], u.Zeros[0])
		}
	}
	return nil
}

// sameScales checks that an operation that only moves elements keeps their scale and zero point.
func sameScales(x, y mlir.Type) error {
	u, first := quant.Of(mlir.ElementOf(x))
	v, second := quant.Of(mlir.ElementOf(y))
	if first && second && !u.SameScales(v) {
		return fmt.Errorf("scales and zero points differ: %s and %s", x, y)
	}
	return nil
}

func verifyDynamicBroadcastInDim(f facts) error {
	x, y, dims := f.in(0), f.out(0), f.ints("broadcast_dimensions")
	if len(y.Shape) < len(x.Shape) {
		return fmt.Errorf("the result has fewer dimensions than the operand: %s and %s", y, x)
	}
	if err := first(verifyBroadcastInDim(f), describes(f, 1, y)); err != nil {
		return err
	}
	hints := append(slices.Clone(f.ints("known_expanding_dimensions")), f.ints("known_nonexpanding_dimensions")...)
	if err := dimensions("what is known of dimensions", hints, len(x.Shape)); err != nil {
		return err
	}
	shape, known := f.constant(1)
	for i, d := range dims {
		if known && x.Shape[i] != 1 && x.Shape[i] != mlir.Dynamic && x.Shape[i] != shape[d] {
			return fmt.Errorf("dimension %d of the operand has %d places, and the result %d", i, x.Shape[i], shape[d])
		}
	}
	return nil
}

// describes checks that an operand has the extents of a type.
func describes(f facts, i int, t mlir.TensorType) error {
	if n := f.in(i).Shape; len(n) != 1 || !same(n[0], len(t.Shape)) {
		return fmt.Errorf("%s does not have an extent for each of the %d dimensions of %s", f.in(i), len(t.Shape), t)
	}
	if shape, ok := f.constant(i); ok {
		return fits(shape, t)
	}
	return nil
}

func verifyReshape(f facts) error {
	x, y := f.in(0), f.out(0)
	m, static := elements(x.Shape)
	n, both := elements(y.Shape)
	if static && both && m != n {
		return fmt.Errorf("%s has %d elements, and %s has %d", x, m, y, n)
	}
	if err := sameScales(x, y); err != nil {
		return err
	}
	u, ok := quant.Of(x.Elem)
	v, _ := quant.Of(y.Elem)
	if !ok || u.Axis < 0 || v.Axis < 0 || !static || !both {
		return nil
	}
	before, _ := elements(x.Shape[:u.Axis])
	after, _ := elements(y.Shape[:v.Axis])
	if x.Shape[u.Axis] != y.Shape[v.Axis] || before != after {
		return fmt.Errorf("the quantized dimensions of %s and %s do not fit each other", x, y)
	}
	return nil
}

// fits checks extents that are known against a type.
func fits(shape []int, t mlir.TensorType) error {
	if slices.ContainsFunc(shape, func(n int) bool { return n < 0 }) || !slices.EqualFunc(shape, t.Shape, same) {
		return fmt.Errorf("gives a result of shape %v, not %s", shape, t)
	}
	return nil
}

// elements is the product of extents, if all are known.
func elements(shape []int) (int, bool) {
	n := 1
	for _, e := range shape {
		if e == mlir.Dynamic {
			return 0, false
		}
		n *= e
	}
	return n, true
}

func verifyDynamicReshape(f facts) error {
	x, y := f.in(0), f.out(0)
	if n := f.in(1).Shape; len(n) != 1 || !same(n[0], len(y.Shape)) {
		return fmt.Errorf("%s does not have an extent for each dimension of %s", f.in(1), y)
	}
	m, static := elements(x.Shape)
	if n, both := elements(y.Shape); static && both && m != n {
		return fmt.Errorf("%s has %d elements, and %s has %d", x, m, y, n)
	}
	if shape, ok := f.constant(1); ok {
		if n, _ := elements(shape); static && n != m || slices.Contains(shape, -1) {
			return fmt.Errorf("%s has %d elements, which the shape %s does not", x, m, extents(shape))
		}
	}
	return first(describes(f, 1, y), sameScales(x, y))
}

func verifyTranspose(f facts) error {
	x, y, perm := f.in(0), f.out(0), f.ints("permutation")
	if err := first(length("permutation", perm, len(x.Shape)), dimensions("permutation", perm, len(x.Shape))); err != nil {
		return err
	}
	shape := make([]int, len(perm))
	for i, d := range perm {
		shape[i] = x.Shape[d]
	}
	u, ok := quant.Of(x.Elem)
	if v, both := quant.Of(y.Elem); ok && both && u.Axis >= 0 && v.Axis >= 0 && (v.Axis >= len(perm) || perm[v.Axis] != u.Axis) {
		return fmt.Errorf("the quantized dimension %d of the operand is not the quantized dimension of the result", u.Axis)
	}
	return first(f.shape(shape), sameScales(x, y))
}

func verifyReverse(f facts) error {
	return dimensions("dimensions", f.ints("dimensions"), len(f.in(0).Shape))
}

func verifyConcatenate(f facts) error {
	if len(f.Operands) == 0 {
		return fmt.Errorf("needs an operand")
	}
	dim, shape := f.int("dimension"), slices.Clone(f.in(0).Shape)
	if dim >= len(shape) {
		return fmt.Errorf("dimension %d of operands with %d dimensions", dim, len(shape))
	}
	for i := range f.Operands[1:] {
		t := f.in(i + 1)
		if len(t.Shape) != len(shape) {
			return fmt.Errorf("operands have %d and %d dimensions", len(shape), len(t.Shape))
		}
		for d, n := range t.Shape {
			switch {
			case d == dim && (n == mlir.Dynamic || shape[d] == mlir.Dynamic):
				shape[d] = mlir.Dynamic
			case d == dim:
				shape[d] += n
			case !same(n, shape[d]):
				return fmt.Errorf("operands have %d and %d places in dimension %d", shape[d], n, d)
			case shape[d] == mlir.Dynamic:
				shape[d] = n
			}
		}
	}
	return f.shape(shape)
}

// most is the extent of a dimension, or its bound.
func most(t mlir.TensorType, i int) int {
	if bounds, ok := boundsOf(t); ok && t.Shape[i] == mlir.Dynamic && i < len(bounds) {
		return bounds[i]
	}
	return t.Shape[i]
}

func verifySlice(f facts) error {
	x, start, limit, strides := f.in(0), f.ints("start_indices"), f.ints("limit_indices"), f.ints("strides")
	rank := len(x.Shape)
	if err := first(length("start_indices", start, rank), length("limit_indices", limit, rank),
		length("strides", strides, rank)); err != nil {
		return err
	}
	shape, err := sliced(x, start, limit, strides)
	if err != nil {
		return err
	}
	return f.shape(shape)
}

// sliced are the extents of a slice of x.
func sliced(x mlir.TensorType, start, limit, strides []int) ([]int, error) {
	shape := make([]int, len(x.Shape))
	for i := range shape {
		switch {
		case start[i] < 0:
			return nil, fmt.Errorf("begins at %d in dimension %d", start[i], i)
		case most(x, i) != mlir.Dynamic && limit[i] > most(x, i):
			return nil, fmt.Errorf("ends at %d in dimension %d, which has %d places", limit[i], i, most(x, i))
		case start[i] > limit[i]:
			return nil, fmt.Errorf("begins at %d and ends at %d in dimension %d", start[i], limit[i], i)
		case strides[i] <= 0:
			return nil, fmt.Errorf("has the stride %d in dimension %d", strides[i], i)
		}
		shape[i] = (limit[i] - start[i] + strides[i] - 1) / strides[i]
	}
	return shape, nil
}

// starts checks the indices of a dynamic slice, which stand from operand i on.
func starts(f facts, i int) error {
	x := f.in(0)
	if n := len(f.Operands) - i; n != len(x.Shape) {
		return fmt.Errorf("has %d start indices for %d dimensions", n, len(x.Shape))
	}
	for _, v := range f.Operands[i:] {
		if !mlir.SameType(mlir.ElementOf(v.Type), mlir.ElementOf(f.Operands[i].Type)) {
			return fmt.Errorf("start indices are of types %s and %s", f.Operands[i].Type, v.Type)
		}
	}
	return nil
}

// within checks that a slice has an extent for each dimension of what it is taken from, and none that is larger.
func within(what string, sizes, shape []int) error {
	if err := length(what, sizes, len(shape)); err != nil {
		return err
	}
	for i, n := range sizes {
		if n < 0 && n != mlir.Dynamic || shape[i] != mlir.Dynamic && n > shape[i] {
			return fmt.Errorf("%s takes %d of the %d places of dimension %d", what, n, shape[i], i)
		}
	}
	return nil
}

func verifyDynamicSlice(f facts) error {
	x, sizes := f.in(0), f.ints("slice_sizes")
	if slices.ContainsFunc(sizes, func(n int) bool { return n < 0 }) {
		return fmt.Errorf("slice_sizes must not be negative: %s", extents(sizes))
	}
	if err := first(starts(f, 1), length("slice_sizes", sizes, len(x.Shape))); err != nil {
		return err
	}
	return first(within("slice_sizes", sizes, x.Shape), f.shape(sizes))
}

func verifyDynamicUpdateSlice(f facts) error {
	x, update := f.in(0), f.in(1)
	if err := first(starts(f, 2), length("the update", update.Shape, len(x.Shape))); err != nil {
		return err
	}
	return first(within("the update", update.Shape, x.Shape), f.shape(x.Shape))
}

func verifyRealDynamicSlice(f facts) error {
	for i := 1; i < 4; i++ {
		if n := f.in(i).Shape; len(n) == 1 && !same(n[0], len(f.in(0).Shape)) {
			return fmt.Errorf("has %d indices for %d dimensions", n[0], len(f.in(0).Shape))
		}
	}
	if len(f.out(0).Shape) != len(f.in(0).Shape) {
		return fmt.Errorf("operand and result have different numbers of dimensions")
	}
	start, startOK := f.constant(1)
	limit, limitOK := f.constant(2)
	strides, stridesOK := f.constant(3)
	if !startOK || !limitOK || !stridesOK {
		return nil
	}
	shape, err := sliced(f.in(0), start, limit, strides)
	if err != nil {
		return err
	}
	return f.shape(shape)
}

func verifyPad(f facts) error {
	x, low, high, interior := f.in(0), f.ints("edge_padding_low"), f.ints("edge_padding_high"), f.ints("interior_padding")
	rank := len(x.Shape)
	if err := first(length("edge_padding_low", low, rank), length("edge_padding_high", high, rank),
		length("interior_padding", interior, rank)); err != nil {
		return err
	}
	if bounds, ok := boundsOf(x); ok {
		if _, err := padded(bounds, low, high, interior); err != nil {
			return err
		}
	}
	shape, err := padded(x.Shape, low, high, interior)
	if err != nil {
		return err
	}
	return f.shape(shape)
}

func padded(shape, low, high, interior []int) ([]int, error) {
	out := make([]int, len(shape))
	for i, n := range shape {
		if interior[i] < 0 {
			return nil, fmt.Errorf("interior padding must not be negative: %d", interior[i])
		}
		if out[i] = n; n == mlir.Dynamic {
			continue
		}
		if out[i] = low[i] + n + max(n-1, 0)*interior[i] + high[i]; out[i] < 0 {
			return nil, fmt.Errorf("padding leaves %d places of dimension %d", out[i], i)
		}
	}
	return out, nil
}

func verifyDynamicPad(f facts) error {
	rank := len(f.in(0).Shape)
	for i := 2; i < 5; i++ {
		if n := f.in(i).Shape[0]; n != rank {
			return fmt.Errorf("has %d numbers of padding for %d dimensions", n, rank)
		}
	}
	interior, ok := f.constant(4)
	if !ok {
		return nil
	}
	low, lowOK := f.constant(2)
	high, highOK := f.constant(3)
	if !lowOK || !highOK {
		low, high = make([]int, rank), make([]int, rank)
	}
	shape, err := padded(f.in(0).Shape, low, high, interior)
	if err != nil || !lowOK || !highOK {
		return err
	}
	return f.shape(shape)
}

func verifyIota(f facts) error {
	if d, y := f.int("iota_dimension"), f.out(0); d >= len(y.Shape) {
		return fmt.Errorf("counts along dimension %d of %s", d, y)
	}
	return nil
}

func verifyDynamicIota(f facts) error { return first(verifyIota(f), describes(f, 0, f.out(0))) }

func verifyGetDimensionSize(f facts) error {
	if d, x := f.int("dimension"), f.in(0); d >= len(x.Shape) {
		return fmt.Errorf("asks for dimension %d of %s", d, x)
	}
	return f.gives(mlir.TensorType{Elem: mlir.I32})
}

func verifySetDimensionSize(f facts) error {
	x, d := f.in(0), f.int("dimension")
	if len(f.in(1).Shape) > 0 {
		return fmt.Errorf("a size has no dimensions: %s", f.in(1))
	}
	if d >= len(x.Shape) {
		return fmt.Errorf("sets dimension %d of %s", d, x)
	}
	shape := slices.Clone(x.Shape)
	if n, ok := f.constant(1); ok && len(n) == 1 {
		if n[0] < 0 || x.Shape[d] != mlir.Dynamic && n[0] > x.Shape[d] {
			return fmt.Errorf("sets dimension %d of %s to %d", d, x, n[0])
		}
	}
	shape[d] = mlir.Dynamic
	return f.shape(shape)
}

func verifySort(f facts) error {
	dim, rank := -1, len(f.in(0).Shape)
	if f.Attrs.Get("dimension") != nil {
		dim = f.int("dimension")
	}
	if rank > 0 && (dim < -rank || dim >= rank) {
		return fmt.Errorf("sorts along dimension %d of %d", dim, rank)
	}
	want := make([]mlir.Type, 0, 2*len(f.Operands))
	for i := range f.Operands {
		want = append(want, scalarOf(f.in(i)), scalarOf(f.in(i)))
	}
	if err := takes(f.Regions[0], "comparator", want); err != nil {
		return err
	}
	if err := returns(f.Regions[0], "comparator", []mlir.Type{mlir.TensorType{Elem: mlir.I1}}); err != nil {
		return err
	}
	return f.gives(mlir.TypesOf(f.Operands)...)
}

func verifyTopK(f facts) error {
	x, k := f.in(0), f.int("k")
	if x.Elem == nil { // without a rank
		return nil
	}
	if len(x.Shape) == 0 {
		return fmt.Errorf("needs a dimension")
	}
	last := len(x.Shape) - 1
	if k < 0 || x.Shape[last] != mlir.Dynamic && k > x.Shape[last] {
		return fmt.Errorf("takes %d of %d", k, x.Shape[last])
	}
	shape := append(slices.Clone(x.Shape[:last]), k)
	return f.gives(mlir.TensorType{Shape: shape, Elem: x.Elem}, mlir.TensorType{Shape: shape, Elem: mlir.I32})
}

// ascending checks that a list is in order.
func ascending(what string, list []int) error {
	if !sort.IntsAreSorted(list) {
		return fmt.Errorf("%s is not in order: %s", what, extents(list))
	}
	return nil
}

// verifyIndexSelect: the extents of the index stand in the place of dimension dim, without the leading batches, which
// both have.
func verifyIndexSelect(f facts) error {
	values, index := f.in(0).Shape, f.in(1).Shape
	if values == nil || index == nil {
		return nil
	}
	dim, batches := f.int("dim"), f.int("batch_dims")
	if dim < 0 {
		dim += len(values)
	}
	if batches < 0 {
		batches += len(index)
	}
	if dim < 0 || dim >= len(values) || batches < 0 || batches > min(dim, len(index)) {
		return fmt.Errorf("dimension %d and %d batches of %d dimensions by %d", f.int("dim"), f.int("batch_dims"), len(values), len(index))
	}
	return f.shape(slices.Concat(values[:dim], index[batches:], values[dim+1:]))
}
