package main

import (
	"encoding/json"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
)

// modelOfPage reads the part of a page that lists the calls.
func modelOfPage(t *testing.T, page string) (calls []string) {
	t.Helper()
	m := regexp.MustCompile(`(?s)data-part="model">(.*?)</script>`).FindStringSubmatch(page)
	require.NotNil(t, m)
	var model struct {
		Calls []struct {
			Op   string
			File string
		}
	}
	require.NoError(t, json.Unmarshal([]byte(m[1]), &model))
	for _, c := range model.Calls {
		calls = append(calls, c.Op+" "+c.File)
	}
	return calls
}

// TestViewWrites shows models of every kind in a page, and two in one.
func TestViewWrites(t *testing.T) {
	dir := t.TempDir()
	recorded := filepath.Join(dir, "recorded.acap")
	x := tensor.Ones(4, 4).To(acap.Device())
	require.NoError(t, lazy.Record(recorded, x.MatMul(x).ReLU()))
	program := filepath.Join(dir, "relu.mlir")
	require.NoError(t, os.WriteFile(program, []byte(`func.func @main(%x: tensor<8xf32>) -> tensor<8xf32> {
  %0 = "aten.relu"(%x) : (tensor<8xf32>) -> tensor<8xf32>
  return %0 : tensor<8xf32>
}`), 0o600))
	lenet := filepath.Join("testdata", "lenet", "model.pt")
	compiled := filepath.Join(dir, "compiled.acap")
	succeed(t, "compile", lenet, "-o", compiled)
	for path, want := range map[string]string{recorded: "aten.relu view_test.go", program: "aten.relu " + program, lenet: ".py", compiled: ".py"} {
		page := filepath.Join(dir, "page.html")
		succeed(t, "view", path, "-o", page, "-device", "host", "-compare", program+"@host")
		text, err := os.ReadFile(page)
		require.NoError(t, err)
		require.Contains(t, strings.Join(modelOfPage(t, string(text)), "\n"), want, path)
		require.Contains(t, string(text), `data-part="other"`)
	}
	for _, args := range [][]string{{"view"}, {"view", "none.pt"}, {"view", program, "-compare", "none.onnx"}, {"view", program, "-addr", "nowhere:x"}} {
		_, errs, status := invoke(t, args...)
		require.NotZero(t, status)
		require.NotEmpty(t, errs)
	}
}

// TestViewServes serves a page on a free port.
func TestViewServes(t *testing.T) {
	cmd := child("view", filepath.Join("testdata", "mlp", "model.pt"), "-addr", "127.0.0.1:0")
	out, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	defer func() { _, _ = cmd.Process.Kill(), cmd.Wait() }()
	line := make([]byte, 100)
	n, err := out.Read(line)
	require.NoError(t, err)
	answer, err := http.Get(strings.TrimSpace(string(line[:n])))
	require.NoError(t, err)
	defer answer.Body.Close()
	page, err := io.ReadAll(answer.Body)
	require.NoError(t, err)
	require.NotEmpty(t, modelOfPage(t, string(page)))
}
