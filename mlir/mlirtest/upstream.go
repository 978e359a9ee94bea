package mlirtest

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Upstream runs an LLVM tool ("mlir-opt-19") on the input and returns its output
// without trailing blank lines. Where the tool is not installed the test is skipped,
// or fails if the environment has ACAP_REQUIRE_UPSTREAM=1.
func Upstream(t testing.TB, input, tool string, args ...string) string {
	t.Helper()
	out, stderr, err := run(t, input, tool, args)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s\ninput:\n%s", tool, strings.Join(args, " "), err, stderr, clip(input))
	}
	return out
}

// Optimizers are the versions of mlir-opt that a text must pass: the one that the project is written beside, and the
// newest one that the environment names in ACAP_MLIR_OPT.
func Optimizers() []string {
	list := []string{"mlir-opt-19"}
	if newest := os.Getenv("ACAP_MLIR_OPT"); newest != "" {
		list = append(list, newest)
	}
	return list
}

// Accepts reports whether an LLVM tool reads the input: dialects differ from version to version.
func Accepts(t testing.TB, input, tool string, args ...string) bool {
	t.Helper()
	_, _, err := run(t, input, tool, args)
	return err == nil
}

func run(t testing.TB, input, tool string, args []string) (out, stderr string, err error) {
	t.Helper()
	path, err := exec.LookPath(tool)
	if err != nil {
		const hint = "%s is not installed (Debian: mlir-14-tools, mlir-19-tools)"
		if os.Getenv("ACAP_REQUIRE_UPSTREAM") == "1" {
			t.Fatalf(hint, tool)
		}
		t.Skipf(hint, tool)
	}
	cmd := exec.Command(path, args...)
	cmd.Stdin = strings.NewReader(input)
	var stdout, errors bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &errors
	err = cmd.Run()
	return strings.TrimRight(stdout.String(), "\n") + "\n", errors.String(), err
}

func clip(text string) string {
	if len(text) > 4000 {
		return text[:4000] + "…"
	}
	return text
}
