package compiler_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/parallel"
	"github.com/go-acap/acap/device/compiler"
	"github.com/go-acap/acap/mlir"
)

// manyGroups is a function of n groups with calls on the host between them; group number bad has a loop that
// is too large.
func manyGroups(n, bad int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x0: tensor<4xf32>) -> tensor<4xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%a%d = \"aten.mul.Tensor\"(%%x%d, %%x%d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n", i, i, i)
		if i == bad {
			fmt.Fprintf(&b, "  %%l%d = \"aten.arange.start_step\"() {start = 0 : i64, end = %d : i64, step = 1 : i64, dtype = f32} : () -> tensor<%dxf32>\n", i, 1<<50, 1<<50)
			fmt.Fprintf(&b, "  %%m%d = \"aten.sum\"(%%l%d) : (tensor<%dxf32>) -> tensor<f32>\n", i, i, 1<<50)
			fmt.Fprintf(&b, "  %%b%d = \"aten.add.Tensor\"(%%a%d, %%m%d) : (tensor<4xf32>, tensor<f32>) -> tensor<4xf32>\n", i, i, i)
		} else {
			fmt.Fprintf(&b, "  %%b%d = \"aten.add.Tensor\"(%%a%d, %%x0) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xf32>\n", i, i)
		}
		fmt.Fprintf(&b, "  %%s%d = \"aten.isin.Tensor_Tensor\"(%%x0, %%b%d) : (tensor<4xf32>, tensor<4xf32>) -> tensor<4xi1>\n", i, i)
		fmt.Fprintf(&b, "  %%x%d = \"aten.add.Tensor\"(%%b%d, %%s%d) : (tensor<4xf32>, tensor<4xi1>) -> tensor<4xf32>\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "  return %%x%d : tensor<4xf32>\n}", n)
	return b.String()
}

// Groups compile at once; order, results and errors are the same as one after the other.
func TestGroupsInParallel(t *testing.T) {
	var names, results []string
	for _, n := range []string{"1", "2", "5"} {
		t.Setenv(parallel.Variable, n)
		exe := compile(t, manyGroups(9, -1))
		list := ""
		for _, g := range exe.Groups() {
			list += g.Name + " "
		}
		names = append(names, list)
		results = append(results, fmt.Sprint(buf.Slice[float32](run(t, exe, f32(-1, 0, 0.5, 0.25))[0])))

		module, err := mlir.Parse("x.mlir", []byte(manyGroups(9, 4)))
		require.NoError(t, err)
		_, err = compiler.Compile(context.Background(), module)
		require.Error(t, err)
		results[len(results)-1] += err.Error()
	}
	require.Len(t, strings.Fields(names[0]), 10)
	for i := range names {
		require.Equal(t, names[0], names[i])
		require.Equal(t, results[0], results[i])
	}
}

// longChain is a function of n layers, long enough to be rewritten, converted and generated in pieces.
func longChain(n int) string {
	var b strings.Builder
	b.WriteString("func.func @main(%x0: tensor<4x8xf32>, %w: tensor<8x8xf32>) -> tensor<4x8xf32> {\n")
	for i := range n {
		fmt.Fprintf(&b, "  %%a%d = \"aten.mm\"(%%x%d, %%w) : (tensor<4x8xf32>, tensor<8x8xf32>) -> tensor<4x8xf32>\n", i, i)
		fmt.Fprintf(&b, "  %%b%d = \"aten.mul.Scalar\"(%%a%d) {other = %d : i64} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n", i, i, i%3+2)
		fmt.Fprintf(&b, "  %%c%d = \"aten._softmax\"(%%b%d) {dim = 1 : i64, half_to_float = false} : (tensor<4x8xf32>) -> tensor<4x8xf32>\n", i, i)
		fmt.Fprintf(&b, "  %%x%d = \"aten.add.Tensor\"(%%c%d, %%x%d) : (tensor<4x8xf32>, tensor<4x8xf32>) -> tensor<4x8xf32>\n", i+1, i, i)
	}
	fmt.Fprintf(&b, "  return %%x%d : tensor<4x8xf32>\n}", n)
	return b.String()
}

// The program of a large function, byte by byte, and the module that it was made of do not depend on how many
// goroutines compile.
func TestLargeFunctionInParallel(t *testing.T) {
	var plans [][]byte
	var texts, divisions []string
	for _, n := range []string{"1", "2", "5"} {
		t.Setenv(parallel.Variable, n)
		module, err := mlir.Parse("x.mlir", []byte(longChain(90)))
		require.NoError(t, err)
		exe, err := compiler.Compile(context.Background(), module)
		require.NoError(t, err)
		plan, err := exe.Plan()
		require.NoError(t, err)
		plans = append(plans, plan.Encode())
		texts, divisions = append(texts, module.String()), append(divisions, fmt.Sprint(exe.Division()))
		exe.Close()
	}
	require.NotEmpty(t, plans[0])
	for i := range plans {
		require.Equal(t, plans[0], plans[i])
		require.Equal(t, texts[0], texts[i])
		require.Equal(t, divisions[0], divisions[i])
	}
}
