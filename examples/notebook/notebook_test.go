package main

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestWrite: cells of code have outputs and a count, run or not, and cells of text keep their attachments.
func TestWrite(t *testing.T) {
	n := &Notebook{Format: 4, Metadata: map[string]any{}, Cells: []*Cell{{Type: "code", Metadata: map[string]any{}, Source: "1"},
		{Type: "markdown", Metadata: map[string]any{}, Attachments: map[string]any{"a.png": map[string]any{}}}}}
	path := filepath.Join(t.TempDir(), "n.ipynb")
	require.NoError(t, n.Write(path))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	var got struct{ Cells []map[string]any }
	require.NoError(t, json.Unmarshal(text, &got))
	require.Equal(t, []any{}, got.Cells[0]["outputs"])
	require.Contains(t, got.Cells[0], "execution_count")
	require.NotContains(t, got.Cells[1], "outputs")
	require.Contains(t, got.Cells[1], "attachments")
}

// The notebook runs from its first to its last cell, and every kind of value shows as what it is.
func TestFirst(t *testing.T) {
	n, err := Read("first.ipynb")
	require.NoError(t, err)
	require.NoError(t, NewSession().Run(n))
	shown := map[string]map[string]any{} // by the last line of a cell
	printed, failed := "", []Output(nil)
	for _, c := range n.Cells {
		lines := strings.Split(strings.TrimSpace(string(c.Source)), "\n")
		for _, o := range c.Outputs {
			switch o.Type {
			case "stream":
				printed += string(o.Text)
			case "error":
				failed = append(failed, o)
			default:
				require.NotEmpty(t, o.Data["text/plain"])
				shown[lines[len(lines)-1]] = o.Data
			}
		}
	}
	require.Contains(t, printed, "the sum is 91\n")
	require.Contains(t, printed, "digit 7\n")
	require.Contains(t, shown["x"]["text/html"], "<td>-6</td>")
	require.Contains(t, shown["lazy.GetMLIR(y)"]["text/html"], `aten.relu`)
	picture, err := base64.StdEncoding.DecodeString(shown["picture"]["image/png"].(string))
	require.NoError(t, err)
	_, err = png.Decode(bytes.NewReader(picture))
	require.NoError(t, err)
	require.Contains(t, shown["lazy.For(dev).LastReport()"]["text/html"], "<svg")
	require.Contains(t, shown["tensor.Histogram(tensor.Randn(1000), 20)"]["image/svg+xml"], "<svg")
	require.Len(t, failed, 1)
	require.Equal(t, "cell 8, line 2: matmul: [2 3] and [2 3] cannot be multiplied: 3 is not 2", failed[0].Value)
}

// Errors name the cell's line, once: of the library, of the compiler, of panics. The cells after
// the one that failed do not run, and the notebook that is written shows what was there.
func TestErrors(t *testing.T) {
	const head = "import \"github.com/go-acap/acap/tensor\"\n\n"
	for source, want := range map[string]string{
		head + "tensor.Ones(2).Reshape(3)":         "cell 1, line 3: ",
		head + "a := 1\nb := 2\na + b + undefined": "cell 1, line 5: ",
		"panic(\"stop\")":                          "cell 1, line 1: stop",
		"x :=":                                     "cell 1, line 1: ",
	} {
		n := &Notebook{Format: 4, Cells: []*Cell{{Type: "code", Source: Lines(source)}, {Type: "code", Source: "1"}}}
		err := NewSession().Run(n)
		var cell *CellError
		require.ErrorAs(t, err, &cell, source)
		require.True(t, strings.HasPrefix(err.Error(), want), err)
		require.Equal(t, 1, strings.Count(err.Error(), "cell 1"), err)
		require.NotContains(t, err.Error(), ".go:", source)
		require.Empty(t, n.Cells[1].Outputs)
		path := filepath.Join(t.TempDir(), "out.ipynb")
		require.NoError(t, n.Write(path))
		again, err := Read(path)
		require.NoError(t, err)
		require.Equal(t, n.Cells[0].Outputs[0].Value, again.Cells[0].Outputs[0].Value)
	}
}

// Text in a file is whole or line by line, and is written line by line.
func TestLines(t *testing.T) {
	for _, text := range []string{`"a\nb"`, `["a\n","b"]`} {
		var l Lines
		require.NoError(t, json.Unmarshal([]byte(text), &l))
		require.Equal(t, Lines("a\nb"), l)
		back, err := json.Marshal(l)
		require.NoError(t, err)
		require.JSONEq(t, `["a\n","b"]`, string(back))
	}
	_, err := Read("doc.go")
	require.Error(t, err)
}
