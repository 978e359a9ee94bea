package tosa_test

import (
	"os"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
)

// checked is an operation with its operands and the type of its result.
type checked struct {
	arguments, text, result string
}

// TestVersion1: what mlir-opt of LLVM 22 takes of TOSA 1.0, which it is asked where ACAP_MLIR_OPT names it, and what
// the specification refuses. Each right form is followed by what is wrong in it if one word is another.
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
			{"%w: tensor<1x4xi8>", "%w: tensor<1x4xi16>", "factors of types i8 and i16"}, {"tensor<2x4xi32>", "tensor<2x4xi4>", "want an integer that is not narrower"},
			{"tensor<2x4xi32>", "tensor<1x2x4xi32>", "a product of 3 dimensions for a factor of 2"}}},
		{checked{"%a: tensor<2x4xi16>", "tosa.mul %a, %a, %one : (tensor<2x4xi16>, tensor<2x4xi16>, tensor<1xi8>)", "tensor<2x4xi16>"}, nil},
		{checked{"%a: tensor<2x4xf32>", "tosa.mul %a, %a, %zero : (tensor<2x4xf32>, tensor<2x4xf32>, tensor<1xi8>)", "tensor<2x4xf32>"}, [][3]string{
			{"%a, %zero", "%a, %one", "a shift of 1 for factors of type f32, want 0"}}},
		{checked{"%a: tensor<2x4xf32>", "tosa.negate %a, %zf, %zf : (tensor<2x4xf32>, tensor<1xf32>, tensor<1xf32>)", "tensor<2x4xf32>"}, [][3]string{
			{"dense<0.0>", "dense<1.0>", "a zero point of 1 for elements of type f32, want 0"}}},
		{checked{"%a: tensor<2x4xf32>", "tosa.clamp %a {min_val = -1.0 : f32, max_val = 2.0 : f32} : (tensor<2x4xf32>)", "tensor<2x4xf32>"}, [][3]string{
			{"max_val = 2.0", "max_val = -2.0", "clamps from -1 to -2"}, {"max_val = 2.0", "max_val = 0x7FC00000", "clamps from -1 to NaN"}}},
		{checked{"%a: tensor<2x4xf32>", "tosa.reshape %a, %pair : (tensor<2x4xf32>, !tosa.shape<2>)", "tensor<4x2xf32>"}, [][3]string{
			{"tensor<4x2xf32>", "tensor<2x2x2xf32>", "new_shape has 2 extents"}, {"[4, 2]> : tensor<2x", "[3, 2]> : tensor<2x", "new_shape [3 2] is not the shape of"},
			{"tensor<2x4xf32>", "tensor<2x3xf32>", "cannot make tensor<4x2xf32> of tensor<2x3xf32>"}, {"tensor<2x4xf32>", "tensor<0x4xf32>", "which TOSA 1.0 has not"}}},
		{checked{"%a: tensor<5x4xf32>", "tosa.slice %a, %pair, %pair : (tensor<5x4xf32>, !tosa.shape<2>, !tosa.shape<2>)", "tensor<4x2xf32>"}, [][3]string{
			{"tensor<4x2xf32>", "tensor<4x2x1xf32>", "cannot make"}, {"%a, %pair, %pair : (tensor<5x4xf32>, !tosa.shape<2>,", "%a, %sc, %pair : (tensor<5x4xf32>, !tosa.shape<4>,", "start has 4 numbers for 2 dimensions"}}},
		{checked{"%a: tensor<2x4xf32>", "tosa.tile %a, %pair : (tensor<2x4xf32>, !tosa.shape<2>)", "tensor<8x8xf32>"}, [][3]string{
			{"tensor<8x8xf32>", "tensor<8x8x1xf32>", "cannot make"}, {"%a, %pair : (tensor<2x4xf32>, !tosa.shape<2>)", "%a, %sc : (tensor<2x4xf32>, !tosa.shape<4>)", "multiples has 4 numbers"}, {"[4, 2]> : tensor<2x", "[4, 0]> : tensor<2x", "repeats 0 times"}}},
		{checked{"%a: tensor<2x4xf32>, %s: !tosa.shape<2>", "tosa.tile %a, %pair : (tensor<2x4xf32>, !tosa.shape<2>)", "tensor<8x8xf32>"}, [][3]string{
			{"%a, %pair", "%a, %s", "operand 1 is a shape that is not known"}}},
		{checked{"%a: tensor<1x4x8xf32>", "tosa.fft2d %a, %a {inverse = false} : (tensor<1x4x8xf32>, tensor<1x4x8xf32>)", "(tensor<1x4x8xf32>, tensor<1x4x8xf32>)"}, [][3]string{
			{"tensor<1x4x8xf32>", "tensor<1x4x6xf32>", "the width is 6, want a power of two"}, {"tensor<1x4x8xf32>", "tensor<1x4x8xi32>", "want one type of floats"},
			{"-> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)", "-> (tensor<1x4x8xf32>, tensor<1x4x8xf16>)", "want one type of floats"}}},
		{checked{"%a: tensor<1x4x8xf32>", "tosa.rfft2d %a : (tensor<1x4x8xf32>)", "(tensor<1x4x5xf32>, tensor<1x4x5xf32>)"}, [][3]string{
			{"-> (tensor<1x4x5xf32>, tensor<1x4x5xf32>)", "-> (tensor<1x4x8xf32>, tensor<1x4x8xf32>)", "gives the extents [1 4 5]"}}},
		{checked{"%a: tensor<2x4x5xi32>, %w: tensor<2x3xi32>, %b: tensor<2x3x5xi32>", "tosa.scatter %a, %w, %b : (tensor<2x4x5xi32>, tensor<2x3xi32>, tensor<2x3x5xi32>)",
			"tensor<2x4x5xi32>"}, [][3]string{{"tensor<2x4x5xi32>", "tensor<2x2x5xi32>", "3 places in 2 values"}}},
		{checked{"%a: tensor<2x4xf32>, %w: tensor<4xf32>", "tosa.concat %a, %a {axis = 0 : i32} : (tensor<2x4xf32>, tensor<2x4xf32>)", "tensor<4x4xf32>"}, [][3]string{
			{"%a, %a {axis = 0 : i32} : (tensor<2x4xf32>, tensor<2x4xf32>)", "%a, %w {axis = 0 : i32} : (tensor<2x4xf32>, tensor<4xf32>)", "1 dimensions beside 2"}}},
		{checked{"%c: tensor<1xi1>, %a: tensor<2xf32>", `"tosa.cond_if"(%c, %a) ({
    ^bb0(%x: tensor<2xf32>):
      tosa.yield %x : tensor<2xf32>
    }, {
    ^bb0(%x: tensor<2xf32>):
      tosa.yield %x : tensor<2xf32>
    }) : (tensor<1xi1>, tensor<2xf32>)`, "tensor<2xf32>"}, [][3]string{{"tensor<1xi1>", "tensor<2xi1>", "want one element of type i1"},
			{"    tosa.yield %x : tensor<2xf32>", "    tosa.yield %c : tensor<1xi1>", "results of then: number 0 is tensor<1xi1>, want tensor<2xf32>"},
			{"^bb0(%x: tensor<2xf32>)", "^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>)", "has 2 arguments of then, want 1"}}},
		{checked{"%c: tensor<i1>, %a: tensor<2xf32>", `tosa.while_loop (%i = %a) : (tensor<2xf32>) -> tensor<2xf32> {
      tosa.yield %c : tensor<i1>
    } do {
    ^bb0(%x: tensor<2xf32>):
      tosa.yield %x : tensor<2xf32>
    } //`, "tensor<2xf32>"}, [][3]string{{"tensor<i1>", "tensor<i32>", "the result of the condition is tensor<i32>, want one element of type i1"},
			{"yield %x : tensor<2xf32>", "yield", "has 0 results of the body, want 1"}, {"^bb0(%x: tensor<2xf32>)", "^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>)", "has 2 arguments of the body, want 1"}}},
		{checked{"%a: tensor<2x4xi32>", `tosa.add_shape %sc, %of4 : (!tosa.shape<4>, !tosa.shape<4>)`, "!tosa.shape<4>"}, [][3]string{
			{"%sc, %of4 : (!tosa.shape<4>, !tosa.shape<4>)", "%sc, %of : (!tosa.shape<4>, !tosa.shape<2>)", "makes !tosa.shape<4> of !tosa.shape<2>"}}},
		{checked{"%a: tensor<2x4xi32>", `tosa.concat_shape %sc, %of : (!tosa.shape<4>, !tosa.shape<2>)`, "!tosa.shape<6>"}, [][3]string{
			{"!tosa.shape<6>", "!tosa.shape<5>", "numbers more than it takes"}}},
		{checked{"%a: tensor<2x4xi32>", `tosa.dim %a {axis = 1 : i32} : (tensor<2x4xi32>)`, "!tosa.shape<1>"}, [][3]string{
			{"!tosa.shape<1>", "!tosa.shape<2>", "gives 2 numbers, want 1"}, {"axis = 1", "axis = 2", "axis 2 of"}}},
		{checked{"%a: tensor<2x4xi32>", `"tosa.const"() {values = dense<1> : tensor<2xi32>} : ()`, "tensor<2xi32>"}, [][3]string{
			{"-> tensor<2xi32>", "-> tensor<3xi32>", "gives the extents [2]"}, {"-> tensor<2xi32>", "-> tensor<2xi16>", "values of type tensor<2xi32> for tensor<2xi16>"}}},
		{checked{"%a: tensor<2x4xi32>", `tosa.const_shape {values = dense<[1, 2]> : tensor<2xindex>} : ()`, "!tosa.shape<2>"}, [][3]string{
			{"-> !tosa.shape<2>", "-> !tosa.shape<3>", "want !tosa.shape<2>"}, {"[1, 2]> : tensor<2xindex>", "[1, 2]> : tensor<2xi32>", "want a list of index"}}},
		{checked{"%a: tensor<3x2xi8>, %w: tensor<2xi32>, %b: tensor<2xi8>, %z: tensor<1xi8>", "tosa.rescale %a, %w, %b, %z, %z {scale32 = true, rounding_mode = SINGLE_ROUND," +
			" per_channel = true, input_unsigned = false, output_unsigned = false} : (tensor<3x2xi8>, tensor<2xi32>, tensor<2xi8>, tensor<1xi8>, tensor<1xi8>)", "tensor<3x2xi8>"}, [][3]string{
			{"SINGLE_ROUND", "IGNORE", "rounding_mode is IGNORE, want one of"}, {"scale32 = true", "scale32 = false", "multipliers of type i32, want i16"}, {"per_channel = true", "per_channel = false", "2 multipliers or shifts, want 1"},
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
  %pair = tosa.const_shape {values = dense<[4, 2]> : tensor<2xindex>} : () -> !tosa.shape<2>
  %zero = "tosa.const"() {values = dense<0> : tensor<1xi8>} : () -> tensor<1xi8>
  %one = "tosa.const"() {values = dense<1> : tensor<1xi8>} : () -> tensor<1xi8>
  %zf = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
  %r` + strings.Repeat(":2", strings.Count(c.result, ",")) + ` = ` + c.text + " -> " + c.result + "\n  return %r" + strings.Repeat("#0, %r#1", strings.Count(c.result, ",")) +
			" : " + strings.Trim(c.result, "()") + "\n}"
		require.NoError(t, verify(t, text), text)
		newest := os.Getenv("ACAP_MLIR_OPT") // a version of LLVM with TOSA 1.0
		require.True(t, newest == "" || mlirtest.Accepts(t, text, newest), text)
		for _, w := range c.wrong {
			changed := strings.ReplaceAll(text, w[0], w[1])
			if result, ok := strings.CutPrefix(w[1], "-> "); ok { // of the result alone
				last := strings.LastIndex(changed, " : ")
				changed = changed[:last] + " : " + strings.Trim(result, "()") + "\n}"
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

// TestChoice: the custom forms of LLVM 19 and of LLVM 22 are read, and written in the generic form, which both read.
func TestChoice(t *testing.T) {
	for optimizer, form := range map[string]string{
		"mlir-opt-19":              "tosa.cond_if %c -> (tensor<2xf32>) {\n tosa.yield %a : tensor<2xf32>\n} else {\n tosa.yield %b : tensor<2xf32>\n}",
		os.Getenv("ACAP_MLIR_OPT"): "tosa.cond_if %c : tensor<i1> -> tensor<2xf32> {\n tosa.yield %a : tensor<2xf32>\n} else {\n tosa.yield %b : tensor<2xf32>\n}",

		os.Getenv("ACAP_MLIR_OPT") + " ": `tosa.cond_if %c (%x = %a, %y = %b) : tensor<i1> (tensor<2xf32>, tensor<2xf32>) -> tensor<2xf32> {
    ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
      tosa.yield %x : tensor<2xf32>
    } else {
    ^bb0(%x: tensor<2xf32>, %y: tensor<2xf32>):
      tosa.yield %y : tensor<2xf32>
    }`,
	} {
		text := "func.func @main(%c: tensor<i1>, %a: tensor<2xf32>, %b: tensor<2xf32>) -> tensor<2xf32> {\n  %r = " + form + "\n  return %r : tensor<2xf32>\n}"
		module, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err, text)
		require.NoError(t, mlir.Verify(module), text)
		printed := module.String()
		require.Contains(t, printed, `"tosa.cond_if"(%c`)
		if optimizer = strings.TrimSpace(optimizer); optimizer != "" {
			require.True(t, mlirtest.Accepts(t, text, optimizer), text)
			require.True(t, mlirtest.Accepts(t, printed, optimizer), printed)
		}
	}
}

func verify(t *testing.T, text string) error {
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err, text)
	return mlir.Verify(module)
}
