package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/emulator"
	_ "github.com/go-acap/acap/base/longtest/heap"
)

func TestMain(m *testing.M) {
	if os.Getenv("FORMATS") == "1" {
		main()
		return
	}
	os.Exit(m.Run())
}

// Both files name the ten digits on both devices with scores that agree, and the report, the
// timeline and the page are there.
func TestFormats(t *testing.T) {
	dir := t.TempDir()
	timeline, page := filepath.Join(dir, "trace.json"), filepath.Join(dir, "page.html")
	cmd := emulator.Again("-trace", timeline, "-page", page)
	cmd.Env = append(os.Environ(), "FORMATS=1")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, string(out))
	lines := regexp.MustCompile(`(?m)^(pt|onnx) +on (\S+) +names \[0 1 2 3 4 5 6 7 8 9\], scores differ by (\S+)$`).
		FindAllStringSubmatch(string(out), -1)
	require.Len(t, lines, 4, string(out))
	seen := map[string]bool{}
	for _, l := range lines {
		seen[l[1]+" "+l[2]] = true
		apart, err := strconv.ParseFloat(l[3], 64)
		require.NoError(t, err)
		require.Less(t, apart, 1e-3)
	}
	require.Len(t, seen, 4)
	require.Regexp(t, `npu1: \d+ kernels`, string(out))
	text, err := os.ReadFile(timeline)
	require.NoError(t, err)
	var trace struct{ TraceEvents []map[string]any }
	require.NoError(t, json.Unmarshal(text, &trace))
	require.NotEmpty(t, trace.TraceEvents)
	text, err = os.ReadFile(page)
	require.NoError(t, err)
	require.Contains(t, string(text), `data-part="timeline"`)
}
