package walk

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/affine"
	"github.com/go-acap/acap/mlir/dialect/scf"
)

func init() {
	register(map[string]handler{
		"func.call": func(m *machine, op *mlir.Operation) []value {
			callee, _ := op.Attrs.Get("callee").(mlir.SymbolRefAttr)
			if f := m.function(op, callee); f.Body() == nil && m.printer(op, callee[0], m.values(op.Operands)) {
				return nil
			}
			return m.call(m.function(op, callee), m.values(op.Operands))
		},
		"func.constant": func(m *machine, op *mlir.Operation) []value {
			callee, _ := op.Attrs.Get("value").(mlir.SymbolRefAttr)
			return one(m.function(op, callee))
		},
		"func.call_indirect": func(m *machine, op *mlir.Operation) []value {
			f, ok := m.value(op.Operands[0]).(*mlir.Operation)
			if !ok {
				fail(op, "the callee is no function")
			}
			return m.call(f, m.values(op.Operands[1:]))
		},
		"cf.assert": func(m *machine, op *mlir.Operation) []value {
			if m.integer(op.Operands[0]) == 0 {
				message, _ := op.Attrs.Get("msg").(mlir.StringAttr)
				fail(op, "%s", string(message))
			}
			return nil
		},
		"scf.if": choose, "affine.if": chooseBySet, "scf.for": count, "affine.for": countAffine,
		"scf.while": repeat, "scf.parallel": parallel, "affine.parallel": parallelAffine, "scf.forall": forall,
		"scf.index_switch": func(m *machine, op *mlir.Operation) []value {
			flag, at := m.integer(op.Operands[0]), 0
			cases, _ := mlir.IntList(op.Attrs.Get("cases"))
			for i, n := range cases {
				if n == flag {
					at = i + 1
				}
			}
			return m.region(op.Regions[at])
		},
		"scf.execute_region":  inside,
		"memref.alloca_scope": inside,
		"affine.apply":        func(m *machine, op *mlir.Operation) []value { return one(index(m.affine(op, "map", op.Operands)[0])) },
		"affine.min": func(m *machine, op *mlir.Operation) []value {
			return one(index(least(m.affine(op, "map", op.Operands))))
		},
		"affine.max": func(m *machine, op *mlir.Operation) []value {
			return one(index(most(m.affine(op, "map", op.Operands))))
		},
		"affine.delinearize_index": func(m *machine, op *mlir.Operation) []value {
			n := m.integer(op.Operands[0])
			basis, err := affine.Basis(op, m.integers(op.Operands[1:]))
			check(op, err)
			out := make([]value, len(op.Results))
			for i := len(basis); i > 0; i-- {
				part := ((n % basis[i-1]) + basis[i-1]) % basis[i-1]
				out[i] = index(part)
				n = (n - part) / basis[i-1]
			}
			out[0] = index(n)
			return out
		},
	})
}

func (m *machine) function(op *mlir.Operation, name mlir.SymbolRefAttr) *mlir.Operation {
	if len(name) == 1 {
		if f := m.module.Func(name[0]); f != nil {
			return f
		}
	}
	fail(op, "there is no function %s", name)
	return nil
}

func inside(m *machine, op *mlir.Operation) []value { return m.region(op.Regions[0]) }

func choose(m *machine, op *mlir.Operation) []value {
	if m.integer(op.Operands[0]) != 0 {
		return m.region(op.Regions[0])
	}
	return m.region(op.Regions[1])
}

func chooseBySet(m *machine, op *mlir.Operation) []value {
	a, _ := op.Attrs.Get("condition").(mlir.AffineSetAttr)
	at := m.integers(op.Operands)
	for _, c := range a.Set.Constraints {
		n := reference.AffineValue(c.Expr, at, a.Set.Dims)
		if c.Equality && n != 0 || n < 0 {
			return m.region(op.Regions[1])
		}
	}
	return m.region(op.Regions[0])
}

// affine evaluates the results of a map.
func (m *machine) affine(op *mlir.Operation, name string, operands []*mlir.Value) []int {
	a, ok := op.Attrs.Get(name).(mlir.AffineMapAttr)
	if !ok {
		fail(op, "needs a map %s", name)
	}
	return results(a.Map, m.integers(operands))
}

func results(m mlir.AffineMap, at []int) []int {
	out := make([]int, len(m.Results))
	for i, e := range m.Results {
		out[i] = reference.AffineValue(e, at, m.Dims)
	}
	return out
}

func least(list []int) int {
	n := list[0]
	for _, x := range list {
		n = min(n, x)
	}
	return n
}

func most(list []int) int {
	n := list[0]
	for _, x := range list {
		n = max(n, x)
	}
	return n
}

// count runs an scf.for, whose counter is of any integer type.
func count(m *machine, op *mlir.Operation) []value {
	first := element(m.value(op.Operands[0]))
	last, step := m.integer(op.Operands[1]), m.integer(op.Operands[2])
	carried := m.values(op.Operands[3:])
	numbers, err := scf.CounterOf(op).Count(int64(first.Int), int64(last), int64(step))
	check(op, err)
	for i := range numbers {
		counter := number{Element: reference.IntElement(first.DType, i)}
		carried = m.region(op.Regions[0], append([]value{counter}, carried...)...)
	}
	return carried
}

