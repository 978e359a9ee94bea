package native

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
)

var elementTypes = []dtype.DType{dtype.F32, dtype.F64, dtype.I32, dtype.I64, dtype.I16, dtype.I8, dtype.U8, dtype.Bool,
	dtype.BF16, dtype.F16}

// compare compiles a kernel whose code depends on no extension of a processor. Where the code runs it compares the
// results with results of portable code, which is written apart.
func compare(t *testing.T, seed uint64, k kernel.Kernel, set func(r *rand.Rand, port, i int, d dtype.DType) kerneltest.Value) {
	t.Helper()
	require.NoError(t, kernel.Verify(k))
	reference, err := portable.Compile(k)
	require.NoError(t, err)
	list, runs := here()
	code, err := generate(k, list[0])
	require.NoError(t, err, "%s", k)
	defer code.Close()
	if !runs {
		return
	}
	var want, have []kerneltest.Buffer
	var wantAt, haveAt []unsafe.Pointer
	for n, p := range k.Ports() {
		r := rand.New(rand.NewPCG(seed, uint64(n)))
		b := kerneltest.NewBuffer(p.DType, p.Len)
		for i := range p.Len {
			b.Set(i, set(r, n, i, p.DType))
		}
		want, have = append(want, b), append(have, b.Clone())
		wantAt, haveAt = append(wantAt, b.Pointer()), append(haveAt, have[n].Pointer())
	}
	fault := kerneltest.Execute(rand.New(rand.NewPCG(seed, 1)), reference, wantAt).Fault
	require.Equal(t, fault, kerneltest.Execute(rand.New(rand.NewPCG(seed, 2)), code, haveAt).Fault, "%s", k)
	ulps := 0.0
	if s, ok := k.(*kernel.Scan); ok && s.Fold == kernel.FoldLogAddExp {
		ulps = 4
	}
	for n, p := range k.Ports() {
		require.True(t, have[n].Intact(), "%s", k)
		for i := 0; p.Write && fault == 0 && i < p.Len; i++ {
			w, h := want[n].Get(i), have[n].Get(i)
			require.True(t, kerneltest.Close(p.DType, w, h, ulps, 1), "port %d, element %d: have %v, want %v\n%s", n, i, h, w, k)
		}
	}
}

// elementOn draws numbers. Some are special, and many are equal.
func elementOn(r *rand.Rand, d dtype.DType) kerneltest.Value {
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
	v := kerneltest.Value{F: r.NormFloat64(), I: int64(r.Uint64())}
	switch r.IntN(60) {
	case 0:
		v.F = special[r.IntN(len(special))]
	case 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15:
		v.F, v.I = math.Round(v.F), int64(r.IntN(5)-2)
	}
	if d == dtype.Bool {
		v.I &= 1
	}
	return v
}

func TestScans(t *testing.T) {
	seed := uint64(0)
	for _, d := range elementTypes {
		for fold := kernel.FoldAdd; fold <= kernel.FoldLogAddExp; fold++ {
			for n, l := range []kernel.Lines{{Outer: 2, N: 5, Inner: 16}, {Outer: 3, N: 4, Inner: 133}, {Outer: 1, N: 3, Inner: 1500},
				{Outer: 2, N: 9, Inner: 1}, {Outer: 11, N: 3, Inner: 1}, {Outer: 1, N: 997, Inner: 1}, {Outer: 19, N: 7, Inner: 3},
				{Outer: 1, N: 12, Inner: 3}, {Outer: 40, N: 1, Inner: 1}, {Outer: 1, N: 4001, Inner: 17}} {
				for _, positions := range []bool{false, true} {
					if (l.N > 1000 || positions || n > 6) && (seed%5 > 0 && testing.Short() || d != dtype.F32 && d != dtype.I64 && l.N > 1000) {
						seed++
						continue
					}
					k := &kernel.Scan{Name: "k", Lines: l, Fold: fold, Unsigned: n%2 == 1 && !d.IsFloat() && d != dtype.Bool, Positions: positions,
						X: kernel.Port{DType: d, Len: l.Elements()}, Out: kernel.Port{DType: d, Len: l.Elements(), Write: true}}
					if positions {
						k.Out.DType = dtype.I64
					}
					if kernel.Verify(k) != nil {
						continue
					}
					seed++
					compare(t, seed, k, func(r *rand.Rand, _, _ int, d dtype.DType) kerneltest.Value { return elementOn(r, d) })
				}
			}
		}
	}
}

