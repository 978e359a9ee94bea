package engine

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
)

// shaped is a value of a random program of operations that only place elements, with what its elements have to be.
type shaped struct {
	name string
	dims []int
	want []int64
}

type shapes struct {
	r    *rand.Rand
	d    dtype.DType
	text strings.Builder
	list []shaped
	next int
}

func (s *shapes) typeOf(dims []int) string { return mlir.Tensor(s.d, dims).String() }

func ints64(list []int) string {
	if len(list) == 0 {
		return "array<i64>"
	}
	return "array<i64: " + strings.Trim(strings.ReplaceAll(fmt.Sprint(list), " ", ", "), "[]") + ">"
}

// emit writes an operation in generic form.
func (s *shapes) emit(op string, operands []shaped, attrs, region string, dims []int, want []int64) {
	var args, types []string
	for _, o := range operands {
		args, types = append(args, o.name), append(types, s.typeOf(o.dims))
	}
	v := shaped{fmt.Sprintf("%%v%d", s.next), dims, want}
	s.next++
	fmt.Fprintf(&s.text, "%s = %q(%s) %s {%s} : (%s) -> %s\n", v.name, op, strings.Join(args, ", "), region, attrs, strings.Join(types, ", "), s.typeOf(dims))
	s.list = append(s.list, v)
}

// empty is memory of a shape.
func (s *shapes) empty(dims []int) shaped {
	s.emit("tensor.empty", nil, "", "", dims, nil)
	last := len(s.list) - 1
	v := s.list[last]
	s.list = s.list[:last]
	return v
}

// copyBody is the region of an operation of one input that moves elements.
func (s *shapes) copyBody() string {
	return strings.ReplaceAll("({\n^bb0(%in: $E, %out: $E):\n  \"linalg.yield\"(%in) : ($E) -> ()\n})", "$E", mlir.ElemType(s.d).String())
}

// mapped gives every element of a shape by its index.
func mapped(dims []int, f func(at []int) int64) []int64 {
	var out []int64
	for _, p := range enginetest.Points(dims) {
		out = append(out, f(p))
	}
	return out
}

func (s *shapes) box(dims []int) (offsets, sizes, steps []int) {
	for _, n := range dims {
		offset, step, size := 0, 1+s.r.IntN(2), 0
		if n > 0 {
			offset = s.r.IntN(n)
			size = s.r.IntN((n-1-offset)/step + 2)
		}
		offsets, sizes, steps = append(offsets, offset), append(sizes, size), append(steps, step)
	}
	return offsets, sizes, steps
}

func (s *shapes) step() {
	x := s.list[s.r.IntN(len(s.list))]
	if len(s.list) > 3 && s.r.IntN(2) == 0 {
		x = s.list[len(s.list)-1]
	}
	rank := len(x.dims)
	slice := func(offsets, sizes, steps []int) string {
		return "static_offsets = " + ints64(offsets) + ", static_sizes = " + ints64(sizes) + ", static_strides = " + ints64(steps)
	}
	switch s.r.IntN(8) {
	case 0:
		dims := []int{0, 3}
		if n := shape.Size(x.dims); n > 0 {
			dims = enginetest.Split(s.r, n)
		}
		s.emit("tensor.reshape", []shaped{x}, "", "", dims, x.want)
	case 1:
		perm := s.r.Perm(rank)
		dims := make([]int, rank)
		for i, p := range perm {
			dims[i] = x.dims[p]
		}
		s.emit("linalg.transpose", []shaped{x, s.empty(dims)}, "permutation = "+ints64(perm), s.copyBody(), dims, mapped(dims, func(at []int) int64 {
			from := make([]int, rank)
			for i, p := range perm {
				from[p] = at[i]
			}
			return x.want[enginetest.PlaceOf(x.dims, from)]
		}))
	case 2:
		offsets, sizes, steps := s.box(x.dims)
		s.emit("tensor.extract_slice", []shaped{x}, slice(offsets, sizes, steps), "", sizes, mapped(sizes, func(at []int) int64 {
			from := make([]int, rank)
			for d := range at {
				from[d] = offsets[d] + at[d]*steps[d]
			}
			return x.want[enginetest.PlaceOf(x.dims, from)]
		}))
	case 3:
		offsets, sizes, steps := s.box(x.dims)
		for _, src := range s.list {
			if shape.Size(src.dims) != shape.Size(sizes) {
				continue
			}
			want := slices.Clone(x.want)
			for k, at := range enginetest.Points(sizes) {
				for d := range at {
					at[d] = offsets[d] + at[d]*steps[d]
				}
				want[enginetest.PlaceOf(x.dims, at)] = src.want[k]
			}
			s.emit("tensor.insert_slice", []shaped{src, x}, slice(offsets, sizes, steps), "", x.dims, want)
			return
		}
	case 4:
		if rank == 0 {
			return
		}
		axis := s.r.IntN(rank)
		parts := []shaped{x}
		dims := slices.Clone(x.dims)
		for _, y := range s.list {
			other := slices.Clone(y.dims)
			if len(other) == rank && len(parts) < 3 {
				if other[axis] = x.dims[axis]; slices.Equal(other, x.dims) {
					parts, dims[axis] = append(parts, y), dims[axis]+y.dims[axis]
				}
			}
		}
		s.emit("tensor.concat", parts, fmt.Sprintf("dim = %d : i64", axis), "", dims, mapped(dims, func(at []int) int64 {
			for _, p := range parts {
				if at[axis] < p.dims[axis] {
					return p.want[enginetest.PlaceOf(p.dims, at)]
				}
				at[axis] -= p.dims[axis]
			}
			panic("BUG: no part")
		}))
	case 5:
		low, high, dims := make([]int, rank), make([]int, rank), make([]int, rank)
		for d := range low {
			low[d], high[d] = s.r.IntN(2), s.r.IntN(2)
			dims[d] = x.dims[d] + low[d] + high[d]
		}
		border := int64(s.r.IntN(2) * 5)
		var args []string
		for d := range rank {
			args = append(args, fmt.Sprintf("%%p%d_%d: index", s.next, d))
		}
		fmt.Fprintf(&s.text, "%%b%d = arith.constant %s : %s\n", s.next, map[bool]string{true: fmt.Sprint(border, ".0"), false: fmt.Sprint(border)}[s.d.IsFloat()], s.d)
		s.emit("tensor.pad", []shaped{x}, "static_low = "+ints64(low)+", static_high = "+ints64(high),
			fmt.Sprintf("({\n^bb0(%s):\n\"tensor.yield\"(%%b%d) : (%s) -> ()\n})", strings.Join(args, ", "), s.next, s.d), dims,
			mapped(dims, func(at []int) int64 {
				from := make([]int, rank)
				for d := range at {
					if from[d] = at[d] - low[d]; from[d] < 0 || from[d] >= x.dims[d] {
						return border
					}
				}
				return x.want[enginetest.PlaceOf(x.dims, from)]
			}))
	case 6:
		if shape.Size(x.dims) > 60 {
			return
		}
		d, n := s.r.IntN(rank+1), s.r.IntN(4)
		dims := slices.Insert(slices.Clone(x.dims), d, n)
		s.emit("linalg.broadcast", []shaped{x, s.empty(dims)}, fmt.Sprintf("dimensions = array<i64: %d>", d), s.copyBody(), dims, mapped(dims, func(at []int) int64 {
			return x.want[enginetest.PlaceOf(x.dims, slices.Delete(at, d, d+1))]
		}))
	case 7:
		for d, n := range x.dims {
			if n > 0 && s.r.IntN(2) == 0 { // a row, as one of fewer dimensions
				offsets, sizes, steps := make([]int, rank), slices.Clone(x.dims), slices.Repeat([]int{1}, rank)
				offsets[d], sizes[d] = s.r.IntN(n), 1
				dims := slices.Delete(slices.Clone(x.dims), d, d+1)
				s.emit("tensor.extract_slice", []shaped{x}, slice(offsets, sizes, steps), "", dims, mapped(dims, func(at []int) int64 {
					return x.want[enginetest.PlaceOf(x.dims, slices.Insert(at, d, offsets[d]))]
				}))
				return
			}
		}
	}
}

