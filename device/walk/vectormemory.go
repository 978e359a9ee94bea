package walk

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

// Vectors from memory and tensors, and to them.

// maskAt returns whether a mask, if there is one, has its bit at an index.
func (m *machine) maskAt(op *mlir.Operation, mask []*mlir.Value, at []int) bool {
	if len(mask) == 0 {
		return true
	}
	a := m.array(mask[0])
	return element(m.read(op, a, at[:len(a.shape)])).Int != 0
}

// transferPoints calls f at each element of a vector, with its place in the memory, or -1
// outside of it.
func (m *machine) transferPoints(op *mlir.Operation, source *array, vector, start []int, mask []*mlir.Value, f func(at []int, place int)) {
	p, _ := op.Attrs.Get("permutation_map").(mlir.AffineMapAttr)
	var order []int // the dimensions of the vector in the order of the memory's dimensions, as masks have them
	for i, e := range p.Map.Results {
		if e.Kind == mlir.AffineDim {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Map.Results[a].Value - p.Map.Results[b].Value })
	check(op, shape.Points(vector, func(at []int) error {
		position := slices.Clone(start)
		for i, e := range p.Map.Results {
			if e.Kind == mlir.AffineDim {
				position[e.Value] += at[i]
			}
		}
		masked := make([]int, len(order))
		for i, d := range order {
			masked[i] = at[d]
		}
		place, err := source.at(position)
		if err != nil || !m.maskAt(op, mask, masked) {
			place = -1
		}
		f(at, place)
		return nil
	}))
}

func transferRead(m *machine, op *mlir.Operation) []value {
	g := m.groups(op)
	source, t := m.array(g[0][0]), op.Results[0].Type
	dims, _, _ := mlir.ShapeOf(t)
	out := m.make(op, t, dims)
	padding, _ := m.value(g[2][0]).(number)
	m.transferPoints(op, source, dims, m.integers(g[1]), g[3], func(at []int, place int) {
		x := padding
		if place >= 0 {
			x = source.load(place)
		}
		m.write(op, out, at, x)
	})
	return one(out)
}

func transferWrite(m *machine, op *mlir.Operation) []value {
	g := m.groups(op)
	v, dest := m.array(g[0][0]), m.array(g[1][0])
	var out []value
	if !isMemory(g[1][0].Type) {
		dest = m.copyOf(op, g[1][0])
		out = one(dest)
	}
	m.transferPoints(op, dest, v.shape, m.integers(g[2]), g[3], func(at []int, place int) {
		if place >= 0 {
			n, _ := m.read(op, v, at).(number)
			dest.store(place, n)
		}
	})
	return out
}

// lane is the index in memory of an element of a vector that lies along the last dimensions.
func lane(start, at []int) []int {
	out := slices.Clone(start)
	for i, n := range at {
		out[len(out)-len(at)+i] += n
	}
	return out
}

// start are the indices of an access, which an affine one has as a map.
func (m *machine) start(op *mlir.Operation, operands []*mlir.Value) []int {
	if op.Attrs.Get("map") != nil {
		return m.affine(op, "map", operands)
	}
	return m.integers(operands)
}

func vectorLoad(m *machine, op *mlir.Operation) []value {
	a, t := m.array(op.Operands[0]), op.Results[0].Type
	dims, _, _ := mlir.ShapeOf(t)
	out, start := m.make(op, t, dims), m.start(op, op.Operands[1:])
	check(op, out.each(func(at []int, place int) error {
		n, _ := m.read(op, a, lane(start, at)).(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}

func vectorStore(m *machine, op *mlir.Operation) []value {
	v, a, start := m.array(op.Operands[0]), m.array(op.Operands[1]), m.start(op, op.Operands[2:])
	check(op, v.each(func(at []int, place int) error {
		m.write(op, a, lane(start, at), v.load(place))
		return nil
	}))
	return nil
}

// maskedLoad reads the elements whose bit is set, for an expandload one after the other.
func maskedLoad(m *machine, op *mlir.Operation) []value {
	n := len(op.Operands)
	a, start, mask := m.array(op.Operands[0]), m.integers(op.Operands[1:n-2]), op.Operands[n-2:n-1]
	out, next := m.copyOf(op, op.Operands[n-1]), 0
	check(op, out.each(func(at []int, place int) error {
		if m.maskAt(op, mask, at) {
			if op.Name == "vector.expandload" {
				at = []int{next}
				next++
			}
			x, _ := m.read(op, a, lane(start, at)).(number)
			out.store(place, x)
		}
		return nil
	}))
	return one(out)
}

// maskedStore writes the elements whose bit is set, for a compressstore one after the other.
func maskedStore(m *machine, op *mlir.Operation) []value {
	n := len(op.Operands)
	a, start, mask := m.array(op.Operands[0]), m.integers(op.Operands[1:n-2]), op.Operands[n-2:n-1]
	v, next := m.array(op.Operands[n-1]), 0
	check(op, v.each(func(at []int, place int) error {
		if m.maskAt(op, mask, at) {
			if op.Name == "vector.compressstore" {
				at = []int{next}
				next++
			}
			m.write(op, a, lane(start, at), v.load(place))
		}
		return nil
	}))
	return nil
}

func vectorGather(m *machine, op *mlir.Operation) []value {
	n := len(op.Operands)
	a, start := m.array(op.Operands[0]), m.integers(op.Operands[1:n-3])
	offsets, mask, out := m.array(op.Operands[n-3]), op.Operands[n-2:n-1], m.copyOf(op, op.Operands[n-1])
	check(op, out.each(func(at []int, place int) error {
		if m.maskAt(op, mask, at) {
			x, _ := m.read(op, a, lane(start, []int{int(element(m.read(op, offsets, at)).Int)})).(number)
			out.store(place, x)
		}
		return nil
	}))
	return one(out)
}

func vectorScatter(m *machine, op *mlir.Operation) []value {
	n := len(op.Operands)
	a, start := m.array(op.Operands[0]), m.integers(op.Operands[1:n-3])
	offsets, mask, v := m.array(op.Operands[n-3]), op.Operands[n-2:n-1], m.array(op.Operands[n-1])
	check(op, v.each(func(at []int, place int) error {
		if m.maskAt(op, mask, at) {
			m.write(op, a, lane(start, []int{int(element(m.read(op, offsets, at)).Int)}), v.load(place))
		}
		return nil
	}))
	return nil
}
