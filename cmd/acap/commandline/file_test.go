package commandline_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/ops"
)

// TestShapes: extents are divided by x, and a type may stand behind them.
func TestShapes(t *testing.T) {
	types, err := commandline.ParseShapes([]string{"1x3x224x224", "1x8xi64", "0xbf16", "i1"})
	require.NoError(t, err)
	require.Equal(t, []ops.TensorType{{DType: dtype.F32, Shape: []int{1, 3, 224, 224}}, {DType: dtype.I64, Shape: []int{1, 8}},
		{DType: dtype.BF16, Shape: []int{0}}, {DType: dtype.Bool}}, types)
	for _, text := range []string{"", "1x", "x1", "1xf32x2", "-1x2", "1.5", "1,2"} {
		_, err := commandline.ParseShapes([]string{text})
		require.True(t, commandline.IsWrong(err), text)
	}
}

// TestNamesOfFiles: the ending of a file to write may say nothing else than the file becomes, and its folder has to be
// there.
func TestNamesOfFiles(t *testing.T) {
	dir := t.TempDir()
	in := func(name string) string { return filepath.Join(dir, name) }
	for _, path := range []string{"", in("a.svg"), in("a.SVG"), in("a"), in("a.drawing")} {
		require.NoError(t, commandline.CheckFormat("o", path, ".svg"), path)
	}
	for path, want := range map[string]string{
		in("a.png"):         "the file becomes an SVG picture, and its name says a PNG picture: name it a.svg",
		"-":                 "nothing to standard output",
		in("missing/a.svg"): "no such file",
	} {
		err := commandline.CheckFormat("o", path, ".svg")
		require.ErrorContains(t, err, want)
		require.True(t, commandline.IsWrong(err))
	}
	require.NoError(t, commandline.CheckPicture("plot", ""))
	require.NoError(t, commandline.CheckPicture("plot", in("a.PNG")))
	require.ErrorContains(t, commandline.CheckPicture("plot", in("a.pdf")), "must end in .svg or .png")
}

// TestApart: a file that is read is not written, whatever name leads to it.
func TestApart(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "a"), filepath.Join(dir, "b")
	require.NoError(t, os.WriteFile(file, nil, 0o644))
	require.NoError(t, os.Link(file, link))
	require.NoError(t, commandline.CheckApart("-o", filepath.Join(dir, "new"), file))
	require.NoError(t, commandline.CheckApart("-o", file, filepath.Join(dir, "missing")))
	require.ErrorContains(t, commandline.CheckApart("-o", link, file), "would be replaced")
}
