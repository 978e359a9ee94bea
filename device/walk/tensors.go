package walk

import (
	"slices"

	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(map[string]handler{
		"tensor.empty": func(m *machine, op *mlir.Operation) []value {
			t := op.Results[0].Type
			return one(m.make(op, t, m.extents(t, op.Operands)))
		},
		"tensor.splat": func(m *machine, op *mlir.Operation) []value {
			t := op.Results[0].Type
			return one(m.filled(op, m.make(op, t, m.extents(t, op.Operands[1:])), m.value(op.Operands[0])))
		},
		"tensor.extract": func(m *machine, op *mlir.Operation) []value {
			return one(m.read(op, m.array(op.Operands[0]), m.integers(op.Operands[1:])))
		},
		"tensor.insert": func(m *machine, op *mlir.Operation) []value {
			out := m.copyOf(op, op.Operands[1])
			m.write(op, out, m.integers(op.Operands[2:]), m.value(op.Operands[0]))
			return one(out)
		},
		"tensor.from_elements": fromElements,
		"tensor.generate":      generate,
		"tensor.extract_slice": func(m *machine, op *mlir.Operation) []value {
			return one(m.view(op, m.array(op.Operands[0]), m.slice(op), op.Results[0].Type))
		},
		"tensor.insert_slice": func(m *machine, op *mlir.Operation) []value {
			out := m.copyOf(op, op.Operands[1])
			m.insert(op, out)
			return one(out)
		},
		"tensor.parallel_insert_slice": func(m *machine, op *mlir.Operation) []value {
			m.insert(op, m.array(op.Operands[1]))
			return nil
		},
		"tensor.concat":  concat,
		"tensor.pad":     pad,
		"tensor.bitcast": bitcast,
		"tensor.gather":  gather,
		"tensor.scatter": scatter,
		"tensor.pack":    pack,
		"tensor.unpack":  unpack,
		"linalg.pack":    pack,
		"linalg.unpack":  unpack,
	})
}

func (m *machine) filled(op *mlir.Operation, a *array, x value) *array {
	n, _ := x.(number)
	check(op, a.each(func(_ []int, place int) error {
		a.store(place, n)
		return nil
	}))
	return a
}

func fromElements(m *machine, op *mlir.Operation) []value {
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	out := m.make(op, op.Results[0].Type, dims)
	if out.len() != len(op.Operands) {
		fail(op, "%d elements for %d places", len(op.Operands), out.len())
	}
	for i, x := range m.values(op.Operands) {
		n, _ := x.(number)
		out.store(i, n)
	}
	return one(out)
}

