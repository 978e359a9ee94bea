package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir/mlirtest"
)

// TestText runs the lines "// RUN: acap …" of the files, %s being the file, and checks
// what the last one prints.
func TestText(t *testing.T) {
	paths, err := filepath.Glob("testdata/text/*.mlir")
	require.NoError(t, err)
	require.NotEmpty(t, paths)
	for _, path := range paths {
		t.Run(filepath.Base(path), func(t *testing.T) {
			src, err := os.ReadFile(path)
			require.NoError(t, err)
			lines := mlirtest.RunLines(string(src))
			require.NotEmpty(t, lines, "no RUN line")
			out := ""
			for _, line := range lines {
				command, checked := strings.CutSuffix(line, "| check")
				words := strings.Fields(command)
				require.Equal(t, "acap", words[0])
				for i, w := range words {
					words[i] = strings.NewReplacer("%s", path, "'", "").Replace(w)
				}
				if out = succeed(t, words[1:]...); checked {
					mlirtest.Check(t, out, string(src))
				}
			}
		})
	}
}
