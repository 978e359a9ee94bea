package walk

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/mlir"
)

func init() {
	same := func(m *machine, op *mlir.Operation) []value { return one(m.value(op.Operands[0])) }
	nothing := func(*machine, *mlir.Operation) []value { return nil }
	register(map[string]handler{
		"memref.alloc": allocate, "memref.alloca": allocate,
		"memref.dealloc": nothing, "memref.assume_alignment": nothing, "memref.prefetch": nothing, "affine.prefetch": nothing,
		"memref.dma_wait": nothing, "affine.dma_wait": nothing,
		"memref.cast": same, "memref.memory_space_cast": same, "tensor.cast": same,
		"memref.load": func(m *machine, op *mlir.Operation) []value {
			return one(m.read(op, m.array(op.Operands[0]), m.integers(op.Operands[1:])))
		},
		"memref.store": func(m *machine, op *mlir.Operation) []value {
			m.write(op, m.array(op.Operands[1]), m.integers(op.Operands[2:]), m.value(op.Operands[0]))
			return nil
		},
		"affine.load": func(m *machine, op *mlir.Operation) []value {
			return one(m.read(op, m.array(op.Operands[0]), m.affine(op, "map", op.Operands[1:])))
		},
		"affine.store": func(m *machine, op *mlir.Operation) []value {
			m.write(op, m.array(op.Operands[1]), m.affine(op, "map", op.Operands[2:]), m.value(op.Operands[0]))
			return nil
		},
		"memref.copy": func(m *machine, op *mlir.Operation) []value {
			from, err := m.array(op.Operands[0]).copy() // which may overlap
			check(op, err)
			check(op, m.array(op.Operands[1]).fill(from))
			return nil
		},
		"memref.dim": dim, "tensor.dim": dim, "memref.rank": rank, "tensor.rank": rank,
		"memref.subview": func(m *machine, op *mlir.Operation) []value {
			s := m.slice(op)
			return one(m.view(op, m.array(op.Operands[0]), s, op.Results[0].Type))
		},
		"memref.reinterpret_cast": func(m *machine, op *mlir.Operation) []value {
			s := m.slice(op)
			a := m.array(op.Operands[0])
			return one(&array{data: a.data, offset: s.offsets[0], shape: s.sizes, strides: s.strides})
		},
		"memref.extract_strided_metadata": metadata,
		"memref.transpose": func(m *machine, op *mlir.Operation) []value {
			a := m.array(op.Operands[0])
			p, _ := op.Attrs.Get("permutation").(mlir.AffineMapAttr)
			out := &array{data: a.data, offset: a.offset}
			for _, e := range p.Map.Results {
				out.shape = append(out.shape, a.shape[e.Value])
				out.strides = append(out.strides, a.strides[e.Value])
			}
			return one(out)
		},
		"memref.collapse_shape": reshape, "memref.expand_shape": reshape, "tensor.collapse_shape": reshape,
		"tensor.expand_shape": reshape,
		"memref.reshape":      reshapeTo, "tensor.reshape": reshapeTo,
		"memref.view":   viewBytes,
		"memref.global": nothing,
		"memref.get_global": func(m *machine, op *mlir.Operation) []value {
			name, _ := op.Attrs.Get("name").(mlir.SymbolRefAttr)
			return one(m.global(op, name[0]))
		},
		"memref.atomic_rmw": func(m *machine, op *mlir.Operation) []value {
			kind, _ := op.Attrs.Get("kind").(mlir.IntegerAttr)
			a, at := m.array(op.Operands[1]), m.integers(op.Operands[2:])
			old := m.read(op, a, at)
			m.write(op, a, at, m.combine(op, int(kind.Value), old, m.value(op.Operands[0])))
			return one(old)
		},
		"memref.generic_atomic_rmw": func(m *machine, op *mlir.Operation) []value {
			a, at := m.array(op.Operands[0]), m.integers(op.Operands[1:])
			y := m.region(op.Regions[0], m.read(op, a, at))
			m.write(op, a, at, y[0])
			return y
		},
		"memref.realloc": func(m *machine, op *mlir.Operation) []value {
			a := m.array(op.Operands[0])
			out := m.make(op, op.Results[0].Type, m.extents(op.Results[0].Type, op.Operands[1:]))
			for i := range min(a.shape[0], out.shape[0]) {
				m.write(op, out, []int{i}, m.read(op, a, []int{i}))
			}
			return one(out)
		},
		"memref.dma_start": func(m *machine, op *mlir.Operation) []value { return transfer(m, op, nil) },
		"affine.dma_start": func(m *machine, op *mlir.Operation) []value {
			return transfer(m, op, []string{"src_map", "dst_map", "tag_map"})
		},
	})
}

