package acap_test

import (
	"encoding/json"
	"os"
	"os/exec"
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

// TestNestedModules: a nested module requires a version that others can fetch. The replacement beside it counts only where
// the nested module itself is built, here.
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

// TestNestedModulesAreFetched has go fetch a nested module of this checkout's last commit, and what it requires of this module,
// as it fetches them from where they are published.
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
