package nest_test

import (
	"sync"
	"testing"
	"unsafe"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/kerneltest"
)

// TestConcurrent runs one code from several goroutines, each on its own units.
func TestConcurrent(t *testing.T) {
	f := kerneltest.LevelsHere(t)[0]
	n := softmaxNest(4096, 100)
	code, err := compile(n, f)
	require.NoError(t, err)
	defer code.Close()
	x, y := make([]float32, 409600), make([]float32, 409600)
	for i := range x {
		x[i] = float32(i % 7)
	}
	var wait sync.WaitGroup
	for w := range 4 {
		wait.Go(func() {
			args := kernel.Args{Scratch: kerneltest.Aligned(code.Scratch()),
				Ptr: []unsafe.Pointer{unsafe.Pointer(&x[0]), unsafe.Pointer(&y[0])}}
			units := code.Units()
			code.Run(&args, units*w/4, units*(w+1)/4)
		})
	}
	wait.Wait()
	for row := range 4096 {
		sum := 0.0
		for _, v := range y[row*100 : row*100+100] {
			sum += float64(v)
		}
		require.InDelta(t, 1, sum, 1e-5, "row %d", row)
	}
}

// TestSteadyState checks that running code allocates nothing.
func TestSteadyState(t *testing.T) {
	code, err := compile(geluNest(1000), kerneltest.LevelsHere(t)[0])
	require.NoError(t, err)
	defer code.Close()
	args := kernel.Args{Scratch: kerneltest.Aligned(code.Scratch())}
	for range 4 {
		args.Ptr = append(args.Ptr, kerneltest.Aligned(4000))
	}
	require.Zero(t, testing.AllocsPerRun(100, func() { code.Run(&args, 0, code.Units()) }))
}
