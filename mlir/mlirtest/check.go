package mlirtest

import (
	"os"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
)

// Passes runs the pipeline that the first RUN line of a file names and checks the
// text. Run gets the names and the module.
func Passes(t *testing.T, path string, run func(names string, module *mlir.Operation) error) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	module, err := mlir.Parse(path, src)
	if err != nil {
		t.Fatal(err)
	}
	_, rest, ok := strings.Cut(string(src), "// RUN:")
	if !ok {
		t.Fatalf("%s has no RUN line", path)
	}
	names, _, _ := strings.Cut(rest, "\n")
	if err := run(strings.TrimSpace(names), module); err != nil {
		t.Fatal(err)
	}
	Check(t, module.Text(mlir.PrintOptions{Pretty: true}), string(src))
}

// Check compares text with the CHECK lines of a script.
func Check(t testing.TB, text, script string) {
	t.Helper()
	lines := strings.Split(text, "\n")
	at := 0 // the first line that is not matched yet
	var not []string
	found := 0
	for _, directive := range strings.Split(script, "\n") {
		kind, want, ok := parseCheck(directive)
		if !ok {
			continue
		}
		found++
		if kind == "NOT" {
			not = append(not, want)
			continue
		}
		next := at
		for next < len(lines) && !strings.Contains(lines[next], want) {
			next++
		}
		if next == len(lines) || kind == "NEXT" && next != at {
			t.Errorf("line %d on: no %q in:\n%s", at+1, want, text)
			return
		}
		absent(t, lines[at:next], not, text)
		not, at = nil, next+1
	}
	absent(t, lines[at:], not, text)
	if found == 0 {
		t.Errorf("the file has no CHECK line")
	}
}

func absent(t testing.TB, lines, not []string, text string) {
	t.Helper()
	for _, line := range lines {
		for _, want := range not {
			if strings.Contains(line, want) {
				t.Errorf("%q should not occur in %q of:\n%s", want, line, text)
			}
		}
	}
}

// parseCheck splits "// CHECK-NEXT: text".
func parseCheck(line string) (kind, want string, ok bool) {
	rest, ok := strings.CutPrefix(strings.TrimSpace(line), "// CHECK")
	if !ok {
		return "", "", false
	}
	kind, want, ok = strings.Cut(rest, ":")
	return strings.TrimPrefix(kind, "-"), strings.TrimSpace(want), ok
}
