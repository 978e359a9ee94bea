package tosa_test

import (
	"math"
	"strings"
	"testing"

	"github.com/go-acap/acap/base/buf"
)

// TestValues: results that the specification's formulas give by hand, for operations that the recorded
// programs leave out.
func TestValues(t *testing.T) {
	f := buf.From([]float32{0.25, 4, 1, 16}, 4)
	i := buf.From([]int32{5, -3, 0, 7}, 4)
	bools := buf.From([]bool{true, true, false, false}, 4)
	other := buf.From([]bool{true, false, true, false}, 4)
	for text, want := range map[string][]float64{
		`%r = tosa.rsqrt %f : (tensor<4xf32>) -> tensor<4xf32>`:                                                        {2, 0.5, 1, 0.25},
		`%r = tosa.log %f : (tensor<4xf32>) -> tensor<4xf32>`:                                                          {-2 * math.Ln2, 2 * math.Ln2, 0, 4 * math.Ln2},
		`%r = tosa.pow %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                                       {math.Sqrt2 / 2, 256, 1, 1 << 62 * 4},
		`%r = tosa.equal %f, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>`:                                    {0, 0, 1, 0},
		`%r = tosa.greater %f, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>`:                                  {0, 1, 0, 1},
		`%r = tosa.greater_equal %f, %one : (tensor<4xf32>, tensor<1xf32>) -> tensor<4xi1>`:                            {0, 1, 1, 1},
		`%r = tosa.logical_and %b, %o : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>`:                                  {1, 0, 0, 0},
		`%r = tosa.logical_or %b, %o : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>`:                                   {1, 1, 1, 0},
		`%r = tosa.logical_xor %b, %o : (tensor<4xi1>, tensor<4xi1>) -> tensor<4xi1>`:                                  {0, 1, 1, 0},
		`%r = "tosa.mul"(%i, %i) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`:                                    {25, 9, 0, 49},
		`%r = "tosa.mul"(%i, %i) {shift = 1 : i8} : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`:                   {13, 5, 0, 25},
		`%r = "tosa.identity"(%i) : (tensor<4xi32>) -> tensor<4xi32>`:                                                  {5, -3, 0, 7},
		`%r = "tosa.arithmetic_right_shift"(%i, %i1) {round = true} : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>`: {3, -1, 0, 4},
		`%r = "tosa.arithmetic_right_shift"(%i, %i1) : (tensor<4xi32>, tensor<1xi32>) -> tensor<4xi32>`:                {2, -2, 0, 3},
		`%r = "tosa.cast"(%f) : (tensor<4xf32>) -> tensor<4xf16>`:                                                      {0.25, 4, 1, 16},
		`%n = "tosa.cast"(%f) : (tensor<4xf32>) -> tensor<4xf16>
%r = "tosa.cast"(%n) : (tensor<4xf16>) -> tensor<4xf32>`: {0.25, 4, 1, 16},
		`%r = "tosa.cast"(%i) : (tensor<4xi32>) -> tensor<4xi32>`: {5, -3, 0, 7},
		`%r = "tosa.cast"(%i) : (tensor<4xi32>) -> tensor<4xi1>`:  {1, 1, 0, 1},
		// The scale is 3/4; a scalar, and a row with a scale for each column.
		`%r = "tosa.rescale"(%s) {input_zp = 2 : i32, output_zp = 10 : i32, multiplier = array<i32: 3>, shift = array<i8: 2>} : (tensor<i32>) -> tensor<i32>`:                         {10 + 15},
		`%r = "tosa.rescale"(%i) {input_zp = 1 : i32, output_zp = -1 : i32, multiplier = array<i32: 3, 3, 3, 1000>, shift = array<i8: 0, 2, 1, 1>} : (tensor<4xi32>) -> tensor<4xi8>`: {11, -4, -2, 127},
		// Double rounding moves numbers away from zero by 2^30 / 2^shift first.
		`%r = "tosa.rescale"(%i) {input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32: 536870912>, shift = array<i8: 32>, double_round = true} : (tensor<4xi32>) -> tensor<4xi32>`: {1, -1, 0, 1},
		`%r = "tosa.rescale"(%i) {input_zp = 0 : i32, output_zp = 0 : i32, multiplier = array<i32: 536870912>, shift = array<i8: 31>, double_round = true} : (tensor<4xi32>) -> tensor<4xi32>`: {1, -1, 0, 2},
		`%v = "tosa.const"() {value = dense<9> : tensor<i32>} : () -> tensor<i32>
%p = "tosa.const"() {value = dense<[1, 2]> : tensor<2xi32>} : () -> tensor<2xi32>
%r = "tosa.pad"(%i, %p, %v) : (tensor<4xi32>, tensor<2xi32>, tensor<i32>) -> tensor<7xi32>`: {9, 5, -3, 0, 7, 9, 9},
		`%p = "tosa.const"() {value = dense<[0, 1]> : tensor<2xi32>} : () -> tensor<2xi32>
%r = "tosa.pad"(%i, %p) : (tensor<4xi32>, tensor<2xi32>) -> tensor<5xi32>`: {5, -3, 0, 7, 0},
		`%p = "tosa.const"() {value = dense<[0, 0]> : tensor<2xi32>} : () -> tensor<2xi32>
%r = "tosa.pad"(%i, %p) : (tensor<4xi32>, tensor<2xi32>) -> tensor<4xi32>`: {5, -3, 0, 7},
		`%r = "tosa.tile"(%i) {multiples = array<i64: 1>} : (tensor<4xi32>) -> tensor<4xi32>`:       {5, -3, 0, 7},
		`%r = "tosa.reshape"(%s) {new_shape = array<i64: 1, 1>} : (tensor<i32>) -> tensor<1x1xi32>`: {22},
		`%r = "tosa.argmax"(%i) {axis = 0 : i32} : (tensor<4xi32>) -> tensor<i32>`:                  {3},
		`%k = "tosa.reshape"(%s) {new_shape = array<i64: 1>} : (tensor<i32>) -> tensor<1xi32>
%r = "tosa.reshape"(%k) {new_shape = array<i64>} : (tensor<1xi32>) -> tensor<i32>`: {22},
		`%r = "tosa.reduce_max"(%i) {axis = 0 : i32} : (tensor<4xi32>) -> tensor<1xi32>`: {7},
		`%r = "tosa.reduce_min"(%i) {axis = 0 : i32} : (tensor<4xi32>) -> tensor<1xi32>`: {-3},
		`%c = "tosa.greater"(%z, %s) : (tensor<i32>, tensor<i32>) -> tensor<i1>
%r = "tosa.cond_if"(%c, %i, %w) ({
^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>): "tosa.yield"(%x) : (tensor<4xi32>) -> ()
}, {
^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>):
  %k = "tosa.sub"(%x, %y) : (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>
  "tosa.yield"(%k) : (tensor<4xi32>) -> ()
}) : (tensor<i1>, tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32>`: {3, -4, -3, 3},
		`%c = "tosa.const"() {values = dense<false> : tensor<1xi1>} : () -> tensor<1xi1>
%q = tosa.cond_if %c (%x = %i, %y = %w) : tensor<1xi1> (tensor<4xi32>, tensor<4xi32>) -> tensor<4xi32> {
^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>):
  tosa.yield %x : tensor<4xi32>
} else {
^bb0(%x: tensor<4xi32>, %y: tensor<4xi32>):
  tosa.yield %y : tensor<4xi32>
}
%r = "tosa.identity"(%q) : (tensor<4xi32>) -> tensor<4xi32>`: {2, 1, 3, 4},
		`%e = "tosa.const"() {values = dense<[100, -3]> : tensor<2xi8>} : () -> tensor<2xi8>
%n = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
%r = "tosa.mul"(%e, %e, %n) : (tensor<2xi8>, tensor<2xi8>, tensor<1xi8>) -> tensor<2xi8>`: {10000 - 39*256, 9},
		`%m = "tosa.const"() {value = dense<[[0.5, 2.0, 4.0, 1.0]]> : tensor<1x4xf16>} : () -> tensor<1x4xf16>
%b16 = "tosa.const"() {value = dense<0.25> : tensor<1xf16>} : () -> tensor<1xf16>
%r = "tosa.fully_connected"(%m, %m, %b16) : (tensor<1x4xf16>, tensor<1x4xf16>, tensor<1xf16>) -> tensor<1x1xf32>`: {21.5},
	} {
		result := text[strings.LastIndex(text, "-> ")+3:]
		module := "func.func @main(%f: tensor<4xf32>, %i: tensor<4xi32>, %b: tensor<4xi1>, %o: tensor<4xi1>) -> " + result + ` {
%one = "tosa.const"() {value = dense<1.0> : tensor<1xf32>} : () -> tensor<1xf32>
%i1 = "tosa.const"() {value = dense<1> : tensor<1xi32>} : () -> tensor<1xi32>
%s = "tosa.const"() {value = dense<22> : tensor<i32>} : () -> tensor<i32>
%z = "tosa.const"() {value = dense<0> : tensor<i32>} : () -> tensor<i32>
%w = "tosa.const"() {value = dense<[2, 1, 3, 4]> : tensor<4xi32>} : () -> tensor<4xi32>
` + text + "\nreturn %r : " + result + "\n}"
		got := numbers(runText(t, module, []*buf.Buffer{f, i, bools, other})[0])
		near(t, want, got, text)
	}
}