func allocate(m *machine, op *mlir.Operation) []value {
	t := op.Results[0].Type
	return one(m.make(op, t, m.extents(t, m.groups(op)[0])))
}

// read returns an element. The elements of memory of vectors are what lies behind its
// indices.
func (m *machine) read(op *mlir.Operation, a *array, at []int) value {
	if len(at) < len(a.shape) {
		part, err := m.inner(op, a, at).(*array).copy()
		check(op, err)
		return part
	}
	place, err := a.at(at)
	check(op, err)
	return a.load(place)
}

func (m *machine) write(op *mlir.Operation, a *array, at []int, x value) {
	if v, ok := x.(*array); ok {
		check(op, m.inner(op, a, at).(*array).fill(v))
		return
	}
	place, err := a.at(at)
	check(op, err)
	n, _ := x.(number)
	a.store(place, n)
}

func dim(m *machine, op *mlir.Operation) []value {
	a, d := m.array(op.Operands[0]), m.integer(op.Operands[1])
	if d < 0 || d >= len(a.shape) {
		fail(op, "there is no dimension %d", d)
	}
	return one(index(a.shape[d]))
}

func rank(m *machine, op *mlir.Operation) []value {
	return one(index(len(m.array(op.Operands[0]).shape)))
}

// slice is a part of an array.
type slice struct{ offsets, sizes, strides []int }

// slice reads the bounds of an operation, whose last three groups are their dynamic entries.
func (m *machine) slice(op *mlir.Operation) slice {
	g := m.groups(op)
	g = g[len(g)-3:]
	return slice{m.mixed(op, "static_offsets", g[0]), m.mixed(op, "static_sizes", g[1]), m.mixed(op, "static_strides", g[2])}
}

// view is a part of an array, with the rank of type t: extents of one are left out.
func (m *machine) view(op *mlir.Operation, a *array, s slice, t mlir.Type) *array {
	out := &array{data: a.data, offset: a.offset}
	want, _, _ := mlir.ShapeOf(t)
	drop := len(s.sizes) - len(want)
	for k, n := range s.sizes {
		last := s.offsets[k] + (n-1)*s.strides[k]
		if n < 0 || n > 0 && (s.offsets[k] < 0 || s.offsets[k] >= a.shape[k] || last < 0 || last >= a.shape[k]) {
			fail(op, "elements %d to %d are out of range for an extent of %d", s.offsets[k], last, a.shape[k])
		}
		out.offset += s.offsets[k] * a.strides[k]
		at := len(out.shape)
		if drop > 0 && n == 1 && (at >= len(want) || want[at] != 1) {
			drop--
			continue
		}
		out.shape = append(out.shape, n)
		out.strides = append(out.strides, s.strides[k]*a.strides[k])
	}
	if len(out.shape) != len(want) {
		fail(op, "the part does not fit type %s", t)
	}
	return out
}

func metadata(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	out := []value{&array{data: a.data, shape: []int{}, strides: []int{}}, index(a.offset)}
	for _, n := range a.shape {
		out = append(out, index(n))
	}
	for _, n := range a.strides {
		out = append(out, index(n))
	}
	return out
}

// reshape gives the elements another shape by the groups of dimensions that go together.
func reshape(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	t := op.Results[0].Type
	want, _, _ := mlir.ShapeOf(t)
	want = slices.Clone(want)
	if list, ok := mlir.IntList(op.Attrs.Get("static_output_shape")); ok && len(list) == len(want) {
		want = m.mixed(op, "static_output_shape", op.Operands[1:])
	} else {
		groups, _ := op.Attrs.Get("reassociation").(mlir.ArrayAttr)
		for i, g := range groups {
			dims, _ := mlir.IntList(g)
			n := 1
			for _, d := range dims {
				n *= a.shape[d]
			}
			want[i] = n
		}
	}
	return one(m.shaped(op, a, want, isMemory(t)))
}

