package portable

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestVectorProducts compares products of a vector and a matrix, on either side and however the matrix lies, with
// the reference.
func TestVectorProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, d := range []dtype.DType{dtype.F32, dtype.F64, dtype.BF16, dtype.F16, dtype.I8, dtype.I32} {
		for range 6 {
			c := &kernel.Contraction{Name: "vector", M: 1, N: 1 + r.IntN(150), K: 1 + r.IntN(600), Acc: dtype.F32}
			switch {
			case d == dtype.F64:
				c.Acc = d
			case d.IsInt():
				c.Acc = dtype.I32
			}
			if r.IntN(2) == 0 {
				c.M, c.N = c.N, 1
			}
			port := func(n int) kernel.Port { return kernel.Port{DType: d, Len: n} }
			c.A = kernel.Matrix{Port: port(c.M * c.K), Row: c.K, Col: 1}
			c.B = kernel.Matrix{Port: port(c.K * c.N), Row: c.N, Col: 1}
			if r.IntN(2) == 0 {
				c.A.Row, c.A.Col = 1, c.M
			}
			if r.IntN(2) == 0 {
				c.B.Row, c.B.Col = 1, c.K
			}
			body := kernel.NewBody()
			body.Store(2, body.Input(c.Acc))
			out := kernel.Access{Port: kernel.Port{DType: c.Acc, Len: c.M * c.N, Write: true}, Outer: []int{c.N, 1}}
			c.Epilogue = kernel.Epilogue{Access: []kernel.Access{out}, Body: body.Body()}
			code, err := Compile(c)
			require.NoError(t, err)
			require.NoError(t, kerneltest.Check(r, c, code, 0), "%v", c)
		}
	}
}
