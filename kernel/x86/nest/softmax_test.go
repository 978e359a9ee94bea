package nest

import (
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestRows runs the row kernels of the benchmarks on odd numbers of rows and
// columns, with NaN and infinities among the inputs.
func TestRows(t *testing.T) {
	for _, f := range kerneltest.LevelsHere(t) {
		for _, shape := range [][2]int{{1, 1}, {2, 16}, {3, 17}, {7, 100}, {33, 1}, {5, 1023}, {64, 130}} {
			for name, n := range map[string]*kernel.Nest{
				"softmax": softmaxNest(shape[0], shape[1]), "layer norm": layerNormNest(shape[0], shape[1]),
				"sum": sumNest(shape[0], shape[1]),
			} {
				code, err := Compile(n, f)
				require.NoError(t, err)
				for seed := range uint64(4) {
					r := rand.New(rand.NewPCG(seed, 4))
					// Layer norm divides differences: its errors grow with their size.
					require.NoError(t, kerneltest.Check(r, n, code, 16), "%v %s %v", f.Level, name, shape)
				}
				code.Close()
			}
		}
	}
}
