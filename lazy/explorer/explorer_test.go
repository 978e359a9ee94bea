package explorer_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"html"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	_ "github.com/go-acap/acap/base/longtest" // collects garbage less often
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy/explorer"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/trace"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

// lenet is the program of a LeNet on a device.
func lenet(t testing.TB, dev device.Device) *explorer.Explorer {
	t.Helper()
	file := digits.Model()
	path := filepath.Join(t.TempDir(), "digits.pt")
	require.NoError(t, os.WriteFile(path, file, 0o600))
	m, err := torchscript.Read(bytes.NewReader(file), int64(len(file)), "digits.pt")
	require.NoError(t, err)
	module, err := m.Import([]ops.TensorType{{DType: dtype.F32, Shape: []int{1, 1, 28, 28}}})
	require.NoError(t, err)
	e, err := explorer.New(explorer.Program{Name: "digits.pt", Module: module, Device: dev,
		Inputs: []*buf.Buffer{buf.New(dtype.F32, []int{1, 1, 28, 28})}, Source: explorer.SourceArchive(path)})
	require.NoError(t, err)
	t.Cleanup(e.Close)
	return e
}

func part[T any](t testing.TB, e *explorer.Explorer, name string) T {
	t.Helper()
	v, err := e.Part(context.Background(), name)
	require.NoError(t, err, name)
	require.IsType(t, *new(T), v)
	return v.(T)
}

// Calls are numbered, name calls before them, their layers, and lines that are there to be seen.
func TestModel(t *testing.T) {
	m := part[*explorer.Model](t, lenet(t, acap.Device()), "model")
	require.Greater(t, len(m.Calls), 5)
	require.Len(t, m.Inputs, 1)
	require.Len(t, m.Outputs, 1)
	layered := 0
	for i, c := range m.Calls {
		require.Equal(t, i+1, c.ID)
		require.NotEmpty(t, c.Types)
		for _, in := range c.In {
			require.Less(t, in, c.ID)
			require.Positive(t, in)
		}
		if len(c.Path) > 0 {
			layered++
		}
		require.Contains(t, m.Sources[c.File], c.Line, "%s at %s:%d", c.Op, c.File, c.Line)
	}
	require.Positive(t, layered)
	require.Equal(t, "model", m.Parts[0])
	require.Contains(t, m.Stages, "aten")
	for _, dev := range []device.Device{acap.Device(), host.Device()} {
		e := lenet(t, dev)
		for _, stage := range part[*explorer.Model](t, e, "model").Stages {
			require.Equal(t, stage, part[*explorer.Stage](t, e, "stage/"+stage).Name)
		}
	}
}

// TestHandedOver: the host hands inputs over before a run, and weights not.
func TestHandedOver(t *testing.T) {
	ctx := context.Background()
	mark := " {" + trace.ConstantMark + "}"
	for _, c := range []struct {
		x, w    string
		written int64
	}{{"", "", 2 * 4 << 20}, {"", mark, 4 << 20}, {mark, "", 4 << 20}, {mark, mark, 0}} {
		module, err := mlir.Parse("m.mlir", []byte("func.func @main(%x: tensor<1048576xf32>"+c.x+", %w: tensor<1048576xf32>"+c.w+
			") -> tensor<1048576xf32> {\n%0 = \"aten.mul.Tensor\"(%x, %w) : (tensor<1048576xf32>, tensor<1048576xf32>) -> tensor<1048576xf32>\n"+
			"return %0 : tensor<1048576xf32>\n}"))
		require.NoError(t, err)
		exe, err := acap.Device().Compile(ctx, module.Clone(map[*mlir.Value]*mlir.Value{}))
		require.NoError(t, err)
		defer exe.Close()
		inputs := []*buf.Buffer{buf.New(dtype.F32, []int{1 << 20}), buf.New(dtype.F32, []int{1 << 20})}
		e, err := explorer.New(explorer.Program{Name: "m", Module: module, Device: acap.Device(), Inputs: inputs})
		require.NoError(t, err)
		t.Cleanup(e.Close)
		r := acap.ReportOf(exe)
		r.Written = c.written
		require.Equal(t, r.Total().Seconds, part[*explorer.Compiled](t, e, "program").Total.Seconds)
	}
}

