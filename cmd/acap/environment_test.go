package main

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Settings that cannot be used stop every command.
func TestEnvironment(t *testing.T) {
	for variable, want := range map[string]string{
		"ACAP_THREADS": "a number of threads from 1 to 1024",
		"ACAP_DEBUG":   "a number from 0 to 4",
		"ACAP_KERNELS": "avx512, avx2, neon or portable",
		"ACAP_CODE":    "shared or fresh",
	} {
		t.Setenv(variable, "abc")
		out, errs, status := invoke(t, "demo")
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.Contains(t, errs, variable+`="abc": want `+want)
		t.Setenv(variable, "")
	}
}
