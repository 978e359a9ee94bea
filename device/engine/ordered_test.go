package engine

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/acap"
)

// orderedTypes are the element types that scans, sorts and scatters take.
var orderedTypes = []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.I8, dtype.I16,
	dtype.I32, dtype.I64, dtype.Bool, dtype.U8}

// orderedInput is full of ties, and has NaNs, infinities and zeros of both signs.
func orderedInput(r *rand.Rand, d dtype.DType, dims []int) *buf.Buffer {
	b := buf.New(d, dims)
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1)}
	for i := range b.Len() {
		v := float64(r.IntN(9) - 4)
		if d.IsFloat() {
			switch r.IntN(12) {
			case 0:
				v = special[r.IntN(len(special))]
			case 1, 2, 3, 4:
				v = r.NormFloat64()
			}
			b.SetFloat64(i, v)
			continue
		}
		b.SetInt64(i, int64(v))
	}
	return b
}

// orderedFunc builds a function of one operation of the dialect.
func orderedFunc(inputs []*buf.Buffer, build func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value) *mlir.Operation {
	f := mlir.NewOp("func.func", nil, nil, nil)
	block := f.AddRegion().AddBlock()
	for _, b := range inputs {
		block.AddArg(mlir.Tensor(b.DType, b.Shape))
	}
	out := build(mlir.At(block), block.Args)
	block.Append(mlir.NewOp("func.return", out, nil, nil))
	return f
}

func randomDims(r *rand.Rand) []int {
	dims := make([]int, 1+r.IntN(3))
	for i := range dims {
		dims[i] = []int{1, 2, 3, 5, 17, 40}[r.IntN(6)]
	}
	return dims
}

// TestOrdered compares scans, sorts and scatters of all types and many shapes with the
// reference.
func TestOrdered(t *testing.T) {
	r := rand.New(rand.NewPCG(11, 12))
	for round := range 4 {
		for _, d := range orderedTypes {
			dims := randomDims(r)
			axis, unsigned := r.IntN(len(dims)), r.IntN(2) == 0
			x := orderedInput(r, d, dims)
			name := fmt.Sprintf("%d/%s/%v/%d", round, d, dims, axis)
			for _, kind := range []string{acap.Add, acap.Mul, acap.Max, acap.Min, acap.LogAddExp} {
				if kind == acap.LogAddExp && !d.IsFloat() {
					continue
				}
				t.Run("scan/"+kind+"/"+name, func(t *testing.T) {
					in := []*buf.Buffer{x}
					compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
						return []*mlir.Value{acap.Scan(b, kind, x[0], axis, unsigned)}
					}), in)
				})
			}
			for _, kind := range []string{acap.Max, acap.Min} {
				t.Run("positions/"+kind+"/"+name, func(t *testing.T) {
					in := []*buf.Buffer{x}
					compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
						return []*mlir.Value{acap.ScanPositions(b, kind, x[0], axis, unsigned)}
					}), in)
				})
			}
			t.Run("sort/"+name, func(t *testing.T) {
				first := r.IntN(dims[axis] + 1)
				o := acap.Order{Axis: axis, Descending: r.IntN(2) == 0, Unsigned: unsigned, First: first,
					Count: r.IntN(dims[axis] - first + 1)}
				in := []*buf.Buffer{x}
				compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
					values, positions := acap.Sort(b, x[0], o)
					return []*mlir.Value{values, positions}
				}), in)
			})
			for _, kind := range []string{acap.Assign, acap.Add, acap.Mul, acap.Max, acap.Min} {
				t.Run("scatter/"+kind+"/"+name, func(t *testing.T) {
					in := scatterInputs(r, x, axis)
					compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
						return []*mlir.Value{acap.Scatter(b, x[0], x[1], x[2],
							acap.Folding{Kind: kind, Axis: axis, Unsigned: unsigned})}
					}), in)
				})
			}
		}
	}
}

// scatterInputs makes updates and an index that fit a target; some extents of the
// index are 1.
func scatterInputs(r *rand.Rand, into *buf.Buffer, axis int) []*buf.Buffer {
	dims := slices.Clone(into.Shape)
	for d := range dims {
		if d == axis {
			dims[d] = 1 + r.IntN(2*dims[d])
		} else if r.IntN(3) == 0 {
			dims[d] = r.IntN(dims[d] + 1)
		}
	}
	at := slices.Clone(dims)
	for d := range at {
		if d != axis && r.IntN(2) == 0 {
			at[d] = 1
		}
	}
	index := buf.New(dtype.I64, at)
	for i := range index.Len() {
		index.SetInt64(i, int64(r.IntN(into.Shape[axis])))
	}
	return []*buf.Buffer{orderedInput(r, into.DType, dims), index, into}
}

// TestSearch compares searches in sorted lines of every type, one for all values and one for some, with the reference.
func TestSearch(t *testing.T) {
	r := rand.New(rand.NewPCG(17, 18))
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I8, dtype.I16, dtype.I32, dtype.I64, dtype.Bool, dtype.U8} {
		for _, dims := range [][2][]int{{{7}, {3, 1100}}, {{40}, {40}}, {{1}, {2}}, {{0}, {3}}, {{3}, {0}}, {{2, 3, 17}, {2, 3, 5}}, {{4, 40}, {4, 1}}} {
			for mode := range 4 {
				right, unsigned := mode%2 == 1, mode >= 2
				in := []*buf.Buffer{orderedInput(r, d, dims[1]), orderedInput(r, d, dims[0])}
				last := len(dims[0]) - 1
				for i := range in[1].Len() {
					if d.IsFloat() && math.IsNaN(in[1].Float64(i)) {
						in[1].SetFloat64(i, 2)
					}
				}
				t.Run(fmt.Sprintf("%s/%v/%d", d, dims, mode), func(t *testing.T) {
					compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
						sequence, _ := acap.Sort(b, x[1], acap.Order{Axis: last, Unsigned: unsigned, Count: dims[0][last]})
						return []*mlir.Value{acap.Search(b, x[0], sequence, right, unsigned)}
					}), in)
				})
			}
		}
	}
}