// The array's views show what the report says.
func TestArray(t *testing.T) {
	e := lenet(t, acap.Device())
	program := part[*explorer.Compiled](t, e, "program")
	require.Positive(t, program.Total.Seconds)
	floor := part[*explorer.Floor](t, e, "array")
	require.Len(t, floor.Kernels, len(program.Kernels))
	require.NotEmpty(t, floor.Tiles)
	for _, k := range floor.Kernels {
		require.NotEmpty(t, k.Tiles, program.Kernels[k.Kernel].Name)
		for _, tile := range append(k.Tiles, floor.Tiles...) {
			require.Less(t, tile.Row, len(floor.Rows))
			require.Less(t, tile.Column, floor.Columns)
			require.True(t, tile.Busy >= 0 && tile.Busy <= 1)
		}
	}
	timeline := part[*explorer.Timeline](t, e, "timeline")
	kernels := map[int]bool{}
	for _, track := range timeline.Tracks {
		for _, s := range track.Slices {
			require.GreaterOrEqual(t, s[0], 0.0)
			require.LessOrEqual(t, s[0]+s[1], timeline.Seconds*1e6*1.5+1)
			require.Less(t, int(s[3]), len(timeline.Names))
			kernels[int(s[2])] = true
		}
	}
	for i, k := range program.Kernels {
		require.Equal(t, !k.Once && k.Problem == "", kernels[i], k.Name)
	}
	for _, p := range program.Roofline {
		require.Positive(t, p.Rate)
	}
	what := part[*explorer.WhatIf](t, e, "whatif")
	require.NotEmpty(t, what.Changes)
	require.Equal(t, what.Seconds, what.Runs[0].Seconds)
	half := part[*explorer.Elsewhere](t, e, "whatif/npu2/bf16")
	require.Equal(t, "npu2", half.Machine)
	require.NotEmpty(t, half.Kernels)
	for _, bad := range []string{"whatif/none/bf16", "whatif/npu1/i8", "stage/none", "none", "other"} {
		_, err := e.Part(context.Background(), bad)
		require.Error(t, err, bad)
	}
}

var (
	embedded = regexp.MustCompile(`(?s)<script type="application/json" data-part="([^"]*)">(.*?)</script>`)
	outside  = regexp.MustCompile(`(?i)(src|href)\s*=\s*"([^"]*)"|url\(([^)]*)\)|@import`)
)

// A saved page holds every part and refers to nothing outside of it; the served one has
// the calls and gives the rest when asked.
func TestPage(t *testing.T) {
	e := lenet(t, acap.Device())
	e.Compare(lenet(t, host.Device()))
	var page bytes.Buffer
	require.NoError(t, e.WritePage(context.Background(), &page))
	var names []string
	for _, m := range embedded.FindAllStringSubmatch(page.String(), -1) {
		names = append(names, m[1])
		var value map[string]any
		require.NoError(t, json.Unmarshal([]byte(m[2]), &value), m[1])
		require.NotContains(t, value, "error", m[1])
	}
	require.Equal(t, e.Parts(), names)
	require.Contains(t, names, "other")
	shell := embedded.ReplaceAllString(page.String(), "")
	for _, m := range outside.FindAllStringSubmatch(shell, -1) {
		to := m[2] + m[3]
		require.True(t, strings.HasPrefix(to, "#") || to == "data:," || to == "saved.html", m[0])
	}
	require.NotContains(t, shell, "sourceMappingURL")
	require.Contains(t, shell, "Copyright (c) 2012-2014 Chris Pettitt", "the layout's licence goes with each copy")
	require.NotContains(t, shell, "{{")

	server := httptest.NewServer(e)
	defer server.Close()
	get := func(path string) (int, string) {
		answer, err := http.Get(server.URL + path)
		require.NoError(t, err)
		defer answer.Body.Close()
		text, err := io.ReadAll(answer.Body)
		require.NoError(t, err)
		return answer.StatusCode, string(text)
	}
	status, text := get("/")
	require.Equal(t, http.StatusOK, status)
	require.Len(t, embedded.FindAllString(text, -1), 1)
	for _, name := range e.Parts() {
		status, text := get("/part/" + name)
		require.Equal(t, http.StatusOK, status, name)
		require.True(t, json.Valid([]byte(text)))
	}
	status, text = get("/saved.html")
	require.Equal(t, http.StatusOK, status)
	require.Equal(t, page.String(), text)
	for _, path := range []string{"/part/none", "/part/whatif/none/f32", "/none", "/part/stage/../model"} {
		status, _ = get(path)
		require.Equal(t, http.StatusNotFound, status, path)
	}
	answer, err := http.Post(server.URL, "text/plain", nil)
	require.NoError(t, err)
	answer.Body.Close()
	require.Equal(t, http.StatusMethodNotAllowed, answer.StatusCode)
}

