package bytecode_test

import (
	"bytes"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/bytecode"
)

// portable has operations whose attributes go without saying, stand together or are spelled otherwise in vhlo.
const portable = `module @m {
  func.func @main(%x: tensor<1x8x8x3xf32> {jax.arg = "x"}, %w: tensor<3x3x3x4xf32>, %i: tensor<2x1xi32>, %z: tensor<2xcomplex<f32>>) -> tensor<1x6x6x4xf32> {
    %0 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x6x6x4xf32>
    %1 = stablehlo.convolution(%x, %w) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f], window = {stride = [2, 1], pad = [[1, 0], [2, 3]], rhs_dilate = [1, 2], reverse = [false, true]} {batch_group_count = 1 : i64, feature_group_count = 1 : i64} : (tensor<1x8x8x3xf32>, tensor<3x3x3x4xf32>) -> tensor<1x4x9x4xf32>
    %2 = stablehlo.exponential %0 : tensor<1x6x6x4xf32>
    %3 = stablehlo.compare LT, %2, %0 : (tensor<1x6x6x4xf32>, tensor<1x6x6x4xf32>) -> tensor<1x6x6x4xi1>
    %4 = stablehlo.select %3, %2, %0 : tensor<1x6x6x4xi1>, tensor<1x6x6x4xf32>
    %5 = "stablehlo.gather"(%w, %i) {dimension_numbers = #stablehlo.gather<offset_dims = [1, 2, 3], collapsed_slice_dims = [0], start_index_map = [0], index_vector_dim = 1>, slice_sizes = array<i64: 1, 3, 3, 4>} : (tensor<3x3x3x4xf32>, tensor<2x1xi32>) -> tensor<2x3x3x4xf32>
    %6 = stablehlo.dot_general %5, %5, batching_dims = [0] x [0], contracting_dims = [1] x [1], precision = [HIGHEST, DEFAULT] : (tensor<2x3x3x4xf32>, tensor<2x3x3x4xf32>) -> tensor<2x3x4x3x4xf32>
    %c = stablehlo.constant dense<[[true, false, true], [true, true, false]]> : tensor<2x3xi1>
    %t = stablehlo.constant dense<true> : tensor<9xi1>
    %d = stablehlo.constant dense<(1.0, -2.5)> : tensor<2xcomplex<f32>>
    %e = stablehlo.add %z, %d : tensor<2xcomplex<f32>>
    %n = stablehlo.constant dense<[-3, 7]> : tensor<2xi4>
    %h = stablehlo.constant dense<-1.5> : tensor<bf16>
    %k:2 = call @pair(%i) : (tensor<2x1xi32>) -> (tensor<2x1xi32>, tensor<i32>)
    %zero = stablehlo.constant dense<0.0> : tensor<f32>
    %s = "stablehlo.reduce_window"(%x, %zero) ({
    ^bb0(%a: tensor<f32>, %b: tensor<f32>):
      %m = stablehlo.add %a, %b : tensor<f32>
      stablehlo.return %m : tensor<f32>
    }) {window_dimensions = array<i64: 1, 2, 2, 1>} : (tensor<1x8x8x3xf32>, tensor<f32>) -> tensor<1x7x7x3xf32>
    %o = "stablehlo.sort"(%i) ({
    ^bb0(%a: tensor<i32>, %b: tensor<i32>):
      %m = stablehlo.compare GT, %a, %b, SIGNED : (tensor<i32>, tensor<i32>) -> tensor<i1>
      stablehlo.return %m : tensor<i1>
    }) {dimension = 0 : i64, is_stable = true} : (tensor<2x1xi32>) -> tensor<2x1xi32>
    stablehlo.custom_call @check(%o) {has_side_effect = true, mine = "kept"} : (tensor<2x1xi32>) -> ()
    return %4 : tensor<1x6x6x4xf32>
  }
  func.func private @pair(%i: tensor<2x1xi32>) -> (tensor<2x1xi32>, tensor<i32>) {
    %0 = stablehlo.get_dimension_size %i, dim = 0 : (tensor<2x1xi32>) -> tensor<i32>
    return %i, %0 : tensor<2x1xi32>, tensor<i32>
  }
  func.func private @open(%o: tensor<?x?xf32, #stablehlo.bounds<8, ?>>) -> tensor<?x?xf32, #stablehlo.bounds<8, ?>> {
    return %o : tensor<?x?xf32, #stablehlo.bounds<8, ?>>
  }
}
`

