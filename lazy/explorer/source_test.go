package explorer

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/mlir"
)

// TestSourceTree: sources of Go and Python are found by their names anywhere below a folder, but for hidden folders,
// and names that are not alone.
func TestSourceTree(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.go", "sub/b.py", "sub/c.txt", ".git/d.go", "node_modules/e.py", "one/f.go", "two/f.go", "g.go/h.go"} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.MkdirAll(filepath.Dir(path), 0o755))
		require.NoError(t, os.WriteFile(path, []byte("text of "+name), 0o600))
	}
	read := SourceTree(dir)
	for file, want := range map[string]string{"a.go": "a.go", "there/a.go": "a.go", "b.py": "sub/b.py", "h.go": "g.go/h.go", "c.txt": "", "d.go": "",
		"e.py": "", "f.go": "", "g.go": "", "i.go": ""} {
		if want != "" {
			want = "text of " + want
		}
		require.Equal(t, want, string(read(file)), file)
	}
	one := SourceFile(filepath.Join(dir, "a.go"))
	require.Equal(t, "text of a.go", string(one("elsewhere/a.go")))
	require.Nil(t, one("b.py"))
	require.Nil(t, SourceFile(filepath.Join(dir, "none.go"))("none.go"))
	large := filepath.Join(dir, "large.go")
	require.NoError(t, os.WriteFile(large, make([]byte, mostSource), 0o600))
	require.Len(t, readSource(large), mostSource)
	require.NoError(t, os.WriteFile(large, make([]byte, mostSource+1), 0o600))
	require.Nil(t, readSource(large), "too large for a source")
}

// TestSourceLines: the lines around calls are kept, once each, within the file.
func TestSourceLines(t *testing.T) {
	lines := make([]string, 30)
	for i := range lines {
		lines[i] = strings.Repeat("x", 10*i) + "\r"
	}
	lines[4] = "\xff\r"
	read := func(file string) []byte {
		if file == "f.go" {
			return []byte(strings.Join(lines, "\n"))
		}
		return nil
	}
	m := &Model{Sources: map[string]map[int]string{}, Calls: []Call{{File: "f.go", Line: 2}, {File: "f.go", Line: 3}, {File: "f.go", Line: 29}, {File: "none.go", Line: 1}, {}}}
	m.addSources(read)
	require.Len(t, m.Sources, 1)
	var have []int
	for n, text := range m.Sources["f.go"] {
		have = append(have, n)
		want := strings.Repeat("x", min(10*(n-1), mostLine))
		if n == 5 {
			want = "?"
		}
		require.Equal(t, want, text, n)
	}
	slices.Sort(have)
	require.Equal(t, []int{1, 2, 3, 4, 5, 6, 7, 25, 26, 27, 28, 29, 30}, have)
}

// TestCutCalls: a line of a text loses its locations and says which calls they name; a long one is cut.
func TestCutCalls(t *testing.T) {
	for line, want := range map[string]struct {
		text  string
		calls []int
	}{
		"%0 = add %x loc(\"3\")":                              {"%0 = add %x", []int{3}},
		"%0 = add %x loc(\"7,3,7\") {a} loc(\"1\")":           {"%0 = add %x {a}", []int{1, 3, 7}},
		"%0 = add %x loc(unknown)":                            {"%0 = add %x", nil},
		"%0 = add %x loc(\"\")":                               {"%0 = add %x", nil},
		"%0 = add %x":                                         {"%0 = add %x", nil},
		strings.Repeat("y", mostLineBytes):                    {strings.Repeat("y", mostLineBytes), nil},
		strings.Repeat("y", mostLineBytes) + "z loc(\"2\")":   {strings.Repeat("y", mostLineBytes) + " …", []int{2}},
		strings.Repeat("y", mostLineBytes-1) + "ü loc(\"2\")": {strings.Repeat("y", mostLineBytes-1) + " …", []int{2}},
	} {
		text, calls := cutCalls(line)
		require.Equal(t, want.text, text)
		require.Equal(t, want.calls, calls)
	}
}

// TestPlaces: the place of a call is the place of the first location that is fused in it, and its layer is divided at
// dots or slashes.
func TestPlaces(t *testing.T) {
	inner := mlir.Location{File: "a.py", Line: 3}
	require.Equal(t, inner, at(inner))
	require.Equal(t, inner, at(mlir.Location{Fused: []mlir.Location{{Fused: []mlir.Location{inner}}, {File: "b.py", Line: 4}}}))
	require.True(t, at(mlir.Location{Fused: []mlir.Location{{}}}).File == "")
	for name, want := range map[string][]string{"": nil, "net": {"net"}, "net.0.conv": {"net", "0", "conv"}, "net/layer.1/conv": {"net", "layer.1", "conv"},
		"/net//conv/": {"net", "conv"}, ".a..b.": {"a", "b"}} {
		require.Equal(t, want, layers(name), name)
	}
}

// TestGroups: groups on the device are numbered in their order, and have the kernels of their function.
func TestGroups(t *testing.T) {
	p := &Compiled{Kernels: []Kernel{{Group: "a"}, {Group: "b"}, {Group: ""}, {Group: "a"}}}
	p.addGroups([]device.Group{{Name: "a", Device: "npu1", Work: 5}, {Name: "", Device: "host", Problem: "not supported", Ops: []string{"aten.nonzero"}},
		{Name: "b", Device: "npu1"}})
	require.Equal(t, []Group{
		{Title: device.GroupTitle(0), Function: "a", Device: "npu1", Work: 5, Kernels: []int{0, 3}},
		{Title: "on host", Device: "host", Problem: "not supported", Ops: []string{"aten.nonzero"}, Kernels: []int{}},
		{Title: device.GroupTitle(1), Function: "b", Device: "npu1", Kernels: []int{1}}}, p.Groups)
}
