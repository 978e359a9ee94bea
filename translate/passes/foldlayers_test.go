package passes_test

import (
	"context"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes"
)

// onHost runs a module.
func onHost(t *testing.T, module *mlir.Operation, inputs []*buf.Buffer) []*buf.Buffer {
	t.Helper()
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), inputs)
	require.NoError(t, err)
	return out
}

// TestFoldLayers: each body is left with the operations that are listed, and computes what it
// computed before.
func TestFoldLayers(t *testing.T) {
	const (
		wt   = `%wt = "aten.t"(%w) : (tensor<4x3xf32>) -> tensor<3x4xf32>` + "\n"
		mm   = `%m = "aten.mm"(%x, %wt) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>` + "\n"
		conv = `%m = "aten.conv2d"(%i, %k, %b) {stride = array<i64: 1, 1>, padding = array<i64: 1, 0>, dilation = array<i64: 1, 1>, groups = 1 : i64} : (tensor<2x3x4x5xf32>, tensor<4x3x3x2xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>` + "\n"
		norm = `%r = "aten.batch_norm"(%m, %g, %h, %mean, %var) {operandSegmentSizes = array<i32: 1, 1, 1, 1, 1>, training = false, momentum = 0.1 : f64, eps = 0.25 : f64, cudnn_enabled = false}`
		four = ` : (tensor<2x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>`
		two  = ` : (tensor<2x4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4xf32>`
		bare = `%r = "aten.batch_norm"(%m, %mean, %var) {operandSegmentSizes = array<i32: 1, 0, 0, 1, 1>, training = false, momentum = 0.1 : f64, eps = 0.25 : f64, cudnn_enabled = false} : (tensor<2x4x4x4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<2x4x4x4xf32>`
		lin  = `%m = "aten.linear"(%x, %w, %b) : (tensor<2x3xf32>, tensor<4x3xf32>, tensor<4xf32>) -> tensor<2x4xf32>` + "\n"
	)
	add := func(other string, alpha string) string {
		return `%r = "aten.add.Tensor"(%m, %` + other + `) {` + alpha + `} : (tensor<2x4xf32>, tensor<` +
			map[string]string{"b": "4", "q": "2x4", "o": "1"}[other] + `xf32>) -> tensor<2x4xf32>`
	}
	random := func(seed uint64, shape ...int) *buf.Buffer {
		b := buf.New(mlir.DTypeOf(mlir.F32), shape)
		for i := range b.Len() {
			b.SetFloat64(i, float64((uint64(i)*7+seed*5)%11)/4-1)
		}
		return b
	}
	positive := random(9, 4)
	for i := range positive.Len() {
		positive.SetFloat64(i, 0.5+float64(i))
	}
	inputs := []*buf.Buffer{random(1, 2, 3), random(2, 4, 3), random(3, 4), random(4, 2, 4), random(5, 1),
		random(6, 2, 3, 4, 5), random(7, 4, 3, 3, 2), random(8, 4), random(9, 4), random(10, 4), positive}
	for _, c := range []struct {
		name, body string
		left       string // whether these are left, the others are not
		gone       string
	}{
		{"a product", wt + strings.Replace(mm, "%m", "%r", 1), "linear", "mm"},
		{"matmul", wt + `%r = "aten.matmul"(%x, %wt) : (tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, "linear", "matmul"},
		{"transposed by numbers", `%wt = "aten.transpose.int"(%w) {dim0 = 0 : i64, dim1 = -1 : i64} : (tensor<4x3xf32>) -> tensor<3x4xf32>` + "\n" +
			strings.Replace(mm, "%m", "%r", 1), "linear", "mm"},
		{"transposed by the same numbers", `%s = "aten.mm"(%q, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>
%wt = "aten.transpose.int"(%w) {dim0 = 0 : i64, dim1 = -2 : i64} : (tensor<4x3xf32>) -> tensor<4x3xf32>
%r = "aten.mm"(%q, %wt) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>`, "mm", "linear"},
		{"a bias", wt + mm + add("b", "alpha = 1 : i64"), "linear", "mm add.Tensor"},
		{"a bias twice", wt + mm + add("b", "alpha = 2 : i64"), "linear add.Tensor", "mm"},
		{"a matrix", wt + mm + add("q", "alpha = 1 : i64"), "linear add.Tensor", "mm"},
		{"one number", wt + mm + add("o", "alpha = 1 : i64"), "linear add.Tensor", "mm"},
		{"a bias behind a layer that has one", lin + add("b", "alpha = 1 : i64"), "linear add.Tensor", ""},
		{"a product that is used again", wt + mm + add("b", "alpha = 1 : i64") + "\n" +
			`%also = "aten.relu"(%m) : (tensor<2x4xf32>) -> tensor<2x4xf32>`, "linear add.Tensor", "mm"},
		{"addmm", wt + `%r = "aten.addmm"(%b, %x, %wt) {beta = 1 : i64, alpha = 1 : i64} : (tensor<4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, "linear", "addmm"},
		{"addmm with beta", wt + `%r = "aten.addmm"(%b, %x, %wt) {beta = 2 : i64, alpha = 1 : i64} : (tensor<4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, "addmm", "linear"},
		{"addmm with alpha", wt + `%r = "aten.addmm"(%b, %x, %wt) {beta = 1 : i64, alpha = 2 : i64} : (tensor<4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, "addmm", "linear"},
		{"addmm with a matrix", wt + `%r = "aten.addmm"(%q, %x, %wt) {beta = 1 : i64, alpha = 1 : i64} : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<3x4xf32>) -> tensor<2x4xf32>`, "addmm", "linear"},
		{"a weight that is not transposed", `%r = "aten.mm"(%q, %w) : (tensor<2x4xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>`, "mm", "linear"},
		{"a norm behind a convolution", conv + norm + four, "conv2d rsqrt", "batch_norm"},
		{"a norm without weights", conv + bare, "conv2d rsqrt", "batch_norm"},
		{"a norm behind a convolution without a bias", strings.NewReplacer("%k, %b)", "%k)", ", tensor<4xf32>) ->", ") ->").Replace(conv) + norm + four, "conv2d rsqrt neg", "batch_norm"},
		{"a norm behind a layer", lin + norm + two, "linear rsqrt", "batch_norm"},
		{"a norm in training", conv + strings.Replace(norm, "training = false", "training = true", 1) + four, "conv2d batch_norm", "rsqrt"},
		{"a norm of what is used again", conv + norm + four + "\n" +
			`%also = "aten.relu"(%m) : (tensor<2x4x4x4xf32>) -> tensor<2x4x4x4xf32>`, "conv2d batch_norm", "rsqrt"},
	} {
		result := c.body[strings.Index(c.body, "%r = "):]
		result, _, _ = strings.Cut(result, "\n")
		result = result[strings.LastIndex(result, "-> ")+3:]
		results, values := result, "%r"
		if _, also, ok := strings.Cut(c.body, "%also"); ok {
			results, values = result+", "+also[strings.LastIndex(also, "-> ")+3:], "%r, %also"
		}
		text := `func.func @main(%x: tensor<2x3xf32>, %w: tensor<4x3xf32>, %b: tensor<4xf32>, %q: tensor<2x4xf32>, %o: tensor<1xf32>,
  %i: tensor<2x3x4x5xf32>, %k: tensor<4x3x3x2xf32>, %g: tensor<4xf32>, %h: tensor<4xf32>, %mean: tensor<4xf32>, %var: tensor<4xf32>) -> (` + results + ") {\n" +
			c.body + "\nreturn " + values + " : " + results + "\n}"
		module, err := mlir.Parse("layers.mlir", []byte(text))
		require.NoError(t, err, c.name)
		want := onHost(t, module.Clone(map[*mlir.Value]*mlir.Value{}), inputs)
		require.NoError(t, run(passes.Inference, module), c.name)
		require.NoError(t, mlir.Verify(module), c.name)
		for _, name := range strings.Fields(c.left) {
			require.Contains(t, module.String(), `"aten.`+name+`"`, c.name)
		}
		for _, name := range strings.Fields(c.gone) {
			require.NotContains(t, module.String(), `"aten.`+name+`"`, c.name)
		}
		for i, b := range onHost(t, module, inputs) {
			for k := range b.Len() {
				require.InDelta(t, want[i].Float64(k), b.Float64(k), 1e-4, c.name)
			}
		}
	}
}
