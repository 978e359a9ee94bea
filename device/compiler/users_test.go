package compiler

import (
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestUsers(t *testing.T) {
	var u users
	require.True(t, u.enter())
	require.False(t, u.leave(), "open")
	require.True(t, u.enter())
	require.True(t, u.enter())
	require.False(t, u.close())
	require.False(t, u.enter())
	require.False(t, u.leave())
	require.False(t, u.close())
	require.True(t, u.leave())
	require.False(t, u.close())
	require.False(t, u.enter())
	require.True(t, new(users).close())
}

// TestUsersAtOnce frees once, and never under a user.
func TestUsersAtOnce(t *testing.T) {
	for range 200 {
		var u users
		var freed atomic.Int64
		free := func(last bool) {
			if last {
				freed.Add(1)
			}
		}
		var all sync.WaitGroup
		for range 4 {
			all.Go(func() {
				for u.enter() {
					if freed.Load() != 0 {
						t.Error("freed under a user")
					}
					free(u.leave())
				}
			})
		}
		for range 2 {
			all.Go(func() { free(u.close()) })
		}
		all.Wait()
		require.Equal(t, int64(1), freed.Load())
	}
}
