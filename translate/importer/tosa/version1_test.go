package tosa_test

import (
	_ "embed"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
)

//go:embed testdata/version1.mlir
var version1 string

// TestVersion1: operations of TOSA 1.0 verify, print what reads back, and give what LLVM 22 computes.
func TestVersion1(t *testing.T) {
	programs := strings.Split(version1, "// WANT ")[1:]
	require.Greater(t, len(programs), 25)
	for _, program := range programs {
		if !strings.Contains(program, "func.func") {
			continue // of the text at the head
		}
		head, text, _ := strings.Cut(program, "\n")
		name, list, _ := strings.Cut(head, ": ")
		t.Run(name, func(t *testing.T) {
			text = strings.Replace(text, "@"+name, "@main", 1)
			module, err := mlir.Parse("version1.mlir", []byte(text))
			require.NoError(t, err)
			require.NoError(t, mlir.Verify(module))
			printed := module.Text(mlir.PrintOptions{})
			var want []float64
			for _, s := range strings.Fields(list) {
				v, err := strconv.ParseFloat(s, 64)
				require.NoError(t, err)
				want = append(want, v)
			}
			for _, text := range []string{text, printed, module.Text(mlir.PrintOptions{Generic: true})} {
				got := numbers(runText(t, text, nil)[0])
				require.Len(t, got, len(want))
				for i := range want {
					if math.IsNaN(want[i]) {
						require.True(t, math.IsNaN(got[i]), "element %d is %v", i, got[i])
						continue
					}
					require.InDelta(t, want[i], got[i], 1e-5*math.Max(1, math.Abs(want[i])), "element %d", i)
				}
			}
		})
	}
}

// TestTransposedConvolution1: the transposed convolution of TOSA 1.0, for which LLVM has no rule, agrees with 0.80's.
func TestTransposedConvolution1(t *testing.T) {
	const head = `func.func @main() -> tensor<1x3x3x1xf32> {
  %x = arith.constant dense<[[[[1.0], [2.0]], [[3.0], [4.0]]]]> : tensor<1x2x2x1xf32>
  %w = arith.constant dense<[[[[1.0], [10.0]], [[100.0], [1000.0]]]]> : tensor<1x2x2x1xf32>
  %b = arith.constant dense<0.5> : tensor<1xf32>
  %z = "tosa.const"() {values = dense<0.0> : tensor<1xf32>} : () -> tensor<1xf32>
`
	got := numbers(runText(t, head+`  %r = tosa.transpose_conv2d %x, %w, %b, %z, %z {acc_type = f32, out_pad = array<i64: 0, 0, 0, 0>, stride = array<i64: 1, 1>} :
    (tensor<1x2x2x1xf32>, tensor<1x2x2x1xf32>, tensor<1xf32>, tensor<1xf32>, tensor<1xf32>) -> tensor<1x3x3x1xf32>
  return %r : tensor<1x3x3x1xf32>
}`, nil)[0])
	// Each element of the picture adds the filter at its place.
	require.Equal(t, []float64{1.5, 12.5, 20.5, 103.5, 1234.5, 2040.5, 300.5, 3400.5, 4000.5}, got)
}

// TestMixedVersions: an operation has the operands and attributes of one version.
func TestMixedVersions(t *testing.T) {
	for text, want := range map[string]string{
		`tosa.matmul %m, %m, %z : (tensor<1x2x2xi8>, tensor<1x2x2xi8>, tensor<1xi8>) -> tensor<1x2x2xi32>`: "3 operands, not the 2 of TOSA 0.80 or the 4 of TOSA 1.0",
		`tosa.clamp %f {min_val = 1.0 : f32} : (tensor<4xf32>) -> tensor<4xf32>`:                           "max_val",
		`tosa.clamp %f {min_val = 1 : i32, max_val = 2 : i32} : (tensor<4xf32>) -> tensor<4xf32>`:          "min_val of type i32 for elements of type f32",
		`tosa.transpose %m {perms = array<i32: 0, 0, 1>} : (tensor<1x2x2xi8>) -> tensor<1x2x2xi8>`:         "no permutation",
		`tosa.negate %f, %f : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:                             "2 operands",
		`"tosa.const"() : () -> tensor<4xf32>`:                                                             "value",
		`tosa.mul %f, %f, %f : (tensor<4xf32>, tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>`:             "shift",
	} {
		module, err := mlir.Parse("mixed.mlir", []byte("func.func @main(%m: tensor<1x2x2xi8>, %z: tensor<1xi8>, %f: tensor<4xf32>) {\n  %r = "+text+"\n  return\n}"))
		require.NoError(t, err)
		require.ErrorContains(t, mlir.Verify(module), want, text)
	}
}
