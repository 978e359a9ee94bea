package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
)

// Products of vectors, matrices and tensors that are spellings of others.
func init() {
	for _, name := range []string{"outer", "ger"} {
		composite(name+"(Tensor self, Tensor vec2) -> Tensor", func(e Emit, c *Call) []Value {
			if len(c.Shape(0)) != 1 || len(c.Shape(1)) != 1 {
				panic(c.ShapeErrorf("needs two vectors"))
			}
			return []Value{e.Mul(e.column(c.Tensor(0)), c.Tensor(1))}
		}, Sample{S(3), S(2)})
	}
	composite("inner(Tensor self, Tensor other) -> Tensor", func(e Emit, c *Call) []Value {
		a, b := len(c.Shape(0)), len(c.Shape(1))
		if a == 0 || b == 0 {
			return []Value{e.Mul(c.Tensor(0), c.Tensor(1))}
		}
		if m, n := c.Shape(0)[a-1], c.Shape(1)[b-1]; m != n {
			panic(c.ShapeErrorf("the last extents of %v and %v must be equal", c.Shape(0), c.Shape(1)))
		}
		return e.Calls("tensordot", c.Tensor(0), c.Tensor(1), []int{a - 1}, []int{b - 1})
	}, Sample{S(2, 3), S(4, 3)}, Sample{S(), S(3)})
	composite("tensordot(Tensor self, Tensor other, int[] dims_self, int[] dims_other) -> Tensor",
		expandTensordot, Sample{S(2, 3, 4), S(4, 3, 5), []int{1, 2}, []int{1, 0}})
	composite("kron(Tensor self, Tensor other) -> Tensor", expandKron, Sample{S(2, 3), S(3, 2)},
		Sample{S(2), S(3, 2)})
	composite("chain_matmul(Tensor[] matrices) -> Tensor", expandChain, Sample{[]T{S(2, 3), S(3, 4)}})
	composite("linalg_multi_dot(Tensor[] tensors) -> Tensor", expandChain,
		Sample{[]T{S(2), S(2, 3), S(3, 4)}})
	for _, name := range []string{"matrix_power", "linalg_matrix_power"} {
		composite(name+"(Tensor self, int n) -> Tensor", expandMatrixPower, Sample{S(2, 3, 3), 3},
			Sample{S(3, 3), 0}, Sample{S(3, 3), -2})
	}
	composite("linalg_vecdot(Tensor x, Tensor y, *, int dim=-1) -> Tensor",
		func(e Emit, c *Call) []Value {
			return []Value{e.Sum(e.Mul(e.Conj(c.Tensor(0)), c.Tensor(1)), []int{c.Int(2)}, false)}
		}, Sample{S(2, 3), S(2, 3)})
	composite("linalg_matmul(Tensor self, Tensor other) -> Tensor", func(e Emit, c *Call) []Value {
		return e.Calls("matmul", c.Tensor(0), c.Tensor(1))
	}, Sample{S(2, 3), S(3)})
}

// expandTensordot sums over pairs of dimensions: both dimensions of a pair get one label.
func expandTensordot(e Emit, c *Call) []Value {
	x, y := labeled{c.Tensor(0), shape.UpTo(len(c.Shape(0)))}, labeled{v: c.Tensor(1)}
	for i := range c.Shape(1) {
		y.labels = append(y.labels, len(x.labels)+i)
	}
	sums, dims := c.Ints(2), c.Ints(3)
	if len(sums) != len(dims) {
		panic(c.ArgErrorf("dims_self and dims_other have %d and %d entries", len(sums), len(dims)))
	}
	var summed []int
	for i := range sums {
		a, b := c.mustDim(0, sums[i]), c.mustDim(1, dims[i])
		y.labels[b] = a
		summed = append(summed, a)
		if x.extent(a) == 1 { // x broadcasts: y is summed first, in the type of y
			y.v = e.To(e.Sum(y.v, []int{b}, true), c.DTypeOf(1))
		} else if y.extent(a) == 1 {
			x.v = e.To(e.Sum(x.v, []int{a}, true), c.DTypeOf(0))
		}
	}
	if err := sameExtents(c, []labeled{x, y}); err != nil {
		panic(err)
	}
	keep := func(label int) bool { return !slices.Contains(summed, label) }
	z := e.contract(x, y, keep)
	out := slices.DeleteFunc(slices.Concat(x.labels, y.labels), func(l int) bool { return !keep(l) })
	return []Value{e.permuted(z, out).v}
}

// expandKron is the product with every element: dimensions of one place are merged.
func expandKron(e Emit, c *Call) []Value {
	a, b := c.Shape(0), c.Shape(1)
	rank := max(len(a), len(b))
	a = append(ones(rank-len(a)), a...)
	b = append(ones(rank-len(b)), b...)
	var left, right, out []int
	for i := range rank {
		left, right = append(left, a[i], 1), append(right, 1, b[i])
		out = append(out, a[i]*b[i])
	}
	x, y := e.Reshape(c.Tensor(0), left), e.Reshape(c.Tensor(1), right)
	return []Value{e.Reshape(e.Mul(x, y), out)}
}

func expandChain(e Emit, c *Call) []Value {
	list := c.Tensors(0)
	if len(list) == 0 {
		panic(c.ArgErrorf("needs at least one matrix"))
	}
	for i, m := range list {
		n, end := len(m.Type().Shape), c.Op.Name() == "linalg_multi_dot" && (i == 0 || i == len(list)-1)
		if n != 2 && !(end && n == 1) {
			panic(c.ShapeErrorf("tensor %d of shape %v is no matrix", i, m.Type().Shape))
		}
	}
	v := list[0]
	for _, next := range list[1:] {
		v = e.matmul(v, next)
	}
	return []Value{v}
}

// expandMatrixPower squares and multiplies; a negative power is a power of the inverse.
func expandMatrixPower(e Emit, c *Call) []Value {
	x, power, dims := c.Tensor(0), c.Int(1), c.Shape(0)
	if len(dims) < 2 || dims[len(dims)-1] != dims[len(dims)-2] {
		panic(c.ShapeErrorf("needs square matrices, got %v", dims))
	}
	if power < 0 {
		x, power = e.Call("linalg_inv_ex", x, true), -power
	}
	var y Value
	for ; power > 0; power >>= 1 {
		if power&1 != 0 {
			if y == nil {
				y = x
			} else {
				y = e.matmul(y, x)
			}
		}
		if power > 1 {
			x = e.matmul(x, x)
		}
	}
	if y == nil {
		y = e.Expand(e.Call("eye", dims[len(dims)-1], c.DTypeOf(0)), dims)
	}
	return []Value{y}
}
