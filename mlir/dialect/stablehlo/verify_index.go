package stablehlo

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/mlir"
)

// Checks of gather and scatter.

// numbering holds the dimension numbers of a gather or a scatter. window are the window dimensions of the result or of
// the updates. removed are the operand's dimensions without a window. batch and indexBatch are the dimensions that
// operand and indices share. mapped are the operand's dimensions that the indices address. vector is the dimension of
// the index vector.
type numbering struct {
	window, removed, batch, indexBatch, mapped []int
	vector                                     int
}

func numbers(a mlir.Attribute, window, removed, batch, indexBatch, mapped string) numbering {
	f := Fields(a)
	n := numbering{f[window], f[removed], f[batch], f[indexBatch], f[mapped], 0}
	if v := f["index_vector_dim"]; len(v) == 1 {
		n.vector = v[0]
	}
	return n
}

// check checks what holds for gather and scatter alike, and returns the shape that the indices give.
func (n numbering) check(x, indices mlir.TensorType) (batch []int, err error) {
	rank := len(x.Shape)
	shape := slices.Clone(indices.Shape)
	if n.vector < 0 || n.vector > len(shape) {
		return nil, fmt.Errorf("index_vector_dim is %d for %s", n.vector, indices)
	}
	if n.vector == len(shape) {
		shape = append(shape, 1)
	}
	if err := first(ascending("the window's dimensions", n.window), ascending("the dimensions without window", n.removed),
		ascending("the batch dimensions", n.batch),
		dimensions("the dimensions without window", append(slices.Clone(n.removed), n.batch...), rank),
		dimensions("the batch dimensions of indices", n.indexBatch, len(indices.Shape)),
		dimensions("the dimensions that indices address", append(slices.Clone(n.mapped), n.batch...), rank)); err != nil {
		return nil, err
	}
	switch {
	case slices.Contains(n.indexBatch, n.vector):
		return nil, fmt.Errorf("dimension %d of the indices is a batch dimension, and not the index's dimension", n.vector)
	case len(n.batch) != len(n.indexBatch):
		return nil, fmt.Errorf("operand and indices have %d and %d batch dimensions", len(n.batch), len(n.indexBatch))
	case !same(shape[n.vector], len(n.mapped)):
		return nil, fmt.Errorf("an index has %d numbers, and addresses %d dimensions", shape[n.vector], len(n.mapped))
	}
	for i := range n.batch {
		if m, k := x.Shape[n.batch[i]], indices.Shape[n.indexBatch[i]]; !same(m, k) {
			return nil, fmt.Errorf("batch dimension %d has %d places in the operand and %d in the indices", i, m, k)
		}
	}
	return slices.Delete(shape, n.vector, n.vector+1), nil
}

func verifyGather(f facts) error { return gathers(f, f.ints("slice_sizes"), true) }

func verifyDynamicGather(f facts) error {
	sizes, known := f.constant(2)
	if n := f.in(2).Shape; len(n) != 1 || !same(n[0], len(f.in(0).Shape)) {
		return fmt.Errorf("%s does not have a size for each dimension of %s", f.in(2), f.in(0))
	}
	return gathers(f, sizes, known)
}

// gathers checks a gather of slices whose sizes may be known.
func gathers(f facts, sizes []int, known bool) error {
	x := f.in(0)
	n := numbers(f.Attrs.Get("dimension_numbers"), "offset_dims", "collapsed_slice_dims", "operand_batching_dims",
		"start_indices_batching_dims", "start_index_map")
	rank := len(x.Shape)
	if got := len(n.window) + len(n.removed) + len(n.batch); got != rank {
		return fmt.Errorf("a window has %d of its dimensions, and %d are left out, of %d", len(n.window), got-len(n.window), rank)
	}
	batch, err := n.check(x, f.in(1))
	if err != nil {
		return err
	}
	if !known {
		sizes = slices.Repeat([]int{mlir.Dynamic}, rank)
	}
	if err := within("slice_sizes", sizes, x.Shape); err != nil {
		return err
	}
	shape := make([]int, len(batch)+len(n.window))
	if err := dimensions("offset_dims", n.window, len(shape)); err != nil {
		return err
	}
	var window []int
	for d, size := range sizes {
		switch {
		case known && size < 0:
			return fmt.Errorf("takes %d places of dimension %d", size, d)
		case !slices.Contains(n.removed, d) && !slices.Contains(n.batch, d):
			window = append(window, size)
		case size > 1:
			return fmt.Errorf("takes %d places of dimension %d, which the window does not have", size, d)
		}
	}
	for d := range shape {
		if i := slices.Index(n.window, d); i >= 0 {
			shape[d] = window[i]
		} else {
			shape[d], batch = batch[0], batch[1:]
		}
	}
	return f.gives(mlir.TensorType{Shape: shape, Elem: x.Elem})
}

func verifyScatter(f facts) error {
	if len(f.Operands)%2 != 1 || len(f.Operands) < 3 {
		return fmt.Errorf("has %d operands, and not inputs, indices, and as many updates", len(f.Operands))
	}
	k := len(f.Operands) / 2
	var inputs, updates, inits []mlir.TensorType
	for i := range k {
		inputs, updates = append(inputs, f.in(i)), append(updates, f.in(k+1+i))
		inits = append(inits, tensorType(scalarOf(f.in(i))))
		if !slices.EqualFunc(inputs[i].Shape, inputs[0].Shape, same) || !slices.EqualFunc(updates[i].Shape, updates[0].Shape, same) {
			return fmt.Errorf("inputs and updates must each be of one shape: %s, %s", inputs[i], updates[i])
		}
	}
	n := numbers(f.Attrs.Get("scatter_dimension_numbers"), "update_window_dims", "inserted_window_dims", "input_batching_dims",
		"scatter_indices_batching_dims", "scatter_dims_to_operand_dims")
	x, update := inputs[0], updates[0]
	if got := len(n.window) + len(n.removed) + len(n.batch); got != len(x.Shape) {
		return fmt.Errorf("a window has %d dimensions, and %d are left out, of %d", len(n.window), got-len(n.window), len(x.Shape))
	}
	batch, err := n.check(x, f.in(k))
	if err != nil {
		return err
	}
	if err := dimensions("update_window_dims", n.window, len(update.Shape)); err != nil {
		return err
	}
	if len(update.Shape) != len(batch)+len(n.window) {
		return fmt.Errorf("an update has %d dimensions, not %d", len(batch)+len(n.window), len(update.Shape))
	}
	var window []int
	for d, size := range x.Shape {
		if !slices.Contains(n.removed, d) && !slices.Contains(n.batch, d) {
			window = append(window, size)
		}
	}
	for d, size := range update.Shape {
		if i := slices.Index(n.window, d); i >= 0 {
			if size != mlir.Dynamic && window[i] != mlir.Dynamic && size > window[i] {
				return fmt.Errorf("dimension %d of updates has %d places, and the operand %d", d, size, window[i])
			}
			continue
		}
		if !same(size, batch[0]) {
			return fmt.Errorf("dimension %d of updates has %d places, and the indices %d", d, size, batch[0])
		}
		batch = batch[1:]
	}
	for i := range updates {
		if !sameElements(updates[i], inputs[i]) && !promotable(updates[i], inputs[i]) {
			return fmt.Errorf("updates of %s do not go into %s", updates[i], inputs[i])
		}
	}
	sums, err := reducer(f.Regions[0], updates, inits, nil)
	if err != nil {
		return err
	}
	return f.gives(withShape(sums, x.Shape)...)
}
