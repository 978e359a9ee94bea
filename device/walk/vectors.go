package walk

import (
	"slices"

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

// inner is the part at indices of the first dimensions: a vector, or a number at indices of all.
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

// insertStrided writes a vector into the last dimensions of another; offsets are for all dimensions, strides for the
// vector's.
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
