package stablehlo

import (
	"math"
	"slices"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// sort writes an acap.sort. Integers are compared as they are; of floats and truth values keys are: integers in
// the order of acap.sort, in which NaN is the largest number and zeros are equal.
func (w *writer) sort(op *mlir.Operation) {
	x := w.value(op.Operands[0])
	dims, axis := shapeOf(x.Type), acap.Axis(op)
	in := []*mlir.Value{x, w.iota(axis, dims)}
	if key := w.sortKey(x, acap.Unsigned(op)); key != x {
		in = append([]*mlir.Value{key}, in...)
	}
	sorted := mlir.NewOp("stablehlo.sort", in, mlir.TypesOf(in), mlir.Attrs{
		{Name: "dimension", Value: mlir.Int(axis)}, {Name: "is_stable", Value: mlir.Bool(true)}})
	block := sorted.AddRegion().AddBlock()
	for _, v := range in {
		t := tensor(elemOf(v.Type), []int{})
		block.AddArg(t)
		block.AddArg(t)
	}
	direction := "LT"
	if acap.Descending(op) {
		direction = "GT"
	}
	outer := w.b
	w.b = outer.In(block)
	first := w.relation(direction, comparison(elemOf(in[0].Type)), tensor(mlir.I1, []int{}), block.Args[0], block.Args[1])
	w.b.Create("stablehlo.return", []*mlir.Value{first}, nil, nil)
	w.b = outer
	results := w.b.Insert(sorted).Results[len(in)-2:]
	for i, r := range op.Results {
		start, limit := make([]int, len(dims)), append([]int(nil), dims...)
		start[axis] = acap.First(op)
		limit[axis] = start[axis] + shapeOf(r.Type)[axis]
		w.values[r] = w.slice(results[i], start, limit, slices.Repeat([]int{1}, len(dims)))
	}
}

// sortKey gives x as integers that are in the order of a sort.
func (w *writer) sortKey(x *mlir.Value, unsigned bool) *mlir.Value {
	dims, elem := shapeOf(x.Type), elemOf(x.Type)
	switch {
	case mlir.SameType(elem, mlir.I1):
		return w.create("convert", tensor(mlir.I8, dims), nil, x)
	case unsigned:
		return w.asUnsigned(x)
	}
	if _, ok := elem.(mlir.FloatType); !ok {
		return x
	}
	width := mlir.BitWidth(elem)
	keys, flags := tensor(mlir.IntegerType{Width: width}, dims), tensor(mlir.I1, dims)
	spread := func(v int64) *mlir.Value {
		return w.broadcast(w.literal(mlir.DenseInts(tensor(keys.Elem, []int{}), []int64{v})), dims, nil)
	}
	bits := w.create("bitcast_convert", keys, nil, x)
	largest := int64(math.MaxInt64) >> (64 - width)
	negative := w.relation("LT", "SIGNED", flags, bits, spread(0))
	// Of negative floats the one of the larger size is smaller; -0 becomes -1, and then 0.
	key := w.create("select", keys, nil, negative, w.create("xor", keys, nil, bits, spread(largest)), bits)
	zero := w.relation("EQ", "FLOAT", flags, x, w.broadcast(w.number(0, elem), dims, nil))
	key = w.create("select", keys, nil, zero, spread(0), key)
	nan := w.relation("NE", "FLOAT", flags, x, x)
	return w.create("select", keys, nil, nan, spread(largest), key)
}
