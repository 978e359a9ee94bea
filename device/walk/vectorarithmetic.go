package walk

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Reductions, scans and products of vectors.

// kindOf is the operation of arith that folds as an attribute of kind says.
func kindOf(op *mlir.Operation, a mlir.Attribute, float bool) string {
	text := strings.TrimSuffix(a.String(), ">")
	word := text[strings.LastIndexByte(text, '<')+1:]
	if word == "add" || word == "mul" {
		if float {
			return word + "f"
		}
		return word + "i"
	}
	name, ok := map[string]string{"minui": "minui", "minsi": "minsi", "minnumf": "minnumf", "minimumf": "minimumf",
		"maxui": "maxui", "maxsi": "maxsi", "maxnumf": "maxnumf", "maximumf": "maximumf",
		"and": "andi", "or": "ori", "xor": "xori"}[word]
	if !ok {
		fail(op, "unknown kind of reduction %q", word)
	}
	return name
}

func (m *machine) fold(op *mlir.Operation, a, b value) value {
	kind := op.Attrs.Get("kind")
	if kind == nil {
		kind = mlir.OpaqueAttr{Text: "#vector.kind<add>"} // what goes without saying
	}
	return m.combineNamed(op, kindOf(op, kind, element(b).DType.IsFloat()), a, b)
}

func reduction(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	var acc value
	if len(op.Operands) > 1 {
		acc = m.value(op.Operands[1])
	}
	check(op, a.each(func(_ []int, place int) error {
		if x := a.load(place); acc == nil {
			acc = x
		} else {
			acc = m.fold(op, acc, x)
		}
		return nil
	}))
	return one(acc)
}

func multiReduction(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	dims, _ := mlir.IntList(op.Attrs.Get("reduction_dims"))
	acc := m.value(op.Operands[1])
	if v, ok := acc.(*array); ok {
		own, err := v.copy()
		check(op, err)
		acc = own
	}
	check(op, a.each(func(at []int, place int) error {
		var to []int
		for k, i := range at {
			if !slices.Contains(dims, k) {
				to = append(to, i)
			}
		}
		if out, ok := acc.(*array); ok {
			m.write(op, out, to, m.fold(op, m.read(op, out, to), a.load(place)))
		} else {
			acc = m.fold(op, acc, a.load(place))
		}
		return nil
	}))
	return one(acc)
}

func scan(m *machine, op *mlir.Operation) []value {
	a, acc := m.array(op.Operands[0]), m.copyOf(op, op.Operands[1])
	d, _ := op.Attrs.Get("reduction_dim").(mlir.IntegerAttr)
	inclusive, _ := op.Attrs.Get("inclusive").(mlir.IntegerAttr)
	out := m.make(op, op.Results[0].Type, a.shape)
	axis := int(d.Value)
	check(op, a.each(func(at []int, place int) error {
		line := slices.Delete(slices.Clone(at), axis, axis+1)
		last := m.read(op, acc, line) // the output before, at first what the scan starts with
		switch from := slices.Clone(at); {
		case at[axis] == 0 && inclusive.Value != 0:
			last = a.load(place)
		case at[axis] > 0:
			if inclusive.Value == 0 {
				from[axis]--
			}
			last = m.fold(op, last, m.read(op, a, from))
		}
		m.write(op, out, at, last)
		m.write(op, acc, line, last)
		return nil
	}))
	return []value{out, acc}
}

func contract(m *machine, op *mlir.Operation) []value {
	list, _ := op.Attrs.Get("indexing_maps").(mlir.ArrayAttr)
	maps := make([]mlir.AffineMap, len(list))
	for i, a := range list {
		am, _ := a.(mlir.AffineMapAttr)
		maps[i] = am.Map
	}
	if len(maps) != 3 {
		fail(op, "needs three maps")
	}
	extents := make([]int, maps[0].Dims)
	arrays := []*array{m.array(op.Operands[0]), m.array(op.Operands[1])}
	for i, a := range arrays {
		for k, e := range maps[i].Results {
			extents[e.Value] = a.shape[k]
		}
	}
	acc := m.value(op.Operands[2])
	if v, ok := acc.(*array); ok {
		own, err := v.copy()
		check(op, err)
		acc = own
	}
	check(op, shape.Points(extents, func(point []int) error {
		x := m.read(op, arrays[0], results(maps[0], point))
		y := m.read(op, arrays[1], results(maps[1], point))
		product := m.product(op, x, y)
		if out, ok := acc.(*array); ok {
			to := results(maps[2], point)
			m.write(op, out, to, m.fold(op, m.read(op, out, to), product))
		} else {
			acc = m.fold(op, acc, product)
		}
		return nil
	}))
	return one(acc)
}

func (m *machine) product(op *mlir.Operation, x, y value) value {
	if element(x).DType.IsFloat() {
		return m.combineNamed(op, "mulf", x, y)
	}
	return m.combineNamed(op, "muli", x, y)
}

func outerProduct(m *machine, op *mlir.Operation) []value {
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	a, out := m.array(op.Operands[0]), m.make(op, op.Results[0].Type, dims)
	check(op, out.each(func(at []int, place int) error {
		y := m.value(op.Operands[1])
		if b, ok := y.(*array); ok {
			y = m.read(op, b, at[1:])
		}
		product := m.product(op, m.read(op, a, at[:1]), y)
		if len(op.Operands) > 2 {
			product = m.fold(op, m.read(op, m.array(op.Operands[2]), at), product)
		}
		n, _ := product.(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}
