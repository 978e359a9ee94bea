package lazy_test

import (
	"context"
	"fmt"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// TestRecomputed: what a program computes a second time, because an earlier program kept no result of it, is counted
// and named by its line, in the metrics and before it runs. The program that runs is the one that was explained.
func TestRecomputed(t *testing.T) {
	var line int
	here := func(x *tensor.Tensor) *tensor.Tensor { // the value that is computed again comes from the caller's line
		_, _, line, _ = runtime.Caller(1)
		return x
	}
	read := func(x *tensor.Tensor) {
		_, err := x.Buffer(context.Background())
		require.NoError(t, err)
	}
	for _, c := range []struct {
		name  string
		calls int // that are computed again
		then  func(x *tensor.Tensor) *tensor.Tensor
	}{
		{"an ancestor of a result", 2, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin().Cos())
			read(h.Exp().Sum())
			return h
		}},
		{"an ancestor of an ancestor", 1, func(x *tensor.Tensor) *tensor.Tensor {
			g := here(x.Sin())
			h := g.Cos()
			read(h.Exp())
			read(h)
			return g
		}},
		{"new work on an ancestor", 1, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin())
			read(h.Exp())
			return h.Cos()
		}},
		{"a gradient after the loss", 1, func(x *tensor.Tensor) *tensor.Tensor {
			x = x.RequiresGrad()
			h := here(x.Sin())
			loss := h.Mul(h).Sum()
			read(loss)
			loss.Backward()
			return x.Gradient()
		}},
		{"what a view shows", 1, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin())
			read(h.Transpose(0, 1))
			return h
		}},
		{"another view", 1, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin())
			read(h.Transpose(0, 1))
			return h.Select(0, 1)
		}},
		{"a view after a result", 1, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin()).Transpose(0, 1)
			read(h.Exp())
			return h
		}},
		{"an element after an element", 1, func(x *tensor.Tensor) *tensor.Tensor {
			h := here(x.Sin())
			read(h.Select(0, 0).Select(0, 0))
			return h.Select(0, 0).Select(0, 1)
		}},
		{"a result of two", 1, func(x *tensor.Tensor) *tensor.Tensor {
			v, i := here(x).Sort()
			read(v.Exp())
			return i
		}},
		{"a result twice", 0, func(x *tensor.Tensor) *tensor.Tensor {
			h := x.Sin()
			_ = fmt.Sprint(h)
			return h.Transpose(0, 1)
		}},
		{"an ancestor first", 0, func(x *tensor.Tensor) *tensor.Tensor {
			h := x.Sin()
			y := h.Exp()
			read(h)
			return y
		}},
		{"what a recorded call needs", 0, func(x *tensor.Tensor) *tensor.Tensor {
			h := x.Sin()
			y, z := h.Exp(), h.Cos()
			read(y)
			return z
		}},
		{"both at once", 0, func(x *tensor.Tensor) *tensor.Tensor {
			h := x.Sin()
			require.NoError(t, lazy.Sync(context.Background(), h.Exp(), h))
			return h.Cos()
		}},
		{"a view of an input", 0, func(x *tensor.Tensor) *tensor.Tensor {
			v := x.Transpose(0, 1)
			read(v.Sin())
			return v
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m, err := machine.Preset("npu1")
			require.NoError(t, err)
			dev := acap.New(m)
			r := lazy.For(dev)
			v := c.then(tensor.Of([][]float32{{0, 1}, {2, 3}}).To(dev))
			r.ResetMetrics()
			e, err := lazy.Explain(v)
			require.NoError(t, err)
			require.Equal(t, c.calls, e.RecomputedCalls)
			var want map[string]int
			if c.calls > 0 {
				at := fmt.Sprintf("recomputed_test.go:%d", line)
				want = map[string]int{at: 1}
				require.Len(t, e.Recomputed, 1)
				require.Equal(t, at, filepath.Base(e.Recomputed[0].Where))
				require.Contains(t, e.String(), at+" (a Sync there would have kept it)")
			}
			read(v)
			after := r.Metrics()
			require.EqualValues(t, c.calls, after.Counters["RecomputedCalls"])
			require.Equal(t, want, after.Recomputed)
			require.Equal(t, 1, after.CompiledPrograms)
			require.Equal(t, 1, after.CachedPrograms, "the program that was explained")
			read(v)
			require.EqualValues(t, 1, r.Metrics().Counters["ProgramRuns"], "it is kept")
		})
	}
}