// shaped gives the elements another shape. Memory keeps its place, and has to be dense.
func (m *machine) shaped(op *mlir.Operation, a *array, dims []int, memory bool) *array {
	if shape.Size(dims) != a.len() {
		fail(op, "%d elements have no shape %v", a.len(), dims)
	}
	if slices.Equal(a.strides, shape.Strides(a.shape)) {
		return &array{data: a.data, offset: a.offset, shape: dims, strides: shape.Strides(dims)}
	}
	if memory {
		fail(op, "the elements are not next to each other")
	}
	own, err := a.copy()
	check(op, err)
	own.shape, own.strides = dims, shape.Strides(dims)
	return own
}

func reshapeTo(m *machine, op *mlir.Operation) []value {
	var dims []int
	list := m.array(op.Operands[1])
	for i := range list.len() {
		n, _ := m.read(op, list, []int{i}).(number)
		dims = append(dims, int(n.Int))
	}
	return one(m.shaped(op, m.array(op.Operands[0]), dims, isMemory(op.Results[0].Type)))
}

// viewBytes takes bytes of memory for elements of another type.
func viewBytes(m *machine, op *mlir.Operation) []value {
	a, t := m.array(op.Operands[0]), op.Results[0].Type
	dims := m.extents(t, op.Operands[2:])
	d := dtypeOf(t)
	if !d.Valid() {
		fail(op, "elements that cannot be stored")
	}
	start, n := a.offset+m.integer(op.Operands[1]), shape.Size(dims)*d.Size()
	if data := a.data.Bytes(); start < 0 || n < 0 || start+n > len(data) {
		fail(op, "%d bytes from %d are outside of %d", n, start, len(data))
	}
	b, err := buf.Wrap(d, dims, a.data.Bytes()[start:start+n])
	check(op, err)
	return one(wrap(b))
}

// global returns the memory of a name, which is made when it is first used.
func (m *machine) global(op *mlir.Operation, name string) value {
	if v := m.globals[name]; v != nil {
		return v
	}
	for _, g := range m.module.Body().Ops {
		if g.Name != "memref.global" || g.Attrs.Get("sym_name") != mlir.StringAttr(name) {
			continue
		}
		t, _ := g.Attrs.Get("type").(mlir.TypeAttr)
		made := mlir.NewOp("arith.constant", nil, []mlir.Type{t.Type}, mlir.Attrs{{Name: "value", Value: g.Attrs.Get("initial_value")}})
		made.Loc = g.Loc
		switch g.Attrs.Get("initial_value").(type) {
		case nil:
			fail(op, "@%s is declared elsewhere", name)
		case mlir.UnitAttr:
			dims, _, _ := mlir.ShapeOf(t.Type)
			m.globals[name] = m.make(op, t.Type, dims)
		default:
			m.globals[name] = constant(m, made)[0]
		}
		return m.globals[name]
	}
	fail(op, "there is no global @%s", name)
	return nil
}

// transfer copies elements from one memory to another, each in the order of its rows from
// an index on.
func transfer(m *machine, op *mlir.Operation, maps []string) []value {
	rest := op.Operands
	var arrays [2]*array
	var at [2]int
	for i := range arrays {
		a := m.array(rest[0])
		n := len(a.shape)
		var position []int
		if maps != nil {
			am, _ := op.Attrs.Get(maps[i]).(mlir.AffineMapAttr)
			n = am.Map.Dims + am.Map.Symbols
			position = results(am.Map, m.integers(rest[1:1+n]))
		} else {
			position = m.integers(rest[1 : 1+n])
		}
		for k, p := range position {
			at[i] = at[i]*a.shape[k] + p
		}
		arrays[i], rest = a, rest[1+n:]
	}
	number := rest[0]
	if maps != nil {
		tag, _ := op.Attrs.Get(maps[2]).(mlir.AffineMapAttr)
		number = rest[1+tag.Map.Dims+tag.Map.Symbols]
	}
	for i := range m.integer(number) {
		x := m.read(op, arrays[0], unravel(at[0]+i, arrays[0].shape))
		m.write(op, arrays[1], unravel(at[1]+i, arrays[1].shape), x)
	}
	return nil
}

// unravel is the index of the n-th element; the first entry takes what is too much.
func unravel(n int, dims []int) []int {
	out := make([]int, len(dims))
	for k := len(dims) - 1; k >= 0; k-- {
		if k == 0 || dims[k] == 0 {
			out[k] = n
			continue
		}
		out[k] = n % dims[k]
		n /= dims[k]
	}
	return out
}
