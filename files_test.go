package acap_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// writes are the calls that create, replace or rename a file without the care of package atomicfile.
var writes = regexp.MustCompile(`\bos\.(Create|WriteFile|Rename|OpenFile)\(`)

// mayWrite are the files and folders that do so: the package itself, generators that write into the checkout, tests'
// folders, and files in folders that no one else knows.
var mayWrite = []string{"base/atomicfile/", "base/inputfile/", "base/hostile/", "tensor/generate/",
	"tools/mutate/", "tools/hostile/", "mlir/upstream/", "bench/", "beam/",
	"examples/notebook/generate/", "tools/site/"}

// TestFilesAreWrittenWhole finds files that are not written by package atomicfile.
func TestFilesAreWrittenWhole(t *testing.T) {
	found := 0
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		slashed := filepath.ToSlash(path)
		for i, line := range strings.Split(string(text), "\n") {
			if !writes.MatchString(line) || strings.HasPrefix(strings.TrimSpace(line), "//") {
				continue
			}
			found++
			allowed := false
			for _, prefix := range mayWrite {
				allowed = allowed || strings.HasPrefix(slashed, prefix)
			}
			require.True(t, allowed, "%s:%d: use package atomicfile: %s", path, i+1, line)
		}
		return nil
	})
	require.NoError(t, err)
	require.NotZero(t, found)
}
