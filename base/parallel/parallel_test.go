package parallel

import (
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestGoroutines(t *testing.T) {
	t.Setenv(Variable, "")
	t.Setenv(secondVariable, "3")
	n, err := Goroutines()
	require.NoError(t, err)
	require.Equal(t, 3, n)
	t.Setenv(Variable, "5")
	n, err = Goroutines()
	require.NoError(t, err)
	require.Equal(t, 5, n)
	t.Setenv(Variable, "none")
	_, err = Goroutines()
	require.ErrorContains(t, err, `ACAP_COMPILE_PARALLELISM="none"`)
}

func TestFor(t *testing.T) {
	for _, most := range []int{1, 3} {
		t.Setenv(Variable, fmt.Sprint(most))
		var calls [100]atomic.Int32
		var at, peak atomic.Int32
		For(4, func(i int) {
			For(25, func(k int) { // nested
				peak.Store(max(peak.Load(), at.Add(1)))
				calls[25*i+k].Add(1)
				at.Add(-1)
			})
		})
		for i := range calls {
			require.EqualValues(t, 1, calls[i].Load())
		}
		require.LessOrEqual(t, int(peak.Load()), most)
	}
}

// Helpers that stay from one loop to the next, for goroutines that compile at once, make each call once, and
// end when no loop comes.
func TestHelpersStay(t *testing.T) {
	t.Setenv(Variable, "3")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			for turn := range 300 {
				var calls [7]atomic.Int32
				For(len(calls), func(i int) { calls[i].Add(1) })
				for i := range calls {
					if calls[i].Load() != 1 {
						t.Errorf("turn %d: %d calls of %d", turn, calls[i].Load(), i)
					}
				}
				if turn%100 == 0 {
					time.Sleep(2 * patience)
				}
			}
		})
	}
	wait.Wait()
	require.Eventually(t, func() bool {
		idle.Lock()
		defer idle.Unlock()
		return len(idle.list) == 0
	}, time.Minute, patience)
}

// A panic of any call reaches the caller, when the others have ended.
func TestPanic(t *testing.T) {
	for _, most := range []string{"1", "4"} {
		t.Setenv(Variable, most)
		for bad := range 8 {
			require.PanicsWithValue(t, bad, func() {
				For(8, func(i int) {
					if i == bad {
						panic(i)
					}
				})
			})
		}
		require.Zero(t, helping.Load())
	}
}
