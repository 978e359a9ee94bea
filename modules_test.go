package acap_test

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"os/exec"
	pathpkg "path"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
)

// nested are the modules that use this one.
var nested = []string{"beam", "tensor/distributed/mpi", "examples/notebook"}

// pseudo is a version that names a commit by its time and the beginning of its hash.
var pseudo = regexp.MustCompile(`^v\d+\.\d+\.\d+-(?:.*\.)?(\d{14})-([0-9a-f]{12})$`)

// required returns the version of this module that a nested one requires.
func required(t *testing.T, dir string) string {
	text, err := exec.Command("go", "mod", "edit", "-json", filepath.Join(dir, "go.mod")).Output()
	require.NoError(t, err)
	var mod struct {
		Require []struct{ Path, Version string }
	}
	require.NoError(t, json.Unmarshal(text, &mod))
	for _, r := range mod.Require {
		if r.Path == module {
			return r.Version
		}
	}
	t.Fatalf("%s does not require %s", dir, module)
	return ""
}

// TestNestedModules: a nested module requires a version that others can fetch. The replacement beside it counts only
// where the nested module itself is built, here.
func TestNestedModules(t *testing.T) {
	for _, dir := range nested {
		version := required(t, dir)
		require.NotEqual(t, "v0.0.0", version, "%s: no one has that version", dir)
		m := pseudo.FindStringSubmatch(version)
		if m == nil {
			require.Regexp(t, `^v\d+\.\d+\.\d+$`, version, dir)
			continue
		}
		c := exec.Command("git", "show", "-s", "--format=%cd", "--date=format-local:%Y%m%d%H%M%S", m[2])
		c.Env = append(os.Environ(), "TZ=UTC")
		out, err := c.Output()
		if err != nil {
			t.Skipf("the checkout does not have commit %s", m[2])
		}
		require.Equal(t, m[1], strings.TrimSpace(string(out)), "%s: the time of commit %s", dir, m[2])
		require.NoError(t, exec.Command("git", "merge-base", "--is-ancestor", m[2], "HEAD").Run(), "%s: commit %s is part of this history", dir, m[2])
	}
}

// TestNestedModulesAreFetched has go fetch a nested module of this checkout's last commit, and what it requires of this
// module, as it fetches them from where they are published.
func TestNestedModulesAreFetched(t *testing.T) {
	longtest.Only(t)
	const dir = "tensor/distributed/mpi"
	version := required(t, dir)
	common, err := exec.Command("git", "rev-parse", "--path-format=absolute", "--git-common-dir").Output()
	head, headErr := exec.Command("git", "rev-parse", "HEAD").Output()
	if err != nil || headErr != nil || exec.Command("git", "diff", "--quiet", "HEAD", "--", dir).Run() != nil {
		t.Skip("no checkout, or one with changes")
	}
	cache, err := exec.Command("go", "env", "GOMODCACHE").Output()
	require.NoError(t, err)
	known := "file://" + filepath.ToSlash(filepath.Join(strings.TrimSpace(string(cache)), "cache", "download"))
	where := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(where, "go.mod"), []byte("module consumer\n\ngo 1.26\n"), 0o666))
	run := func(args ...string) string {
		t.Helper()
		c := exec.Command("go", args...)
		c.Dir = where
		c.Env = append(os.Environ(), "GOFLAGS=-mod=mod -modcacherw", "GOWORK=off", "GONOSUMDB=*", "GOSUMDB=off", "GOPRIVATE="+module+","+module+"/*",
			"GOPROXY="+known, "GOVCS=*:git", "GOMODCACHE="+filepath.Join(where, "cache"), "GIT_TERMINAL_PROMPT=0", "GIT_CONFIG_COUNT=2",
			"GIT_CONFIG_KEY_0=url.file://"+filepath.ToSlash(strings.TrimSpace(string(common)))+".insteadOf", "GIT_CONFIG_VALUE_0=https://"+module,
			"GIT_CONFIG_KEY_1=safe.directory", "GIT_CONFIG_VALUE_1=*")
		var errs strings.Builder
		c.Stderr = &errs
		out, err := c.Output()
		require.NoError(t, err, "go %v: %s", args, errs.String())
		return string(out)
	}
	run("get", module+"/"+dir+"@"+strings.TrimSpace(string(head)))
	list := run("list", "-m", "-f", "{{.Path}} {{.Version}} {{with .Replace}}replaced{{end}}", module, module+"/"+dir)
	require.Contains(t, list, module+" "+version)
	require.NotContains(t, list, "replaced")
}

// TestNestedModulesFindNames: the required version of this module has all names that a nested module uses. Otherwise
// nobody outside could build the nested module. The notebook is a command, which is run from a checkout.
func TestNestedModulesFindNames(t *testing.T) {
	longtest.Only(t)
	for _, dir := range []string{"beam", "tensor/distributed/mpi"} {
		m := pseudo.FindStringSubmatch(required(t, dir))
		if m == nil || exec.Command("git", "cat-file", "-e", m[2]).Run() != nil {
			t.Skipf("the checkout does not have what %s requires", dir)
		}
		for path, names := range namedIn(t, dir) {
			folder := strings.TrimPrefix(strings.TrimPrefix(path, module), "/")
			declared := declaredAt(t, m[2], folder)
			for name, file := range names {
				require.True(t, declared[name], "%s names %s.%s, which commit %s does not have: require a later one by go mod edit -require in %s",
					file, folder, name, m[2], dir)
			}
		}
	}
}

// namedIn returns the names that a folder's programs take of packages of this module, tests left out, each with a file
// that does.
func namedIn(t *testing.T, dir string) map[string]map[string]string {
	named := map[string]map[string]string{}
	require.NoError(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			return err
		}
		file, err := parser.ParseFile(token.NewFileSet(), path, nil, 0)
		if err != nil {
			return err
		}
		imports := map[string]string{}
		for _, s := range file.Imports {
			from := strings.Trim(s.Path.Value, `"`)
			if own := strings.HasPrefix(from, module+"/"+filepath.ToSlash(dir)); strings.HasPrefix(from, module) && !own {
				imports[pathpkg.Base(from)] = from
				if named[from] == nil {
					named[from] = map[string]string{}
				}
			}
		}
		ast.Inspect(file, func(n ast.Node) bool {
			if s, ok := n.(*ast.SelectorExpr); ok {
				if x, ok := s.X.(*ast.Ident); ok && x.Obj == nil && imports[x.Name] != "" {
					named[imports[x.Name]][s.Sel.Name] = path
				}
			}
			return true
		})
		return nil
	}))
	return named
}

// declaredAt returns the names that a package declares at a commit, methods among them.
func declaredAt(t *testing.T, commit, folder string) map[string]bool {
	declared := map[string]bool{}
	list, err := exec.Command("git", "ls-tree", "--name-only", commit, folder+"/").Output()
	require.NoError(t, err)
	for _, path := range strings.Fields(string(list)) {
		if filepath.Ext(path) != ".go" || strings.HasSuffix(path, "_test.go") {
			continue
		}
		text, err := exec.Command("git", "show", commit+":"+path).Output()
		require.NoError(t, err)
		file, err := parser.ParseFile(token.NewFileSet(), path, text, 0)
		require.NoError(t, err)
		ast.Inspect(file, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.FuncDecl:
				declared[n.Name.Name] = true
				return false
			case *ast.TypeSpec:
				declared[n.Name.Name] = true
			case *ast.ValueSpec:
				for _, id := range n.Names {
					declared[id.Name] = true
				}
			}
			return true
		})
	}
	return declared
}
