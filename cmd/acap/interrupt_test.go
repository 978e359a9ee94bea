package main

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/tensor/buf"
	"github.com/go-acap/acap/tensor/buf/npy"
	"github.com/go-acap/acap/tensor/dtype"
)

// endless is a program that runs for minutes: a chain of products.
func endless(t *testing.T) string {
	text := "func.func @main(%a: tensor<2048x2048xf32>) -> tensor<2048x2048xf32> {\n  %0 = \"aten.mm\"(%a, %a) " +
		": (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>\n"
	const last = 600
	for i := range last {
		text += fmt.Sprintf("  %%%d = \"aten.mm\"(%%%d, %%a) "+
			": (tensor<2048x2048xf32>, tensor<2048x2048xf32>) -> tensor<2048x2048xf32>\n", i+1, i)
	}
	text += fmt.Sprintf("  return %%%d : tensor<2048x2048xf32>\n}\n", last)
	path := filepath.Join(t.TempDir(), "endless.mlir")
	require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
	return path
}

// TestInterrupt sends SIGINT to a run and looks at what is left.
func TestInterrupt(t *testing.T) {
	model := endless(t)
	input := filepath.Join(t.TempDir(), "zeros.npy")
	writeNPY(t, input, 2048, 2048)
	for _, profile := range []bool{false, true} {
		dir := t.TempDir()
		output := filepath.Join(dir, "out.npy")
		require.NoError(t, os.WriteFile(output, []byte("old"), 0o600))
		args := []string{"run", model, "-device", "host", "-input", input, "-output", output}
		if profile {
			args = append(args, "-cpuprofile", dir)
		}
		cmd := exec.Command(os.Args[0], args...)
		cmd.Env = append(os.Environ(), "ACAP_TEST_COMMAND=1")
		var errs bytes.Buffer
		cmd.Stderr = &errs
		require.NoError(t, cmd.Start())
		time.Sleep(1500 * time.Millisecond)
		require.NoError(t, cmd.Process.Signal(os.Interrupt))
		sent := time.Now()
		require.Error(t, cmd.Wait())
		took := time.Since(sent)
		require.Equal(t, statusInterrupted, cmd.ProcessState.ExitCode(), errs.String())
		require.Equal(t, "acap run: interrupted\n", errs.String())
		if !profile { // a profile is written at its end
			require.Less(t, took, time.Second)
		} else {
			require.FileExists(t, filepath.Join(dir, "cpu.pprof"))
		}
		data, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Equal(t, "old", string(data))
	}
}

func writeNPY(t *testing.T, path string, dims ...int) {
	require.NoError(t, npy.WriteFile(path, buf.New(dtype.F32, dims)))
}
