package emulator_test

import (
	"fmt"
	"os"
	"os/exec"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

// TestMain is also the program that TestAgain starts: it prints its arguments.
func TestMain(m *testing.M) {
	if os.Getenv("ACAP_TEST_CHILD") != "" {
		fmt.Print(os.Args[1:])
		return
	}
	os.Exit(m.Run())
}

func TestAgain(t *testing.T) {
	run := func() string {
		c := emulator.Again("-a", "b c")
		c.Env = append(os.Environ(), "ACAP_TEST_CHILD=1")
		out, err := c.CombinedOutput()
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	require.Equal(t, "[-a b c]", run())
	if emulator.On() {
		return
	}
	if _, err := exec.LookPath("env"); err != nil {
		t.Skip("no command env, which stands for an emulator")
	}
	t.Setenv(emulator.Variable, "env ACAP_TEST_CHILD=2")
	require.True(t, emulator.On())
	require.Equal(t, "[-a b c]", run())
	require.Equal(t, []string{"env", "ACAP_TEST_CHILD=2", os.Args[0], "x"}, emulator.Again("x").Args)
}
