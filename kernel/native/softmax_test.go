package native

import (
	"math"
	"slices"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/kerneltest"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// TestProgramOfSoftmax: vector programs of a softmax of scores that lie far apart, or are infinite, against sums in f64;
// of a row with a NaN, or with an infinite maximum, every result is NaN.
func TestProgramOfSoftmax(t *testing.T) {
	const columns = 43
	infinite := float32(math.Inf(1))
	scores := map[string]func(i int) float32{
		"close":         func(i int) float32 { return float32(i%7) * 0.3 },
		"far apart":     func(i int) float32 { return -2.3 * float32(i) },
		"much further":  func(i int) float32 { return -1e36 * float32(i) },
		"some masked":   func(i int) float32 { return []float32{-infinite, 1, float32(i) / 7}[i%3] },
		"none but one":  func(i int) float32 { return []float32{5, -infinite}[min(i, 1)] },
		"NaN":           func(i int) float32 { return []float32{math.Float32frombits(0x7fc00001), 1}[min(i, 1)] },
		"infinite":      func(i int) float32 { return []float32{infinite, 1}[min(i, 1)] },
		"all masked":    func(int) float32 { return -infinite },
		"beyond floats": func(i int) float32 { return []float32{math.MaxFloat32, -math.MaxFloat32}[i%2] },
	}
	n := normalised(1, columns, true)
	for _, f := range kerneltest.Levels() {
		if f.Level == cpu.Portable || !kerneltest.Executes(f) {
			continue
		}
		code, err := nest.Compile(n, emit.Backend(f))
		require.NoError(t, err)
		for name, score := range scores {
			in, out := kerneltest.Aligned(4*columns), kerneltest.Aligned(4*columns)
			x := unsafe.Slice((*float32)(in), columns)
			for i := range x {
				x[i] = score(i)
			}
			code.Run(&kernel.Args{Ptr: []unsafe.Pointer{in, out}, Scratch: kerneltest.Aligned(code.Scratch())}, 0, code.Units())
			most, sum := float64(slices.Max(x)), 0.0
			for _, v := range x {
				sum += math.Exp(float64(v) - most)
			}
			for i, have := range unsafe.Slice((*float32)(out), columns) {
				want := math.Exp(float64(x[i])-most) / sum
				if math.IsNaN(want) {
					require.True(t, have != have, "%v, %s: element %d is %v", f.Level, name, i, have)
					continue
				}
				require.InDelta(t, want, have, max(1e-6*want, 0x1p-125), "%v, %s: element %d", f.Level, name, i)
			}
		}
		code.Close()
	}
}
