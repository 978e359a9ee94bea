package lazy_test

import (
	"context"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/trace"
)

// TestPacked: what programs pack is counted, Explain says what is packed and why, and who brings another weight hears
// of it.
func TestPacked(t *testing.T) {
	if cpu.Detect().Level == cpu.Portable {
		t.Skip("portable products read weights where they are")
	}
	r := newRuntime(t)
	const n = 256
	weight := func(c func(*buf.Buffer) *trace.Node) *trace.Node { return c(buf.New(dtype.F32, []int{n, n})) }
	product := func(w *trace.Node) value {
		x := value{r, matrix(n)}
		return x.call(t, "mm", w)
	}
	run := func(v value) map[string]int64 {
		before := r.Metrics().Snapshot
		require.NoError(t, lazy.Sync(context.Background(), v))
		return r.Metrics().Snapshot.Sub(before).Counters
	}
	w := weight(trace.Constant)
	y := product(w)
	e, err := lazy.Explain(y)
	require.NoError(t, err)
	require.True(t, e.Packs)
	require.EqualValues(t, e.Kernels[0].PackedOnce, e.PackedOnce)
	require.GreaterOrEqual(t, e.PackedOnce, int64(4*n*n))
	// arm64 packs the other operand in each run; matrix tiles do so in three parts of 16 bits.
	require.Contains(t, []int64{0, 4 * n * n, 3 * 2 * n * n}, e.PackedEach/(n*n)*(n*n))
	require.Contains(t, e.String(), "are packed now and kept: it is the first run")
	counts := run(y)
	require.EqualValues(t, 1, counts["ProgramRuns"])
	require.EqualValues(t, 1, counts["PackedOperands"])
	require.GreaterOrEqual(t, counts["PackedBytes"], e.PackedOnce)

	y = product(w)
	e, err = lazy.Explain(y)
	require.NoError(t, err)
	require.False(t, e.Packs)
	require.Equal(t, e.PackedEach != 0, len(e.Packing) == 1)
	counts = run(y)
	require.EqualValues(t, 1, counts["ProgramRuns"])
	require.Zero(t, counts["PackedOperands"]+counts["PackedBytes"])
	require.Empty(t, r.Metrics().Repacked)

	y = product(weight(trace.Constant))
	e, err = lazy.Explain(y)
	require.NoError(t, err)
	require.True(t, e.Packs)
	require.Contains(t, e.String(), "input 1, tensor<256x256xf32> of mm at lazy_test.go")
	require.Contains(t, e.String(), "is another constant than in the run before")
	require.EqualValues(t, 1, run(y)["PackedOperands"])
	runtime.KeepAlive(w) // a constant that is gone is not compared with
	require.Contains(t, r.Metrics().String(), "Packed again: the program of lazy_test.go")
	r.ResetMetrics()
	require.Empty(t, r.Metrics().Repacked)
	require.Zero(t, r.Metrics().Counters["ProgramRuns"])

	e, err = lazy.Explain(product(weight(trace.Leaf)))
	require.NoError(t, err)
	require.Zero(t, e.PackedOnce, "what varies cannot be packed once")
}
