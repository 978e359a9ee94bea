package tosa_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/importer/tosa"
)

// TestRefused: what cannot be lowered is an error with its line, the operation and the reason.
func TestRefused(t *testing.T) {
	for text, want := range map[string]string{
		`%0 = tosa.exp %o : (tensor<?xf32>) -> tensor<?xf32>`:                                                                                                                             "tosa.exp: needs static shapes, not tensor<?xf32>",
		`%0 = tosa.reshape %o {new_shape = array<i64: 7>} : (tensor<?xf32>) -> tensor<7xf32>`:                                                                                             "tosa.reshape: needs static shapes",
		`%0 = "tosa.custom"(%o) {operator_name = "x"} : (tensor<?xf32>) -> tensor<?xf32>`:                                                                                                 "tosa.custom: is not supported",
		`%0 = "tosa.exp"(%a) {quantization_info = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x3xf32>`:                                                                                        "tosa.exp: quantization is not supported",
		`%0 = "tosa.exp"(%i) : (tensor<4xi32>) -> tensor<4xi32>`:                                                                                                                          "tosa.exp: does not work on i32",
		`%0 = "tosa.int_div"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<2x3xf32>`:                                                                                             "tosa.int_div: does not work on f32",
		`%0 = "tosa.add"(%a, %i) : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<2x3xf32>`:                                                                                                   "tosa.add: shapes [4] and [2 3] do not fit",
		`%0 = "tosa.add"(%a, %a) : (tensor<2x3xf32>, tensor<2x3xf32>) -> tensor<3xf32>`:                                                                                                   "tosa.add: an operand has more dimensions than the result",
		`%0 = "tosa.reduce_all"(%a) {axis = 1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>`:                                                                                              "tosa.reduce_all: does not work on f32",
		`%0 = "tosa.reduce_sum"(%a) {axis = 2 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>`:                                                                                              "tosa.reduce_sum: there is no axis 2 among 2",
		`%0 = "tosa.reduce_sum"(%a) {axis = -1 : i32} : (tensor<2x3xf32>) -> tensor<2x1xf32>`:                                                                                             "tosa.reduce_sum: there is no axis -1 among 2",
		`%0 = "tosa.reduce_sum"(%a) : (tensor<2x3xf32>) -> tensor<2x1xf32>`:                                                                                                               "tosa.reduce_sum: needs an integer axis",
		`%0 = "tosa.reshape"(%a) {new_shape = array<i64: 7>} : (tensor<2x3xf32>) -> tensor<7xf32>`:                                                                                        "tosa.reshape: 6 elements have no shape [7]",
		`%0 = "tosa.transpose"(%a, %i) : (tensor<2x3xf32>, tensor<4xi32>) -> tensor<3x2xf32>`:                                                                                             "tosa.transpose: operand 1 has to be a constant",
		`%0 = "tosa.transpose"(%a, %one) : (tensor<2x3xf32>, tensor<1xi32>) -> tensor<3x2xf32>`:                                                                                           "tosa.transpose: needs 2 dimensions",
		`%0 = "tosa.transpose"(%a, %ones) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x3xf32>`:                                                                                          "tosa.transpose: [1 1] is no permutation",
		`%0 = "tosa.transpose"(%a, %far) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<3x3xf32>`:                                                                                           "tosa.transpose: [0 2] is no permutation",
		`%0 = "tosa.slice"(%a) {start = array<i64: 0, 0>, size = array<i64: 2>} : (tensor<2x3xf32>) -> tensor<2x3xf32>`:                                                                   "tosa.slice: needs 2 integers in size",
		`%0 = "tosa.slice"(%a) {start = array<i64: 1, 0>, size = array<i64: 2, 3>} : (tensor<2x3xf32>) -> tensor<2x3xf32>`:                                                                "tosa.slice: 2 elements from 1 are outside of 2",
		`%0 = "tosa.pad"(%a, %ones) : (tensor<2x3xf32>, tensor<2xi32>) -> tensor<4x4xf32>`:                                                                                                "tosa.pad: needs two numbers for each of 2 dimensions",
		`%0 = "tosa.pad"(%a, %less) : (tensor<2x3xf32>, tensor<2x2xi32>) -> tensor<2x3xf32>`:                                                                                              "tosa.pad: pads by a negative number",
		`%0 = "tosa.pad"(%a) : (tensor<2x3xf32>) -> tensor<4x4xf32>`:                                                                                                                      "tosa.pad: has only 1 operands",
		`%0 = "tosa.reshape"(%a) {new_shape = array<i64: 6>} : (tensor<2x3xf32>) -> tensor<6xf16>`:                                                                                        "tosa.reshape: gives tensor<6xf32>, not tensor<6xf16>",
		`%0:2 = "tosa.negate"(%a) : (tensor<2x3xf32>) -> (tensor<2x3xf32>, tensor<2x3xf32>)`:                                                                                              "tosa.negate: has 2 results",
		`%0 = "tosa.table"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`:                                                                                                     "tosa.table: works on 8 and 16 bits, not on i32",
		`%0 = "tosa.resize"(%a) {scale = array<i64: 1, 1, 1, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>, mode = "BILINEAR"} : (tensor<2x3xf32>) -> tensor<1x1x1x1xf32>`:     "tosa.resize: needs images of four dimensions and positive scales",
		`%0 = "tosa.resize"(%p) {scale = array<i64: 1, 1, 0, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>, mode = "BILINEAR"} : (tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>`: "tosa.resize: needs images of four dimensions and positive scales",
		`%0 = "tosa.resize"(%p) {scale = array<i64: 0, 1, 1, 1>, offset = array<i64: 0, 0>, border = array<i64: 0, 0>, mode = "BILINEAR"} : (tensor<1x2x2x1xf32>) -> tensor<1x1x1x1xf32>`: "tosa.resize: needs images of four dimensions and positive scales",
		`%0 = "tosa.max_pool2d"(%a) {kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<2x3xf32>) -> tensor<2x3xf32>`:                          "tosa.max_pool2d: needs an input of 4 dimensions",
		`%0 = "tosa.max_pool2d"(%p) {kernel = array<i64: 1, 1>, pad = array<i64: 0, 0, 0>, stride = array<i64: 1, 1>} : (tensor<1x2x2x1xf32>) -> tensor<1x2x2x1xf32>`:                     "tosa.max_pool2d: needs 4 integers in pad",
		`%0 = "tosa.rescale"(%i) {input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32: 1, 2>, shift = array<i8: 1>} : (tensor<4xi32>) -> tensor<4xi32>`:                       "tosa.rescale: multipliers and shifts do not fit",
		`%0 = "tosa.rescale"(%i) {input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32>, shift = array<i8>} : (tensor<4xi32>) -> tensor<4xi32>`:                                "tosa.rescale: multipliers and shifts do not fit",
		`%0 = "tosa.rescale"(%i) {input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32: 1, 2>, shift = array<i8: 1, 1>} : (tensor<4xi32>) -> tensor<4xi32>`:                    "tosa.rescale: multipliers and shifts do not fit",
		`"tosa.yield"(%a) : (tensor<2x3xf32>) -> ()`:                                                                                                                                      "tosa.yield: is in no choice and no loop",
		`%0 = "tosa.cond_if"(%c) ({}, {}) : (tensor<i1>) -> tensor<2x3xf32>`:                                                                                                              "tosa.cond_if: needs regions of one block",
		`%0 = "tosa.cond_if"(%c, %a) ({ "tosa.yield"(%a) : (tensor<2x3xf32>) -> () }, { "tosa.yield"(%a) : (tensor<2x3xf32>) -> () }) : (tensor<i1>, tensor<2x3xf32>) -> tensor<2x3xf32>`: "tosa.cond_if: needs regions of one block",
		`%0 = "tosa.while_loop"(%a) ({
^bb0(%x: tensor<2x3xf32>): "tosa.yield"(%c, %c) : (tensor<i1>, tensor<i1>) -> () }, {
^bb0(%x: tensor<2x3xf32>): "tosa.yield"(%x) : (tensor<2x3xf32>) -> () }) : (tensor<2x3xf32>) -> tensor<2x3xf32>`: "tosa.while_loop: needs a condition",
	} {
		module, err := mlir.Parse("program.mlir", []byte(`func.func @main(%a: tensor<2x3xf32>, %i: tensor<4xi32>, %o: tensor<?xf32>, %c: tensor<i1>, %p: tensor<1x2x2x1xf32>) {
  %one = "tosa.const"() {value = dense<0> : tensor<1xi32>} : () -> tensor<1xi32>
  %ones = "tosa.const"() {value = dense<1> : tensor<2xi32>} : () -> tensor<2xi32>
  %far = "tosa.const"() {value = dense<[0, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
  %less = "tosa.const"() {value = dense<[[-1, 1], [0, 0]]> : tensor<2x2xi32>} : () -> tensor<2x2xi32>
`+text+"\nreturn\n}"))
		require.NoError(t, err, text)
		require.True(t, tosa.Has(module))
		err = tosa.Lower(module)
		require.ErrorContains(t, err, "program.mlir:6:", text)
		require.ErrorContains(t, err, want, text)
		var unsupported *tosa.UnsupportedError
		require.True(t, errors.As(err, &unsupported), text)
	}
	module, err := mlir.Parse("program.mlir", []byte("func.func @main() {\nreturn\n}"))
	require.NoError(t, err)
	require.False(t, tosa.Has(module))
	require.Equal(t, "tosa.exp: too many", (&tosa.UnsupportedError{Name: "tosa.exp", Reason: "too many"}).Error())
}
