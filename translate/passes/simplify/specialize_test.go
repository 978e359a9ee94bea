package simplify_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// TestSpecialize: extents of the arguments are passed on to the types that the functions return, and
// numbers that follow from them become constants.
func TestSpecialize(t *testing.T) {
	const head = "%c0 = arith.constant 0 : index\n%c1 = arith.constant 1 : index\n%c2 = arith.constant 2 : index\n%f = arith.constant 1.0 : f32\n" +
		"%n = tensor.dim %x, %c0 : tensor<?x4xf32>\n%m = tensor.dim %y, %c1 : tensor<3x?xf32>\n"
	// The function takes tensor<?x4xf32>, as 5x4, and tensor<3x?xf32>, as 3x7, and an index.
	for _, c := range []struct{ body, open, want string }{
		{"%r = tensor.empty(%n, %m) : tensor<?x2x?xf32>", "tensor<?x2x?xf32>", "tensor<5x2x7xf32>"},
		{"%r = tensor.empty(%i, %m) : tensor<?x?xf32>", "tensor<?x?xf32>", "tensor<?x7xf32>"},
		{"%r = tensor.empty(%m, %i) : tensor<?x?xf32>", "tensor<?x?xf32>", "tensor<7x?xf32>"},
		{"%r = tensor.cast %x : tensor<?x4xf32> to tensor<?x?xf32>", "tensor<?x?xf32>", "tensor<5x4xf32>"},
		{"%r = tensor.insert %f into %x[%c0, %c0] : tensor<?x4xf32>", "tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%s = tensor.empty() : tensor<2x4xf32>\n%r = tensor.insert_slice %s into %x[%c1, 0] [2, 4] [1, 1] : tensor<2x4xf32> into tensor<?x4xf32>",
			"tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%r = tensor.extract_slice %x[%c1, 0] [%c2, 3] [1, 1] : tensor<?x4xf32> to tensor<?x3xf32>", "tensor<?x3xf32>", "tensor<2x3xf32>"},
		{"%r = tensor.extract_slice %x[%i, 0] [%c2, 3] [%c1, 1] : tensor<?x4xf32> to tensor<?x3xf32>", "tensor<?x3xf32>", "tensor<2x3xf32>"},
		{"%r = tensor.extract_slice %x[%c1, 0] [%i, 3] [1, 1] : tensor<?x4xf32> to tensor<?x3xf32>", "tensor<?x3xf32>", "tensor<?x3xf32>"},
		{"%r = tensor.expand_shape %y [[0], [1, 2]] output_shape [3, %m, 1] : tensor<3x?xf32> into tensor<3x?x1xf32>", "tensor<3x?x1xf32>", "tensor<3x7x1xf32>"},
		{"%r = tensor.collapse_shape %y [[0, 1]] : tensor<3x?xf32> into tensor<?xf32>", "tensor<?xf32>", "tensor<21xf32>"},
		{"%s = tensor.empty(%i) : tensor<?x4xf32>\n%r = tensor.collapse_shape %s [[0, 1]] : tensor<?x4xf32> into tensor<?xf32>", "tensor<?xf32>", "tensor<?xf32>"},
		{"%r = tensor.pad %x low[%c1, 2] high[%n, 3] {\n^bb0(%p: index, %q: index):\ntensor.yield %f : f32\n} : tensor<?x4xf32> to tensor<?x9xf32>",
			"tensor<?x9xf32>", "tensor<11x9xf32>"},
		{"%r = tensor.pad %x low[%i, 0] high[0, 0] {\n^bb0(%p: index, %q: index):\ntensor.yield %f : f32\n} : tensor<?x4xf32> to tensor<?x4xf32>",
			"tensor<?x4xf32>", "tensor<?x4xf32>"},
		{"%r = tensor.pad %x low[0, 0] high[%i, 0] {\n^bb0(%p: index, %q: index):\ntensor.yield %f : f32\n} : tensor<?x4xf32> to tensor<?x4xf32>",
			"tensor<?x4xf32>", "tensor<?x4xf32>"},
		{"%r = tensor.generate %n {\n^bb0(%p: index):\ntensor.yield %f : f32\n} : tensor<?xf32>", "tensor<?xf32>", "tensor<5xf32>"},
		{"%r = arith.negf %x : tensor<?x4xf32>", "tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%r = arith.cmpf olt, %x, %x : tensor<?x4xf32>", "tensor<?x4xi1>", "tensor<5x4xi1>"},
		{"%r = math.exp %y : tensor<3x?xf32>", "tensor<3x?xf32>", "tensor<3x7xf32>"},
		{"%e = tensor.empty(%n) : tensor<?x4xf32>\n%r = linalg.exp ins(%x : tensor<?x4xf32>) outs(%e : tensor<?x4xf32>) -> tensor<?x4xf32>", "tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%r = scf.for %k = %c0 to %i step %c1 iter_args(%v = %x) -> (tensor<?x4xf32>) {\n%w = arith.negf %v : tensor<?x4xf32>\nscf.yield %w : tensor<?x4xf32>\n}",
			"tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%b = arith.cmpi slt, %i, %c1 : index\n%r = scf.if %b -> (tensor<?x4xf32>) {\n%w = arith.negf %x : tensor<?x4xf32>\nscf.yield %w : tensor<?x4xf32>\n} else {\nscf.yield %x : tensor<?x4xf32>\n}",
			"tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%r = func.call @twice(%x) : (tensor<?x4xf32>) -> tensor<?x4xf32>", "tensor<?x4xf32>", "tensor<5x4xf32>"},
		{"%k = arith.muli %n, %m : index\n%r = tensor.empty(%k) : tensor<?xf32>", "tensor<?xf32>", "tensor<35xf32>"},
		// A chain of extents, each of which follows from the one before.
		{chain(40), "tensor<?xf32>", "tensor<45xf32>"},
	} {
		module, err := mlir.Parse("open.mlir", fmt.Appendf(nil, `func.func private @twice(%%x: tensor<?x4xf32>) -> tensor<?x4xf32> {
%%0 = arith.addf %%x, %%x : tensor<?x4xf32>
return %%0 : tensor<?x4xf32>
}
func.func @main(%%x: tensor<?x4xf32>, %%y: tensor<3x?xf32>, %%i: index) -> %[2]s {
%[1]s
return %%r : %[2]s
}`, head+c.body, c.open))
		require.NoError(t, err, c.body)
		require.NoError(t, mlir.Verify(module), c.body)
		f := module.Func("main")
		require.NoError(t, simplify.Specialize(module, f, []mlir.Type{f32(5, 4), f32(3, 7), mlir.Index}), c.body)
		require.NoError(t, mlir.Verify(module), c.body)
		results := f.Attrs.Get("function_type").(mlir.TypeAttr).Type.(mlir.FunctionType).Results
		require.Equal(t, c.want, results[0].String(), c.body)
		require.Nil(t, module.Func("twice"), "it is inlined")
	}
}

