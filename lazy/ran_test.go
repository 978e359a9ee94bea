package lazy_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy"
)

// TestOnRun: each watcher hears of every run from its start until it is stopped, in the order in which they began.
func TestOnRun(t *testing.T) {
	r := newIdle()
	_, ok := r.LastRun()
	require.False(t, ok)
	require.Nil(t, r.LastReport())
	var heard []string
	var took time.Duration
	watch := func(name string) (stop func()) {
		return r.OnRun(func(run lazy.Run) {
			require.Same(t, r, run.Runtime)
			heard, took = append(heard, name), run.Took
		})
	}
	run := func(want ...string) {
		heard = nil
		require.NoError(t, lazy.Sync(context.Background(), value{r, leaf(1)}.call(t, "neg").call(t, "cos")))
		require.Equal(t, want, heard)
		last, ok := r.LastRun()
		require.True(t, ok)
		require.Equal(t, 2, last.Calls())
		if len(want) > 0 {
			require.Equal(t, took, last.Took)
		}
		require.Len(t, last.Lines(), 1)
		for _, calls := range last.Lines() {
			require.Equal(t, 2, calls, "of one line")
		}
		require.Nil(t, last.Report(), "it is no array")
	}
	run()
	a := watch("a")
	run("a")
	b, c := watch("b"), watch("c")
	run("a", "b", "c")
	b()
	b()
	run("a", "c")
	a()
	c()
	run()
}
