package nest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestLongRows reads rows so long that a call does a part of one.
func TestLongRows(t *testing.T) {
	const cols, rows = 200_003, 2
	b := kernel.NewBody()
	b.Store(2, b.LoadAt(1, dtype.F32, b.Binary(kernel.Rem, b.Load(0, dtype.I64), b.Const(dtype.I64, cols))))
	k := &kernel.Nest{Name: "gather", Outer: []int{rows, cols}, Stages: []kernel.Stage{{Body: b.Body()}},
		Access: []kernel.Access{
			{Port: kernel.Port{DType: dtype.I64, Len: rows}, Outer: []int{1, 0}},
			{Port: kernel.Port{DType: dtype.F32, Len: 2 * cols}, Outer: []int{0, 1}},
			{Port: kernel.Port{DType: dtype.F32, Len: rows * cols, Write: true}, Outer: []int{cols, 1}},
		}}
	for _, f := range kerneltest.LevelsHere(t) {
		code, err := compile(k, f)
		require.NoError(t, err)
		require.Greater(t, code.Units(), rows)
		for seed := range uint64(2) { // negative numbers begin outside
			require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(seed, 5)), k, code, 0), "%v", f.Level)
		}
		code.Close()
	}
}

// TestGathers reads a table of every type: rows of it, and single elements, inside and
// outside.
func TestGathers(t *testing.T) {
	types := []dtype.DType{dtype.Bool, dtype.U8, dtype.I8, dtype.I16, dtype.F16, dtype.BF16,
		dtype.I32, dtype.F32, dtype.I64, dtype.F64}
	const n, rows = 19, 11
	for _, d := range types {
		for _, cols := range []int{1, 3, 16, 37} {
			for variant := range 5 {
				b := kernel.NewBody()
				row, strides := b.Load(0, dtype.I64), [2]int{cols, 1}
				switch variant {
				case 0, 2: // the table by rows
					row = b.Binary(kernel.Mod, row, b.Const(dtype.I64, rows))
				case 1: // by columns
					row = b.Binary(kernel.Mod, row, b.Const(dtype.I64, rows))
					strides = [2]int{1, rows}
				case 3: // from any element on, so that some rows end outside
					row = b.Binary(kernel.Mod, row, b.Const(dtype.I64, float64(rows*cols)))
					strides[0] = 1
				}
				at := b.Binary(kernel.Mul, row, b.Const(dtype.I64, float64(strides[0])))
				b.Store(2, b.LoadAt(1, d, at))
				k := &kernel.Nest{Name: "gather", Outer: []int{n, cols}, Stages: []kernel.Stage{{Body: b.Body()}},
					Access: []kernel.Access{
						{Port: kernel.Port{DType: dtype.I64, Len: n}, Outer: []int{1, 0}},
						{Port: kernel.Port{DType: d, Len: rows * cols}, Outer: []int{0, strides[1]}},
						{Port: kernel.Port{DType: d, Len: n * cols, Write: true}, Outer: []int{cols, 1}},
					}}
				if variant == 2 { // an index for every element
					k.Access[0].Len, k.Access[0].Outer = n*cols, []int{1, n}
					k.Access[2].Outer = []int{1, n}
				}
				for _, f := range kerneltest.LevelsHere(t) {
					code, err := compile(k, f)
					require.NoError(t, err, "%s", k)
					require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(uint64(cols), 4)), k, code, 0), "%v", f.Level)
					code.Close()
				}
			}
		}
	}
}

// TestGathersOnce reads an element of a table once for a row, which all points of the row take.
func TestGathersOnce(t *testing.T) {
	const rows = 5
	for _, d := range []dtype.DType{dtype.U8, dtype.BF16, dtype.I32, dtype.F32, dtype.I64, dtype.F64} {
		for _, cols := range []int{1, 4, 35} {
			once := kernel.NewBody()
			element := once.LoadAt(1, d, once.Binary(kernel.Mod, once.Load(0, dtype.I64), once.Const(dtype.I64, 7)))
			each := kernel.NewBody()
			each.Store(3, each.Binary(kernel.Add, each.Load(2, d), each.Kept(0, 0, d)))
			k := &kernel.Nest{Name: "once", Outer: []int{rows}, Inner: []int{cols},
				Stages: []kernel.Stage{{Once: true, Body: once.Body(), Keep: []int{element}}, {Body: each.Body()}},
				Access: []kernel.Access{
					{Port: kernel.Port{DType: dtype.I64, Len: rows}, Outer: []int{1}, Inner: []int{0}},
					{Port: kernel.Port{DType: d, Len: 7}, Outer: []int{0}, Inner: []int{0}},
					{Port: kernel.Port{DType: d, Len: rows * cols}, Outer: []int{cols}, Inner: []int{1}},
					{Port: kernel.Port{DType: d, Len: rows * cols, Write: true}, Outer: []int{cols}, Inner: []int{1}},
				}}
			for _, f := range kerneltest.LevelsHere(t) {
				code, err := compile(k, f)
				require.NoError(t, err, "%s", k)
				require.NoError(t, kerneltest.Check(rand.New(rand.NewPCG(uint64(cols), 6)), k, code, 0), "%v of %v by %d", f.Level, d, cols)
				code.Close()
			}
		}
	}
}
