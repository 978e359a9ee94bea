package acap_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
)

// TestPlatforms checks the types of all packages and their tests, with what they import, as the compiler does for other
// platforms. To compile would take minutes.
func TestPlatforms(t *testing.T) {
	if testing.Short() {
		t.Skip("reads the standard library once for each platform")
	}
	platforms := []string{"windows/amd64", "js/wasm", "linux/arm64", "darwin/arm64", "freebsd/amd64", "wasip1/wasm"}
	for _, p := range platforms[:longtest.Sample(1, 1, len(platforms))] {
		t.Run(p, func(t *testing.T) {
			t.Parallel()
			for _, err := range typeErrors(t, p, "./...") {
				t.Error(err)
			}
		})
	}
}

// TestOtherPlatforms is about those that are refused, with a sentence that says why.
func TestOtherPlatforms(t *testing.T) {
	const want = "undefined: acap_needs_a_64_bit_little_endian_processor"
	for _, p := range []string{"linux/386", "linux/s390x"}[:longtest.Sample(1, 1, 2)] {
		require.ErrorContains(t, errors.Join(typeErrors(t, p, "./base/dtype")...), want)
	}
}

// TestWebAssembly has the demo do in a host of WebAssembly what it does here: the same predictions and the same
// account.
func TestWebAssembly(t *testing.T) {
	longtest.Only(t)
	const least = 18 // the first Node.js that Go's own programs run on
	version, err := exec.Command("node", "--version").Output()
	number := 0
	if _, scanned := fmt.Sscanf(string(version), "v%d.", &number); err != nil || scanned != nil || number < least {
		t.Skipf("needs Node.js %d", least)
	}
	root, err := exec.Command("go", "env", "GOROOT").Output()
	require.NoError(t, err)
	exe := filepath.Join(strings.TrimSpace(string(root)), "lib", "wasm", "go_js_wasm_exec")
	if _, err := os.Stat(exe); err != nil {
		t.Skip("needs the host of WebAssembly that comes with Go")
	}
	demo := func(environment []string, flags ...string) string {
		command := exec.Command("go", append(append([]string{"run"}, flags...), "./cmd/acap", "demo", "-trace", filepath.Join(t.TempDir(), "t.json"))...)
		command.Env = append(os.Environ(), environment...)
		var progress strings.Builder // says how long the demo takes, where it takes long
		command.Stderr = &progress
		out, err := command.Output()
		require.NoError(t, err, "%s%s", out, &progress)
		shown, _, found := strings.Cut(string(out), "The timeline is in ")
		require.True(t, found, "%s", out)
		return shown
	}
	here := demo(nil)
	require.Contains(t, here, "10 of 10 are right")
	require.Equal(t, here, demo([]string{"GOOS=js", "GOARCH=wasm"}, "-exec", exe))
}

// TestNothingIsFused: an account, and what a file says (what an importer computes too), are the same on every
// processor. Go fuses a product with the sum that it goes into where a processor can, as processors of arm64 can, which
// changes the last bit, and then an order or a count; a conversion of the product, as in float64(x*y) + z, keeps it
// from that.
func TestNothingIsFused(t *testing.T) {
	longtest.Only(t)
	arguments := []string{"build", "-gcflags=-S", "./tensor/gguf", "./translate/importer/..."}
	for _, name := range []string{"event", "machine", "mapper", "mapping", "predict", "program", "report", "schedule",
		"timing", "workload"} {
		arguments = append(arguments, "./device/acap/"+name)
	}
	command := exec.Command("go", arguments...)
	command.Env = append(os.Environ(), "GOOS=linux", "GOARCH=arm64")
	listing, err := command.CombinedOutput()
	require.NoError(t, err, "%s", listing[:min(len(listing), 1000)])
	require.Contains(t, string(listing), "FMULD", "a listing of the code")
	fused := regexp.MustCompile(`\(\S+\)\s+FN?M(ADD|SUB)[SD]\b`)
	require.Empty(t, fused.FindAllString(string(listing), -1))
}

// typeErrors returns what is wrong with packages on a platform such as "linux/arm64".
func typeErrors(t *testing.T, platform, packages string) []error {
	system, processor, _ := strings.Cut(platform, "/")
	command := exec.Command("go", "list", "-deps", "-test", "-e",
		"-json=ImportPath,Dir,Standard,GoFiles,ImportMap,ForTest,Error", packages)
	command.Env = append(os.Environ(), "GOOS="+system, "GOARCH="+processor, "CGO_ENABLED=0")
	command.Stderr = os.Stderr
	out, err := command.Output()
	require.NoError(t, err)
	var found []error
	checked := map[string]*types.Package{"unsafe": types.Unsafe}
	files := token.NewFileSet()
	parsed := map[string]*ast.File{}
	variants := variantsForTests(out)
	for decoder := json.NewDecoder(strings.NewReader(string(out))); ; {
		var p struct {
			ImportPath, Dir string
			Standard        bool
			GoFiles         []string
			ImportMap       map[string]string
			ForTest         string
			Error           *struct{ Err string }
		}
		if err := decoder.Decode(&p); err == io.EOF {
			return found
		} else {
			require.NoError(t, err)
		}
		if p.ImportPath == "unsafe" {
			continue
		}
		if p.Error != nil {
			found = append(found, errors.New(p.ImportPath+": "+p.Error.Err))
			continue
		}
		ours := strings.HasPrefix(p.ImportPath, module)
		path, _, _ := strings.Cut(p.ImportPath, " ") // of a variant for tests: "path [path.test]"
		// The bodies of a package are read once: with its tests, where it has any beside it.
		bodies := ours && (p.ForTest == "" && !variants[path] || path == p.ForTest || path == p.ForTest+"_test")
		config := types.Config{
			IgnoreFuncBodies: !bodies,
			Sizes:            types.SizesFor("gc", processor),
			Error: func(err error) {
				if ours {
					found = append(found, err)
				}
			},
			Importer: importer(func(path string) (*types.Package, error) {
				if to, ok := p.ImportMap[path]; ok {
					path = to
				}
				if pkg := checked[path]; pkg != nil {
					return pkg, nil
				}
				return nil, errors.New(path + " is not there")
			}),
		}
		var all []*ast.File
		for _, name := range p.GoFiles {
			if !filepath.IsAbs(name) {
				name = filepath.Join(p.Dir, name)
			}
			if parsed[name] == nil {
				file, err := parser.ParseFile(files, name, nil, parser.SkipObjectResolution)
				require.NoError(t, err)
				parsed[name] = file
			}
			all = append(all, parsed[name])
		}
		checked[p.ImportPath], _ = config.Check(path, files, all, nil)
	}
}

// variantsForTests lists the packages that go list has once more, with their tests.
func variantsForTests(list []byte) map[string]bool {
	found := map[string]bool{}
	for _, m := range regexp.MustCompile(`"ImportPath": "(\S+) \[(\S+)\.test\]"`).FindAllSubmatch(list, -1) {
		if string(m[1]) == string(m[2]) {
			found[string(m[1])] = true
		}
	}
	return found
}

type importer func(path string) (*types.Package, error)

func (f importer) Import(path string) (*types.Package, error) { return f(path) }
