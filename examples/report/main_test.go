package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
)

func TestMain(m *testing.M) {
	if os.Getenv("REPORT") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// TestThreeMachines runs the program: every machine names the digit right, and the
// timeline is a Chrome trace with events.
func TestThreeMachines(t *testing.T) {
	path := filepath.Join(t.TempDir(), "trace.json")
	cmd := emulator.Again("-trace", path)
	cmd.Env = append(os.Environ(), "REPORT=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	line := regexp.MustCompile(`(?m)^(\w+) +names the digit (\d) in [\d.]+ \w+`)
	lines := line.FindAllStringSubmatch(string(out), -1)
	require.Len(t, lines, 3, string(out))
	for i, machine := range []string{"npu1", "npu2", "vck190"} {
		require.Equal(t, []string{machine, "7"}, lines[i][1:])
	}
	trace, err := os.ReadFile(path)
	require.NoError(t, err)
	var events struct{ TraceEvents []map[string]any }
	require.NoError(t, json.Unmarshal(trace, &events))
	require.NotEmpty(t, events.TraceEvents)
}
