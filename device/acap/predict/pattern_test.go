package predict_test

import (
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPatterns compiles the patterns of all files, whether rows of tests have what they match or not.
func TestPatterns(t *testing.T) {
	paths, err := filepath.Glob("*.go")
	require.NoError(t, err)
	below, err := filepath.Glob("*/*.go")
	require.NoError(t, err)
	patterns := 0
	for _, path := range append(paths, below...) {
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, m := range regexp.MustCompile("\\bMatch\\(`([^`]*)`").FindAllStringSubmatch(string(text), -1) {
			_, err := regexp.Compile(m[1])
			require.NoError(t, err, path)
			patterns++
		}
	}
	require.Greater(t, patterns, 50)
}
