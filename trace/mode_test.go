package trace

import (
	"fmt"
	"runtime"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
)

func TestModesNest(t *testing.T) {
	p := Parameter(buf.New(dtype.F32, []int{2}), nil)
	require.True(t, record(t, "relu", p).NeedsGrad())
	Within("net", func() {
		NoGrad(func() {
			require.False(t, GradEnabled())
			Within("layer", func() {
				SetLocation(mlir.Location{File: "a.py", Line: 7})
				n := record(t, "relu", p)
				require.False(t, n.NeedsGrad())
				require.Equal(t, "net/layer", n.site.place.scope.String())
				require.Equal(t, 7, n.Location().Line)
			})
			require.Equal(t, "net", record(t, "relu", p).site.place.scope.String())
		})
		require.True(t, record(t, "relu", p).NeedsGrad())
	})
	require.Nil(t, record(t, "relu", p).site.place.scope)
	require.Empty(t, modes.of, "a goroutine without a mode leaves no entry")
}

// TestFresh: a function runs as in a goroutine that has set nothing. The mode is there again behind the function, also
// behind a panic.
func TestFresh(t *testing.T) {
	NoGrad(func() {
		Fresh(func() { require.True(t, GradEnabled()) })
		require.False(t, GradEnabled())
		require.Panics(t, func() { Fresh(func() { panic("x") }) })
		require.False(t, GradEnabled())
	})
	Fresh(func() { NoGrad(func() { require.False(t, GradEnabled()) }) })
	require.True(t, GradEnabled())
	require.Empty(t, modes.of)
}

func TestModeEndsWithPanic(t *testing.T) {
	require.Panics(t, func() { NoGrad(func() { panic("x") }) })
	require.True(t, GradEnabled())
}

// Goroutines that record at once, with different modes, do not disturb each other,
// wherever the scheduler moves them and their stacks.
func TestModesAreOfGoroutines(t *testing.T) {
	p := Parameter(buf.New(dtype.F32, []int{2}), nil)
	var wg sync.WaitGroup
	wrong := make(chan string, 1)
	verify := func(grad bool, name string) {
		n := record(t, "relu", p)
		if n.NeedsGrad() != grad || n.site.place.scope.String() != name {
			select {
			case wrong <- fmt.Sprint(n.NeedsGrad(), n.site.place.scope, " instead of ", grad, name):
			default:
			}
		}
	}
	for g := range 8 {
		wg.Go(func() {
			for i := range 200 {
				switch g % 3 {
				case 0:
					verify(true, "")
				case 1:
					NoGrad(func() {
						runtime.Gosched()
						deeper(i%50, func() { verify(false, "") })
					})
				case 2:
					name := fmt.Sprint(g, i)
					Within(name, func() {
						runtime.Gosched()
						deeper(i%50, func() { verify(true, name) })
					})
				}
			}
		})
	}
	wg.Wait()
	select {
	case w := <-wrong:
		t.Fatal(w)
	default:
	}
	require.Empty(t, modes.of)
}

// deeper calls f on a stack that has grown, and so has moved.
func deeper(n int, f func()) {
	var frame [512]byte
	if n == 0 {
		f()
		return
	}
	deeper(n-1, f)
	runtime.KeepAlive(&frame)
}

// BenchmarkRecordNoGrad is BenchmarkRecord in a mode of the goroutine.
func BenchmarkRecordNoGrad(b *testing.B) { NoGrad(func() { BenchmarkRecord(b) }) }

// A goroutine that ends within a scope leaves nothing to the one that gets its descriptor.
func TestScopeEndsWithGoroutine(t *testing.T) {
	for range 200 {
		done := make(chan string)
		go func() {
			defer close(done)
			Within("stale", func() { NoGrad(func() { runtime.Goexit() }) })
		}()
		<-done
		found := make(chan string)
		go func() { found <- record(t, "relu", leaf(2)).site.place.scope.String() }()
		require.Empty(t, <-found)
	}
	require.Empty(t, modes.of)
}
