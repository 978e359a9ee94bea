package lazy_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
	"github.com/go-acap/acap/lazy"
)

// A setting that cannot be used is the error of the first barrier that needs it.
func TestUnusableThreads(t *testing.T) {
	x := value{newRuntime(t), leaf(1, -2)}.call(t, "relu")
	t.Setenv("ACAP_THREADS", "abc")
	err := lazy.Sync(context.Background(), x)
	require.True(t, environment.IsError(err), err)
	require.ErrorContains(t, err, `ACAP_THREADS="abc"`)
	t.Setenv("ACAP_THREADS", "1")
	require.NoError(t, lazy.Sync(context.Background(), x))
}
