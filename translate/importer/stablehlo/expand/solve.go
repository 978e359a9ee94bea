package expand

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// solved solves complex triangular systems as real ones. Each element becomes a block [[a, -b], [b, a]];
// rows are divided by their diagonal before, so that the blocks on it are the identity and the real
// matrix is triangular as well.
func solved(e emitter, op *mlir.Operation, in [][]*mlir.Value) []*mlir.Value {
	flag := func(name string) bool {
		a, _ := op.Attrs.Get(name).(mlir.IntegerAttr)
		return a.Value != 0
	}
	a, b, lower := e.numberOf(in[0]), e.numberOf(in[1]), flag("lower")
	if rank := len(tensorOf(a.re).Shape); rank < 2 || len(tensorOf(b.re).Shape) != rank {
		fail(op, "takes matrices")
	}
	elem := tensorOf(a.re).Elem
	turn := func(z complexNumber) complexNumber { return complexNumber{e.swapped(z.re), e.swapped(z.im)} }
	a = complexNumber{e.convert(a.re, mlir.F64), e.convert(a.im, mlir.F64)}
	b = complexNumber{e.convert(b.re, mlir.F64), e.convert(b.im, mlir.F64)}
	t := hlo.Enum(op.Attrs.Get("transpose_a"))
	if t == "ADJOINT" {
		a.im = e.neg(a.im)
	}
	transposed := t == "ADJOINT" || t == "TRANSPOSE"
	left := flag("left_side")
	if transposed != !left { // X·A = B is Aᵀ·Xᵀ = Bᵀ
		a, lower = turn(a), !lower
	}
	if !left {
		b = turn(b)
	}
	if !flag("unit_diagonal") {
		d := complexNumber{e.diagonal(a.re), e.diagonal(a.im)}
		a, b = e.over(a, e.alongRows(d, a)), e.over(b, e.alongRows(d, b))
	}
	a.im = e.sel(e.onDiagonal(a.im), e.number(a.im, 0), a.im) // ones there, whatever was stored
	real := e.blocks(a)
	shape := slices.Clone(tensorOf(b.re).Shape)
	rank := len(shape)
	rows := append(slices.Clone(shape[:rank-2]), 2*shape[rank-2], shape[rank-1])
	right := e.reshape(e.stacked(b), rows)
	x := e.with("triangular_solve", right.Type, mlir.Attrs{
		{Name: "left_side", Value: mlir.Bool(true)}, {Name: "lower", Value: mlir.Bool(lower)},
		{Name: "unit_diagonal", Value: mlir.Bool(true)},
		{Name: "transpose_a", Value: mlir.OpaqueAttr{Text: "#stablehlo<transpose NO_TRANSPOSE>"}}}, real, right)
	pairs := e.reshape(x, append(slices.Clone(shape[:rank-1]), 2, shape[rank-1]))
	z := complexNumber{e.without(e.part(pairs, rank-1, 0, 1), rank-1), e.without(e.part(pairs, rank-1, 1, 1), rank-1)}
	if !left {
		z = turn(z)
	}
	return []*mlir.Value{e.convert(z.re, elem), e.convert(z.im, elem)}
}

// onDiagonal says which elements of matrices are on the diagonal.
func (e emitter) onDiagonal(x *mlir.Value) *mlir.Value {
	places := of(tensorOf(x), mlir.I64)
	rank := len(places.Shape)
	return e.compare("EQ", e.iota(places, rank-2), e.iota(places, rank-1))
}

// diagonal are the elements [i, i], as a column.
func (e emitter) diagonal(x *mlir.Value) *mlir.Value {
	t := tensorOf(x)
	rank := len(t.Shape)
	kept := e.sel(e.onDiagonal(x), x, e.number(x, 0))
	scalar := mlir.TensorType{Elem: t.Elem}
	sum := mlir.NewOp("stablehlo.reduce", []*mlir.Value{kept, e.splat(scalar, 0)},
		[]mlir.Type{mlir.TensorType{Shape: slices.Clone(t.Shape[:rank-1]), Elem: t.Elem}},
		mlir.Attrs{{Name: "dimensions", Value: mlir.Ints([]int{rank - 1})}})
	body := emitter{e.In(sum.AddRegion().AddBlock(scalar, scalar))}
	body.Create("stablehlo.return", []*mlir.Value{body.add(body.Block.Args[0], body.Block.Args[1])}, nil, nil)
	return e.Insert(sum).Result()
}

// alongRows repeats the number of each row for all of z.
func (e emitter) alongRows(d, z complexNumber) complexNumber {
	to := tensorOf(z.re).Shape
	dims := shape.UpTo(len(to) - 1)
	return complexNumber{e.broadcast(d.re, to, dims), e.broadcast(d.im, to, dims)}
}

// stacked puts the parts of each row under each other: […, n, 2, m].
func (e emitter) stacked(z complexNumber) *mlir.Value {
	shape := tensorOf(z.re).Shape
	rank := len(shape)
	one := slices.Insert(slices.Clone(shape), rank-1, 1)
	return e.concatenate(rank-1, e.reshape(z.re, one), e.reshape(z.im, one))
}

// blocks is the real matrix of blocks [[a, -b], [b, a]].
func (e emitter) blocks(z complexNumber) *mlir.Value {
	shape := tensorOf(z.re).Shape
	rank := len(shape)
	columns := func(x, y *mlir.Value) *mlir.Value { return e.interleaved([]*mlir.Value{x, y}) } // […, n, n, 2]
	wide := append(slices.Clone(shape[:rank-1]), 2*shape[rank-1])
	top, bottom := e.reshape(columns(z.re, e.neg(z.im)), wide), e.reshape(columns(z.im, z.re), wide)
	both := e.stacked(complexNumber{top, bottom})
	return e.reshape(both, append(slices.Clone(shape[:rank-2]), 2*shape[rank-2], 2*shape[rank-1]))
}
