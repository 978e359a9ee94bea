package lazy_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/lazy/bundle"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// TestGenerator: each draw takes the next number of blocks of four, of one seed, which is an input that draws share.
func TestGenerator(t *testing.T) {
	r := newIdle()
	number := func(v ops.Value) int64 { return buf.Slice[int64](lazy.Data(v))[0] }
	g := r.Generator()
	g.SetState(1<<63+7, 11)
	seed, offset := g.State()
	require.Equal(t, []uint64{1<<63 + 7, 8}, []uint64{seed, offset}, "rounded down to four")
	first, counter := r.Draw()
	require.Equal(t, []int64{-1<<63 + 7, 2}, []int64{number(first), number(counter)})
	require.Empty(t, counter.Type().Shape)
	again, counter := r.Draw()
	require.Same(t, first, again)
	require.EqualValues(t, 3, number(counter))
	_, offset = g.State()
	require.EqualValues(t, 16, offset)
	g.SetState(5, 16)
	other, counter := r.Draw()
	require.Equal(t, []int64{5, 4}, []int64{number(other), number(counter)})

	lazy.Seed(9)
	defer lazy.Seed(0)
	seed, offset = g.State()
	require.Equal(t, []uint64{9, 0}, []uint64{seed, offset})
	seed, offset = newIdle().Generator().State()
	require.Equal(t, []uint64{9, 0}, []uint64{seed, offset}, "also of devices that are used later")

	var inside ops.Value
	w := trace.Watched(func() { _, inside = r.Draw() })
	require.Len(t, w.Draws, 1)
	require.Equal(t, inside, w.Draws[0].Counter)
	_, _ = r.Draw()
	require.Len(t, w.Draws, 1)
}

// TestRecordedSurroundings: a recorded program has the inputs, the state of the generator, the machine and the
// settings.
func TestRecordedSurroundings(t *testing.T) {
	t.Setenv("ACAP_NOTHING", "a=b")
	t.Setenv("OTHER_NOTHING", "c")
	r := newRuntime(t)
	r.Generator().SetState(3, 20)
	x := leaf(1, 2, 3)
	path := filepath.Join(t.TempDir(), "a.acap")
	y := value{r, x}.call(t, "neg").call(t, "mul.Tensor", x)
	require.NoError(t, lazy.Record(path, y))
	require.Nil(t, lazy.Data(y.v), "nothing runs")
	b, err := bundle.Read(path)
	require.NoError(t, err)
	require.Len(t, b.Inputs, 1)
	require.Equal(t, []float32{1, 2, 3}, buf.Slice[float32](b.Inputs[0]))
	require.Len(t, b.Program.Func("main").Body().Ops, 3)
	a := b.About
	require.Equal(t, []uint64{3, 20}, []uint64{a.Seed, a.Offset})
	require.Equal(t, r.Device().Name(), a.Device)
	require.Equal(t, "a=b", a.Setting["ACAP_NOTHING"])
	require.NotContains(t, a.Setting, "OTHER_NOTHING")
	require.Contains(t, string(a.Machine), "npu1")
	require.Contains(t, string(a.Metrics), "counters")
	require.NotEmpty(t, a.Go)
	require.Contains(t, a.System, "/")
	require.ErrorContains(t, lazy.Record(path), "no values")
	require.ErrorContains(t, lazy.Record(path, y, value{newRuntime(t), leaf(1)}), "values are on")
}
