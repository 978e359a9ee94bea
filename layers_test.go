package acap_test

import (
	"encoding/json"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/go-acap/acap"

// layers lists the packages by layer, lowest first. An entry that ends in "/..."
// stands for everything below it. The longest match decides.
var layers = [][]string{
	{"mlir", "mlir/assembly", "mlir/mlirtest", "mlir/upstream", "mlir/dialect/...", "tensor/dtype/...", "tensor/shape", "tensor/buf/...",
		"device/kernel/...", "tools/race", "tools/cputime"},
	{"ops"},
	{"trace", "mlir/passes/...", "mlir/importer/...", "mlir/exporter/..."},
	{"device/..."},
	{"lazy/..."},
	{"tensor"},
	{"tensor/..."},
	{"cmd/...", "docs", "examples/...", "bench/...", "tools/...", "tensor/generate", ""},
}

func layerOf(pkg string) int {
	best, length := -1, -1
	for i, layer := range layers {
		for _, pattern := range layer {
			prefix, below := strings.CutSuffix(pattern, "/...")
			match := pkg == prefix || below && strings.HasPrefix(pkg, prefix+"/")
			if match && len(prefix) > length {
				best, length = i, len(prefix)
			}
		}
	}
	return best
}

// TestLayers fails on an import that goes up. Inside a layer imports are free,
// as Go forbids cycles.
func TestLayers(t *testing.T) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Imports", "./...").Output()
	require.NoError(t, err)
	decoder := json.NewDecoder(strings.NewReader(string(out)))
	packages := 0
	for {
		var p struct {
			ImportPath string
			Imports    []string
		}
		if err := decoder.Decode(&p); err == io.EOF {
			break
		} else {
			require.NoError(t, err)
		}
		packages++
		from := strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, module), "/")
		layer := layerOf(from)
		require.GreaterOrEqual(t, layer, 0, "package %s is in no layer", from)
		for _, i := range p.Imports {
			to, ours := strings.CutPrefix(i, module+"/")
			if ours && layerOf(to) > layer {
				t.Errorf("%s (layer %d) imports %s (layer %d)", from, layer, to, layerOf(to))
			}
			if !ours && layer < 7 && forbidden(i) {
				t.Errorf("%s imports %s, which notebook kernels link in another version", from, i)
			}
		}
	}
	require.Greater(t, packages, 20)
}

// forbidden reports the modules that notebook kernels link themselves.
func forbidden(path string) bool {
	for _, p := range []string{"sync", "tools", "text", "mod"} {
		if strings.HasPrefix(path, "golang.org/x/"+p) {
			return true
		}
	}
	return false
}

// TestDocNamesFiles: the files that a package's documentation names are in its folder or the one above, and so
// are some for each beginning that it names, such as parse_*.go.
func TestDocNamesFiles(t *testing.T) {
	named := 0
	require.NoError(t, filepath.WalkDir(".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.Name() != "doc.go" {
			return err
		}
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		for _, name := range fileName.FindAllString(string(text), -1) {
			here, err := filepath.Glob(filepath.Join(filepath.Dir(path), name))
			require.NoError(t, err)
			above, _ := filepath.Glob(filepath.Join(filepath.Dir(path), "..", name))
			require.NotEmpty(t, append(here, above...), "%s names %s", path, name)
			named++
		}
		return nil
	}))
	require.Greater(t, named, 100)
}

// fileName is a file of a package in its documentation, but not one with a path.
var fileName = regexp.MustCompile(`\b[a-z][a-z0-9_]*\*?\.go\b`)
