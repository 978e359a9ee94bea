package native

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestWinograd: convolutions 3×3 with many channels, by machine code of every processor, with a bias and with a sum
// that differs between pixels, of filters that are constant and of others.
func TestWinograd(t *testing.T) {
	for _, f := range runnable() {
		used := 0
		for seed := range uint64(5) {
			r := rand.New(rand.NewPCG(seed, 9))
			size := 7 + r.IntN(12)
			c := convolutionOf(32+r.IntN(9), 32+r.IntN(20), size, 3, 1, r.IntN(3), 1)
			c.Filter.Const = seed%3 > 0
			if seed%2 == 0 {
				e := &c.Epilogue
				y := e.Access[0]
				y.Write = false
				bias := kernel.Access{Port: kernel.Port{DType: dtype.F32, Len: c.K}, Outer: []int{0, 1, 0, 0}}
				e.Access = append(e.Access, y, bias)
				body := kernel.NewBody()
				sum := body.Binary(kernel.Add, body.Binary(kernel.Add, body.Input(dtype.F32), body.Load(4, dtype.F32)), body.Load(3, dtype.F32))
				body.Store(2, body.Binary(kernel.Max, sum, body.Const(dtype.F32, 0)))
				e.Body = body.Body()
			}
			require.NoError(t, kernel.Verify(c))
			code, err := CompileFor(c, f)
			require.NoError(t, err)
			if strings.Contains(code.Listing(), "Winograd") {
				used++
			}
			err = kerneltest.CheckWith(r, c, code, 0, func(b kerneltest.Buffer) {
				for i := range b.Len() {
					b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
				}
			})
			require.NoError(t, err, "%v, seed %d", f.Level, seed)
			code.Close()
		}
		require.True(t, f.Level == cpu.Portable || used > 1, "%v: %d", f.Level, used)
	}
}