// Text of a model cannot leave its place in the page.
func TestHostileNames(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32> loc("</script><script>alert(1)</script>"("<b>.py":1:1))
  return %0 : tensor<3xf32>
}`))
	require.NoError(t, err)
	e, err := explorer.New(explorer.Program{Name: `"><script>`, Module: module, Device: host.Device()})
	require.NoError(t, err)
	defer e.Close()
	var page bytes.Buffer
	require.NoError(t, e.WritePage(context.Background(), &page))
	require.NotContains(t, page.String(), "<script>alert")
	require.NotContains(t, page.String(), `"><script>`)
	require.NotContains(t, page.String(), "<b>.py")
	_, err = e.Part(context.Background(), "measured")
	require.Error(t, err) // there are no inputs
}

// A program that the device cannot compile is an error of its parts; the calls are shown.
func TestPartsFailAlone(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.relu"(%x) : (tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
	require.NoError(t, err)
	e, err := explorer.New(explorer.Program{Name: "x", Module: module, Device: broken{host.Device()}})
	require.NoError(t, err)
	defer e.Close()
	part[*explorer.Model](t, e, "model")
	part[*explorer.Stage](t, e, "stage/linalg")
	_, err = e.Part(context.Background(), "program")
	require.ErrorIs(t, err, errBroken)
	var page bytes.Buffer
	require.NoError(t, e.WritePage(context.Background(), &page))
	require.Contains(t, page.String(), errBroken.Error())
}

type broken struct{ device.Device }

var errBroken = errors.New("it does not compile")

func (broken) Compile(context.Context, *mlir.Operation) (device.Executable, error) {
	return nil, errBroken
}

// Calls in the regions of control flow are calls of a layer, and the operation takes what they yield.
func TestControlFlow(t *testing.T) {
	module, err := mlir.Parse("if.mlir", []byte(`func.func @main(%x: tensor<4xf32>, %n: tensor<i1>) -> tensor<4xf32> {
  %c = tensor.extract %n[] : tensor<i1>
  %r = scf.if %c -> (tensor<4xf32>) {
    %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %0 : tensor<4xf32>
  } else {
    %1 = "aten.neg"(%x) : (tensor<4xf32>) -> tensor<4xf32>
    scf.yield %1 : tensor<4xf32>
  }
  return %r : tensor<4xf32>
}`))
	require.NoError(t, err)
	e, err := explorer.New(explorer.Program{Name: "if", Module: module, Device: acap.Device()})
	require.NoError(t, err)
	defer e.Close()
	m := part[*explorer.Model](t, e, "model")
	require.Len(t, m.Calls, 4)
	require.Equal(t, []string{"tensor.extract", "aten.relu", "aten.neg", "scf.if"}, []string{m.Calls[0].Op, m.Calls[1].Op, m.Calls[2].Op, m.Calls[3].Op})
	require.Equal(t, []int{1, 2, 3}, m.Calls[3].In)
	require.Equal(t, []int{4}, m.Outputs)
	require.Equal(t, m.Calls[3].Path, m.Calls[1].Path)
	checkStage(t, part[*explorer.Stage](t, e, "stage/aten"), 4, 0)
	for _, k := range part[*explorer.Compiled](t, e, "program").Kernels {
		require.Subset(t, []int{2, 3}, k.Calls)
	}
}

// A program of pending tensors is shown without running, with the lines that recorded it.
func TestPending(t *testing.T) {
	x := tensor.Randn(4, 8).To(acap.Device())
	y := x.MatMul(x.T()).ReLU().Sum()
	e, err := explorer.Pending("sum", y)
	require.NoError(t, err)
	defer e.Close()
	m := part[*explorer.Model](t, e, "model")
	i := slices.IndexFunc(m.Calls, func(c explorer.Call) bool { return strings.Contains(c.Op, "relu") })
	require.GreaterOrEqual(t, i, 0)
	require.Equal(t, "explorer_test.go", m.Calls[i].File)
	require.Contains(t, m.Sources["explorer_test.go"][m.Calls[i].Line], "ReLU()")
	require.Len(t, part[*explorer.Measured](t, e, "measured").Kernels, len(part[*explorer.Compiled](t, e, "program").Kernels))
	_, err = explorer.Pending("nothing")
	require.Error(t, err)
}

