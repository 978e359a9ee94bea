package report_test

import (
	"bytes"
	"encoding/json"
	"encoding/xml"
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/translate/passes/report"
)

// layers are operations with what PyTorch/ACAP's tests expect of them.
var layers = map[string]report.Statistics{
	`"aten.add"(%a, %a, %one) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>`: {
		"activation_in": 12, "activation_out": 6, "ops:+": 6, "reads": 12, "writes": 6},
	`"aten.addmm"(%bias, %x, %w) : (tensor<16xf32>, tensor<1x1024xf32>, tensor<1024x16xf32>) -> tensor<1x16xf32>`: {
		"activation_in": 1024, "activation_out": 16, "ops:+": 16, "ops:MAC": 16384, "parameters_in": 16400,
		"reads": 17424, "writes": 16},
	`"aten.native_batch_norm"(%n, %c, %c) : (tensor<42x123x4x5xf32>, tensor<123xf32>, tensor<123xf32>) -> tensor<42x123x4x5xf32>`: {
		"activation_in": 103320, "activation_out": 103320, "ops:*": 310206, "ops:+": 413280, "ops:-": 123,
		"ops:/": 123, "ops:sqrt": 123, "parameters_in": 246, "reads": 103566, "writes": 103320},
	`"aten._convolution"(%i, %k, %bias) : (tensor<1x2x128x128xf32>, tensor<16x2x7x7xf32>, tensor<16xf32>) -> tensor<1x16x64x64xf32>`: {
		"activation_in": 32768, "activation_out": 65536, "ops:+": 65536, "ops:MAC": 6422528,
		"parameters_in": 1584, "reads": 34352, "writes": 65536},
	`"aten._convolution"(%i, %k3, %bias) : (tensor<1x2x128x128xf32>, tensor<16x2x3x3xf32>, tensor<16xf32>) -> tensor<1x16x64x64xf32>`: {
		"activation_in": 32768, "activation_out": 65536, "ops:+": 65536, "ops:MAC": 1179648,
		"parameters_in": 304, "reads": 33072, "writes": 65536},
	`"aten.convolution_backward_overrideable"(%g, %p, %q) : (tensor<3x4x8x8xf32>, tensor<3x16x10x10xf32>, tensor<4x16x3x3xf32>) -> tensor<3x16x10x10xf32>`: {
		"activation_in": 5568, "grad": 5380, "ops:+": 768, "ops:MAC": 345600, "parameters_in": 576,
		"reads": 6144, "writes": 5380},
	`"aten.max_pool2d"(%m) {kernel_size = array<i64: 3, 3>} : (tensor<1x32x16x16xf32>) -> tensor<1x32x8x8xf32>`: {
		"activation_in": 8192, "activation_out": 2048, "ops:>": 16384, "reads": 8192, "writes": 2048},
	`"aten.relu"(%a) : (tensor<1x2x3xf32>) -> tensor<1x2x3xf32>`: {
		"activation_in": 6, "activation_out": 6, "ops:>": 6, "reads": 6, "writes": 6},
	`"aten.t"(%x) : (tensor<1x1024xf32>) -> tensor<1024x1xf32>`: {
		"activation_in": 0, "activation_out": 0, "reads": 0, "writes": 0},
	`"aten.nothing_known"(%x) : (tensor<1x1024xf32>) -> tensor<1024x1xf32>`: {},
}

const layerArgs = `func.func @f(%a: tensor<1x2x3xf32>, %one: i32, %bias: tensor<16xf32>, %x: tensor<1x1024xf32>,
	%w: tensor<1024x16xf32>, %n: tensor<42x123x4x5xf32>, %c: tensor<123xf32>, %i: tensor<1x2x128x128xf32>,
	%k: tensor<16x2x7x7xf32>, %k3: tensor<16x2x3x3xf32>, %g: tensor<3x4x8x8xf32>, %p: tensor<3x16x10x10xf32>,
	%q: tensor<4x16x3x3xf32>, %m: tensor<1x32x16x16xf32>) {
`

func TestOperators(t *testing.T) {
	for text, want := range layers {
		module, err := mlir.Parse("x.mlir", []byte(layerArgs+text+"\nreturn }"))
		require.NoError(t, err)
		report := report.Operators(module)
		require.Len(t, report, 1)
		for name, got := range report {
			require.Regexp(t, "^L0-.*-0$", name)
			require.Equal(t, want, got, text)
		}
	}
}

const twoLayers = `func.func @f(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = "aten.relu"(%x) : (tensor<4xf32>) -> tensor<4xf32>
  %1 = "aten.relu"(%0) : (tensor<4xf32>) -> tensor<4xf32>
  %2 = "aten.add.Tensor"(%0, %1) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>
  return %2 : tensor<4xf32>
}
func.func @g(%x: tensor<4xf32>) -> tensor<4xf32> {
  %0 = call @f(%x) : (tensor<4xf32>) -> tensor<4xf32>
  return %0 : tensor<4xf32>
}`

func TestReports(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(twoLayers))
	require.NoError(t, err)
	require.Equal(t, map[string]map[string]int{
		"L0-relu-0": {"parameters": 4, "L0-relu-0": 4},
		"L1-relu-1": {"L0-relu-0": 4, "L1-relu-1": 4},
		"L2-add-0":  {"L0-relu-0": 4, "L1-relu-1": 4, "L2-add-0": 4, "returns": 4},
	}, report.Liveness(module))
	for _, r := range report.All {
		var b bytes.Buffer
		require.NoError(t, r.Write(&b, module))
		switch r.Name {
		case "view":
			require.NoError(t, xml.Unmarshal(b.Bytes(), new(struct{})))
		case "view-dot":
			require.Contains(t, b.String(), "f0n1 -> f0n3;")
		default:
			require.True(t, json.Valid(b.Bytes()), r.Name)
		}
	}
}

// TestWriteOperators: the JSON is indented by two spaces, with sorted keys that stay as they are.
func TestWriteOperators(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(twoLayers))
	require.NoError(t, err)
	var text strings.Builder
	require.NoError(t, report.WriteOperators(&text, module))
	require.Regexp(t, `^\{\n  "L0-relu-0": \{\n    "[^\n]*\n`, text.String())
	require.Contains(t, text.String(), `"ops:>"`)
}

// TestOperatorsGoldens compares with the recorded rows of whole models, where they are.
func TestOperatorsGoldens(t *testing.T) {
	data, err := os.ReadFile("../../../shared/facts/op_report_golden.json")
	if err != nil {
		t.Skip("the recorded reports are not here")
	}
	var golden struct {
		Lit map[string]report.Statistics `json:"lit_golden"`
	}
	require.NoError(t, json.Unmarshal(data, &golden))
	for name, want := range golden.Lit {
		found := false
		for _, got := range layers {
			found = found || assert.ObjectsAreEqual(want, got)
		}
		require.True(t, found, name)
	}
}
