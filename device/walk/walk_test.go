package walk_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/device/walk"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
	"github.com/go-acap/acap/mlir/mlirtest"
)

func run(t testing.TB, text string, inputs ...*buf.Buffer) (printed string, results []*buf.Buffer, err error) {
	t.Helper()
	module, err := mlir.Parse("test.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	var out strings.Builder
	results, err = walk.Run(context.Background(), &out, module, module.Func("main"), inputs)
	return out.String(), results, err
}

// programs print what they compute; upstream's runner prints the same (TestRunner).
var programs = map[string]string{
	"memory": `
memref.global "private" constant @w : memref<4xf32> = dense<[1.0, 2.0, 3.0, 4.0]>
func.func @main() {
  %w = memref.get_global @w : memref<4xf32>
  %a = memref.alloc() : memref<4x4xf32>
  %two = arith.constant 2.0 : f32
  linalg.fill ins(%two : f32) outs(%a : memref<4x4xf32>)
  affine.for %i = 0 to 4 {
    affine.for %j = affine_map<(d0) -> (d0)>(%i) to min affine_map<(d0) -> (4, d0 + 2)>(%i) {
      %x = affine.load %a[%i, %j] : memref<4x4xf32>
      %y = affine.load %w[%j] : memref<4xf32>
      %z = arith.mulf %x, %y : f32
      affine.if affine_set<(d0, d1) : (d1 - d0 - 1 >= 0)>(%i, %j) {
        affine.store %z, %a[%i, %j] : memref<4x4xf32>
      }
    }
  }
  %s = memref.subview %a[1, 1] [2, 2] [2, 1] : memref<4x4xf32> to memref<2x2xf32, strided<[8, 1], offset: 5>>
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %x = memref.load %s[%c1, %c1] : memref<2x2xf32, strided<[8, 1], offset: 5>>
  %y = memref.load %s[%c0, %c1] : memref<2x2xf32, strided<[8, 1], offset: 5>>
  %v = vector.load %a[%c0, %c0] : memref<4x4xf32>, vector<4xf32>
  vector.print %x : f32
  vector.print %y : f32
  vector.print %v : vector<4xf32>
  memref.dealloc %a : memref<4x4xf32>
  return
}`,
	"vectors": `
func.func @main() {
  %v = arith.constant dense<[[1.0, 2.0], [3.0, 4.0]]> : vector<2x2xf32>
  %c = vector.contract {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>,
    affine_map<(i, j, k) -> (i, j)>], iterator_types = ["parallel", "parallel", "reduction"], kind = #vector.kind<add>}
    %v, %v, %v : vector<2x2xf32>, vector<2x2xf32> into vector<2x2xf32>
  vector.print %c : vector<2x2xf32>
  %t = vector.transpose %c, [1, 0] : vector<2x2xf32> to vector<2x2xf32>
  vector.print %t : vector<2x2xf32>
  %f = vector.shape_cast %t : vector<2x2xf32> to vector<4xf32>
  %r = vector.reduction <maximumf>, %f : vector<4xf32> into f32
  vector.print %r : f32
  %s = vector.shuffle %f, %f [0, 2, 4, 7] : vector<4xf32>, vector<4xf32>
  vector.print %s : vector<4xf32>
  %i = arith.constant dense<[5, -7, 9, 11]> : vector<4xi32>
  %n = arith.constant 3 : index
  %m = vector.create_mask %n : vector<4xi1>
  vector.print %m : vector<4xi1>
  %z = arith.constant dense<0> : vector<4xi32>
  %w = arith.select %m, %i, %z : vector<4xi1>, vector<4xi32>
  vector.print %w : vector<4xi32>
  %e = vector.extract %i[1] : i32 from vector<4xi32>
  vector.print %e : i32
  %p = vector.insert %e, %i [3] : i32 into vector<4xi32>
  vector.print %p : vector<4xi32>
  %b = vector.broadcast %e : i32 to vector<2x2xi32>
  vector.print %b : vector<2x2xi32>
  %l = vector.extract_strided_slice %i {offsets = [1], sizes = [2], strides = [1]} : vector<4xi32> to vector<2xi32>
  vector.print %l : vector<2xi32>
  %j = vector.insert_strided_slice %l, %z {offsets = [2], strides = [1]} : vector<2xi32> into vector<4xi32>
  vector.print %j : vector<4xi32>
  %k = vector.insert_strided_slice %l, %b {offsets = [1, 0], strides = [1]} : vector<2xi32> into vector<2x2xi32>
  vector.print %k : vector<2x2xi32>
  return
}`,
	"loops": `
func.func @square(%x: i32) -> i32 {
  %0 = arith.muli %x, %x : i32
  return %0 : i32
}
func.func @main() {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c5 = arith.constant 5 : index
  %zero = arith.constant 0 : i32
  %s = scf.parallel (%i) = (%c0) to (%c5) step (%c1) init (%zero) -> i32 {
    %x = arith.index_cast %i : index to i32
    %y = func.call @square(%x) : (i32) -> i32
    scf.reduce(%y : i32) {
    ^bb0(%l: i32, %r: i32):
      %q = arith.addi %l, %r : i32
      scf.reduce.return %q : i32
    }
  }
  vector.print %s : i32
  %k = scf.while (%x = %s) : (i32) -> i32 {
    %limit = arith.constant 1000 : i32
    %c = arith.cmpi slt, %x, %limit : i32
    scf.condition(%c) %x : i32
  } do {
  ^bb0(%x: i32):
    %two = arith.constant 2 : i32
    %y = arith.muli %x, %two : i32
    scf.yield %y : i32
  }
  vector.print %k : i32
  cf.br ^bb1(%c0 : index)
^bb1(%i: index):
  vector.print %i : index
  %n = arith.addi %i, %c1 : index
  %c = arith.cmpi slt, %n, %c5 : index
  cf.cond_br %c, ^bb1(%n : index), ^bb2
^bb2:
  return
}`,
}

// TestPrograms fixes what the programs print.
func TestPrograms(t *testing.T) {
	for name, want := range map[string]string{
		"memory":  "2\n6\n( 2, 4, 2, 2 )\n",
		"vectors": "( ( 8, 12 ), ( 18, 26 ) )\n( ( 8, 18 ), ( 12, 26 ) )\n26\n( 8, 12, 8, 26 )\n( 1, 1, 1, 0 )\n( 5, -7, 9, 0 )\n-7\n( 5, -7, 9, -7 )\n( ( -7, -7 ), ( -7, -7 ) )\n( -7, 9 )\n( 0, 0, -7, 9 )\n( ( -7, -7 ), ( -7, 9 ) )\n",
		"loops":   "30\n1920\n0\n1\n2\n3\n4\n",
	} {
		printed, _, err := run(t, programs[name])
		require.NoError(t, err, name)
		require.Equal(t, want, printed, name)
	}
}

// TestPrintedIndex: an index is printed without a sign, as LLVM 22's runner does.
func TestPrintedIndex(t *testing.T) {
	printed, _, err := run(t, "func.func @main() {\n%i = arith.constant -3 : index\nvector.print %i : index\nreturn\n}")
	require.NoError(t, err)
	require.Equal(t, "18446744073709551613\n", printed)
}

// TestRunner: upstream's runner prints what a walk prints.
func TestRunner(t *testing.T) {
	for name, text := range programs {
		lowered := mlirtest.Upstream(t, text, "mlir-opt-19", "-convert-linalg-to-loops", "-lower-affine",
			"-convert-vector-to-scf", "-expand-strided-metadata", "-lower-affine", "-convert-scf-to-cf", "-convert-vector-to-llvm",
			"-convert-arith-to-llvm", "-finalize-memref-to-llvm", "-convert-cf-to-llvm", "-convert-func-to-llvm",
			"-convert-index-to-llvm", "-reconcile-unrealized-casts")
		theirs := mlirtest.Upstream(t, lowered, "mlir-cpu-runner-19", "-entry-point-result=void",
			"-shared-libs=/usr/lib/llvm-19/lib/libmlir_c_runner_utils.so.19.1")
		printed, _, err := run(t, text)
		require.NoError(t, err, name)
		require.Equal(t, theirs, printed, name)
	}
}

// TestOpenExtents: one text for any number of rows.
func TestOpenExtents(t *testing.T) {
	const text = `
func.func @main(%a: tensor<?x2xf32>) -> tensor<2x?xf32> {
  %c0 = arith.constant 0 : index
  %n = tensor.dim %a, %c0 : tensor<?x2xf32>
  %e = tensor.empty(%n) : tensor<2x?xf32>
  %t = linalg.transpose ins(%a : tensor<?x2xf32>) outs(%e : tensor<2x?xf32>) permutation = [1, 0]
  return %t : tensor<2x?xf32>
}`
	for rows := range 4 {
		data := make([]float32, 2*rows)
		for i := range data {
			data[i] = float32(i)
		}
		_, out, err := run(t, text, buf.From(data, rows, 2))
		require.NoError(t, err)
		require.Equal(t, []int{2, rows}, out[0].Shape)
		for i := range rows {
			require.Equal(t, float64(2*i), out[0].Float64(i))
			require.Equal(t, float64(2*i+1), out[0].Float64(rows+i))
		}
	}
}

// TestMemoryIsGivenBack: a function without results gives its memory, and leaves the
// inputs as they are.
func TestMemoryIsGivenBack(t *testing.T) {
	in := buf.From([]float32{1, 2}, 2)
	_, out, err := run(t, `
func.func @main(%m: memref<2xf32>) {
  %c1 = arith.constant 1 : index
  %x = arith.constant 7.0 : f32
  memref.store %x, %m[%c1] : memref<2xf32>
  return
}`, in)
	require.NoError(t, err)
	require.Equal(t, []float64{1, 7}, []float64{out[0].Float64(0), out[0].Float64(1)})
	require.Equal(t, 2.0, in.Float64(1))
}

// TestErrors: what goes wrong is an error with its line, and ends.
func TestErrors(t *testing.T) {
	body := func(ops string) string {
		return "func.func @main(%m: memref<2xf32>, %n: index) {\n%c5 = arith.constant 5 : index\n" + ops + "\nreturn\n}"
	}
	for ops, want := range map[string]string{
		"%x = memref.load %m[%c5] : memref<2xf32>":                                                       "test.mlir:3:6: memref.load: index 5 is out of range for an extent of 2",
		"%s = memref.subview %m[1] [%c5] [1] : memref<2xf32> to memref<?xf32, strided<[1], offset: 1>>":  "out of range",
		"%big = arith.constant 1000000000000 : index\n%a = memref.alloc(%big) : memref<?xf32>":           "elements",
		"%d = memref.dim %m, %c5 : memref<2xf32>":                                                        "there is no dimension 5",
		"call @main(%m, %n) : (memref<2xf32>, index) -> ()":                                              "nested more than",
		"%x = arith.constant 5 : i7":                                                                     "programs compute with i1, i8, i16, i32, i64, bf16, f16, f32, f64, floats of 8 bits and complex numbers of f32 and f64, not with i7",
		"%x = arith.index_cast %c5 : index to i4":                                                        "not with i4",
		"%x = memref.alloc() : memref<2xcomplex<f16>>\n%y = memref.load %x[%n] : memref<2xcomplex<f16>>": "not with complex<f16>",
		"%x = arith.constant 5.0 : f128":                                                                 "not with f128",
		"scf.for %i = %n to %c5 step %n {\n}":                                                            "the step is 0",
		"%p:2 = affine.delinearize_index %c5 into (%n) : index, index":                                   "a basis of 0",
	} {
		_, _, err := run(t, body(ops), buf.From([]float32{1, 2}, 2), buf.From([]int64{0}))
		require.ErrorContains(t, err, want, ops)
	}
	module, err := mlir.Parse("test.mlir", []byte(body("%t = arith.constant true\nscf.while : () -> () {\nscf.condition(%t)\n} do {\nscf.yield\n}")))
	require.NoError(t, err)
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	_, err = walk.Run(ctx, &strings.Builder{}, module, module.Func("main"), []*buf.Buffer{buf.From([]float32{1, 2}, 2), buf.From([]int64{0})})
	require.ErrorIs(t, err, context.Canceled)
}

// TestNewerForms: an unsigned counter passes the largest number with a sign, and an index without an outer bound has a
// part that is not bounded.
func TestNewerForms(t *testing.T) {
	text, _, err := run(t, `
func.func @main(%n: index) {
  %a = arith.constant 2 : i32
  %b = arith.constant -2147483646 : i32
  %c = arith.constant 1073741824 : i32
  scf.for unsigned %i = %a to %b step %c : i32 {
    vector.print %i : i32
  }
  scf.for unsigned %i = %b to %a step %c : i32 {
    vector.print %i : i32
  }
  %m = arith.constant -7 : index
  %p:3 = affine.delinearize_index %m into (%n, 5) : index, index, index
  vector.print %p#0 : index
  vector.print %p#1 : index
  vector.print %p#2 : index
  %q:2 = affine.delinearize_index %n into (9, 3) : index, index
  vector.print %q#0 : index
  return
}`, buf.From([]int64{4}))
	require.NoError(t, err)
	require.Equal(t, []string{"2", "1073741826", "18446744073709551615", "2", "3", "1"}, strings.Fields(text))
}

func ExampleRun() {
	module, _ := mlir.Parse("sum.mlir", []byte(`
func.func @main(%a: memref<?xf32>) -> f32 {
  %zero = arith.constant 0.0 : f32
  %c0 = arith.constant 0 : index
  %n = memref.dim %a, %c0 : memref<?xf32>
  %s = affine.for %i = 0 to %n iter_args(%acc = %zero) -> f32 {
    %x = affine.load %a[%i] : memref<?xf32>
    %y = arith.addf %acc, %x : f32
    affine.yield %y : f32
  }
  return %s : f32
}`))
	out, err := walk.Run(context.Background(), &strings.Builder{}, module, module.Func("main"),
		[]*buf.Buffer{buf.From([]float32{1, 2, 3}, 3)})
	fmt.Println(out[0].Float64(0), err)
	// Output: 6 <nil>
}
