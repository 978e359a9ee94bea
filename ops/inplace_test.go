package ops_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

// inplaceHere are operators in place that PyTorch 1.13 does not have, or names otherwise.
var inplaceHere = map[string]bool{
	"floor_divide_":      true, // floor_divide_.Tensor
	"pow_.Tensor_Scalar": true, // pow_.Scalar
	"pow_.Tensor_Tensor": true, // pow_.Tensor
	"squeeze_.dims":      true, // of version 2
}

// notInplace are operators that have no variant in place, though PyTorch has one of the name.
var notInplace = map[string]bool{
	"detach": true, "conj_physical": true,
	"polygamma":  true, // its first argument is the order
	"pow.Scalar": true, // pow_.Scalar is of pow.Tensor_Scalar
}

// TestInplaceVariants: an operator has a variant that writes its first argument if it has one in
// PyTorch 1.13, whose list testdata/inplace.txt is, and otherwise not.
func TestInplaceVariants(t *testing.T) {
	text, err := os.ReadFile("testdata/inplace.txt")
	require.NoError(t, err)
	want := map[string]bool{}
	for _, name := range strings.Fields(string(text)) {
		want[name] = true
	}
	have, functional := map[string]bool{}, map[string]bool{}
	for _, op := range ops.All() {
		if op.IsInplace() {
			have[op.Name()] = true
		} else {
			functional[op.Name()] = true
		}
	}
	for name := range have {
		if !want[name] && !inplaceHere[name] {
			t.Errorf("%s is in place here only", name)
		}
	}
	for name := range want {
		base, overload, _ := strings.Cut(name, ".")
		of := strings.TrimSuffix(base, "_")
		if overload != "" {
			of += "." + overload
		}
		if functional[of] && have[name] == notInplace[of] {
			t.Errorf("%s in place: %v", of, have[name])
		}
		if base == "pow_" || base == "floor_divide_" {
			require.NotNil(t, ops.Lookup(name), name)
		}
	}
}
