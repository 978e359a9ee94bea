package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/report"
)

// TestLayers: statistics by the formulas of each kind, worked out by hand for small shapes.
func TestLayers(t *testing.T) {
	const args = `func.func @f(%x: tensor<2x8xf32>, %w: tensor<4x8xf32>, %wt: tensor<8x4xf32>, %b: tensor<4xf32>, %l: tensor<3x2x8xf32>,
	%r: tensor<3x8x4xf32>, %i: tensor<1x3x4x4xf32>, %k: tensor<3x5x2x2xf32>, %v: tensor<1x2x5xf32>, %f: tensor<3x2x2xf32>, %c: tensor<8xf32>,
	%d: tensor<2x4xf32>, %e: tensor<2x3xf32>, %h: tensor<4x3xf32>, %z: tensor<f32>) {
`
	moved := func(in, out int) report.Statistics {
		return report.Statistics{"reads": in, "writes": out, "activation_in": in, "activation_out": out}
	}
	with := func(s report.Statistics, more report.Statistics) report.Statistics {
		for name, n := range more {
			s[name] = n
		}
		return s
	}
	weighted := func(macs, in, parameters, out int) report.Statistics {
		return report.Statistics{"ops:MAC": macs, "ops:+": out, "activation_in": in, "activation_out": out,
			"parameters_in": parameters, "reads": in + parameters, "writes": out}
	}
	for text, want := range map[string]report.Statistics{
		`"aten.linear"(%x, %w, %b) : (tensor<2x8xf32>, tensor<4x8xf32>, tensor<4xf32>) -> tensor<2x4xf32>`:                    weighted(64, 16, 36, 8),
		`"aten.linear"(%x, %w) : (tensor<2x8xf32>, tensor<4x8xf32>) -> tensor<2x4xf32>`:                                       weighted(64, 16, 32, 8),
		`"aten.addmm"(%b, %x, %wt) : (tensor<4xf32>, tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>`:                    weighted(64, 16, 36, 8),
		`"aten.mm"(%x, %wt) : (tensor<2x8xf32>, tensor<8x4xf32>) -> tensor<2x4xf32>`:                                          with(moved(48, 8), report.Statistics{"ops:MAC": 64}),
		`"aten.bmm"(%l, %r) : (tensor<3x2x8xf32>, tensor<3x8x4xf32>) -> tensor<3x2x4xf32>`:                                    with(moved(144, 24), report.Statistics{"ops:MAC": 192}),
		`"aten.convolution"(%i, %k) {transposed = true} : (tensor<1x3x4x4xf32>, tensor<3x5x2x2xf32>) -> tensor<1x5x5x5xf32>`:  weighted(48*20, 48, 60, 125),
		`"aten.convolution"(%i, %k) {transposed = false} : (tensor<1x3x4x4xf32>, tensor<3x5x2x2xf32>) -> tensor<1x3x3x3xf32>`: weighted(27*20, 48, 60, 27),
		`"aten.conv1d"(%v, %f) : (tensor<1x2x5xf32>, tensor<3x2x2xf32>) -> tensor<1x3x4xf32>`:                                 weighted(48, 10, 12, 12),
		`"aten.convolution_backward"(%c, %c, %c) : (tensor<8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<8xf32>`:            {},
		`"aten.convolution_backward"(%i, %i) : (tensor<1x3x4x4xf32>, tensor<1x3x4x4xf32>) -> tensor<8xf32>`:                   {},
		`"aten.linear"(%z, %w) : (tensor<f32>, tensor<4x8xf32>) -> tensor<4xf32>`:                                             weighted(4, 1, 32, 4),
		`"aten.convolution_backward"(%d, %e, %h) : (tensor<2x4xf32>, tensor<2x3xf32>, tensor<4x3xf32>) -> tensor<2x3xf32>`: {"ops:MAC": 6*4 + 6/3*12, "ops:+": 8,
			"activation_in": 14, "parameters_in": 12, "reads": 26, "writes": 22, "grad": 22},
		`"aten.max_pool2d_with_indices"(%i) {kernel_size = array<i64: 2>} : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x2xf32>)`: with(with(moved(48, 12), report.Statistics{"ops:>": 36}), report.Statistics{"writes": 24}),
		`"aten.max_pool2d"(%i) {kernel_size = array<i64: 2, 4>} : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x1xf32>)`:           with(moved(48, 6), report.Statistics{"ops:>": 42}),
		`"aten.max_pool2d"(%i) {kernel_size = array<i64: 1, 2, 2>} : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x2xf32>)`:        {},
		`"aten.max_pool2d"(%i) : (tensor<1x3x4x4xf32>) -> (tensor<1x3x2x2xf32>)`:                                            {},
		`"aten.sum"(%x) : (tensor<2x8xf32>) -> tensor<f32>`:                                                                 with(moved(16, 1), report.Statistics{"ops:+": 16}),
		`"aten.sub.Tensor"(%x, %x) {alpha = 1 : i64} : (tensor<2x8xf32>, tensor<2x8xf32>) -> tensor<2x8xf32>`:               with(moved(32, 16), report.Statistics{"ops:-": 16}),
		`"aten.mul.Scalar"(%x) {other = 2.0 : f64} : (tensor<2x8xf32>) -> tensor<2x8xf32>`:                                  with(moved(16, 16), report.Statistics{"ops:*": 16}),
		`"aten.div.Tensor"(%x, %c) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>`:                                   with(moved(24, 16), report.Statistics{"ops:/": 16}),
		`"aten.relu6"(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>`:                                                           with(moved(16, 16), report.Statistics{"ops:>": 16}),
		`"aten.exp"(%x) : (tensor<2x8xf32>) -> tensor<2x8xf32>`:                                                             moved(16, 16),
		`"aten.hypot"(%x, %c) : (tensor<2x8xf32>, tensor<8xf32>) -> tensor<2x8xf32>`:                                        moved(24, 16),
		`"aten.view"(%x) {size = array<i64: 16>} : (tensor<2x8xf32>) -> tensor<16xf32>`:                                     moved(0, 0),
		`"aten.log_softmax.int"(%x) {dim = 1 : i64} : (tensor<2x8xf32>) -> tensor<2x8xf32>`:                                 {},
		`"aten.batch_norm"(%x, %c, %c) : (tensor<2x8xf32>, tensor<8xf32>, tensor<8xf32>) -> tensor<2x8xf32>`: with(moved(16, 16), report.Statistics{
			"ops:+": 64, "ops:*": 64, "ops:-": 8, "ops:/": 8, "ops:sqrt": 8, "parameters_in": 16, "reads": 32}),
		`"aten.batch_norm"(%b) : (tensor<4xf32>) -> tensor<4xf32>`: with(moved(4, 4), report.Statistics{
			"ops:+": 16, "ops:*": 14, "ops:-": 1, "ops:/": 1, "ops:sqrt": 1, "parameters_in": 2, "reads": 6}),
	} {
		module, err := mlir.Parse("x.mlir", []byte(args+text+"\nreturn }"))
		require.NoError(t, err, text)
		report := report.Operators(module)
		require.Len(t, report, 1)
		for _, got := range report {
			require.Equal(t, want, got, text)
		}
	}
	// The form of 2019 has the window as a constant.
	module, err := mlir.Parse("x.mlir", []byte(args+`%n = "aten.constant"() {type = "List[i32]", value = dense<[2, 2]> : vector<2xi32>} : () -> !aten.list<i32>
"aten.max_pool2d"(%i, %n) : (tensor<1x3x4x4xf32>, !aten.list<i32>) -> (tensor<1x3x2x2xf32>)
return }`))
	require.NoError(t, err)
	require.Contains(t, report.Operators(module), "L0-max_pool2d-0")
	require.Equal(t, 36, report.Operators(module)["L0-max_pool2d-0"]["ops:>"])
}