// kept returns an error where operations, types or attributes of one module are not in the other.
func kept(m, again *mlir.Operation) error {
	var a, b []*mlir.Operation
	m.Walk(func(op *mlir.Operation) { a = append(a, op) })
	again.Walk(func(op *mlir.Operation) { b = append(b, op) })
	if len(a) != len(b) {
		return fmt.Errorf("%d and %d operations", len(a), len(b))
	}
	for i, op := range a {
		other := b[i]
		if op.Name != other.Name || len(op.Results) != len(other.Results) || len(op.Operands) != len(other.Operands) {
			return fmt.Errorf("%s became %s", op.Name, other.Name)
		}
		for k, r := range op.Results {
			if !mlir.SameType(r.Type, other.Results[k].Type) {
				return fmt.Errorf("%s became %s", r.Type, other.Results[k].Type)
			}
		}
		for k, v := range op.Operands {
			if w := other.Operands[k]; v.Index != w.Index || !mlir.SameType(v.Type, w.Type) {
				return fmt.Errorf("operand %d of %s is another", k, op.Name)
			}
		}
		for _, n := range op.Attrs {
			if got := other.Attrs.Get(n.Name); got == nil || got.String() != n.Value.String() {
				return fmt.Errorf("%s of %s: %v became %v", n.Name, op.Name, n.Value, got)
			}
		}
	}
	return nil
}

// A portable artifact of any release holds the program that was written, and reading gives the program back.
func TestWritePortable(t *testing.T) {
	for _, target := range bytecode.Targets {
		m, err := mlir.Parse("m.mlir", []byte(portable))
		require.NoError(t, err)
		require.NoError(t, mlir.Verify(m))
		before := m.Text(mlir.PrintOptions{})
		var file bytes.Buffer
		require.NoError(t, bytecode.WritePortable(&file, m, target), target)
		require.Equal(t, before, m.Text(mlir.PrintOptions{}), "the module stays")
		require.True(t, bytes.HasPrefix(file.Bytes(), []byte("ML\xefR")))
		require.Contains(t, file.String()[:32], "StableHLO_v"+target+"\x00")
		_, second, _ := bytes.Cut(file.Bytes(), []byte("exponential_v"))
		require.Equal(t, target == "1.10.0" || target == "1.9.0", second[0] == '2', target)
		again, err := bytecode.Read("m.bc", file.Bytes())
		require.NoError(t, err, target)
		require.NoError(t, mlir.Verify(again), target)
		require.NoError(t, kept(m, again), target)
		var twice bytes.Buffer
		require.NoError(t, bytecode.WritePortable(&twice, again, target))
		require.Equal(t, file.Len(), twice.Len())
	}
}

// What a release does not have, and what no artifact holds, is refused with the cause.
func TestWritePortableRefuses(t *testing.T) {
	for _, c := range []struct{ target, text, reason string }{
		{"0.9.0", "", "no artifacts of StableHLO \"0.9.0\""},
		{"1.10.0", "%0 = chlo.erfc %x : tensor<2xf32> -> tensor<2xf32>", "chlo.erfc: is no operation of StableHLO"},
		{"1.10.0", "%0 = arith.addf %x, %x : tensor<2xf32>", "arith.addf"},
		{"1.1.0", "%0 = stablehlo.tan %x : tensor<2xf32>", "came with StableHLO 1.4.0"},
		{"1.6.0", "%0 = stablehlo.exponential %x {result_accuracy = #stablehlo.result_accuracy<mode = #stablehlo.result_accuracy_mode<HIGHEST>>} : tensor<2xf32>", "result_accuracy"},
		{"1.0.0", `%i = stablehlo.constant dense<0> : tensor<2x1xi32>
		%0 = "stablehlo.gather"(%x, %i) {dimension_numbers = #stablehlo.gather<collapsed_slice_dims = [], operand_batching_dims = [0], start_indices_batching_dims = [0], start_index_map = [], index_vector_dim = 1>, slice_sizes = array<i64: 1>} : (tensor<2xf32>, tensor<2x1xi32>) -> tensor<2xf32>`, "operand_batching_dims"},
	} {
		m, err := mlir.Parse("m.mlir", []byte("func.func @main(%x: tensor<2xf32>) {\n"+c.text+"\nreturn\n}"))
		require.NoError(t, err, c.text)
		require.ErrorContains(t, bytecode.WritePortable(&bytes.Buffer{}, m, c.target), c.reason)
	}
}
