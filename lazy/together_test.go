package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/lazy"
)

// ranCalls counts the calls of an operator that run while f does.
func ranCalls(r *lazy.Runtime, op string, f func()) int {
	before := r.Metrics().Snapshot
	f()
	return int(r.Metrics().Snapshot.Sub(before).Counters["acap::"+op])
}

func read(t *testing.T, v value) []float32 {
	t.Helper()
	b, err := v.r.Read(context.Background(), v.v)
	require.NoError(t, err)
	return buf.Slice[float32](b)
}

// TestReadOneByOne: what two results are computed from is computed once, whichever is read first.
func TestReadOneByOne(t *testing.T) {
	r := newRuntime(t)
	trunk := func() value { x := value{r, matrix(8)}; return x.call(t, "mm", x.v) }
	for range 2 {
		h := trunk()
		a, b := h.call(t, "exp"), h.call(t, "neg")
		require.Equal(t, 1, ranCalls(r, "mm", func() { read(t, b); read(t, a); read(t, h) }))
		require.Equal(t, []float32{-4, 0}, read(t, b)[:2])
	}
	h := trunk()
	through := h.call(t, "t") // a view is not kept, but what it shows
	a, b := through.call(t, "exp"), through.call(t, "neg")
	require.Equal(t, 1, ranCalls(r, "mm", func() { read(t, a); read(t, b) }))
	require.NotNil(t, lazy.Data(h.v))

	h = trunk()
	last := h.call(t, "exp")
	require.Equal(t, 1, ranCalls(r, "mm", func() { read(t, last) }))
	require.Nil(t, lazy.Data(h.v), "what nothing else needs is not kept")

	h = trunk() // which a call needs that ran before, and one that waits
	again := h.call(t, "exp")
	read(t, again.call(t, "neg"))
	a, b = again.call(t, "cos"), h.call(t, "sin")
	require.Equal(t, 1, ranCalls(r, "mm", func() { read(t, a); read(t, b) }))
}

// TestTogether: results of one call are computed together, those that the one which is read is computed from as well.
func TestTogether(t *testing.T) {
	r := newRuntime(t)
	x := value{r, matrix(8)}
	call := func() (h, y, z value) {
		h = x.call(t, "mm", x.v)
		y, z = h.call(t, "exp"), x.call(t, "neg")
		lazy.Together(h, y, z)
		return h, y, z
	}
	for range 2 {
		h, y, z := call()
		require.Equal(t, 1, ranCalls(r, "mm", func() { read(t, y) }))
		require.NotNil(t, lazy.Data(h.v))
		require.NotNil(t, lazy.Data(z.v))
		require.Zero(t, ranCalls(r, "mm", func() { read(t, h); read(t, z) }))
	}
	h, _, z := call()
	read(t, h.call(t, "cos"))
	require.NotNil(t, lazy.Data(z.v), "also where something is computed from one of them")
	lazy.Together(h, z)
	e, err := lazy.Explain(call2(call))
	require.NoError(t, err)
	require.True(t, e.Cached, "Explain says what the barrier runs")
}

func call2(call func() (h, y, z value)) value { _, y, _ := call(); return y }

// TestTogetherFails: a result that cannot be computed leaves the others as they are.
func TestTogetherFails(t *testing.T) {
	r := newRuntime(t)
	x := value{r, matrix(2)}
	wrong := x.call(t, "neg").call(t, "cholesky")
	right := x.call(t, "neg")
	lazy.Together(wrong, right)
	require.Equal(t, []float32{-2, 0, 0, -2}, read(t, right))
	_, err := r.Read(context.Background(), wrong.v)
	require.ErrorContains(t, err, "cholesky")
}
