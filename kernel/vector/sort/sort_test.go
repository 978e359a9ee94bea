package sort

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func sorting(d dtype.DType, l kernel.Lines, first, count int, descending, unsigned bool) *kernel.Sort {
	port := func(d dtype.DType, n int, write bool) kernel.Port { return kernel.Port{DType: d, Len: n, Write: write} }
	places := l.With(count).Elements()
	return &kernel.Sort{Name: "k", Lines: l, First: first, Count: count, Descending: descending, Unsigned: unsigned,
		X: port(d, l.Elements(), false), Values: port(d, places, true), Positions: port(dtype.I64, places, true)}
}

// TestSorts compares code with portable code, which is written apart: NaNs, zeros of both signs and equal elements
// included.
func TestSorts(t *testing.T) {
	levels := kerneltest.Levels()
	if len(levels) == 0 {
		t.Skip("no generated code on this system")
	}
	r := rand.New(rand.NewPCG(5, 6))
	types := []dtype.DType{dtype.F32, dtype.F64, dtype.F16, dtype.BF16, dtype.I64, dtype.I32, dtype.I16, dtype.I8, dtype.U8, dtype.Bool}
	for _, f := range levels {
		for n, d := range types {
			for i, l := range []kernel.Lines{{Outer: 37, N: 20, Inner: 1}, {Outer: 1, N: 33, Inner: 16}, {Outer: 9, N: 2, Inner: 3}, {Outer: 2, N: 200, Inner: 5}} {
				count := l.N
				first := 0
				if i == 0 {
					first, count = 3, 11
				}
				k := sorting(d, l, first, count, (i+n)%2 == 0, i%2 == 1)
				require.NoError(t, kernel.Verify(k))
				code, err := Compile(k, emit.Backend(f))
				require.NoError(t, err)
				if kerneltest.Executes(f) {
					agree(t, r, k, code)
				}
				code.Close()
			}
		}
	}
}

func agree(t *testing.T, r *rand.Rand, k *kernel.Sort, code kernel.Code) {
	t.Helper()
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), math.Copysign(0, -1), 0}
	reference, err := portable.Compile(k)
	require.NoError(t, err)
	var have []kerneltest.Buffer
	var wantAt, haveAt []unsafe.Pointer
	for n, p := range k.Ports() {
		b := kerneltest.NewBuffer(p.DType, p.Len)
		for i := range p.Len {
			v := kerneltest.Value{F: r.NormFloat64(), I: int64(r.Uint64())}
			if r.IntN(3) == 0 {
				v.F, v.I = special[r.IntN(len(special))], int64(r.IntN(5)-2)
			}
			if p.DType == dtype.Bool {
				v.I &= 1
			}
			b.Set(i, v)
		}
		have = append(have, b.Clone())
		wantAt, haveAt = append(wantAt, b.Pointer()), append(haveAt, have[n].Pointer())
	}
	kerneltest.Execute(r, reference, wantAt)
	kerneltest.Execute(r, code, haveAt)
	for n, p := range k.Ports() {
		require.True(t, have[n].Intact(), "%s", k)
		size := p.Len * p.DType.Size()
		require.Equal(t, unsafe.Slice((*byte)(wantAt[n]), size), unsafe.Slice((*byte)(haveAt[n]), size), "port %d of\n%s", n, k)
	}
}

// TestNetworks sorts all orders of zeros and ones, which is enough for all numbers (Knuth, theorem Z), and some longer
// lines.
func TestNetworks(t *testing.T) {
	for n := 2; n <= 12; n++ {
		pairs := network(n)
		for set := range 1 << n {
			line := make([]int, n)
			for i := range line {
				line[i] = set >> i & 1
			}
			require.True(t, slices.IsSorted(through(pairs, line)), "%d elements", n)
		}
	}
	require.Len(t, network(4), 5) // the fewest there can be
	require.Len(t, network(16), 63)
	r := rand.New(rand.NewPCG(7, 8))
	for _, n := range []int{31, 64, 100, 512} {
		require.True(t, slices.IsSorted(through(network(n), r.Perm(n))))
	}
}

func through(pairs [][2]int, line []int) []int {
	for _, p := range pairs {
		if x, y := line[p[0]], line[p[1]]; y < x {
			line[p[0]], line[p[1]] = y, x
		}
	}
	return line
}

// TestRefusals has the sorts that are left to passes over the elements.
func TestRefusals(t *testing.T) {
	levels := kerneltest.Levels()
	if len(levels) == 0 {
		t.Skip("no generated code on this system")
	}
	for cause, k := range map[string]*kernel.Sort{
		"lines of 1 elements":         sorting(dtype.F32, kernel.Lines{Outer: 99, N: 1, Inner: 1}, 0, 1, false, false),
		"lines of 513 elements":       sorting(dtype.F32, kernel.Lines{Outer: 99, N: 513, Inner: 1}, 0, 513, false, false),
		"sorts of 1 lines":            sorting(dtype.F32, kernel.Lines{Outer: 1, N: 50, Inner: 1}, 0, 50, false, false),
		"4 places of lines of 50 ele": sorting(dtype.F32, kernel.Lines{Outer: 99, N: 50, Inner: 1}, 1, 3, true, false),
	} {
		_, err := Compile(k, emit.Backend(levels[0]))
		require.ErrorIs(t, err, kernel.ErrUnsupported)
		require.ErrorContains(t, err, cause)
	}
}

// BenchmarkSorts compares short lines with portable code.
func BenchmarkSorts(b *testing.B) {
	r := rand.New(rand.NewPCG(9, 9))
	for _, d := range []dtype.DType{dtype.F32, dtype.F64} {
		for _, n := range []int{8, 64, 256} {
			k := sorting(d, kernel.Lines{Outer: 128, N: n, Inner: 1}, 0, n, false, false)
			for _, native := range []bool{true, false} {
				b.Run(fmt.Sprintf("%v/%d/native=%t", d, n, native), func(b *testing.B) {
					code, err := portable.Compile(k)
					if native {
						levels := kerneltest.Runnable()
						code, err = Compile(k, emit.Backend(levels[len(levels)-1]))
					}
					require.NoError(b, err)
					defer code.Close()
					var at []unsafe.Pointer
					for _, p := range k.Ports() {
						buffer := kerneltest.NewBuffer(p.DType, p.Len)
						for i := range p.Len {
							buffer.Set(i, kerneltest.Value{F: r.NormFloat64()})
						}
						at = append(at, buffer.Pointer())
					}
					args := &kernel.Args{Ptr: at, Scratch: kerneltest.Aligned(code.Scratch())}
					for b.Loop() {
						code.Run(args, 0, code.Units())
					}
				})
			}
		}
	}
}
