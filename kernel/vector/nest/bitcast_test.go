package nest_test

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestBitcasts has all pairs of types of one size, of loaded values and of constants,
// also in kernels that have half of the lanes.
func TestBitcasts(t *testing.T) {
	const n = 37
	sizes := [][]dtype.DType{{dtype.I8, dtype.U8}, {dtype.I16, dtype.F16, dtype.BF16},
		{dtype.I32, dtype.F32}, {dtype.I64, dtype.F64}}
	for _, same := range sizes {
		for _, from := range same {
			for _, to := range same {
				for variant := range 3 {
					b := kernel.NewBody()
					x := b.Load(0, from)
					if variant == 1 {
						x = b.Const(from, 1.5)
					}
					b.Store(1, b.Emit(kernel.Instr{Op: kernel.Bitcast, Type: to, A: x}))
					out := kernel.Access{Outer: []int{1}, Port: kernel.Port{DType: to, Len: n, Write: true}}
					k := &kernel.Nest{Name: "bits", Outer: []int{n}, Access: []kernel.Access{
						{Outer: []int{1}, Port: kernel.Port{DType: from, Len: n}}, out}}
					if variant == 2 {
						out.DType = dtype.F64
						k.Access = append(k.Access, out)
						b.Store(2, b.Cast(dtype.F64, x))
					}
					k.Stages = []kernel.Stage{{Body: b.Body()}}
					for _, f := range kerneltest.LevelsHere(t) {
						code, err := compile(k, f)
						require.NoError(t, err, "%s", k)
						r := rand.New(rand.NewPCG(1, uint64(variant)))
						require.NoError(t, kerneltest.Check(r, k, code, 0), "%v", f.Level)
						code.Close()
					}
				}
			}
		}
	}
}