// TestShaped places elements by random sequences of reshapes, transposes, slices, insertions, concatenations, paddings
// and broadcasts, zero extents among them, and compares with plain loops; a result may be an input, a value used
// twice, or both.
func TestShaped(t *testing.T) {
	for seed := range uint64(150) {
		s := &shapes{r: rand.New(rand.NewPCG(seed, 21)), d: []dtype.DType{dtype.F32, dtype.I64, dtype.I8, dtype.BF16, dtype.I16, dtype.F64}[seed%6]}
		var inputs []*buf.Buffer
		var args []string
		for range 2 {
			dims := enginetest.Split(s.r, []int{1, 6, 12, 24}[s.r.IntN(4)])
			if s.r.IntN(8) == 0 {
				dims = append(dims, 0)
			}
			if dims == nil {
				dims = []int{}
			}
			b := buf.New(s.d, dims)
			var want []int64
			for i := range b.Len() {
				want = append(want, int64(10*len(inputs)+i+1))
				if s.d.IsFloat() {
					b.SetFloat64(i, float64(want[i]))
				} else {
					b.SetInt64(i, want[i])
				}
			}
			v := shaped{fmt.Sprintf("%%v%d", s.next), dims, want}
			s.next++
			s.list, inputs, args = append(s.list, v), append(inputs, b), append(args, v.name+": "+s.typeOf(dims))
		}
		for range 3 + s.r.IntN(10) {
			if s.step(); shape.Size(s.list[len(s.list)-1].dims) > 300 {
				s.list = s.list[:len(s.list)-1]
			}
		}
		results := []shaped{s.list[len(s.list)-1], s.list[s.r.IntN(len(s.list))], s.list[s.r.IntN(len(s.list))]}
		var names, types []string
		for _, v := range results {
			names, types = append(names, v.name), append(types, s.typeOf(v.dims))
		}
		text := "func.func @main(" + strings.Join(args, ", ") + ") -> (" + strings.Join(types, ", ") + ") {\n" + s.text.String() +
			"return " + strings.Join(names, ", ") + " : " + strings.Join(types, ", ") + "\n}"
		m, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err, text)
		for _, opts := range []Options{{NoFusion: true, Backend: portable.Compile}, {Backend: portable.Compile}, {}} {
			p, err := Compile(m.Funcs()[0], opts)
			require.NoError(t, err, text)
			out, err := p.Run(context.Background(), inputs)
			require.NoError(t, err, text)
			for k, v := range results {
				require.True(t, shape.Equal(v.dims, out[k].Shape), text)
				for i, want := range v.want {
					have := out[k].Float64(i)
					if !s.d.IsFloat() {
						have = float64(out[k].Int64(i))
					}
					require.Equal(t, float64(want), have, "seed %d, result %d, element %d of\n%s", seed, k, i, text)
				}
			}
			p.Close()
		}
	}
}
