package mlirtest

import (
	"errors"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/go-acap/acap/mlir"
)

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
	missed, expected := mlir.MissedExpectations(part, diagnose(part))
	if expected == 0 {
		t.Fatalf("the part expects no error:\n%s", part)
	}
	for _, line := range missed {
		t.Errorf("%s\nin:\n%s", line, part)
	}
}

// diagnose parses and verifies a text.
func diagnose(text string) mlir.Diagnostics {
	module, err := mlir.Parse("test.mlir", []byte(text))
	if err == nil {
		err = mlir.Verify(module)
	}
	var diags mlir.Diagnostics
	errors.As(err, &diags)
	return diags
}
