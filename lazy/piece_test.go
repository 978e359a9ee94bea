package lazy_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// A long trace runs in programs of bounded size, which are one where it repeats itself.
func TestLongTraceRunsInPieces(t *testing.T) {
	r := newRuntime(t)
	ctx := context.Background()
	one := trace.Leaf(buf.From([]float32{1}, 1))
	var x, early ops.Value = trace.Leaf(buf.From([]float32{0}, 1)), nil
	const calls = 60_000
	for i := range calls {
		n, err := r.Record(ops.MustLookup("add.Tensor"), ops.TensorArg(x), ops.TensorArg(one))
		require.NoError(t, err)
		if x = n; i == 9 {
			early = n
		}
	}
	sum, err := r.Record(ops.MustLookup("add.Tensor"), ops.TensorArg(x), ops.TensorArg(early))
	require.NoError(t, err)
	require.NoError(t, lazy.Sync(ctx, value{r, sum}))
	require.Equal(t, []float32{calls + 10}, buf.Slice[float32](lazy.Data(sum)))
	require.LessOrEqual(t, r.Metrics().CompiledPrograms, 3, "the first, the middle and the last")
}

// The pieces of a long trace end where one result of a group, or what a call affects, is in an early piece and
// another one in a late piece: no piece is the whole trace again.
func TestGroupsRunInPieces(t *testing.T) {
	r := newRuntime(t)
	one := trace.Leaf(buf.From([]float32{1}, 1))
	record := func(x ops.Value) *trace.Node {
		n, err := r.Record(ops.MustLookup("add.Tensor"), ops.TensorArg(x), ops.TensorArg(one))
		require.NoError(t, err)
		return n
	}
	const calls = 10_000
	var x ops.Value = trace.Leaf(buf.From([]float32{0}, 1))
	var results []ops.Value
	var affects *trace.Node
	for i := range calls {
		n := record(x)
		if x = n; i == 100 || i == calls/2 || i == calls-2 {
			results = append(results, n)
		}
		if i == 200 {
			affects = n
		}
	}
	side := record(x)
	affects.Affect(side)
	last := record(x)
	trace.Together(results...)
	computed := make(chan error, 1)
	go func() { computed <- lazy.Sync(context.Background(), value{r, last}) }()
	select {
	case err := <-computed:
		require.NoError(t, err)
	case <-time.After(time.Minute):
		require.FailNow(t, "the pieces do not end")
	}
	for i, want := range []float32{101, calls/2 + 1, calls - 1} {
		n, _ := trace.Of(results[i])
		require.False(t, n.Pending(), "result %d is computed with its group", i)
		require.Equal(t, []float32{want}, buf.Slice[float32](lazy.Data(n)))
	}
	require.False(t, side.Pending(), "what a call affects is computed with it")
	require.Equal(t, []float32{calls + 1}, buf.Slice[float32](lazy.Data(side)))
	require.Equal(t, []float32{calls + 1}, buf.Slice[float32](lazy.Data(last)))
}

// The program of computed values is an error, and not an empty one.
func TestExecutableOfComputedValues(t *testing.T) {
	r := newRuntime(t)
	n, err := r.Record(ops.MustLookup("relu"), ops.TensorArg(trace.Leaf(buf.From([]float32{1}, 1))))
	require.NoError(t, err)
	_, err = lazy.Executable(context.Background(), value{r, n})
	require.NoError(t, err)
	require.NoError(t, lazy.Sync(context.Background(), value{r, n}))
	require.Equal(t, 1, r.Metrics().CompiledPrograms)
	_, err = lazy.Executable(context.Background(), value{r, n})
	require.ErrorContains(t, err, "have been computed")
}

func TestUnregisteredOperator(t *testing.T) {
	_, err := newRuntime(t).Record(&ops.Op{Schema: "mine(Tensor x) -> Tensor"}, ops.TensorArg(trace.Leaf(buf.From([]float32{1}, 1))))
	require.ErrorContains(t, err, "not registered")
}

// What a call affects is computed with it, in one program.
func TestEffects(t *testing.T) {
	r := newRuntime(t)
	x := trace.Leaf(buf.From([]float32{1, -2}, 2))
	one := func(name string, args ...ops.Arg) *trace.Node {
		n, err := r.Record(ops.MustLookup(name), args...)
		require.NoError(t, err)
		return n
	}
	y := one("neg", ops.TensorArg(x))
	side := one("relu", ops.TensorArg(one("abs", ops.TensorArg(y))))
	y.Affect(side)
	z := one("exp", ops.TensorArg(y))
	require.NoError(t, lazy.Sync(context.Background(), value{r, z}))
	require.False(t, side.Pending())
	require.Equal(t, 1, r.Metrics().CompiledPrograms)
}
