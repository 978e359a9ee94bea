package hostile_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/hostile"
)

// TestEmpty: an empty file, which is a form of another one, has no forms.
func TestEmpty(t *testing.T) {
	for range hostile.Variants(nil, 2) {
		t.Fatal("a form of nothing")
	}
	var what []string
	for name := range hostile.Variants([]byte("ab"), 1) {
		what = append(what, name)
	}
	require.NotEmpty(t, slices.Compact(what))
}
