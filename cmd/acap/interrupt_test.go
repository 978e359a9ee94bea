package main

import (
	"bytes"
	"fmt"
	"os"
	"os/signal"
	"path/filepath"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor/npy"
)

// endless is a program that runs for a minute on one thread: a chain of products.
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

// TestInterrupt sends SIGINT to a run and looks at what is left. The run ends before its time, or it would succeed.
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
		status, errs := interrupted(t, time.Second/4, args)
		for wait := time.Second / 2; status < 0 && wait < time.Minute; wait *= 2 { // it had not begun
			status, errs = interrupted(t, wait, args)
		}
		require.Equal(t, statusSignal+int(syscall.SIGINT), status, errs)
		require.Equal(t, "acap run: interrupted\n", errs)
		if profile { // it is written at the end
			require.FileExists(t, filepath.Join(dir, "cpu.pprof"))
		}
		data, err := os.ReadFile(output)
		require.NoError(t, err)
		require.Equal(t, "old", string(data))
	}
}

// interrupted runs the command and interrupts it after a time. The status is negative if that ended the process
// before the command could do anything about it.
func interrupted(t *testing.T, after time.Duration, args []string) (status int, errs string) {
	cmd := child(args...)
	cmd.Env = append(cmd.Env, "ACAP_THREADS=1")
	var text bytes.Buffer
	cmd.Stderr = &text
	require.NoError(t, cmd.Start())
	time.Sleep(after)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.Error(t, cmd.Wait())
	return cmd.ProcessState.ExitCode(), text.String()
}

func writeNPY(t *testing.T, path string, dims ...int) {
	require.NoError(t, npy.WriteFile(path, buf.New(dtype.F32, dims)))
}

// TestTerminated sends signals to a command that writes a file, and looks at what is left.
func TestTerminated(t *testing.T) {
	model := filepath.Join("testdata", "lenet") // whose page takes seconds
	signals := []syscall.Signal{syscall.SIGTERM}
	if !signal.Ignored(hangup) { // by nohup
		signals = append(signals, hangup)
	}
	for _, signal := range signals {
		dir := t.TempDir()
		written := func() []os.DirEntry {
			files, err := os.ReadDir(dir)
			require.NoError(t, err)
			return files
		}
		cmd := child("view", filepath.Join(model, "model.pt"), "-input", filepath.Join(model, "input_0.npy"), "-o", filepath.Join(dir, "page.html"))
		var text bytes.Buffer
		cmd.Stderr = &text
		require.NoError(t, cmd.Start())
		require.Eventually(t, func() bool { return len(written()) > 0 }, time.Minute, time.Millisecond)
		require.NoError(t, cmd.Process.Signal(signal))
		require.Error(t, cmd.Wait())
		require.Equal(t, statusSignal+int(signal), cmd.ProcessState.ExitCode(), text.String())
		require.Equal(t, "acap view: interrupted\n", text.String())
		require.Empty(t, written())
	}
}
