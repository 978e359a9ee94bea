package upstream

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// The tools and the folder of their libraries.
const (
	optimizer = "mlir-opt-19"
	runner    = "mlir-cpu-runner-19"
	libraries = "/usr/lib/llvm-19/lib/libmlir_*runner_utils.so.19.1"
)

// ErrAbsent is the error where the tools are not installed.
var ErrAbsent = errors.New(optimizer + ", " + runner + " or their libraries are not installed (Debian: mlir-19-tools, libmlir-19)")

// Find returns [ErrAbsent] where the tools are not installed.
func Find() error {
	_, err := runnerLibraries()
	for _, tool := range []string{optimizer, runner} {
		if _, missing := exec.LookPath(tool); missing != nil {
			err = ErrAbsent
		}
	}
	return err
}

// Required reports whether the environment asks that nothing is skipped because tools are absent.
func Required() bool { return os.Getenv("ACAP_REQUIRE_UPSTREAM") == "1" }

func runnerLibraries() (string, error) {
	list, _ := filepath.Glob(libraries)
	if len(list) == 0 {
		return "", ErrAbsent
	}
	return strings.Join(list, ","), nil
}

// lowering brings linalg on tensors to the dialect of LLVM.
var lowering = []string{"--convert-elementwise-to-linalg", "--canonicalize", "--cse",
	"--one-shot-bufferize=bufferize-function-boundaries=true function-boundary-type-conversion=identity-layout-map",
	"--buffer-deallocation-pipeline", "--convert-bufferization-to-memref", "--convert-linalg-to-loops",
	"--convert-scf-to-cf", "--expand-strided-metadata", "--lower-affine", "--convert-math-to-llvm",
	"--convert-math-to-libm", "--arith-expand", "--convert-arith-to-llvm", "--convert-index-to-llvm",
	"--finalize-memref-to-llvm", "--convert-cf-to-llvm", "--convert-func-to-llvm", "--reconcile-unrealized-casts"}

// run runs a tool on an input and returns what it prints.
func run(ctx context.Context, input []byte, tool string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, tool, args...)
	cmd.Stdin = bytes.NewReader(input)
	var failed bytes.Buffer
	cmd.Stderr = &failed
	out, err := cmd.Output()
	if err != nil {
		return out, toolError(tool, err, failed.String())
	}
	return out, nil
}

// toolError is an error with the first line of what the tool says.
func toolError(tool string, err error, said string) error {
	for _, line := range strings.Split(said, "\n") {
		if strings.Contains(line, "error:") || strings.HasPrefix(line, "JIT session error") {
			return fmt.Errorf("%s: %s", tool, line)
		}
	}
	line, _, _ := strings.Cut(said, "\n")
	return fmt.Errorf("%s: %w: %s", tool, err, line)
}
