package mlirtest

import (
	"errors"
	"os"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
)

var expectation = regexp.MustCompile(`// expected-error(?:@([+-]\d+))? \{\{(.*?)\}\}`)

// expected is one diagnostic that a file announces.
type expected struct {
	line int
	text string
	met  bool
}

// Invalid checks that every part of a file gives the diagnostics that it announces.
func Invalid(t *testing.T, path string) {
	t.Helper()
	src, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	for i, part := range strings.Split(string(src), "// -----\n") {
		t.Run(strconv.Itoa(i), func(t *testing.T) { invalidPart(t, part) })
	}
}

func invalidPart(t *testing.T, part string) {
	t.Helper()
	var wants []*expected
	for n, line := range strings.Split(part, "\n") {
		for _, m := range expectation.FindAllStringSubmatch(line, -1) {
			offset, _ := strconv.Atoi(m[1])
			wants = append(wants, &expected{line: n + 1 + offset, text: m[2]})
		}
	}
	if len(wants) == 0 {
		t.Fatalf("the part expects no error:\n%s", part)
	}
	for _, d := range diagnose(part) {
		if !meet(wants, d) {
			t.Errorf("unexpected: %v\nin:\n%s", d, part)
		}
	}
	for _, w := range wants {
		if !w.met {
			t.Errorf("line %d: missing error %q in:\n%s", w.line, w.text, part)
		}
	}
}

// diagnose parses and verifies text.
func diagnose(text string) mlir.Diagnostics {
	module, err := mlir.Parse("test.mlir", []byte(text))
	if err == nil {
		err = mlir.Verify(module)
	}
	var diags mlir.Diagnostics
	errors.As(err, &diags)
	return diags
}

func meet(wants []*expected, d mlir.Diagnostic) bool {
	for _, w := range wants {
		if !w.met && w.line == d.Loc.Line && strings.Contains(d.Message, w.text) {
			w.met = true
			return true
		}
	}
	return false
}
