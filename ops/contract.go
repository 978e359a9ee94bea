package ops

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
)

// labeled is a tensor whose dimensions have labels, no two alike.
type labeled struct {
	v      Value
	labels []int
}

func (t labeled) has(label int) bool { return slices.Contains(t.labels, label) }

// extent returns the extent of a label, or 1 if t does not have it.
func (t labeled) extent(label int) int {
	if i := slices.Index(t.labels, label); i >= 0 {
		return t.v.Type().Shape[i]
	}
	return 1
}

// permuted orders the dimensions by a list of the same labels.
func (e Emit) permuted(t labeled, labels []int) labeled {
	if slices.Equal(t.labels, labels) {
		return t
	}
	dims := make([]int, len(labels))
	for i, label := range labels {
		dims[i] = slices.Index(t.labels, label)
	}
	return labeled{e.Call("permute", t.v, dims), labels}
}

// without drops the labels that drop holds for: the sum over them, which for integers is of i64, or, of extent 1, they
// alone.
func (e Emit) without(t labeled, drop func(label int) bool) labeled {
	var sum, left, dims []int
	for i, label := range t.labels {
		switch n := t.v.Type().Shape[i]; {
		case !drop(label):
			left, dims = append(left, label), append(dims, n)
		case n != 1:
			sum = append(sum, i)
		}
	}
	v := t.v
	if len(sum) > 0 {
		v = e.Sum(v, sum, true)
	}
	return labeled{e.Reshape(v, dims), left}
}

// contract returns the product of a and b, summed over the labels that keep does not hold for. A label of both a and b
// has one extent; an extent of 1 broadcasts.
func (e Emit) contract(a, b labeled, keep func(label int) bool) labeled {
	stretched := func(x, y labeled) labeled {
		return e.without(x, func(label int) bool { return x.extent(label) == 1 && y.extent(label) != 1 })
	}
	alone := func(x, y labeled) labeled {
		return e.without(x, func(label int) bool { return !y.has(label) && !keep(label) })
	}
	a, b = stretched(a, b), stretched(b, a)
	a, b = alone(a, b), alone(b, a)
	var batch, rows, terms, columns []int
	for _, label := range a.labels {
		switch shared := b.has(label); {
		case shared && keep(label):
			batch = append(batch, label)
		case shared:
			terms = append(terms, label)
		default:
			rows = append(rows, label)
		}
	}
	for _, label := range b.labels {
		if !a.has(label) {
			columns = append(columns, label)
		}
	}
	size := func(t labeled, labels []int) (n int) {
		n = 1
		for _, label := range labels {
			n *= t.extent(label)
		}
		return n
	}
	nb, nr, nt, nc := size(a, batch), size(a, rows), size(a, terms), size(b, columns)
	left := e.permuted(a, slices.Concat(batch, rows, terms))
	right := e.permuted(b, slices.Concat(batch, terms, columns))
	out := slices.Concat(batch, rows, columns)
	dims := make([]int, len(out))
	for i, label := range out {
		dims[i] = a.extent(label) * b.extent(label)
		if a.has(label) {
			dims[i] = a.extent(label)
		}
	}
	x, y := e.Reshape(left.v, []int{nb, nr, nt}), e.Reshape(right.v, []int{nb, nt, nc})
	if len(terms) == 0 {
		return labeled{e.Reshape(e.Mul(x, y), dims), out}
	}
	return labeled{e.Reshape(e.matmulOf(x, y), dims), out}
}

// matmulOf returns the product of batches of matrices. A batch of one is multiplied as a matrix.
func (e Emit) matmulOf(x, y Value) Value {
	a, b := x.Type().Shape, y.Type().Shape
	if a[0] != 1 {
		return e.Call("bmm", x, y)
	}
	z := e.Call("mm", e.Reshape(x, a[1:]), e.Reshape(y, b[1:]))
	return e.Reshape(z, []int{1, a[1], b[2]})
}

// sameExtents checks that every label has one extent in all operands, besides 1.
func sameExtents(c *Call, operands []labeled) error {
	known := map[int]int{}
	for _, t := range operands {
		for i, label := range t.labels {
			n := t.v.Type().Shape[i]
			k, ok := known[label]
			if ok && k != 1 && n != 1 && k != n {
				return c.ShapeErrorf("operand %s has extent %d where another has %d",
					shape.String(t.v.Type().Shape), n, k)
			}
			if !ok || k == 1 {
				known[label] = n
			}
		}
	}
	return nil
}
