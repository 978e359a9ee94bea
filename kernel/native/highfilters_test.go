package native

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestHighFilters: convolutions with high filters over wide rows of any width, with odd numbers of rows and filters and
// images cut off by the border, by machine code of every processor.
func TestHighFilters(t *testing.T) {
	for _, f := range runnable() {
		r := rand.New(rand.NewPCG(9, 9))
		for seed := range uint64(3) {
			c := convolutionOf(2, 57+r.IntN(9), 64+r.IntN(20), []int{6, 7, 6}[seed], 1, r.IntN(5), 1)
			c.N, c.H, c.Stride = 1+int(seed)%2, 9+r.IntN(9), [2]int{1 + r.IntN(2), 1 + r.IntN(2)}
			c.P, c.Q = []int{11, 12, 12}[seed], []int{48, 63, 61}[seed] // some of which lie outside the image
			c.X.Strides, c.X.Len = [4]int{c.C * c.H * c.W, c.H * c.W, c.W, 1}, c.N*c.C*c.H*c.W
			switch seed { // filters that are no squares, and such with their numbers side by side
			case 1:
				c.S -= 2
				c.Filter.Strides = [4]int{c.C * c.R * c.S, c.R * c.S, c.S, 1}
			case 2:
				c.Filter.Strides = [4]int{1, c.K, c.S * c.C * c.K, c.C * c.K}
			}
			y := &c.Epilogue.Access[0]
			y.Outer, y.Len = []int{c.K * c.P * c.Q, c.P * c.Q, c.Q, 1}, c.N*c.K*c.P*c.Q
			if seed == 1 {
				e := &c.Epilogue
				e.Access = append(e.Access, kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: c.K}, Outer: []int{0, 1, 0, 0}})
				body := kernel.NewBody()
				sum := body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(3, dtype.F32))
				body.Store(2, body.Binary(kernel.Max, sum, body.Const(dtype.F32, 0)))
				e.Body = body.Body()
			}
			require.NoError(t, kernel.Verify(c))
			code, err := CompileFor(c, f)
			require.NoError(t, err)
			err = kerneltest.CheckWith(r, c, code, 0, func(b kerneltest.Buffer) {
				for i := range b.Len() {
					b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
				}
				if seed == 0 {
					b.Sprinkle(r, 2)
				}
			})
			require.NoError(t, err, "%v, seed %d", f.Level, seed)
			code.Close()
		}
	}
}
