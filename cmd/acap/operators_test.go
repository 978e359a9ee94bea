package main

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestOperators: every functional operator of PyTorch 2.14 is computed, or refused for a reason.
func TestOperators(t *testing.T) {
	statuses := map[string]int{}
	for line := range strings.Lines(succeed(t, "operators", "-json")) {
		var r operatorRow
		require.NoError(t, json.Unmarshal([]byte(line), &r))
		statuses[r.Status]++
		if r.Status == operatorMissing || r.Status == operatorRefused && r.Reason == "" {
			t.Errorf("%s is %s, without a reason", r.Operator, r.Status)
		}
	}
	require.Greater(t, statuses[operatorRegistered]+statuses[operatorExpanded], 1100)
	require.Contains(t, succeed(t, "operators", "-status", "expanded", "gelu_backward"), "expanded    aten::gelu_backward")
	require.Contains(t, succeed(t, "operators"), " 0 missing")
	_, _, status := invoke(t, "operators", "a", "b")
	require.NotZero(t, status)
	_, errs, status := invoke(t, "operators", "-status", "registred")
	require.NotZero(t, status)
	require.Contains(t, errs, "want one of registered, expanded")
}
