package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
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
	p := places[1]
	p.in = nil
	b := &batch{places: map[int]place{4: p}}
	require.Contains(t, b.rewritten(p.file, source, []int{4}), "if a <= b {")
}

// TestBehindSwitches compiles functions of all kinds with every change of theirs, and runs
// each change by its number.
func TestBehindSwitches(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod": "module x\n\ngo 1.24\n",
		"x.go": `package x

type box[T any] struct{ n int }

func (b *box[T]) add(int, ...string) { b.n += 2 }

func sum(_ int, all ...int) (total int, _ error) {
	each(all, func(_, v int) { total += v })
	return
}

func each[T any](all []T, f func(int, T)) {
again:
	for i, v := range all {
		if i < 0 {
			continue again
		}
		f(i, v)
	}
}

var level = 3

func blind(n int) int { return n * n }
`,
		"x_test.go": `package x

import "testing"

func TestSum(t *testing.T) {
	if n, _ := sum(0, 1, 2); n != 3 {
		t.Fatal()
	}
}

func TestBox(t *testing.T) {
	if b := (&box[string]{}); level != 3 || b.n != 0 {
		t.Fatal()
	} else if b.add(1); b.n != 2 {
		t.Fatal()
	}
}
`} {
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
	var out bytes.Buffer
	m := mutation{packages: []string{"."}, count: 100, seed: 1, timeout: time.Minute, parallel: 2, out: &out}
	noticed, tried, err := m.run(t.Context())
	require.NoError(t, err)
	require.Equal(t, strings.Count(out.String(), "\n"), tried)
	for _, seen := range []string{"x.go:5: += -> -=   TestBox", "x.go:5: 2 -> 3   TestBox", "x.go:8: += -> -=   TestSum",
		"x.go:15: i < 0 -> !(i < 0)   TestSum", "x.go:22: 3 -> 4   TestBox"} {
		require.Contains(t, out.String(), "noticed   "+seen)
	}
	require.Contains(t, out.String(), "SURVIVED  x.go:24: * -> /")
	require.Less(t, noticed, tried)
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
	noticed, tried, err := m.run(t.Context())
	require.NoError(t, err)
	require.Equal(t, 2, tried)
	require.Equal(t, 1, noticed)
	require.Contains(t, out.String(), "SURVIVED  blind.go:3: * -> /")
	require.Contains(t, out.String(), "noticed   seen.go:3: + -> -   TestSeen")
}

// TestTestsOf: a change is seen by the tests of its package and of those that depend on it, through others or by
// their tests alone; its own run first.
func TestTestsOf(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"go.mod":         "module x\n\ngo 1.24\n",
		"a/a.go":         "package a\n\nfunc One() int { return 1 }\n",
		"a/a_test.go":    "package a\n",
		"b/b.go":         "package b\n\nimport \"x/a\"\n\nvar Two = a.One() + 1\n",
		"c/c.go":         "package c\n\nimport \"x/b\"\n\nvar Three = b.Two + 1\n",
		"c/c_test.go":    "package c\n",
		"d/d.go":         "package d\n",
		"d/d_test.go":    "package d_test\n\nimport _ \"x/a\"\n",
		"free/f.go":      "package free\n",
		"free/f_test.go": "package free\n",
	} {
		require.NoError(t, os.MkdirAll(filepath.Dir(filepath.Join(dir, name)), 0o700))
		require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600))
	}
	t.Chdir(dir)
	packages, err := list([]string{"./..."})
	require.NoError(t, err)
	require.Len(t, packages, 5)
	tests := testsOf(packages[0], packages)
	require.Equal(t, "x/a", tests[0])
	require.ElementsMatch(t, []string{"x/a", "x/c", "x/d"}, tests)
	require.Equal(t, []string{"x/c"}, testsOf(packages[1], packages), "b has no tests of its own")
}