// TestLongSort: lines long enough to be sorted by radix and selected from.
func TestLongSort(t *testing.T) {
	r := rand.New(rand.NewPCG(13, 14))
	for _, d := range orderedTypes {
		x := orderedInput(r, d, []int{3000})
		for _, o := range []acap.Order{{Count: 3000}, {Count: 7, Descending: true}, {First: 1500, Count: 1},
			{First: 2000, Count: 500}, {First: 2990, Count: 10, Descending: true}} {
			t.Run(fmt.Sprintf("%s/%+v", d, o), func(t *testing.T) {
				in := []*buf.Buffer{x}
				compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
					values, positions := acap.Sort(b, x[0], o)
					return []*mlir.Value{values, positions}
				}), in)
			})
		}
	}
}

func TestRandomBits(t *testing.T) {
	key, counter := buf.From([]int64{-42}), buf.From([]int64{1<<33 + 4})
	in := []*buf.Buffer{key.Reshape([]int{}), counter.Reshape([]int{})}
	for _, dims := range [][]int{{}, {3}, {1023}, {5, 1025}} {
		compare(t, orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
			return []*mlir.Value{acap.Random(b, x[0], x[1], dims)}
		}), in)
	}
}

// TestScatterFault: an index outside the axis is an error with the operation's name.
func TestScatterFault(t *testing.T) {
	for _, axis := range []int{0, 1} {
		for _, bad := range []int64{-1, 3} {
			dims := []int{3, 3}
			at := []int{1, 1}
			at[axis] = 3
			index := buf.From([]int64{0, bad, 1}, at...)
			in := []*buf.Buffer{buf.New(dtype.F32, dims), index, buf.New(dtype.F32, dims)}
			f := orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
				return []*mlir.Value{acap.Scatter(b, x[0], x[1], x[2], acap.Folding{Kind: acap.Add, Axis: axis})}
			})
			p, err := Compile(f, Options{})
			require.NoError(t, err)
			defer p.Close()
			_, err = p.Run(context.Background(), in)
			require.ErrorContains(t, err, "acap.scatter: index out of range")
		}
	}
}

// TestOrderedThreads: the bits do not depend on the number of threads.
func TestOrderedThreads(t *testing.T) {
	r := rand.New(rand.NewPCG(15, 16))
	x := orderedInput(r, dtype.F32, []int{64, 3000})
	in := scatterInputs(r, x, 0)
	in = append(in, buf.From([]int64{7}).Reshape([]int{}))
	f := orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
		sum := acap.Scan(b, acap.Add, x[2], 0, false)
		values, positions := acap.Sort(b, sum, acap.Order{Axis: 1, Count: 3000})
		bits := acap.Random(b, x[3], x[3], []int{100, 1000})
		return []*mlir.Value{values, positions, acap.Scatter(b, x[0], x[1], x[2], acap.Folding{Kind: acap.Add}), bits}
	})
	var want []*buf.Buffer
	for _, threads := range []int{1, 2, 5} {
		p, err := Compile(f, Options{Threads: threads})
		require.NoError(t, err)
		got, err := p.Run(context.Background(), in)
		require.NoError(t, err)
		if want == nil {
			want = got
		}
		for i := range want {
			require.Equal(t, want[i].Bytes(), got[i].Bytes(), "%d threads, result %d", threads, i)
		}
		p.Close()
	}
}

// TestOrderedKernels: a scan and a scatter fold each element once, a sort compares it once in each round of merges, a
// search a value once in each halving of a line, and ten rounds of two products make random bits; what is read and
// written counts once.
func TestOrderedKernels(t *testing.T) {
	x, key := buf.New(dtype.F32, []int{3, 5}), buf.New(dtype.I64, []int{})
	updates, at := buf.New(dtype.F32, []int{3, 2}), buf.New(dtype.I64, []int{3, 2})
	in := []*buf.Buffer{x, updates, at, key}
	f := orderedFunc(in, func(b *mlir.Builder, x []*mlir.Value) []*mlir.Value {
		values, positions := acap.Sort(b, x[0], acap.Order{Axis: 1, Count: 5})
		return []*mlir.Value{acap.Scan(b, acap.Add, x[0], 1, false), values, positions, acap.Search(b, x[1], x[0], false, false),
			acap.Scatter(b, x[1], x[2], x[0], acap.Folding{Kind: acap.Add, Axis: 1}), acap.Random(b, x[3], x[3], []int{7})}
	})
	p, err := Compile(f, Options{})
	require.NoError(t, err)
	defer p.Close()
	have := map[string]KernelInfo{}
	for _, k := range p.Kernels() {
		have[k.Kind] = k
	}
	for kind, want := range map[string][3]int64{"scan": {15, 60, 60}, "sort": {15 * 3, 60, 60 + 120}, "random": {7 * 10 * 2, 16, 28},
		"search": {6 * 3, 60 + 24, 48}} {
		require.Equal(t, want, [3]int64{have[kind].Work, have[kind].BytesIn, have[kind].BytesOut}, kind)
	}
	require.EqualValues(t, 6, have["scatter"].Work)
}
