package lazy_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/lazy"
)

// TestExplainedGroups: groups, their kernels, lines and the whole have the same sums, before and after a run.
func TestExplainedGroups(t *testing.T) {
	r := newRuntime(t)
	make := func() value {
		x := value{r, matrix(32)}
		return x.call(t, "mm", x.v).call(t, "exp").call(t, "cholesky").call(t, "relu").call(t, "mm", x.v)
	}
	plain, err := lazy.Explain(make())
	require.NoError(t, err)
	timed, err := lazy.ExplainAnalyze(context.Background(), make())
	require.NoError(t, err)
	for _, e := range []*lazy.Explanation{plain, timed} {
		require.Equal(t, e == timed, e.Cached)
		require.Len(t, e.Groups, 3)
		var all, on int64
		titles := 0
		for _, g := range e.Groups {
			var predicted float64
			var measured time.Duration
			for _, k := range e.Kernels {
				if g.Title != "" && k.Group == g.Function {
					predicted, measured = predicted+k.Predicted, measured+k.Measured
				}
			}
			require.InDelta(t, predicted, g.Predicted, 1e-15)
			require.Equal(t, measured, g.Measured)
			all += g.Work
			if g.Problem != "" {
				require.Empty(t, g.Title)
				require.Empty(t, g.Text)
				require.Equal(t, "host", g.Device)
				require.Zero(t, g.Predicted)
				continue
			}
			require.Equal(t, device.GroupTitle(titles), g.Title)
			titles++
			on += g.Work
			require.Positive(t, g.Predicted)
			require.Equal(t, e == timed, g.Measured > 0)
			require.Contains(t, g.Text, "aten.mm")
			require.Equal(t, r.Device().Name(), g.Device)
		}
		require.Equal(t, 2, titles)
		require.InDelta(t, float64(on)/float64(all), e.Share, 1e-12)
		require.Less(t, e.Share, 1.0)

		var predicted, byLine float64
		var measured, lines time.Duration
		for _, k := range e.Kernels {
			if k.Kind == device.Fallback {
				require.Zero(t, k.Predicted)
			} else {
				require.Positive(t, k.Predicted)
				require.Positive(t, k.Bytes)
			}
			predicted, measured = predicted+k.Predicted, measured+k.Measured
		}
		for i, l := range e.Lines {
			byLine, lines = byLine+l.Predicted, lines+l.Measured
			if i > 0 {
				before := e.Lines[i-1]
				require.True(t, before.Measured > l.Measured || before.Measured == l.Measured && before.Predicted >= l.Predicted, "the most expensive first")
			}
		}
		require.InDelta(t, predicted, e.Predicted, 1e-15)
		require.InDelta(t, predicted, byLine, 1e-12)
		require.Equal(t, measured, e.Measured)
		require.InDelta(t, float64(measured), float64(lines), float64(2*len(e.Kernels)), "but for what divisions leave over")
	}
	require.Equal(t, plain.Key, timed.Key)
	require.Len(t, plain.Key, 32)
}
