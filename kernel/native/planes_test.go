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

// TestPlanes: convolutions with pixels in the lanes: rows that are longer than a vector and shorter, images of several
// channels that one call computes, several output channels of a group whose last unit has fewer, groups of several
// input channels, and epilogues in line and apart.
func TestPlanes(t *testing.T) {
	for _, f := range runnable() {
		used := map[int]int{} // by the stride
		for seed := range uint64(12) {
			r := rand.New(rand.NewPCG(seed, 11))
			in, out, groups := 1, 1, 5
			switch seed % 4 {
			case 1:
				out = 9
			case 2:
				in, out, groups = 3, 2, 1
			}
			c := convolutionOf(in*groups, out*groups, 9+r.IntN(40), 3+r.IntN(3), 1+r.IntN(2), r.IntN(4), groups)
			if seed%3 == 1 {
				body := kernel.NewBody()
				body.Store(2, body.Unary(kernel.Tanh, body.Input(dtype.F32)))
				c.Epilogue.Body = body.Body()
			}
			require.NoError(t, kernel.Verify(c))
			code, err := CompileFor(c, f)
			require.NoError(t, err)
			if strings.Contains(code.Listing(), "planes, pixels in lanes") {
				used[c.Stride[1]]++
			}
			err = kerneltest.CheckWith(r, c, code, 0, func(b kerneltest.Buffer) {
				for i := range b.Len() {
					b.Set(i, kerneltest.Value{F: float64(r.IntN(257)-128) / 64})
				}
			})
			require.NoError(t, err, "%v, seed %d", f.Level, seed)
			code.Close()
		}
		require.True(t, f.Level < cpu.AVX2 || used[1] > 1 && used[2] > 1, "%v: %d", f.Level, used)
	}
}