func TestScatters(t *testing.T) {
	seed := uint64(0)
	for _, d := range elementTypes {
		for _, fold := range []kernel.FoldKind{kernel.FoldAdd, kernel.FoldMul, kernel.FoldMax, kernel.FoldMin, kernel.FoldAssign} {
			for n, c := range []struct {
				axis                 int
				updates, index, into []int
			}{
				{0, []int{100}, []int{100}, []int{7}},
				{0, []int{9003}, []int{9003}, []int{1000}},
				{0, []int{9}, []int{1}, []int{7}},
				{1, []int{3, 50}, []int{3, 50}, []int{4, 60}},
				{0, []int{31, 133}, []int{31, 1}, []int{8, 133}},
				{1, []int{2, 6, 3, 67}, []int{1, 6, 1, 1}, []int{3, 5, 4, 70}},
				{1, []int{2, 6, 3, 5}, []int{2, 6, 3, 1}, []int{2, 4, 3, 5}},
			} {
				if n == 1 && d != dtype.F32 {
					continue
				}
				port := func(d dtype.DType, dims []int) kernel.Port { return kernel.Port{DType: d, Len: shape.Size(dims)} }
				k := &kernel.Scatter{Name: "k", Fold: fold, Unsigned: n%2 == 1 && !d.IsFloat() && d != dtype.Bool, Axis: c.axis, Extents: c.updates,
					IndexExtents: c.index, IntoExtents: c.into, Updates: port(d, c.updates), Index: port(dtype.I64, c.index),
					Into: port(d, c.into), Result: port(d, c.into)}
				k.Result.Write = true
				for beyond := range 2 { // an index may be outside
					seed++
					compare(t, seed, k, func(r *rand.Rand, port, i int, d dtype.DType) kerneltest.Value {
						if port == 1 {
							at := int64(r.IntN(c.into[c.axis]))
							if beyond == 1 && i == k.Index.Len/2 {
								at = []int64{-1, math.MinInt64, int64(c.into[c.axis])}[r.IntN(3)]
							}
							return kerneltest.Value{I: at}
						}
						return elementOn(r, d)
					})
				}
			}
		}
	}
}

func TestSorts(t *testing.T) {
	seed := uint64(0)
	for _, d := range elementTypes {
		for n, l := range []kernel.Lines{{Outer: 7, N: 20, Inner: 1}, {Outer: 1, N: 33, Inner: 8}, {Outer: 5, N: 3, Inner: 3}, {Outer: 1, N: 128, Inner: 2}} {
			seed++
			places := l.With(l.N - n).Elements()
			k := &kernel.Sort{Name: "k", Lines: l, First: n / 2, Count: l.N - n, Descending: seed%2 == 0, Unsigned: n%2 == 1 && !d.IsFloat() && d != dtype.Bool,
				X: kernel.Port{DType: d, Len: l.Elements()}, Values: kernel.Port{DType: d, Len: places, Write: true},
				Positions: kernel.Port{DType: dtype.I64, Len: places, Write: true}}
			compare(t, seed, k, func(r *rand.Rand, _, _ int, d dtype.DType) kerneltest.Value { return elementOn(r, d) })
		}
	}
}

func TestRandomBits(t *testing.T) {
	for n, words := range []int{1, 3, 4, 15, 16, 17, 32, 33, 1000, 4*4096 - 1, 4 * 4096, 3*4*4096 + 39} {
		k := &kernel.Random{Name: fmt.Sprint(words), Key: kernel.Port{DType: dtype.I64, Len: 1}, Counter: kernel.Port{DType: dtype.I64, Len: 1},
			Out: kernel.Port{DType: dtype.I32, Len: words, Write: true}}
		compare(t, uint64(n), k, func(r *rand.Rand, _, _ int, _ dtype.DType) kerneltest.Value {
			return kerneltest.Value{I: int64(r.Uint64())}
		})
	}
}

func TestSearches(t *testing.T) {
	seed := uint64(0)
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.I64, dtype.I32, dtype.I16, dtype.I8, dtype.U8, dtype.Bool} {
		for n, extents := range [][3]int{{1, 1, 1}, {2, 7, 5}, {3, 100, 513}, {1, 1000, 1030}, {2, 0, 3}, {1, 64, 512}} {
			for variant := range 4 {
				k := &kernel.Search{Name: "k", Outer: extents[0], N: extents[1], M: extents[2], Right: variant%2 == 1,
					Unsigned: variant > 1 && !d.IsFloat() && d != dtype.Bool}
				k.Values, k.Sequence = kernel.Port{DType: d, Len: k.Outer * k.M}, kernel.Port{DType: d, Len: k.Outer * k.N}
				k.Out = kernel.Port{DType: dtype.I64, Len: k.Outer * k.M, Write: true}
				if n > 2 && variant > 0 && testing.Short() || kernel.Verify(k) != nil {
					continue
				}
				seed++
				compare(t, seed, k, func(r *rand.Rand, port, i int, d dtype.DType) kerneltest.Value {
					if port == 0 {
						return elementOn(r, d)
					}
					n := max(k.N, 1)
					v := kerneltest.Value{F: float64(i%n*8/n-4) / 2, I: int64(i % n * 200 / n)}
					if !k.Unsigned && d != dtype.U8 {
						v.I -= 100
					}
					if d == dtype.Bool {
						v.I = int64(i % n * 2 / n)
					}
					return v
				})
			}
		}
	}
}

func TestUnpacking(t *testing.T) {
	for n, f := range dtype.StoredFormats() {
		for _, blocks := range []int{1, 3, 4, 7, 16384/f.Block() + 5} {
			k := &kernel.Unpack{Name: "k", X: kernel.Port{DType: dtype.U8, Format: f, Len: blocks * f.Bytes()},
				Out: kernel.Port{DType: dtype.F32, Len: blocks * f.Block(), Write: true}}
			compare(t, uint64(n), k, func(r *rand.Rand, _, _ int, _ dtype.DType) kerneltest.Value {
				return kerneltest.Value{I: int64(r.IntN(256))}
			})
		}
	}
}
