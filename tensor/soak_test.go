package tensor_test

import (
	"context"
	"os"
	"runtime"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// soaked returns a function that says whether a loop of a test of this file ends: after a number of turns, or after the
// time that ACAP_SOAK says, such as 10m.
func soaked(t *testing.T, turns int) func(turn int) bool {
	text := os.Getenv("ACAP_SOAK")
	if text == "" {
		return func(turn int) bool { return turn >= turns }
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	end := time.Now().Add(d)
	return func(int) bool { return time.Now().After(end) }
}

// A loop without a barrier stays within the configured memory, numbers that vary included.
func TestForgottenBarrier(t *testing.T) {
	const limit = 64 << 20
	defer lazy.MemoryLimit(lazy.MemoryLimit(limit))
	dev := freshDevice(t)
	x := tensor.FullLike(0.5, dtype.F32, 256).To(dev)
	y := x
	runtime.GC()
	var before, now runtime.MemStats
	runtime.ReadMemStats(&before)
	end, steps := soaked(t, longtest.Sample(20_000, 100_000, 1_000_000)), 0
	cuts := func() int64 { return lazy.For(dev).Metrics().Counters["TraceCuts"] }
	for ; !end(steps) || steps%1000 != 0 || cuts() == 0; steps++ {
		y = y.Mul(x).AddScalar(float64(steps % 7)).Tanh()
		if steps%1000 == 0 {
			if runtime.ReadMemStats(&now); now.HeapAlloc > before.HeapAlloc+limit {
				runtime.GC() // what is left is in use
				runtime.ReadMemStats(&now)
			}
			require.Less(t, int64(now.HeapAlloc)-int64(before.HeapAlloc), int64(limit), "step %d", steps)
		}
	}
	t.Log(steps, "steps,", cuts(), "cuts,", lazy.For(dev).Metrics().CompiledPrograms, "programs")
}

// A hundred goroutines record and synchronize at once: one program for each key, and right results.
func TestHundredGoroutines(t *testing.T) {
	dev := freshDevice(t)
	const shapes = 5
	end := soaked(t, longtest.Sample(5, 20, 100))
	shared := tensor.Ones(shapes, 8).To(dev)
	lazytest.Compiles(t, dev, 2*shapes, func() {
		var wg sync.WaitGroup
		for g := range 100 {
			wg.Go(func() {
				n := g%shapes + 1
				x := tensor.FullLike(float64(g), dtype.F32, n, 8).To(dev)
				for turn := 0; !end(turn); turn++ {
					y := x.Add(shared.Narrow(0, 0, n))
					view := y.View([]int{n * 8})
					view.AddInPlace(view)
					if err := lazy.Sync(context.Background(), y); err != nil {
						t.Error(err)
						return
					}
					if sum := y.Sum().Item(); sum != float64(2*(g+1)*8*n) {
						t.Errorf("goroutine %d: %v", g, sum)
						return
					}
				}
			})
		}
		wg.Wait()
	})
}
