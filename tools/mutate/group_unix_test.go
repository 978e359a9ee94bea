//go:build unix

package main

import (
	"io"
	"os"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestNothingOutlives: what a test has started ends with it, whether it ends by itself or is stopped.
func TestNothingOutlives(t *testing.T) {
	for name, end := range map[string]string{"ends": "exit 1", "is stopped": "echo '--- FAIL: TestX (0s)'; wait"} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			pipe, script := filepath.Join(dir, "pipe"), filepath.Join(dir, "x.test")
			require.NoError(t, syscall.Mkfifo(pipe, 0o600))
			require.NoError(t, os.WriteFile(script, []byte("#!/bin/sh\nexec 3>"+pipe+
				"\n(sleep 5; echo alive >&3) >/dev/null 2>&1 &\n"+end+"\n"), 0o700))
			read, err := os.OpenFile(pipe, os.O_RDONLY|syscall.O_NONBLOCK, 0)
			require.NoError(t, err)
			defer read.Close()
			_, err = (&suite{binary: script, dir: dir}).run(t.Context(), &mutation{}, time.Minute, ".*")
			require.Error(t, err)
			left, err := io.ReadAll(read) // until nobody can write
			require.NoError(t, err)
			require.Empty(t, string(left))
		})
	}
}
