package explorer_test

import (
	"bytes"
	"context"
	_ "embed"
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy/explorer"
	"github.com/go-acap/acap/mlir"
)

// tour goes through the page as a reader does and writes what it found into it.
//
//go:embed testdata/tour.js
var tour string

// found is the output of the tour.
type found struct {
	Error        string
	Views        []string
	Alerts       []string
	Opened       int // nodes of the graph that a key opened
	Marked       map[string]int
	Tabs         []string // views that arrow keys reached
	Wide         []string // views that are wider than the window
	Nameless     []string // what can be focused and has no name
	Violations   []string
	Milliseconds float64 // until the graph is there
}

// browser returns the command of Chromium that ACAP_BROWSER names; without one the test is skipped.
func browser(t *testing.T) string {
	t.Helper()
	name := os.Getenv("ACAP_BROWSER")
	if name == "" {
		t.Skip("ACAP_BROWSER=chromium runs this")
	}
	path, err := exec.LookPath(name)
	require.NoError(t, err)
	return path
}

// visit opens a saved page in a browser without a network.
func visit(t *testing.T, page []byte, size string) found {
	t.Helper()
	command := browser(t)
	dir := t.TempDir()
	script := ""
	if path := os.Getenv("ACAP_AXE"); path != "" { // axe.min.js of the package axe-core
		text, err := os.ReadFile(path)
		require.NoError(t, err)
		script = "<script>" + string(text) + "</script>"
	}
	file := filepath.Join(dir, "page.html")
	page = bytes.Replace(page, []byte("</body>"), []byte(script+"<script>"+tour+"</script></body>"), 1)
	require.NoError(t, os.WriteFile(file, page, 0o600))
	var m [][]byte
	for try := range 3 { // a browser may end before the page does
		ctx, cancel := context.WithTimeout(context.Background(), 2*time.Minute)
		cmd := exec.CommandContext(ctx, command, "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
			"--user-data-dir="+filepath.Join(dir, fmt.Sprint("profile", try)), "--host-resolver-rules=MAP * ~NOTFOUND",
			"--window-size="+size, "--virtual-time-budget=60000", "--dump-dom", (&url.URL{Scheme: "file", Path: file}).String())
		out, err := cmd.Output()
		cancel()
		m = regexp.MustCompile(`(?s)<pre id="found">(.*?)</pre>`).FindSubmatch(out)
		if m != nil {
			break
		}
		t.Logf("the browser ended with %d bytes: %v", len(out), err)
	}
	require.NotNil(t, m, "the tour did not come to its end")
	var f found
	require.NoError(t, json.Unmarshal([]byte(html.UnescapeString(string(m[1]))), &f))
	require.Empty(t, f.Error)
	return f
}

// layered is a program of two layers of two calls.
func layered(t *testing.T, dev device.Device) *explorer.Explorer {
	t.Helper()
	module, err := mlir.Parse("layers.mlir", []byte(`func.func @main(%x: tensor<64x64xf32>, %w: tensor<64x64xf32>) -> tensor<64x64xf32> {
  %0 = "aten.mm"(%x, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("body.0.linear"("net.py":3:1))
  %1 = "aten.relu"(%0) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("body.0.relu"("net.py":4:1))
  %2 = "aten.mm"(%1, %w) : (tensor<64x64xf32>, tensor<64x64xf32>) -> tensor<64x64xf32> loc("body.1.linear"("net.py":3:1))
  %3 = "aten.relu"(%2) : (tensor<64x64xf32>) -> tensor<64x64xf32> loc("body.1.relu"("net.py":4:1))
  return %3 : tensor<64x64xf32>
}`))
	require.NoError(t, err)
	e, err := explorer.New(explorer.Program{Name: "layers", Module: module, Device: dev,
		Inputs: []*buf.Buffer{buf.New(dtype.F32, []int{64, 64}), buf.New(dtype.F32, []int{64, 64})}})
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

// The saved page works in a browser without a network: every view opens, keys open layers and change
// views, a selection is marked everywhere, what can be focused has a name, and a narrow window needs
// no scrolling sideways. With ACAP_AXE the rules of axe-core hold in every view.
func TestBrowser(t *testing.T) {
	e := layered(t, acap.Device())
	e.Compare(layered(t, host.Device()))
	var page bytes.Buffer
	require.NoError(t, e.WritePage(context.Background(), &page))
	for _, size := range []string{"1400,900", "500,800"} {
		f := visit(t, page.Bytes(), size)
		require.Equal(t, strings.Fields("graph stages kernels array timeline roofline memory whatif compare"), f.Views)
		require.Equal(t, f.Views, f.Tabs)
		require.Empty(t, f.Alerts)
		require.Empty(t, f.Nameless)
		require.Empty(t, f.Violations)
		require.Positive(t, f.Opened)
		require.Empty(t, f.Wide, size)
		for _, view := range []string{"graph", "stages", "kernels"} {
			require.Positive(t, f.Marked[view], view)
		}
	}
}
