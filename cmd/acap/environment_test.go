package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/environment"
)

// Settings that cannot be used stop every command.
func TestEnvironment(t *testing.T) {
	for variable, want := range map[string]string{
		"ACAP_THREADS":             "a number of threads from 1 to 1024",
		"ACAP_DEBUG":               "a number from 0 to 4",
		"ACAP_KERNELS":             "avx512, avx2, neon or portable",
		"ACAP_CODE":                "shared or fresh",
		"ACAP_COMPILE_PARALLELISM": "a number of goroutines from 1 to 1024",
		"ACAP_INT4_LAYOUT":         "avx512, avx2 or none",
		"ACAP_PRINT_IR":            "before, after or change",
	} {
		t.Setenv(variable, "abc")
		out, errs, status := invoke(t, "demo")
		require.Equal(t, 2, status)
		require.Empty(t, out)
		require.Contains(t, errs, variable+`="abc": want `+want)
		t.Setenv(variable, "")
	}
	t.Setenv("ACAP_KERNEL", "avx2")
	_, errs, status := invoke(t, "demo")
	require.Equal(t, 2, status)
	require.Contains(t, errs, `ACAP_KERNEL="avx2": want the variable ACAP_KERNELS; acap reads none of this name`)
	require.NoError(t, unknownVariable([]string{"ACAP_CACHE=x", "ACAP_LONG=1", "ACAP_MODELS=x", "CACHE=x", "ACAP_"}))
}

// Values of flags that cannot be used have the status of a wrong command line.
func TestWrongValues(t *testing.T) {
	for _, line := range []string{"run m.pt -amp x", "run m.pt -device x", "run m.pt -machine x", "run m.pt -samples 0", "run m.pt -rtol -1",
		"emit m.pt -stage x", "e2e -config x", "sweep m.pt -set x", "compile m.pt -weights x -o m.acap", "serve m.gguf -parallel 0", "machines x", "demo -machine x",
		"emit m.pt -stage stablehlo -portable x", "opt -passes x ../../examples/mlir/layer.mlir", "opt -cse=false ../../examples/mlir/layer.mlir",
		"opt -aten-op-report=o.json ../../examples/mlir/layer.mlir"} {
		_, errs, status := invoke(t, strings.Fields(line)...)
		require.Equal(t, 2, status, "%s: %s", line, errs)
	}
	_, _, status := invoke(t, "run", "missing.pt")
	require.Equal(t, 1, status)
}

// literal is a name of an environment variable in code.
var literal = regexp.MustCompile(`"(ACAP_[A-Z0-9_]+)"`)

// ofTests are the folders whose variables only tests read, or programs for developers of acap.
var ofTests = []string{"bench/", "base/emulator/", "base/longtest/", "mlir/upstream/", "mlir/mlirtest/", "tools/"}

// TestVariables: the help has all variables that programs read, and no other.
func TestVariables(t *testing.T) {
	help := succeed(t, "help", "environment")
	found := map[string]bool{}
	require.NoError(t, filepath.WalkDir("../..", func(path string, d fs.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_test.go") || strings.HasSuffix(path, "environment/variables.go") {
			return err
		}
		for _, folder := range ofTests {
			if strings.HasPrefix(filepath.ToSlash(path), "../../"+folder) {
				return nil
			}
		}
		text, err := os.ReadFile(path)
		for _, m := range literal.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
			require.Contains(t, help, "  "+m[1]+" ", path)
		}
		return err
	}))
	for _, v := range environment.Variables() {
		require.True(t, found[v.Name], "nothing reads %s", v.Name)
	}
}
