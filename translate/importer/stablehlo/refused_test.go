package stablehlo_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/stablehlo"
)

// TestRefused: what an operation gets wrong is an error with its place that says what.
func TestRefused(t *testing.T) {
	const conv = `{batch_group_count = 1 : i64, feature_group_count = 1 : i64, dimension_numbers = #stablehlo.conv<[b, f, 0, 1]x[o, i, 0, 1]->[b, f, 0, 1]>}`
	convolution := func(attrs string) string {
		return `%0 = "stablehlo.convolution"(%i, %k) ` + attrs + ` : (tensor<1x2x4x4xf32>, tensor<2x2x2x2xf32>) -> tensor<1x2x3x3xf32>`
	}
	reduce := func(body string) string {
		return `%0 = "stablehlo.reduce"(%v, %z) ({` + body + `}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>`
	}
	for text, want := range map[string]string{
		`%0 = "stablehlo.dot"(%z, %v) : (tensor<f32>, tensor<4xf32>) -> tensor<4xf32>`:                                                                                                                                             "operands without dimensions",
		`%0 = stablehlo.dot_general %x, %x, contracting_dims = [0, 1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>`:                                                                                                 "other numbers of dimensions left and right",
		`%0 = stablehlo.dot_general %x, %x, contracting_dims = [0] x [1] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3x2xf32>`:                                                                                                  "extents 2 and 3 differ",
		`%0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [1], contracting_dims = [1] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2xf32>`:                                                                         "extents 2 and 3 differ",
		`%0 = stablehlo.dot_general %x, %x, contracting_dims = [2] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>`:                                                                                                    "contracting dimensions",
		`%0 = stablehlo.dot_general %x, %x, batching_dims = [0] x [0], contracting_dims = [0] x [0] : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3x3xf32>`:                                                                     "contracting dimensions",
		convolution(strings.Replace(conv, "[b, f, 0, 1]x", "[b, f, 0]x", 1)):                                                                                                                                                       "the dimension numbers do not fit",
		convolution(strings.Replace(conv, "batch_group_count = 1", "batch_group_count = 2", 1)):                                                                                                                                    "batch_group_count 2 of a batch of 1",
		convolution(strings.Replace(conv, "feature_group_count = 1", "feature_group_count = 2", 1)):                                                                                                                                "2 groups of 2 input and 2 output features, kernels of 2",
		convolution(strings.Replace(conv, "feature_group_count = 1", "feature_group_count = 0", 1)):                                                                                                                                "0 groups of",
		convolution(strings.Replace(conv, "{", "{window_strides = array<i64: 1>, ", 1)):                                                                                                                                            "window_strides must be 2 integers",
		convolution(strings.Replace(conv, "{", "{window_strides = array<i64: 1, 0>, ", 1)):                                                                                                                                         "an empty window, or a step below 1",
		convolution(strings.Replace(conv, "{", "{rhs_dilation = array<i64: 0, 1>, ", 1)):                                                                                                                                           "an empty window, or a step below 1",
		convolution(strings.Replace(conv, "{", "{lhs_dilation = array<i64: 0, 1>, ", 1)):                                                                                                                                           "negative interior padding",
		reduce(`^bb0(%a: tensor<f32>): "stablehlo.return"(%a) : (tensor<f32>) -> ()`):                                                                                                                                              "a region takes 1 arguments, not 2",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = stablehlo.add %a, %v : (tensor<f32>, tensor<4xf32>) -> tensor<f32>\n\"stablehlo.return\"(%c) : (tensor<f32>) -> ()"):                                                  "a region uses a tensor with dimensions",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\n\"stablehlo.return\"(%c) : (tensor<2xf32>) -> ()"):                                                              "a constant of a region must be one element",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = \"foo.bar\"(%a) : (tensor<f32>) -> tensor<f32>\n\"stablehlo.return\"(%c) : (tensor<f32>) -> ()"):                                                                      "is not supported in the region of another operation",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>): %c = \"func.call\"(%a) {callee = @no} : (tensor<f32>) -> tensor<f32>\n\"stablehlo.return\"(%c) : (tensor<f32>) -> ()"):                                                     "a call of an unknown function",
		`%0 = "stablehlo.reduce"(%v) ({^bb0(%a: tensor<f32>): "stablehlo.return"(%a) : (tensor<f32>) -> ()}) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>`:                                                        "1 operands for 1 results",
		`%0 = stablehlo.slice %v [-1:2] : (tensor<4xf32>) -> tensor<3xf32>`:                                                                                                                                                        "the slice -1:2:1 of 4 elements",
		`%0 = stablehlo.slice %v [2:1] : (tensor<4xf32>) -> tensor<1xf32>`:                                                                                                                                                         "the slice 2:1:1 of 4 elements",
		`%0 = stablehlo.slice %v [0:2:0] : (tensor<4xf32>) -> tensor<2xf32>`:                                                                                                                                                       "the slice 0:2:0 of 4 elements",
		`%0 = stablehlo.concatenate %x, %v, dim = 0 : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<6x3xf32>`:                                                                                                                         "operands of different ranks",
		`%0 = stablehlo.concatenate %x, %y, dim = 0 : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<5x3xf32>`:                                                                                                                       "does not fit",
		`%0 = stablehlo.pad %v, %z, low = [-3], high = [-3], interior = [0] : (tensor<4xf32>, tensor<f32>) -> tensor<0xf32>`:                                                                                                       "padding -3 and -3 crops more than the 4 elements there are",
		`%0 = stablehlo.pad %v, %z, low = [0], high = [0], interior = [-1] : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>`:                                                                                                        "negative interior padding",
		`%0 = stablehlo.dynamic_slice %x, %n, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>) -> tensor<1x1xf32>`:                                                                                                                  "1 starts for 2 dimensions",
		`%0 = stablehlo.dynamic_slice %x, %n, %z, sizes = [1, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<f32>) -> tensor<1x1xf32>`:                                                                                                 "a start must be an integer without dimensions",
		`%0 = stablehlo.dynamic_slice %x, %n, %n, sizes = [3, 1] : (tensor<2x3xf32>, tensor<i32>, tensor<i32>) -> tensor<3x1xf32>`:                                                                                                 "a slice of [3 1] from [2 3]",
		`%0 = stablehlo.dynamic_update_slice %x, %y, %n, %n : (tensor<2x3xf32>, tensor<3x2xf32>, tensor<i32>, tensor<i32>) -> tensor<2x3xf32>`:                                                                                     "a slice of [3 2] from [2 3]",
		`%0 = stablehlo.add %x, %y : (tensor<2x3xf32>, tensor<3x2xf32>) -> tensor<2x3xf32>`:                                                                                                                                        "does not fit the result",
		`%0 = chlo.broadcast_add %x, %v : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<2x3xf32>`:                                                                                                                                     "does not fit the result",
		`%0 = chlo.broadcast_add %x, %v : (tensor<2x3xf32>, tensor<4xf32>) -> tensor<4xf32>`:                                                                                                                                       "operand 0 has more dimensions than the result",
		`%0:2 = "stablehlo.abs"(%v) : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)`:                                                                                                                                           "stablehlo.abs: is not supported",
		"%0 = \"stablehlo.abs\"(%v) ({^bb0(%a: tensor<f32>): \"stablehlo.return\"(%a) : (tensor<f32>) -> ()}) : (tensor<4xf32>) -> tensor<4xf32>":                                                                                  "stablehlo.abs: is not supported",
		`%0 = "stablehlo.nothing"(%v) : (tensor<4xf32>) -> tensor<4xf32>`:                                                                                                                                                          "is not supported",
		`%0 = "stablehlo.and"(%v, %v) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                                                                                                                                           "is not supported for elements of type f32",
		`%0 = "stablehlo.tanh"(%n) : (tensor<i32>) -> tensor<i32>`:                                                                                                                                                                 "is not supported for elements of type i32",
		`%0:2 = chlo.top_k(%v, k = 5) : tensor<4xf32> -> (tensor<5xf32>, tensor<5xi32>)`:                                                                                                                                           "k is 5, of tensor<4xf32>",
		`%0 = stablehlo.reverse %v, dims = [1] : tensor<4xf32>`:                                                                                                                                                                    "dim",
		`%0 = "stablehlo.cholesky"(%v) {lower = true} : (tensor<4xf32>) -> tensor<4xf32>`:                                                                                                                                          "takes matrices of floats",
		`%0 = "stablehlo.triangular_solve"(%v, %v) {left_side = true, lower = true, unit_diagonal = false, transpose_a = #stablehlo<transpose NO_TRANSPOSE>} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                    "takes matrices of floats",
		`%0 = "stablehlo.fft"(%v) {fft_type = #stablehlo<fft_type RFFT>, fft_length = array<i64: 2, 2>} : (tensor<4xf32>) -> tensor<2xcomplex<f32>>`:                                                                               "2 lengths of 1 dimensions",
		`%0 = "stablehlo.while"(%n) ({^bb0(%a: tensor<i32>, %b: tensor<i32>): "stablehlo.return"(%p) : (tensor<i1>) -> ()}, {^bb0(%a: tensor<i32>): "stablehlo.return"(%a) : (tensor<i32>) -> ()}) : (tensor<i32>) -> tensor<i32>`: "1 operands, but regions of 2 and 1 arguments",
		`%0 = "stablehlo.while"(%n) ({^bb0(%a: tensor<i32>): "stablehlo.return"(%a) : (tensor<i32>) -> ()}, {^bb0(%a: tensor<i32>): "stablehlo.return"(%a) : (tensor<i32>) -> ()}) : (tensor<i32>) -> tensor<i32>`:                 "the condition must give one bool",
		`%0 = "stablehlo.case"(%n) : (tensor<i32>) -> tensor<i32>`:                                                                                                                                                                 "has no branches",
		`%0 = "stablehlo.constant"() {value = 5 : i32} : () -> tensor<i32>`:                                                                                                                                                        "a constant that is no dense elements",
		`%0 = stablehlo.dynamic_reshape %v, %s : (tensor<4xf32>, tensor<1xi32>) -> tensor<?xf32>`:                                                                                                                                  "stablehlo.dynamic_reshape: an extent of tensor<?xf32> is a value of the running program, operand 1",
		"%t = stablehlo.create_token : !stablehlo.token\n" + `%0:2 = "stablehlo.infeed"(%t) {infeed_config = ""} : (!stablehlo.token) -> (tensor<2xf32>, !stablehlo.token)`:                                                        "stablehlo.infeed: exchanges values with a host",
		"%t = stablehlo.create_token : !stablehlo.token\n" + `%0 = "stablehlo.outfeed"(%v, %t) {outfeed_config = ""} : (tensor<4xf32>, !stablehlo.token) -> !stablehlo.token`:                                                      "stablehlo.outfeed: exchanges values with a host",
		`%0 = "stablehlo.tan"() : () -> tensor<4xf32>`:                                                                                                                                                                             "stablehlo.tan: is not supported",
		`%0 = "stablehlo.dynamic_iota"(%s) {iota_dimension = 0 : i64} : (tensor<1xi32>) -> tensor<?xf32>`:                                                                                                                          "stablehlo.dynamic_iota: an extent of tensor<?xf32> is a value of the running program, operand 0",
		`%0 = "stablehlo.gather"(%x, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0, 1], index_vector_dim = 0>, slice_sizes = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>`: "the dimension numbers do not fit",
		`%0 = "stablehlo.gather"(%x, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 0>, slice_sizes = array<i64: 1, 4>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<4xf32>`:    "a slice of [1 4] from [2 3]",
		`%0 = "stablehlo.gather"(%x, %s) {dimension_numbers = #stablehlo.gather<offset_dims = [0], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 2>, slice_sizes = array<i64: 1, 3>} : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3xf32>`:    "the dimension numbers do not fit",
		`%0 = "stablehlo.iota"() {iota_dimension = 1 : i64} : () -> tensor<4xf32>`:                                                                            "iota_dimension",
		`%0 = "func.call"(%v) {callee = @nothing} : (tensor<4xf32>) -> tensor<4xf32>`:                                                                         "a call of @nothing, which has no body that fits",
		`%0 = "stablehlo.dynamic_pad"(%v, %z, %s, %s, %s) : (tensor<4xf32>, tensor<f32>, tensor<1xi32>, tensor<1xi32>, tensor<1xi32>) -> tensor<4xf32>`:       "operand 2 must be a constant",
		"%4 = stablehlo.convert %v : (tensor<4xf32>) -> tensor<4xi4>\n%0 = \"stablehlo.dot\"(%4, %4) : (tensor<4xi4>, tensor<4xi4>) -> tensor<i4>":            "is not supported for elements of 2 or 4 bits",
		"%4 = stablehlo.convert %v : (tensor<4xf32>) -> tensor<4xi4>\n%0 = stablehlo.bitcast_convert %4 : (tensor<4xi4>) -> tensor<4xui4>":                    "is not supported for elements of 2 or 4 bits",
		"%4 = stablehlo.convert %v : (tensor<4xf32>) -> tensor<4xf8E5M2>\n%0 = stablehlo.bitcast_convert %4 : (tensor<4xf8E5M2>) -> tensor<2xi16>":            "from f8E5M2 to i16",
		`%0 = stablehlo.reduce_precision %v, format = e0m10 : tensor<4xf32>`:                                                                                  "the format e0m10",
		`%0 = "stablehlo.reduce_precision"(%v) {exponent_bits = 5 : i32} : (tensor<4xf32>) -> tensor<4xf32>`:                                                  "the format e5m-1",
		`%0 = "stablehlo.reduce"(%v) ({}) {dimensions = array<i64: 0>} : (tensor<4xf32>) -> tensor<f32>`:                                                      "1 operands for 1 results",
		`%0 = "stablehlo.reduce"(%v, %z) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>`:                                          "region 0 must be one block",
		`"stablehlo.reduce"() ({}) {dimensions = array<i64: 0>} : () -> ()`:                                                                                   "0 operands for 0 results",
		`%0:2 = "stablehlo.reduce"(%v, %z) ({}) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> (tensor<f32>, tensor<f32>)`:                    "2 operands for 2 results",
		`%0 = "stablehlo.scatter"(%v, %s) ({}) {scatter_dimension_numbers = #stablehlo.scatter<>} : (tensor<4xf32>, tensor<1xi32>) -> tensor<4xf32>`:          "2 operands for 1 results",
		`%0 = "stablehlo.sort"(%z) ({}) {dimension = 0 : i64} : (tensor<f32>) -> tensor<f32>`:                                                                 "1 operands for 1 results, of 0 dimensions",
		`%0:2 = "stablehlo.sort"(%v) ({}) {dimension = 0 : i64} : (tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>)`:                                          "1 operands for 2 results, of 1 dimensions",
		`%0 = chlo.lgamma %n : tensor<i32> -> tensor<i32>`:                                                                                                    "takes floats of one shape, not tensor<i32>",
		`%0 = chlo.digamma %v : tensor<4xf32> -> tensor<3xf32>`:                                                                                               "takes floats of one shape, not tensor<4xf32>",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%1 = stablehlo.add %a, %b : tensor<f32>"):                                                            "a region ends without stablehlo.return",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%1 = stablehlo.constant dense<[1.0, 2.0]> : tensor<2xf32>\nstablehlo.return %a : tensor<f32>"):       "a constant of a region must be one element",
		reduce("^bb0(%a: tensor<f32>, %b: tensor<f32>):\n%1 = func.call @nothing(%a) : (tensor<f32>) -> tensor<f32>\nstablehlo.return %1 : tensor<f32>"):      "a call of an unknown function",
		`%0 = "stablehlo.dot"(%v, %z) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>`:                                                                        "operands without dimensions",
		`%0 = "stablehlo.triangular_solve"(%v, %v) {left_side = true, lower = true, unit_diagonal = false} : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`: "takes matrices of floats",
		`%0 = "stablehlo.reduce_window"(%v) ({}) {window_dimensions = array<i64: 2>} : (tensor<4xf32>) -> tensor<3xf32>`:                                      "1 operands for 1 results",
		`%0 = "stablehlo.reduce_window"(%v, %z, %z) ({}) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>, tensor<f32>) -> tensor<3xf32>`:    "3 operands for 1 results",
		`%0:2 = "stablehlo.reduce_window"(%v, %z) ({}) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> (tensor<3xf32>, tensor<3xf32>)`:  "2 operands for 2 results",
		`%0 = "stablehlo.reduce_window"(%v, %z) {window_dimensions = array<i64: 2>} : (tensor<4xf32>, tensor<f32>) -> tensor<3xf32>`:                          "region 0 must be one block",
		`%0 = "stablehlo.while"(%z) ({
^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> }, {
^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> }) : (tensor<f32>) -> tensor<f32>`: "the condition must give one bool",
		`%0 = "stablehlo.while"(%z) ({
^bb0(%a: tensor<f32>): stablehlo.return %p, %p : tensor<i1>, tensor<i1> }, {
^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> }) : (tensor<f32>) -> tensor<f32>`: "the condition must give one bool",
		`%0 = "stablehlo.while"(%z) ({
^bb0: stablehlo.return %p : tensor<i1> }, {
^bb0(%a: tensor<f32>): stablehlo.return %a : tensor<f32> }) : (tensor<f32>) -> tensor<f32>`: "1 operands, but regions of 0 and 1 arguments",
		`%0 = "stablehlo.while"(%z) ({
^bb0(%a: tensor<f32>): stablehlo.return %p : tensor<i1> }, {
^bb0: stablehlo.return %z : tensor<f32> }) : (tensor<f32>) -> tensor<f32>`: "1 operands, but regions of 1 and 0 arguments",
		`%0 = "func.call"(%n) {callee = @main} : (tensor<i32>) -> tensor<4xf32>`: "a call of @main",
	} {
		module, err := mlir.Parse("x.mlir", []byte("func.func @main(%x: tensor<2x3xf32>, %y: tensor<3x2xf32>, %v: tensor<4xf32>, %z: tensor<f32>, %n: tensor<i32>, %s: tensor<1xi32>, "+
			"%q: tensor<2x2xf32>, %p: tensor<i1>, %i: tensor<1x2x4x4xf32>, %k: tensor<2x2x2x2xf32>) {\n"+text+"\nreturn\n}"))
		require.NoError(t, err, text)
		err = stablehlo.Lower(module)
		require.ErrorContains(t, err, want, text)
		require.ErrorContains(t, err, "x.mlir:", text)
	}
	module, err := mlir.Parse("x.mlir", []byte("func.func @main(%x: tensor<2xf32>) -> tensor<2xf32> {\n%0 = stablehlo.abs %x : tensor<2xf32>\n"+
		"cf.br ^bb1\n^bb1:\nreturn %0 : tensor<2xf32>\n}"))
	require.NoError(t, err)
	require.ErrorContains(t, stablehlo.Lower(module), "has several blocks")
}
