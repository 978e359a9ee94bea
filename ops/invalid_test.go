package ops_test

import (
	"testing"

	"github.com/go-acap/acap/mlir/mlirtest"
)

// TestInvalid: what the operators refuse has the place of the text and names the rule.
func TestInvalid(t *testing.T) { mlirtest.Invalid(t, "testdata/aten_invalid.mlir") }
