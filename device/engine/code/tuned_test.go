package code

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/store"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/tune"
)

// TestTuned: a kernel is timed once, and the cache on disk makes the same code again.
func TestTuned(t *testing.T) {
	k, err := kernel.Parse(`contraction "product" batch=[] m=97 n=150 k=72 acc=f32 {
  a f32 in len=6984 offset=0 batch=[] row=72 col=1
  b f32 in const len=10800 offset=0 batch=[] row=150 col=1
  port f32 out len=14550 offset=0 outer=[150,1]
  epilogue {
    %0 = input f32
    store f32 %0 port=2
  }
}
`)
	require.NoError(t, err)
	code, result, err := tune.Compile(k, cpu.Detect())
	require.NoError(t, err)
	code.Close()
	if result.Forms < 2 {
		t.Skip("this processor's generator has no close forms of the kernel")
	}
	t.Setenv(store.Variable, t.TempDir())
	t.Setenv(tune.Variable, "1")
	var listings []string
	for range 2 {
		c := Of(k)
		code, err := c.Wait()
		require.NoError(t, err)
		listings = append(listings, code.Listing())
		c.Release()
	}
	require.Equal(t, listings[0], listings[1])
	entries, err := store.Default().List()
	require.NoError(t, err)
	require.Len(t, entries, 1)
	require.Equal(t, stored, entries[0].Kind)
	require.Regexp(t, `^\d forms, .* us by the model, .* us taken$`, entries[0].Title)
	hits, _, _ := store.Default().Stats()
	require.EqualValues(t, 1, hits)

	// Other choices in the cache make other code: the entry decides.
	key := keyOf(k)
	store.Default().Put(stored, entries[0].Key, "", tune.Choices{0})
	other, err := compile(k, key, nil)
	require.NoError(t, err)
	defer other.Close()
	want, err := tune.Again(k, cpu.Detect(), tune.Choices{0})
	require.NoError(t, err)
	defer want.Close()
	require.Equal(t, want.Listing(), other.Listing())
}
