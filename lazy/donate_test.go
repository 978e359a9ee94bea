package lazy_test

import (
	"context"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/trace"
)

// A loop that donates what it replaces runs in the memory of two turns.
func TestDonate(t *testing.T) {
	ctx := context.Background()
	r := newRuntime(t)
	x := value{r, leaf(make([]float32, 1<<12)...)}
	seen := map[*byte]bool{}
	at := func(v value) *byte {
		n, i := trace.Of(v.v)
		return &n.Data(i).Bytes()[0]
	}
	for i := range 10 {
		lazy.Donate(x)
		y := x.call(t, "cos")
		require.NoError(t, lazy.Sync(ctx, y))
		if x = y; i > 0 {
			seen[at(y)] = true
		}
	}
	require.LessOrEqual(t, len(seen), 3)

	// What is needed, or was given to Go code, stays.
	kept := x.call(t, "neg")
	require.NoError(t, lazy.Sync(ctx, kept))
	text := data(kept)
	lazy.Donate(kept, x)
	later := x.call(t, "exp") // not run yet
	for range 3 {
		require.NoError(t, lazy.Sync(ctx, kept.call(t, "sin")))
	}
	require.NotZero(t, text[0])
	before := text[0]
	require.Equal(t, before, text[0])
	require.NoError(t, lazy.Sync(ctx, later))
	for range 3 {
		require.NoError(t, lazy.Sync(ctx, kept.call(t, "sin")))
	}
	var gone *lazy.RecycledError
	err := lazy.Sync(ctx, x.call(t, "exp"))
	require.True(t, errors.As(err, &gone), err)
}

// ExplainAnalyze counts as a run.
func TestExplainAnalyzeIsCounted(t *testing.T) {
	r := newRuntime(t)
	_, err := lazy.ExplainAnalyze(context.Background(), value{r, leaf(1, 2)}.call(t, "cos"))
	require.NoError(t, err)
	m := r.Metrics()
	require.EqualValues(t, 1, m.Timers["ExecuteTime"].Samples)
	require.Equal(t, int64(1), m.Counters["acap::cos"])
}
