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
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/lazytest"
	"github.com/go-acap/acap/tensor"
)

// soaking is how long the tests of this file run: ACAP_SOAK, such as 10m, or the given time.
func soaking(t *testing.T, short time.Duration) time.Duration {
	text := os.Getenv("ACAP_SOAK")
	if text == "" {
		return short
	}
	d, err := time.ParseDuration(text)
	require.NoError(t, err)
	return d
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
	end := time.Now().Add(soaking(t, 2*time.Second))
	steps := 0
	cuts := func() int64 { return lazy.For(dev).Metrics().Counters["TraceCuts"] }
	for ; time.Now().Before(end) || steps%1000 != 0 || cuts() == 0; steps++ {
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
	end := time.Now().Add(soaking(t, 2*time.Second))
	shared := tensor.Ones(shapes, 8).To(dev)
	lazytest.Compiles(t, dev, 2*shapes, func() {
		var wg sync.WaitGroup
		for g := range 100 {
			wg.Go(func() {
				n := g%shapes + 1
				x := tensor.FullLike(float64(g), dtype.F32, n, 8).To(dev)
				for time.Now().Before(end) {
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
