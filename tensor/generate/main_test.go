package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/ops"
)

// TestCurrent says whether somebody forgot go generate.
func TestCurrent(t *testing.T) {
	for _, f := range generated() {
		want, err := f.text()
		require.NoError(t, err)
		got, err := os.ReadFile(filepath.Join("..", f.path))
		require.NoError(t, err)
		require.True(t, string(want) == string(got), "%s is out of date: run go generate ./tensor", f.path)
	}
}

// Every operator has its line in the manual, and every line its operator.
func TestManual(t *testing.T) {
	_, of, err := readManual()
	require.NoError(t, err)
	seen := map[string]bool{}
	for _, op := range ops.All() {
		name := op.Parsed().Name
		if op.IsInplace() || strings.HasPrefix(name, "_") || strings.HasSuffix(name, "_backward") {
			continue
		}
		if _, ok := of[name]; !ok && !seen[name] {
			t.Errorf("manual.txt lacks %s", name)
		}
		seen[name] = true
	}
	for name, e := range of {
		if !seen[name] {
			t.Errorf("manual.txt has %s, which is no operator", name)
		}
		if e.same != "" && of[e.same].text == "" {
			t.Errorf("manual.txt: %s is another name of %s, which is not described", name, e.same)
		}
		if e.same == "" && (!strings.HasSuffix(e.text, ".") || len(e.text) < 12) {
			t.Errorf("manual.txt: %s: %q is no sentence", name, e.text)
		}
	}
}
