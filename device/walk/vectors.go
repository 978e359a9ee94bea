package walk

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/device/engine/reference"
	"github.com/go-acap/acap/mlir"
)

func init() {
	register(map[string]handler{
		"vector.transfer_read": transferRead, "vector.transfer_write": transferWrite,
		"vector.load": vectorLoad, "vector.store": vectorStore,
		"affine.vector_load": vectorLoad, "affine.vector_store": vectorStore,
		"vector.maskedload": maskedLoad, "vector.maskedstore": maskedStore,
		"vector.expandload": maskedLoad, "vector.compressstore": maskedStore,
		"vector.gather": vectorGather, "vector.scatter": vectorScatter,
		"vector.broadcast": broadcast, "vector.splat": broadcast,
		"vector.from_elements": fromElements,
		"vector.extract":       extract, "vector.insert": insertVector,
		"vector.extractelement": func(m *machine, op *mlir.Operation) []value {
			return one(m.read(op, m.array(op.Operands[0]), m.integers(op.Operands[1:])))
		},
		"vector.insertelement": func(m *machine, op *mlir.Operation) []value {
			out := m.copyOf(op, op.Operands[1])
			m.write(op, out, m.integers(op.Operands[2:]), m.value(op.Operands[0]))
			return one(out)
		},
		"vector.shape_cast": func(m *machine, op *mlir.Operation) []value {
			dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
			return one(m.shaped(op, m.array(op.Operands[0]), dims, false))
		},
		"vector.type_cast": func(m *machine, op *mlir.Operation) []value {
			return one(m.shaped(op, m.array(op.Operands[0]), m.extents(op.Results[0].Type, nil), true))
		},
		"vector.bitcast": func(m *machine, op *mlir.Operation) []value {
			dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
			from, out := m.copyOf(op, op.Operands[0]), m.make(op, op.Results[0].Type, dims)
			if copy(out.data.Bytes(), from.data.Bytes()) != len(out.data.Bytes()) {
				fail(op, "the vectors are not of one size")
			}
			return one(out)
		},
		"vector.transpose": func(m *machine, op *mlir.Operation) []value {
			a := m.array(op.Operands[0])
			list, _ := mlir.IntList(op.Attrs.Get("permutation"))
			out := &array{data: a.data, offset: a.offset}
			for _, d := range list {
				out.shape, out.strides = append(out.shape, a.shape[d]), append(out.strides, a.strides[d])
			}
			return one(out)
		},
		"vector.fma": func(m *machine, op *mlir.Operation) []value {
			fused := *op
			fused.Name = "math.fma"
			return m.other(&fused)
		},
		"vector.reduction": reduction, "vector.multi_reduction": multiReduction, "vector.scan": scan,
		"vector.contract": contract, "vector.outerproduct": outerProduct,
		"vector.shuffle": shuffle, "vector.interleave": interleave, "vector.deinterleave": deinterleave,
		"vector.extract_strided_slice": extractStrided, "vector.insert_strided_slice": insertStrided,
		"vector.create_mask": func(m *machine, op *mlir.Operation) []value { return one(m.mask(op, m.integers(op.Operands))) },
		"vector.constant_mask": func(m *machine, op *mlir.Operation) []value {
			sizes, _ := mlir.IntList(op.Attrs.Get("mask_dim_sizes"))
			return one(m.mask(op, sizes))
		},
		"vector.step": func(m *machine, op *mlir.Operation) []value {
			dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
			out := m.make(op, op.Results[0].Type, dims)
			for i := range out.len() {
				out.store(i, index(i))
			}
			return one(out)
		},
	})
}

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
	var order []int // the dimensions of the vector in the order of those of the memory, as masks have them
	for i, e := range p.Map.Results {
		if e.Kind == mlir.AffineDim {
			order = append(order, i)
		}
	}
	slices.SortStableFunc(order, func(a, b int) int { return p.Map.Results[a].Value - p.Map.Results[b].Value })
	check(op, points(vector, func(at []int) error {
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

func broadcast(m *machine, op *mlir.Operation) []value {
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	x := m.value(op.Operands[0])
	a, ok := x.(*array)
	if !ok {
		return one(m.filled(op, m.make(op, op.Results[0].Type, dims), x))
	}
	out := &array{data: a.data, offset: a.offset, shape: dims, strides: make([]int, len(dims))}
	skip := len(dims) - len(a.shape)
	for k, n := range a.shape {
		if n != 1 || dims[skip+k] == 1 {
			out.strides[skip+k] = a.strides[k]
		}
	}
	return one(out)
}

func extract(m *machine, op *mlir.Operation) []value {
	a, at := m.array(op.Operands[0]), m.mixed(op, "static_position", op.Operands[1:])
	return one(m.inner(op, a, at))
}

// inner is what lies behind the first dimensions: a vector, or a number behind all.
func (m *machine) inner(op *mlir.Operation, a *array, at []int) value {
	if len(at) == len(a.shape) {
		return m.read(op, a, at)
	}
	out := &array{data: a.data, offset: a.offset, shape: a.shape[len(at):], strides: a.strides[len(at):]}
	for k, i := range at {
		if i < 0 || i >= a.shape[k] {
			fail(op, "index %d is out of range for an extent of %d", i, a.shape[k])
		}
		out.offset += i * a.strides[k]
	}
	return out
}

func insertVector(m *machine, op *mlir.Operation) []value {
	out, at := m.copyOf(op, op.Operands[1]), m.mixed(op, "static_position", op.Operands[2:])
	switch x := m.value(op.Operands[0]).(type) {
	case number:
		m.write(op, out, at, x)
	case *array:
		part, _ := m.inner(op, out, at).(*array)
		check(op, part.fill(x))
	}
	return one(out)
}

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
	check(op, points(extents, func(point []int) error {
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

func shuffle(m *machine, op *mlir.Operation) []value {
	a, b := m.array(op.Operands[0]), m.array(op.Operands[1])
	list, _ := mlir.IntList(op.Attrs.Get("mask"))
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	out := m.make(op, op.Results[0].Type, dims)
	first := 1
	if len(a.shape) > 0 {
		first = a.shape[0]
	}
	check(op, out.each(func(at []int, place int) error {
		from, i := a, list[at[0]]
		if i >= first {
			from, i = b, i-first
		}
		position := append([]int{i}, at[1:]...)
		if len(from.shape) == 0 {
			position = nil
		}
		n, _ := m.read(op, from, position).(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}

func interleave(m *machine, op *mlir.Operation) []value {
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	out := m.make(op, op.Results[0].Type, dims)
	check(op, out.each(func(at []int, place int) error {
		last := len(at) - 1
		from := m.array(op.Operands[at[last]%2])
		position := slices.Clone(at)
		position[last] /= 2
		n, _ := m.read(op, from, position[len(position)-len(from.shape):]).(number)
		out.store(place, n)
		return nil
	}))
	return one(out)
}

func deinterleave(m *machine, op *mlir.Operation) []value {
	a := m.array(op.Operands[0])
	var out []value
	for first := range 2 {
		half := &array{data: a.data, offset: a.offset, shape: slices.Clone(a.shape), strides: slices.Clone(a.strides)}
		last := len(half.shape) - 1
		half.offset += first * a.strides[last]
		half.shape[last] /= 2
		half.strides[last] *= 2
		out = append(out, half)
	}
	return out
}

// strided is the part of a vector that the lists of an operation say; what is behind them is whole.
func (m *machine) strided(op *mlir.Operation, a *array, sizes []int) *array {
	offsets, _ := mlir.IntList(op.Attrs.Get("offsets"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	out := &array{data: a.data, offset: a.offset, shape: slices.Clone(a.shape), strides: slices.Clone(a.strides)}
	for k, n := range sizes {
		stride := 1
		if k < len(strides) {
			stride = strides[k]
		}
		if k < len(offsets) {
			out.offset += offsets[k] * a.strides[k]
		}
		out.shape[k], out.strides[k] = n, a.strides[k]*stride
	}
	return out
}

func extractStrided(m *machine, op *mlir.Operation) []value {
	sizes, _ := mlir.IntList(op.Attrs.Get("sizes"))
	return one(m.strided(op, m.array(op.Operands[0]), sizes))
}

// insertStrided writes a vector into the last dimensions of another; offsets name all of
// them, strides those of the vector.
func insertStrided(m *machine, op *mlir.Operation) []value {
	v, out := m.array(op.Operands[0]), m.copyOf(op, op.Operands[1])
	offsets, _ := mlir.IntList(op.Attrs.Get("offsets"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	skip := len(out.shape) - len(v.shape)
	check(op, v.each(func(at []int, place int) error {
		to := make([]int, len(out.shape))
		copy(to, offsets)
		for k, i := range at {
			stride := 1
			if k < len(strides) {
				stride = strides[k]
			}
			to[skip+k] += i * stride
		}
		p, err := out.at(to)
		if err != nil {
			return err
		}
		out.store(p, v.load(place))
		return nil
	}))
	return one(out)
}

func (m *machine) mask(op *mlir.Operation, sizes []int) *array {
	dims, _, _ := mlir.ShapeOf(op.Results[0].Type)
	out := m.make(op, op.Results[0].Type, dims)
	if len(sizes) != max(len(dims), 1) {
		fail(op, "%d sizes for %d dimensions", len(sizes), len(dims))
	}
	check(op, out.each(func(at []int, place int) error {
		inside := int64(1)
		if len(at) == 0 && sizes[0] == 0 {
			inside = 0
		}
		for k, i := range at {
			if i >= sizes[k] {
				inside = 0
			}
		}
		out.store(place, number{Element: reference.IntElement(out.data.DType, inside)})
		return nil
	}))
	return out
}
