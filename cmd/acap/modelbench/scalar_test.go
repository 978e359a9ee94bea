//go:build unix

package modelbench

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestScalar: a compiler of PyTorch that finds no vector instructions is measured, and the user is told.
func TestScalar(t *testing.T) {
	for scalar, want := range map[string]int{"true": 1, "false": 0} {
		python := filepath.Join(t.TempDir(), "python3")
		line := `{"version": "2", "read": 1, "first": 2, "scalar": ` + scalar + `}`
		require.NoError(t, os.WriteFile(python, []byte("#!/bin/sh\n[ \"$1\" = - ] || echo '"+line+"'\ncat >/dev/null\n"), 0o755))
		t.Setenv("ACAP_PYTHON", python)
		var notices []string
		var p peer
		found, err := p.start("inductor", "model.pt2", func(text string) { notices = append(notices, text) })
		require.NoError(t, err)
		require.True(t, found)
		p.close()
		require.Len(t, notices, want)
		for _, text := range notices {
			require.Contains(t, text, "inductor finds no vector instructions")
		}
	}
}
