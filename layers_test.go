package acap_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
)

const module = "github.com/go-acap/acap"

// layers lists the top folders from the lowest to the highest. A package may import
// packages of its own folder and of lower folders.
var layers = []string{"base", "kernel", "mlir", "ops", "translate", "trace", "device", "lazy", "tensor", "text", "llm", "cmd", "docs", "examples", "bench", "tools", ""}

// stages lists the packages of device/engine from the lowest to the highest: the order in which a function goes through
// them. The package device/engine itself comes last.
var stages = []string{"enginetest", "reference", "graph", "convert", "rewrite", "fuse", "emit", "code", "plan", "workers", ""}

// top is the folder at the root of the repository that holds the package.
func top(pkg string) string {
	folder, _, _ := strings.Cut(pkg, "/")
	return folder
}

// listed is what the go command says of a package.
type listed struct {
	ImportPath, Name string
	Imports, Deps    []string
}

// packages are all packages of the module by their paths.
var packages = sync.OnceValues(func() (map[string]listed, error) {
	out, err := exec.Command("go", "list", "-json=ImportPath,Name,Imports,Deps", "./...").Output()
	if err != nil {
		return nil, err
	}
	found := map[string]listed{}
	for decoder := json.NewDecoder(bytes.NewReader(out)); ; {
		var p listed
		if err := decoder.Decode(&p); err == io.EOF {
			return found, nil
		} else if err != nil {
			return nil, err
		}
		found[p.ImportPath] = p
	}
})

// arrows returns the imports between top folders: for each importing folder the
// folders that it imports, with the number of imports.
func arrows(t *testing.T) map[string]map[string]int {
	all, err := packages()
	require.NoError(t, err)
	found := map[string]map[string]int{}
	for path, p := range all {
		from := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
		require.Contains(t, layers, top(from), "package %s is in no layer", from)
		if found[top(from)] == nil {
			found[top(from)] = map[string]int{}
		}
		for _, i := range p.Imports {
			to, ours := strings.CutPrefix(i, module+"/")
			if ours && top(to) != top(from) {
				found[top(from)][top(to)]++
			}
			if !ours && slices.Index(layers, top(from)) < slices.Index(layers, "cmd") && forbidden(i) {
				t.Errorf("%s imports %s, which notebook kernels link in another version", from, i)
			}
		}
	}
	return found
}

// TestLayers fails on an import from a lower folder to a higher one.
func TestLayers(t *testing.T) {
	for from, imports := range arrows(t) {
		for to := range imports {
			if slices.Index(layers, to) > slices.Index(layers, from) {
				t.Errorf("%s -> %s runs upwards", from, to)
			}
		}
	}
}

// TestStages fails on an import from a package of device/engine to a later one.
func TestStages(t *testing.T) {
	const engine = module + "/device/engine"
	stage := func(path string) (string, bool) {
		rest, ok := strings.CutPrefix(path, engine)
		return strings.TrimPrefix(rest, "/"), ok
	}
	all, err := packages()
	require.NoError(t, err)
	found := 0
	for path, p := range all {
		from, ok := stage(path)
		if !ok {
			continue
		}
		found++
		require.Contains(t, stages, from, "device/engine/%s is in no order", from)
		for _, i := range p.Imports {
			if to, ok := stage(i); ok && slices.Index(stages, to) > slices.Index(stages, from) {
				t.Errorf("device/engine/%s -> device/engine/%s runs upwards", from, to)
			}
		}
	}
	require.Equal(t, len(stages), found)
}

// TestPlanIsDrawn holds the plan in docs/architecture.md against the imports. The plan
// names each layer, from the highest to the lowest, with the layers that it imports.
func TestPlanIsDrawn(t *testing.T) {
	var plan strings.Builder
	found := arrows(t)
	for _, folder := range slices.Backward(layers) {
		if folder == "" || len(found[folder]) == 0 && folder != layers[0] {
			continue
		}
		var below []string
		for _, to := range slices.Backward(layers) {
			if found[folder][to] > 0 {
				below = append(below, to)
			}
		}
		fmt.Fprintln(&plan, strings.TrimRight(fmt.Sprintf("%-10s %s", folder, strings.Join(below, " ")), " "))
	}
	page, err := os.ReadFile(filepath.Join("docs", "architecture.md"))
	require.NoError(t, err)
	require.True(t, strings.Contains(string(page), "```text\n"+plan.String()+"```\n"), "docs/architecture.md wants this plan:\n%s", plan.String())
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

// TestDocNamesFiles: each file that a package's documentation names is in the folder of the package or in the one
// above. A pattern such as parse_*.go has at least one file there.
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
