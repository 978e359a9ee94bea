package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/trace"
)

// TestDonationsAreBounded: of more than 4096 donated values the oldest are left, and the others are taken in their
// order, by results of their size that nothing else may read.
func TestDonationsAreBounded(t *testing.T) {
	ctx := context.Background()
	r := newIdle()
	lazy.Donate(value{r, leaf(0)}) // so that later results can be taken
	var values []lazy.Value
	for range 4098 {
		values = append(values, value{r, leaf(1)}.call(t, "neg"))
	}
	require.NoError(t, lazy.Sync(ctx, values...))
	lazy.Donate(values...)
	at := func(i int) *byte {
		n, k := trace.Of(values[i].(value).v)
		return &n.Data(k).Bytes()[0]
	}
	gone := func(i int) bool { return lazy.Data(values[i].(value).v) == nil }
	second, third := at(2), at(3)
	waiting := values[2].(value).call(t, "cos") // needs a donated value
	y := value{r, leaf(1)}.call(t, "neg")
	require.NoError(t, lazy.Sync(ctx, y))
	n, _ := trace.Of(y.v)
	require.Same(t, third, &n.Data(0).Bytes()[0], "that which nobody needs")
	require.NoError(t, lazy.Sync(ctx, waiting))
	z := value{r, leaf(1)}.call(t, "neg")
	require.NoError(t, lazy.Sync(ctx, z))
	n, _ = trace.Of(z.v)
	require.Same(t, second, &n.Data(0).Bytes()[0])
	require.True(t, gone(2) && gone(3) && gone(4), "also by what waited")
	require.NoError(t, lazy.Sync(ctx, value{r, leaf(1, 2)}.call(t, "neg")), "of another size")
	require.False(t, gone(0) || gone(1), "the oldest are left")
	require.NotNil(t, lazy.Data(values[5].(value).v), "which stays for good from here on")
	sixth := at(6)
	w := value{r, leaf(1)}.call(t, "neg")
	require.NoError(t, lazy.Sync(ctx, w))
	n, _ = trace.Of(w.v)
	require.Same(t, sixth, &n.Data(0).Bytes()[0])
}