// chain makes vectors, each one longer than the one before: n of them.
func chain(n int) string {
	var b strings.Builder
	size := "%n"
	for k := range n {
		fmt.Fprintf(&b, "%%k%d = arith.addi %s, %%c1 : index\n%%e%[1]d = tensor.empty(%%k%[1]d) : tensor<?xf32>\n%%d%[1]d = tensor.dim %%e%[1]d, %%c0 : tensor<?xf32>\n", k, size)
		size = fmt.Sprintf("%%d%d", k)
	}
	fmt.Fprintf(&b, "%%r = tensor.empty(%s) : tensor<?xf32>", size)
	return b.String()
}

func f32(shape ...int) mlir.Type { return mlir.TensorType{Shape: shape, Elem: mlir.F32} }

// TestSpecializeRefused: types that are no case of the arguments' are an error, and change nothing.
func TestSpecializeRefused(t *testing.T) {
	for _, c := range []struct {
		types []mlir.Type
		want  string
	}{
		{[]mlir.Type{f32(5, 4)}, "1 types for the arguments of a function"},
		{[]mlir.Type{f32(5, 3), mlir.Index}, "argument 0 is of type tensor<?x4xf32>, which tensor<5x3xf32> is no case of"},
		{[]mlir.Type{f32(5), mlir.Index}, "argument 0 is of type tensor<?x4xf32>"},
		{[]mlir.Type{mlir.TensorType{Shape: []int{5, 4}, Elem: mlir.F64}, mlir.Index}, "which tensor<5x4xf64> is no case of"},
		{[]mlir.Type{f32(5, 4), mlir.I64}, "argument 1 is of type index, which i64 is no case of"},
		{[]mlir.Type{mlir.Index, mlir.Index}, "argument 0 is of type tensor<?x4xf32>, which index is no case of"},
	} {
		module, err := mlir.Parse("open.mlir", []byte("func.func @main(%x: tensor<?x4xf32>, %i: index) -> tensor<?x4xf32> {\nreturn %x : tensor<?x4xf32>\n}\nfunc.func private @f(index)"))
		require.NoError(t, err)
		before := module.String()
		require.ErrorContains(t, simplify.Specialize(module, module.Func("main"), c.types), c.want)
		require.Equal(t, before, module.String())
		require.ErrorContains(t, simplify.Specialize(module, module.Func("f"), []mlir.Type{mlir.Index}), "1 types for")
	}
}