func generate(m *machine, op *mlir.Operation) []value {
	t := op.Results[0].Type
	out := m.make(op, t, m.extents(t, op.Operands))
	check(op, out.each(func(at []int, place int) error {
		args := make([]value, len(at))
		for k, i := range at {
			args[k] = index(i)
		}
		n, _ := m.region(op.Regions[0], args...)[0].(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}

// insert writes the first operand into a part of an array.
func (m *machine) insert(op *mlir.Operation, into *array) {
	from := m.array(op.Operands[0])
	part := m.view(op, into, m.slice(op), op.Operands[0].Type)
	check(op, part.fill(from))
}

func concat(m *machine, op *mlir.Operation) []value {
	d, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
	axis := int(d.Value)
	dims := slices.Clone(m.array(op.Operands[0]).shape)
	for _, v := range op.Operands[1:] {
		dims[axis] += m.array(v).shape[axis]
	}
	out := m.make(op, op.Results[0].Type, dims)
	start := 0
	for _, v := range op.Operands {
		a := m.array(v)
		part := &array{data: out.data, offset: start * out.strides[axis], shape: a.shape, strides: out.strides}
		check(op, part.fill(a))
		start += a.shape[axis]
	}
	return one(out)
}

func pad(m *machine, op *mlir.Operation) []value {
	groups := m.groups(op)
	a := m.array(op.Operands[0])
	low, high := m.mixed(op, "static_low", groups[1]), m.mixed(op, "static_high", groups[2])
	dims := make([]int, len(a.shape))
	for k, n := range a.shape {
		dims[k] = n + low[k] + high[k]
	}
	out := m.make(op, op.Results[0].Type, dims)
	inside := make([]int, len(dims))
	check(op, out.each(func(at []int, place int) error {
		within := true
		args := make([]value, len(at))
		for k, i := range at {
			inside[k] = i - low[k]
			within = within && inside[k] >= 0 && inside[k] < a.shape[k]
			args[k] = index(i)
		}
		if within {
			from, err := a.at(inside)
			if err != nil {
				return err
			}
			out.store(place, a.load(from))
			return nil
		}
		n, _ := m.region(op.Regions[0], args...)[0].(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}

func bitcast(m *machine, op *mlir.Operation) []value {
	a := m.copyOf(op, op.Operands[0])
	out := m.make(op, op.Results[0].Type, a.shape)
	if copy(out.data.Bytes(), a.data.Bytes()) != len(out.data.Bytes()) {
		fail(op, "the elements are not of one size")
	}
	return one(out)
}

// coordinates calls f with each index of a table of positions and the position there.
func (m *machine) coordinates(op *mlir.Operation, table *array, f func(at, position []int)) {
	last := len(table.shape) - 1
	if last < 0 {
		fail(op, "the positions have no dimension")
	}
	check(op, shape.Points(table.shape[:last], func(at []int) error {
		position := make([]int, table.shape[last])
		for i := range position {
			n, _ := m.read(op, table, append(slices.Clone(at), i)).(number)
			position[i] = int(n.Int)
		}
		f(at, position)
		return nil
	}))
}

// gatheredPart is the part of an array at a position along some dimensions.
func (m *machine) gatheredPart(op *mlir.Operation, a *array, dims, position []int) *array {
	out := &array{data: a.data, offset: a.offset, shape: slices.Clone(a.shape), strides: a.strides}
	for i, d := range dims {
		if position[i] < 0 || position[i] >= a.shape[d] {
			fail(op, "index %d is out of range for an extent of %d", position[i], a.shape[d])
		}
		out.offset += position[i] * a.strides[d]
		out.shape[d] = 1
	}
	return out
}

// partAt is the part of an array at indices of its first dimensions, with the given shape.
func partAt(a *array, at, dims []int) *array {
	out := &array{data: a.data, offset: a.offset}
	for k, i := range at {
		out.offset += i * a.strides[k]
	}
	rest, strides := a.shape[len(at):], a.strides[len(at):]
	if len(rest) == len(dims) {
		out.shape, out.strides = rest, strides
		return out
	}
	for _, n := range dims { // extents of one that the array leaves out
		if n == 1 && (len(rest) == 0 || rest[0] != 1) {
			out.shape, out.strides = append(out.shape, 1), append(out.strides, 0)
			continue
		}
		out.shape, out.strides = append(out.shape, rest[0]), append(out.strides, strides[0])
		rest, strides = rest[1:], strides[1:]
	}
	return out
}

func gather(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	dims, _ := mlir.IntList(op.Attrs.Get("gather_dims"))
	table := m.array(op.Operands[1])
	t := op.Results[0].Type
	shape, _, _ := mlir.ShapeOf(t)
	shape = slices.Clone(shape)
	copy(shape, table.shape[:len(table.shape)-1])
	for k := range shape {
		if shape[k] == mlir.Dynamic {
			fail(op, "the extents of the result are not known")
		}
	}
	out := m.make(op, t, shape)
	m.coordinates(op, table, func(at, position []int) {
		part := m.gatheredPart(op, a, dims, position)
		check(op, partAt(out, at, part.shape).fill(part))
	})
	return one(out)
}

func scatter(m *machine, op *mlir.Operation) []value {
	from, out := m.array(op.Operands[0]), m.copyOf(op, op.Operands[1])
	dims, _ := mlir.IntList(op.Attrs.Get("scatter_dims"))
	m.coordinates(op, m.array(op.Operands[2]), func(at, position []int) {
		part := m.gatheredPart(op, out, dims, position)
		check(op, part.fill(partAt(from, at, part.shape)))
	})
	return one(out)
}

// tiling is how a pack or unpack cuts an array into tiles.
type tiling struct{ outer, inner, sizes []int }

func (m *machine) tiling(op *mlir.Operation, rank int, tiles []*mlir.Value) tiling {
	t := tiling{sizes: m.mixed(op, "static_inner_tiles", tiles)}
	t.inner, _ = mlir.IntList(op.Attrs.Get("inner_dims_pos"))
	if t.outer, _ = mlir.IntList(op.Attrs.Get("outer_dims_perm")); len(t.outer) == 0 {
		for k := range rank {
			t.outer = append(t.outer, k)
		}
	}
	return t
}

// plain is the index in the whole of an index of a tile and in it.
func (t tiling) plain(at []int) []int {
	out := make([]int, len(t.outer))
	for i, d := range t.outer {
		out[d] = at[i]
	}
	for i, d := range t.inner {
		out[d] = out[d]*t.sizes[i] + at[len(t.outer)+i]
	}
	return out
}

func pack(m *machine, op *mlir.Operation) []value {
	groups := m.groups(op)
	a, out := m.array(op.Operands[0]), m.copyOf(op, op.Operands[1])
	t := m.tiling(op, len(a.shape), groups[3])
	check(op, out.each(func(at []int, place int) error {
		from, err := a.at(t.plain(at))
		switch {
		case err == nil:
			out.store(place, a.load(from))
		case len(groups[2]) > 0:
			n, _ := m.value(groups[2][0]).(number)
			out.store(place, n)
		default:
			return err
		}
		return nil
	}))
	return one(out)
}

func unpack(m *machine, op *mlir.Operation) []value {
	a, out := m.array(op.Operands[0]), m.copyOf(op, op.Operands[1])
	t := m.tiling(op, len(out.shape), op.Operands[2:])
	check(op, a.each(func(at []int, place int) error {
		if to, err := out.at(t.plain(at)); err == nil { // the rest is padding
			out.store(to, a.load(place))
		}
		return nil
	}))
	return one(out)
}