// Names of requests that are no parts are refused, and take no memory, also where they differ only behind a part's
// name.
func TestUnknownParts(t *testing.T) {
	e := lenet(t, host.Device())
	for _, name := range []string{"", "none", "model/x", "program/1", "memory/", "stage", "stage/", "stage/none", "whatif/npu1/f32", "other/model"} {
		_, err := e.Part(context.Background(), name)
		require.ErrorContains(t, err, "no such part", name)
	}
	require.Empty(t, explorer.Kept(e))
	e = lenet(t, acap.Device())
	for _, name := range []string{"whatif/npu1", "whatif/npu1/f32", "whatif/none/bf16", "whatif/npu1/bf16/x", "array/x"} {
		_, err := e.Part(context.Background(), name)
		require.ErrorContains(t, err, "no such part", name)
	}
	require.Empty(t, explorer.Kept(e))
}

// The name of a file is text in the page, whatever it is.
func TestNamesInPages(t *testing.T) {
	for _, name := range []string{"{{parts}}.onnx", "{{scripts}}", "{{style}}{{title}}", "</title><script>x", "a&b"} {
		module, err := mlir.Parse("m", []byte(`func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %0 = "aten.add.Tensor"(%x, %x) : (tensor<3xf32>, tensor<3xf32>) -> tensor<3xf32>
  return %0 : tensor<3xf32>
}`))
		require.NoError(t, err)
		e, err := explorer.New(explorer.Program{Name: name, Module: module, Device: host.Device()})
		require.NoError(t, err)
		w := httptest.NewRecorder()
		e.ServeHTTP(w, httptest.NewRequest("GET", "/", nil))
		page := w.Body.String()
		require.Contains(t, page, "<h1>"+html.EscapeString(name)+"</h1>")
		require.Contains(t, page, "<title>"+html.EscapeString(name)+" – acap explorer</title>")
		require.Equal(t, 1, strings.Count(page, "<style>"), name)
		require.Equal(t, 1, strings.Count(page, `type="application/json"`), name)
		require.Greater(t, strings.Index(page, `type="application/json"`), strings.Index(page, "</noscript>"), name)
		e.Close()
	}
}

// TestLargeProgram: of a program with many kernels that differ a saved page has the program as it is, and others are
// computed when they are asked for.
func TestLargeProgram(t *testing.T) {
	chain := func(products int) *explorer.Explorer {
		var text strings.Builder
		fmt.Fprintf(&text, "func.func @main(%%v0: tensor<8x8xf32>")
		for i := range products {
			fmt.Fprintf(&text, ", %%w%d: tensor<%dx%dxf32>", i, 8*(i+1), 8*(i+2))
		}
		fmt.Fprintf(&text, ") -> tensor<8x%dxf32> {\n", 8*(products+1))
		for i := range products {
			fmt.Fprintf(&text, "%%v%d = \"aten.mm\"(%%v%d, %%w%d) : (tensor<8x%dxf32>, tensor<%[4]dx%[5]dxf32>) -> tensor<8x%[5]dxf32>\n",
				i+1, i, i, 8*(i+1), 8*(i+2))
		}
		fmt.Fprintf(&text, "return %%v%d : tensor<8x%dxf32>\n}", products, 8*(products+1))
		module, err := mlir.Parse("chain.mlir", []byte(text.String()))
		require.NoError(t, err)
		e, err := explorer.New(explorer.Program{Name: "chain", Module: module, Device: acap.Device()})
		require.NoError(t, err)
		t.Cleanup(e.Close)
		return e
	}
	few, many := part[*explorer.WhatIf](t, chain(3), "whatif"), part[*explorer.WhatIf](t, chain(11), "whatif")
	require.False(t, few.Asked)
	require.Len(t, few.Runs, len(few.Machines)+len(few.Precisions)-1)
	require.True(t, many.Asked)
	require.Len(t, many.Runs, 1)
	require.Equal(t, many.Seconds, many.Runs[0].Seconds)
	require.Positive(t, part[*explorer.Elsewhere](t, chain(11), "whatif/npu2/as recorded").Seconds)
}

// A page with all parts tells of each before it is made.
func TestOnPart(t *testing.T) {
	e := lenet(t, host.Device())
	var names []string
	e.OnPart = func(name string, number, of int) {
		require.Equal(t, len(names)+1, number)
		require.Equal(t, len(e.Parts()), of)
		names = append(names, name)
	}
	require.NoError(t, e.WritePage(context.Background(), io.Discard))
	require.Equal(t, e.Parts(), names)
}
