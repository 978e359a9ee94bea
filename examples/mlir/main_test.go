package main

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

func TestMain(m *testing.M) {
	if os.Getenv("MLIR") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestStages runs the program: every stage is printed, and the result is
// relu(x · w + b) as worked out by hand.
func TestStages(t *testing.T) {
	cmd := emulator.Again()
	cmd.Env = append(os.Environ(), "MLIR=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	text := string(out)
	require.Contains(t, text, "linalg.matmul")
	require.Contains(t, text, "// ----- kernel\n")
	require.Contains(t, text, "aie.device")
	require.Contains(t, text, "[[ 1.5000,  2.5000,  3.5000, 10.0000],\n")
	require.Contains(t, text, " [ 0.0000,  0.0000,  0.0000,  0.0000]]")
}
