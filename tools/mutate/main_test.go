package main

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	const source = `package x

import "fmt"

func f(a, b int) int {
	if a < b {
		fmt.Println(a, b)
		return a + 1
	}
	return -b
}
`
	require.NoError(t, os.WriteFile(filepath.Join(dir, "x.go"), []byte(source), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "zx.go"), []byte(source), 0o600))
	places, err := placesOf(dir, []string{"zx.go", "x.go"})
	require.NoError(t, err)
	var got []string
	for _, p := range places {
		require.Equal(t, "x.go", filepath.Base(p.file), "generated files are left alone")
		require.Equal(t, p.before, source[p.start:p.end])
		got = append(got, p.before+" => "+p.after)
	}
	require.Equal(t, []string{"a < b => !(a < b)", "< => <=", "fmt.Println(a, b) => ", "a, b => b, a", "+ => -",
		"1 => 2", "- => "}, got)
	changed, err := places[1].apply()
	require.NoError(t, err)
	require.Contains(t, string(changed), "if a <= b {")
}

// TestRun mutates a small module: a function with a test, one without.
func TestRun(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":   "module x\n\ngo 1.24\n",
		"seen.go":  "package x\n\nfunc Seen(a, b int) int { return a + b }\n",
		"blind.go": "package x\n\nfunc Blind(a, b int) int { return a * b }\n",
		"x_test.go": "package x\n\nimport \"testing\"\n\n" +
			"func TestSeen(t *testing.T) {\n\tif Seen(1, 2) != 3 {\n\t\tt.Fatal()\n\t}\n}\n",
	} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
	var out bytes.Buffer
	m := mutation{packages: []string{"."}, count: 10, seed: 1, timeout: time.Minute, out: &out}
	noticed, tried, err := m.run()
	require.NoError(t, err)
	require.Equal(t, 2, tried)
	require.Equal(t, 1, noticed)
	require.Contains(t, out.String(), "SURVIVED  blind.go:3: * -> /")
	require.Contains(t, out.String(), "noticed   seen.go:3: + -> -   TestSeen")
}
