package cputime_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/cputime"
)

// TestUsed: work counts, and sleep counts for nothing.
func TestUsed(t *testing.T) {
	const work = 20 * time.Millisecond
	before := cputime.Used()
	for turn := 0; cputime.Used() < before+work; turn++ {
		require.Less(t, turn, 1<<30)
	}
	start, before := time.Now(), cputime.Used()
	time.Sleep(10 * work)
	require.Less(t, cputime.Used()-before, time.Since(start))
}
