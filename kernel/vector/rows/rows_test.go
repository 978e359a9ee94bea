package rows_test

import (
	"errors"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/kernel/vector/rows"
	"github.com/go-acap/acap/kernel/x86/emit"
)

func nests(n *kernel.Nest) (kernel.Code, error) { return portable.Compile(n) }

// product makes a product of some rows with a matrix whose columns are contiguous, and an epilogue with a bias.
func product(t dtype.DType, m, n, k, gap int) *kernel.Contraction {
	c := &kernel.Contraction{Name: "rows", Batch: []int{2}, M: m, N: n, K: k, Acc: dtype.F32}
	c.A = kernel.Matrix{Port: kernel.Port{DType: dtype.F32}, Offset: gap, Row: k + gap, Col: 1, Batch: []int{m * (k + gap)}}
	c.B = kernel.Matrix{Port: kernel.Port{DType: t}, Offset: 1, Row: 1, Col: k + gap, Batch: []int{n * (k + gap)}}
	c.A.Len, c.B.Len = gap+2*m*(k+gap), 1+2*n*(k+gap)
	body := kernel.NewBody()
	body.Store(2, body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(3, dtype.F32)))
	c.Epilogue = kernel.Epilogue{Body: body.Body(), Access: []kernel.Access{
		{Port: kernel.Port{DType: dtype.F32, Write: true, Len: 2 * m * n}, Outer: []int{m * n, n, 1}},
		{Port: kernel.Port{DType: dtype.F32, Len: n}, Outer: []int{0, 0, 1}},
	}}
	return c
}

// TestProducts compares products with their definition: tiles of one row to three, all types, columns that do not fill
// a group, depths that do not fill a line, and those that are done in parts. Code for processors that are not here is
// compiled.
func TestProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 1))
	for _, c := range []struct {
		b    dtype.DType
		rows []int
		n, k int
	}{
		{dtype.F32, []int{2, 3, 5, 8}, 100 + r.IntN(9), 8 * (88 + r.IntN(9))},
		{dtype.F16, []int{2, 4, 6}, 180 + r.IntN(9), 8 * (88 + r.IntN(9))},
		{dtype.BF16, []int{2, 6}, 180 + r.IntN(9), 8 * (88 + r.IntN(9))},
		{dtype.F32, []int{2, 20}, 40 + r.IntN(4), 2048},
		{dtype.BF16, []int{1 + 3*r.IntN(3)}, 128 + r.IntN(4), 1032},
		{dtype.F16, []int{13}, 128 + r.IntN(4), 1032 + 24*r.IntN(40)},
		{dtype.F32, []int{48}, 60 + r.IntN(4), 1104},
	} {
		for _, m := range c.rows {
			p := product(c.b, max(m, 2), c.n, c.k, 8*r.IntN(2)+r.IntN(3))
			require.NoError(t, kernel.Verify(p))
			for _, f := range kerneltest.Levels() {
				if c.k%(f.Level.VectorBytes()/4) != 0 {
					continue
				}
				code, err := rows.Compile(p, emit.Backend(f), nests)
				require.NoError(t, err)
				if kerneltest.Executes(f) {
					require.NoError(t, kerneltest.CheckWith(r, p, code, 8, func(b kerneltest.Buffer) {
						for i := range b.Len() {
							b.Set(i, kerneltest.Value{F: r.NormFloat64()})
						}
					}), "%v, %d rows, %v", c.b, m, f.Level)
				}
				code.Close()
			}
		}
	}
}

// TestRefused: what the code is not for goes elsewhere.
func TestRefused(t *testing.T) {
	f := cpu.Detect()
	if f.Level < cpu.AVX2 {
		t.Skip("this processor has no AVX2")
	}
	for name, change := range map[string]func(c *kernel.Contraction){
		"one row":         func(c *kernel.Contraction) { c.M = 1 },
		"many rows":       func(c *kernel.Contraction) { c.M = 49 },
		"an odd depth":    func(c *kernel.Contraction) { c.K-- },
		"a small matrix":  func(c *kernel.Contraction) { c.N = 2 },
		"rows of B":       func(c *kernel.Contraction) { c.B.Row, c.B.Col = c.N, 1 },
		"bytes":           func(c *kernel.Contraction) { c.B.DType = dtype.I8 },
		"a constant":      func(c *kernel.Contraction) { c.B.Const = true },
		"columns of A":    func(c *kernel.Contraction) { c.A.Col = 2 },
		"a stepping back": func(c *kernel.Contraction) { c.Epilogue.Access[0].Outer[2] = -1 },
	} {
		c := product(dtype.F32, 4, 16, 8000, 0)
		change(c)
		_, err := rows.Compile(c, emit.Backend(f), nests)
		require.True(t, errors.Is(err, kernel.ErrUnsupported), name)
	}
	_, err := rows.Compile(product(dtype.F32, 4, 16, 8000, 0), emit.Backend(f), nests)
	require.NoError(t, err)
}
