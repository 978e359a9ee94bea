package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOperators: operators are chosen by status and by a part of the name, and counted by status.
func TestOperators(t *testing.T) {
	require.Contains(t, succeed(t, "operators", "-status", "expanded", "gelu_backward"), "expanded    aten::gelu_backward")
	require.Contains(t, succeed(t, "operators"), " 0 missing")
	require.Contains(t, succeed(t, "operators", "-json", "aten::mm"), `{"operator":"aten::mm","status":"registered","schema":"aten::mm(`)
	_, _, status := invoke(t, "operators", "a", "b")
	require.NotZero(t, status)
	_, errs, status := invoke(t, "operators", "-status", "registred")
	require.NotZero(t, status)
	require.Contains(t, errs, "want one of registered, expanded")
}
