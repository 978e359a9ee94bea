package docs_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

var (
	variableName = regexp.MustCompile(`\bACAP_[A-Z_]+\b`)
	testName     = regexp.MustCompile(`\bTest[A-Z]\w+`)
	goCommand    = regexp.MustCompile(`\bgo (?:run|test)((?: \./[\w/.]+)+)(?: -run \^\$)?(?: -(?:run|bench) (\w+))?`)
)

// TestNamesOfProject: what pages name outside of Go code exists: variables of the environment, tests, and
// the packages of commands.
func TestNamesOfProject(t *testing.T) {
	pages, err := filepath.Glob("*.md")
	require.NoError(t, err)
	code := source(t)
	for _, page := range append(pages, "../README.md", "../RATIONALE.md") {
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		for _, name := range variableName.FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(code, `"`+name+`"`), "%s: nothing reads %s", page, name)
		}
		for _, name := range testName.FindAllString(string(text), -1) {
			assert.True(t, strings.Contains(code, "func "+name+"("), "%s: there is no test %s", page, name)
		}
		for _, m := range goCommand.FindAllStringSubmatch(string(text), -1) {
			for _, dir := range strings.Fields(m[1]) {
				tests, err := filepath.Glob(filepath.Join("..", strings.TrimSuffix(dir, "/..."), "*_test.go"))
				require.NoError(t, err)
				assert.DirExists(t, filepath.Join("..", strings.TrimSuffix(dir, "/...")), page)
				found := m[2] == ""
				for _, file := range tests {
					text, err := os.ReadFile(file)
					require.NoError(t, err)
					found = found || regexp.MustCompile(`(?m)^func (Test|Benchmark)\w*`+m[2]).Match(text)
				}
				assert.True(t, found, "%s: no test in %s matches %s", page, dir, m[2])
			}
		}
	}
}

// source is the Go code of the project.
func source(t *testing.T) string {
	var b strings.Builder
	require.NoError(t, filepath.WalkDir("..", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".go") {
			return err
		}
		text, err := os.ReadFile(path)
		b.Write(text)
		return err
	}))
	return b.String()
}
