package tosa_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// checked is an operation with its operands and the type of its result.
type checked struct {
	arguments, text, result string
}

// TestVersion1: what mlir-opt of LLVM 22 takes and refuses of TOSA 1.0. Each right form is followed by what is wrong in it if one word is another.
func TestVersion1(t *testing.T) {
	for _, c := range []struct {
		checked
		wrong [][3]string // a word, what stands for it, and what is said
	}{
		{checked{"%a: tensor<1x5x4x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>",
			"tosa.conv2d %a, %w, %b, %z, %z {acc_type = f32, pad = array<i64: 0, 0, 1, 1>, stride = array<i64: 1, 1>, dilation = array<i64: 2, 1>}" +
				" : (tensor<1x5x4x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)", "tensor<1x3x5x3xf32>"}, [][3]string{
			{"stride = array<i64: 1, 1>", "stride = array<i64: 1, 3>", "leaves 4 of the width of 4 with padding 1 and 1, which is no whole number of strides of 3"},
			{"stride = array<i64: 1, 1>", "stride = array<i64: 0, 1>", "the stride of the height is 0"},
			{"dilation = array<i64: 2", "dilation = array<i64: -1", "the dilation of the height is -1"},
			{"pad = array<i64: 0, 0", "pad = array<i64: 0, -1", "the padding of the height is 0 and -1"},
			{"tensor<1x3x5x3xf32>", "tensor<1x3x4x3xf32>", "the width of the output is 4, want 5"},
			{"tensor<1x3x5x3xf32>", "tensor<1x3x5x2xf32>", "gives the extents [1 -1 -1 3]"},
			{"%b: tensor<3xf32>", "%b: tensor<2xf32>", "the bias has 2 elements, want 1 or 3"}}},
		{checked{"%a: tensor<1x3x3x2xi8>, %w: tensor<2x2x2x3xi8>, %b: tensor<6xi32>, %z: tensor<1xi8>",
			"tosa.depthwise_conv2d %a, %w, %b, %z, %z {acc_type = i32, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>, dilation = array<i64: 1, 1>}" +
				" : (tensor<1x3x3x2xi8>, tensor<2x2x2x3xi8>, tensor<6xi32>, tensor<1xi8>, tensor<1xi8>)", "tensor<1x2x2x6xi32>"}, [][3]string{
			{"tensor<1x2x2x6xi32>", "tensor<1x3x2x6xi32>", "the height of the output is 3, want 2"},
			{"%z: tensor<1xi8>", "%z: tensor<1xi16>", "a zero point of type i16 for elements of type i8"}}},
		{checked{"%a: tensor<1x3x3x2xf32>, %w: tensor<3x2x2x2xf32>, %b: tensor<3xf32>, %z: tensor<1xf32>",
			"tosa.transpose_conv2d %a, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: -1, 0, 0, 1>, stride = array<i64: 2, 2>}" +
				" : (tensor<1x3x3x2xf32>, tensor<3x2x2x2xf32>, tensor<3xf32>, tensor<1xf32>, tensor<1xf32>)", "tensor<1x5x7x3xf32>"}, [][3]string{
			{"tensor<1x5x7x3xf32>", "tensor<1x5x6x3xf32>", "the width of the output is 6, want 7"}, {"array<i64: -1, 0", "array<i64: -2, 0", "want more than -2"}}},
		{checked{"%a: tensor<1x4x4x2xi8>, %z: tensor<1xi8>", "tosa.avg_pool2d %a, %z, %z {acc_type = i32, kernel = array<i64: 2, 2>, pad = array<i64: 1, 1, 1, 0>," +
			" stride = array<i64: 2, 1>} : (tensor<1x4x4x2xi8>, tensor<1xi8>, tensor<1xi8>)", "tensor<1x3x4x2xi8>"}, [][3]string{
			{"stride = array<i64: 2", "stride = array<i64: 3", "no whole number of strides of 3"}, {"pad = array<i64: 1, 1", "pad = array<i64: 2, 0", "want less than the kernel's 2"},
			{"tensor<1x3x4x2xi8>", "tensor<1x3x5x2xi8>", "the width of the output is 5, want 4"}, {"%z: tensor<1xi8>", "%z: tensor<1xi32>", "a zero point of type i32"}}},
		{checked{"%a: tensor<1x4x4x2xi8>", "tosa.max_pool2d %a {kernel = array<i64: 2, 2>, pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 2, 2>} : (tensor<1x4x4x2xi8>)",
			"tensor<1x2x2x2xi8>"}, [][3]string{{"stride = array<i64: 2", "stride = array<i64: 3", "no whole number"}, {"kernel = array<i64: 2", "kernel = array<i64: 0", "want at least 1"},
			{"tensor<1x2x2x2xi8>", "tensor<1x2x2x2xi16>", "input, output"}}},
		{checked{"%a: tensor<1x3x3x2xf32>", "tosa.resize %a, %sc, %of, %bo {mode = BILINEAR} : (tensor<1x3x3x2xf32>, !tosa.shape<4>, !tosa.shape<2>, !tosa.shape<2>)",
			"tensor<1x6x5x2xf32>"}, [][3]string{{"tensor<1x6x5x2xf32>", "tensor<1x6x6x2xf32>", "the width of the output is 6, want 5"}, {"[4, 2, 4, 2]", "[4, 2, 4, 3]", "no whole number"}}},
		{checked{"%a: tensor<2x3x4xi8>, %w: tensor<2x4x2xi8>, %z: tensor<1xi8>", "tosa.matmul %a, %w, %z, %z : (tensor<2x3x4xi8>, tensor<2x4x2xi8>, tensor<1xi8>, tensor<1xi8>)",
			"tensor<2x3x2xi32>"}, [][3]string{{"%z: tensor<1xi8>", "%z: tensor<1xi32>", "a zero point of type i32"}, {"tensor<2x3x2xi32>", "tensor<2x3x3xi32>", "gives the extents [2 3 2]"}}},
		{checked{"%a: tensor<2x4xi8>, %w: tensor<1x4xi8>, %z: tensor<1xi8>", "tosa.mul %a, %w, %z : (tensor<2x4xi8>, tensor<1x4xi8>, tensor<1xi8>)", "tensor<2x4xi32>"}, [][3]string{
			{"%w: tensor<1x4xi8>", "%w: tensor<1x4xi16>", "factors of types i8 and i16"}, {"tensor<2x4xi32>", "tensor<2x4xi16>", "want an integer of at least 32 bits"}}},
		{checked{"%a: tensor<3x2xi8>, %w: tensor<2xi32>, %b: tensor<2xi8>, %z: tensor<1xi8>", "tosa.rescale %a, %w, %b, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND," +
			" per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<3x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi8>)", "tensor<3x2xi8>"}, [][3]string{
			{"scale32 = true", "scale32 = false", "multipliers of type i32, want i16"}, {"per_channel = true", "per_channel = false", "2 multipliers or shifts, want 1"},
			{"-> tensor<3x2xi8>", "-> tensor<3x2xi16>", "want integers of the same width"}}},
		{checked{"%a: tensor<2x3xf32>", "tosa.argmax %a {axis = 1 : i32} : (tensor<2x3xf32>)", "tensor<2xi32>"}, [][3]string{
			{"tensor<2xi32>", "tensor<3xi32>", "gives the extents [2]"}, {"tensor<2xi32>", "tensor<2xf32>", "places of type f32"}}},
		{checked{"%a: tensor<2x3x2xi8>, %w: tensor<2x4xi32>", "tosa.gather %a, %w : (tensor<2x3x2xi8>, tensor<2x4xi32>)", "tensor<2x4x2xi8>"}, [][3]string{
			{"tensor<2x4x2xi8>", "tensor<2x3x2xi8>", "gives the extents [2 4 2]"}}},
		{checked{"%a: tensor<2x3xf32>", "tosa.cast %a : (tensor<2x3xf32>)", "tensor<2x3xi8>"}, [][3]string{{"tensor<2x3xi8>", "tensor<3x2xi8>", "shapes must be the same"}}},
		{checked{"%a: tensor<2x3xf32>", "tosa.sigmoid %a : (tensor<2x3xf32>)", "tensor<2x3xf32>"}, [][3]string{{"-> tensor<2x3xf32>", "-> tensor<2x3xf16>", "input, output"}}},
		{checked{"%a: tensor<2x2xf32>, %z: tensor<1xf32>", "tosa.pad %a, %of4, %z : (tensor<2x2xf32>, !tosa.shape<4>, tensor<1xf32>)", "tensor<3x4xf32>"}, [][3]string{
			{"tensor<3x4xf32>", "tensor<3x3xf32>", "gives the extents [3 4]"}, {"[1, 0, 0, 2]", "[1, 0, -1, 2]", "want no negative number"}}},
	} {
		text := "func.func @main(" + c.arguments + ") -> " + c.result + ` {
  %sc = tosa.const_shape {values = dense<[4, 2, 4, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %of = tosa.const_shape {values = dense<[-1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %bo = tosa.const_shape {values = dense<[1, 0]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %of4 = tosa.const_shape {values = dense<[1, 0, 0, 2]> : tensor<4xindex>} : () -> !tosa.shape<4>
  %r = ` + c.text + " -> " + c.result + "\n  return %r : " + c.result + "\n}"
		require.NoError(t, verify(t, text), text)
		for _, w := range c.wrong {
			changed := strings.ReplaceAll(text, w[0], w[1])
			if result, ok := strings.CutPrefix(w[0], "-> "); ok { // of the result alone
				changed = strings.ReplaceAll(changed, "return %r : "+result, "return %r : "+strings.TrimPrefix(w[1], "-> "))
			}
			if name, typ, ok := strings.Cut(w[0], ": "); ok && strings.HasPrefix(name, "%") { // an operand: in the list of types, too
				_, other, _ := strings.Cut(w[1], ": ")
				before, after, _ := strings.Cut(changed, "%r = ")
				changed = before + "%r = " + strings.ReplaceAll(after, typ, other)
			}
			require.ErrorContains(t, verify(t, changed), w[2], changed)
		}
	}
}

func verify(t *testing.T, text string) error {
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err, text)
	return mlir.Verify(module)
}