func countAffine(m *machine, op *mlir.Operation) []value {
	groups := m.groups(op)
	first := most(m.affine(op, "lowerBoundMap", groups[0]))
	last := least(m.affine(op, "upperBoundMap", groups[1]))
	step, _ := op.Attrs.Get("step").(mlir.IntegerAttr)
	carried := m.values(groups[2])
	for i := first; i < last && step.Value > 0; i += int(step.Value) {
		carried = m.region(op.Regions[0], append([]value{index(i)}, carried...)...)
	}
	return carried
}

func repeat(m *machine, op *mlir.Operation) []value {
	carried := m.values(op.Operands)
	for {
		if m.steps++; m.steps%1024 == 0 {
			check(op, m.ctx.Err())
		}
		passed := m.region(op.Regions[0], carried...)
		if len(passed) == 0 {
			fail(op, "needs a condition")
		}
		if element(passed[0]).Int == 0 {
			return passed[1:]
		}
		carried = m.region(op.Regions[1], passed[1:]...)
	}
}

// space calls f at each point of a loop nest.
func (m *machine) space(op *mlir.Operation, first, last, step []int, f func(point []value)) {
	extents := make([]int, len(first))
	for k := range extents {
		if step[k] <= 0 {
			fail(op, "a step of %d, which must be positive", step[k])
		}
		extents[k] = max(0, (last[k]-first[k]+step[k]-1)/step[k])
	}
	check(op, shape.Points(extents, func(point []int) error {
		at := make([]value, len(point))
		for k, i := range point {
			at[k] = index(first[k] + i*step[k])
		}
		f(at)
		return nil
	}))
}

// parallel runs an scf.parallel in order; its values are folded as they come.
func parallel(m *machine, op *mlir.Operation) []value {
	groups := m.groups(op)
	folded := m.values(groups[3])
	end := op.Body().Terminator()
	m.space(op, m.integers(groups[0]), m.integers(groups[1]), m.integers(groups[2]), func(point []value) {
		for i, x := range m.region(op.Regions[0], point...) {
			folded[i] = m.region(end.Regions[i], folded[i], x)[0]
		}
	})
	return folded
}

// parallelKinds are the operations that fold the values of an affine.parallel, in the
// order of their numbers.
var parallelKinds = strings.Fields("addf addi assign maximumf maxsi maxui minimumf minsi minui mulf muli ori andi maxnumf minnumf")

// combine folds two values by a numbered kind.
func (m *machine) combine(op *mlir.Operation, kind int, a, b value) value {
	if kind < 0 || kind >= len(parallelKinds) {
		fail(op, "unknown kind of reduction %d", kind)
	}
	return m.combineNamed(op, parallelKinds[kind], a, b)
}

func (m *machine) combineNamed(op *mlir.Operation, name string, a, b value) value {
	if name == "assign" {
		return b
	}
	x, _ := a.(number)
	y, _ := b.(number)
	folded := mlir.NewOp("arith."+name, nil, []mlir.Type{mlir.ElemType(x.DType)}, nil)
	folded.Loc = op.Loc
	return m.elements(folded, []number{x, y})[0]
}

func parallelAffine(m *machine, op *mlir.Operation) []value {
	lower, _ := op.Attrs.Get("lowerBoundsMap").(mlir.AffineMapAttr)
	at := m.integers(op.Operands)
	n := lower.Map.Dims + lower.Map.Symbols
	first := grouped(m, op, "lowerBounds", at[:n], most)
	last := grouped(m, op, "upperBounds", at[n:], least)
	step, _ := mlir.IntList(op.Attrs.Get("steps"))
	kinds, _ := mlir.IntList(op.Attrs.Get("reductions"))
	folded := make([]value, len(kinds))
	m.space(op, first, last, step, func(point []value) {
		for i, x := range m.region(op.Regions[0], point...) {
			if folded[i] == nil {
				folded[i] = x
			} else {
				folded[i] = m.combine(op, kinds[i], folded[i], x)
			}
		}
	})
	for i := range folded {
		if folded[i] == nil {
			fail(op, "a loop without turns has no result")
		}
	}
	return folded
}

// grouped evaluates bounds, each the extreme of several results of a map.
func grouped(_ *machine, op *mlir.Operation, name string, at []int, extreme func([]int) int) []int {
	a, _ := op.Attrs.Get(name + "Map").(mlir.AffineMapAttr)
	groups, _ := mlir.IntList(op.Attrs.Get(name + "Groups"))
	all := results(a.Map, at)
	var out []int
	for _, n := range groups {
		if n < 1 || n > len(all) {
			check(op, fmt.Errorf("malformed bounds"))
		}
		out = append(out, extreme(all[:n]))
		all = all[n:]
	}
	return out
}

// forall runs an scf.forall in order: the shared results are changed in place.
func forall(m *machine, op *mlir.Operation) []value {
	groups := m.groups(op)
	first := m.mixed(op, "staticLowerBound", groups[0])
	last := m.mixed(op, "staticUpperBound", groups[1])
	step := m.mixed(op, "staticStep", groups[2])
	shared := make([]value, len(groups[3]))
	for i, v := range groups[3] {
		own, err := m.array(v).copy()
		check(op, err)
		shared[i] = own
	}
	m.space(op, first, last, step, func(point []value) {
		m.region(op.Regions[0], append(point, shared...)...)
	})
	return shared
}
