package gemm

import (
	"math"
	"math/rand/v2"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestDotOrder: dot products add up as many sums as a vector has lanes, and then halves upon halves, however many
// columns are read at once. The numbers have 12 bits, so that f32 holds their products.
func TestDotOrder(t *testing.T) {
	kerneltest.Processors(t, func(t *testing.T, f cpu.Features) {
		lanes := f.Level.VectorBytes() / 4
		for i, k := range []int{776, 771} {
			p := product{m: 1, k: k, n: 157, transposed: true, types: f32}
			c := p.contraction()
			plan, err := newPlan(c, f)
			require.NoError(t, err)
			require.Equal(t, streamed, plan.b.mode)
			code, err := Compile(c, f, emit.Processor, portableNest)
			require.NoError(t, err)
			defer code.Close()
			require.Contains(t, code.Listing(), "prefetcht1")
			if !kerneltest.Executes(f) {
				continue
			}
			r := rand.New(rand.NewPCG(7, uint64(i)))
			numbers := func(n int) []float32 {
				list := make([]float32, n)
				for i := range list {
					list[i] = float32(math.Ldexp(float64(r.IntN(1<<13)-1<<12), r.IntN(8)-12))
				}
				return list
			}
			x, b, y := numbers(k), numbers(k*p.n), make([]float32, p.n)
			kerneltest.Execute(r, code, []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&b[0]), unsafe.Pointer(&y[0])})
			for column := range p.n {
				sums := make([]float32, lanes)
				for i, v := range x {
					product := v * b[column*k+i]
					sums[i%lanes] += product
				}
				for half := lanes / 2; half > 0; half /= 2 {
					for i := range half {
						sums[i] += sums[i+half]
					}
				}
				require.Equal(t, sums[0], y[column], "%v: column %d", dtype.F32, column)
			}
		}
	})
}
