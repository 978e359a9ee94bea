package engine

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/enginetest"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
)

// forms are functions that say what others say too, in another way.
var forms = map[string]string{
	"a product that is added at once": `
func.func @main(%x: tensor<4x6xf32>, %y: tensor<6xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x, %y : tensor<4x6xf32>, tensor<6xf32>) outs(%i : tensor<4xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %s = math.fma %a, %b, %acc : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"a product with the sum in it": `
func.func @main(%x: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%i : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %s = math.fma %a, %acc, %acc : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"the sum and something of the sum": `
func.func @main(%x: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%i : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %h = arith.mulf %a, %acc : f32
      %s = arith.addf %acc, %h : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"a sum of the other sum": `
func.func @main(%x: tensor<4x6xf32>, %i: tensor<4xf32>) -> (tensor<4xf32>, tensor<4xf32>) {
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%i, %i : tensor<4xf32>, tensor<4xf32>) {
    ^bb0(%a: f32, %p: f32, %q: f32):
      %s = arith.addf %p, %a : f32
      %t = arith.addf %q, %p : f32
      linalg.yield %s, %t : f32, f32
  } -> (tensor<4xf32>, tensor<4xf32>)
  return %r#0, %r#1 : tensor<4xf32>, tensor<4xf32>
}`,
	"the last one": `
func.func @main(%x: tensor<4x6xf32>, %i: tensor<4xf32>) -> tensor<4xf32> {
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%x : tensor<4x6xf32>) outs(%i : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      linalg.yield %a : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"bits": `
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xi32>, tensor<4x6xf32>) {
  %b = tensor.bitcast %x : tensor<4x6xf32> to tensor<4x6xi32>
  %a = arith.andi %b, %b : tensor<4x6xi32>
  %c = tensor.bitcast %a : tensor<4x6xi32> to tensor<4x6xf32>
  %d = arith.addf %c, %x : tensor<4x6xf32>
  return %b, %d : tensor<4x6xi32>, tensor<4x6xf32>
}`,
	"extents": `
func.func @main(%x: tensor<4x6xf32>) -> tensor<2x3xi64> {
  %one = arith.constant 1 : index
  %d = tensor.dim %x, %one : tensor<4x6xf32>
  %r = tensor.rank %x : tensor<4x6xf32>
  %s = arith.muli %d, %r : index
  %t = arith.index_cast %s : index to i64
  %u = arith.index_cast %r : index to i64
  %f = tensor.from_elements %t, %u, %t, %u, %u, %t : tensor<2x3xi64>
  return %f : tensor<2x3xi64>
}`,
	"one number everywhere": `
func.func @main(%x: tensor<4x6xf32>) -> tensor<3x2xf32> {
  %two = arith.constant 2 : index
  %v = tensor.extract %x[%two, %two] : tensor<4x6xf32>
  %s = tensor.splat %v : tensor<3x2xf32>
  return %s : tensor<3x2xf32>
}`,
	"elements of equal ones": `
func.func @main(%at: tensor<4xi64>) -> tensor<4xf32> {
  %c = arith.constant dense<2.5> : tensor<5x3xf32>
  %e = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4xf32>) {
    ^bb0(%i: i64, %out: f32):
      %row = arith.index_cast %i : i64 to index
      %col = arith.constant 1 : index
      %v = tensor.extract %c[%row, %col] : tensor<5x3xf32>
      linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"elements of rows in another order": `
func.func @main(%x: tensor<2x5xf32>, %at: tensor<4xi64>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<5x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x5xf32>) outs(%e : tensor<5x2xf32>) permutation = [1, 0]
  %l = tensor.collapse_shape %t [[0, 1]] : tensor<5x2xf32> into tensor<10xf32>
  %o = tensor.empty() : tensor<4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i)>], iterator_types = ["parallel"]}
      ins(%at : tensor<4xi64>) outs(%o : tensor<4xf32>) {
    ^bb0(%i: i64, %out: f32):
      %k = arith.index_cast %i : i64 to index
      %v = tensor.extract %l[%k] : tensor<10xf32>
      linalg.yield %v : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"a slice of rows in another order": `
func.func @main(%x: tensor<2x5xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<5x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x5xf32>) outs(%e : tensor<5x2xf32>) permutation = [1, 0]
  %l = tensor.collapse_shape %t [[0, 1]] : tensor<5x2xf32> into tensor<10xf32>
  %s = tensor.extract_slice %l[1] [4] [2] : tensor<10xf32> to tensor<4xf32>
  %a = arith.addf %s, %s : tensor<4xf32>
  return %a : tensor<4xf32>
}`,
	"windows of rows in another order": `
func.func @main(%x: tensor<2x5xf32>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<5x2xf32>
  %t = linalg.transpose ins(%x : tensor<2x5xf32>) outs(%e : tensor<5x2xf32>) permutation = [1, 0]
  %l = tensor.collapse_shape %t [[0, 1]] : tensor<5x2xf32> into tensor<10xf32>
  %o = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i * 2 + j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%l : tensor<10xf32>) outs(%o : tensor<4x3xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}`,
	"places that are linear": `
func.func @main(%x: tensor<20xf32>) -> tensor<4x3xf32> {
  %o = tensor.empty() : tensor<4x3xf32>
  %two = arith.constant 2 : index
  %three = arith.constant 3 : index
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]} outs(%o : tensor<4x3xf32>) {
    ^bb0(%out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %a = arith.muli %two, %i : index
      %b = arith.muli %j, %three : index
      %c = arith.addi %a, %b : index
      %d = arith.subi %c, %j : index
      %e = arith.addi %d, %three : index
      %v = tensor.extract %x[%e] : tensor<20xf32>
      linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}`,
	"the only place of a dimension": `
func.func @main(%x: tensor<4x1xf32>) -> tensor<4x3xf32> {
  %o = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, 0)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x1xf32>) outs(%o : tensor<4x3xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}`,
	"a result with one place of a dimension": `
func.func @main(%x: tensor<4xf32>) -> tensor<4x1xf32> {
  %o = tensor.empty() : tensor<4x1xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> (i, 0)>],
      iterator_types = ["parallel"]} ins(%x : tensor<4xf32>) outs(%o : tensor<4x1xf32>) {
    ^bb0(%a: f32, %out: f32):
      %b = arith.addf %a, %a : f32
      linalg.yield %b : f32
  } -> tensor<4x1xf32>
  return %r : tensor<4x1xf32>
}`,
	"numbers from outside of the body": `
func.func @main(%x: tensor<4x6xf32>) -> (tensor<4x6xf32>, tensor<4xf32>) {
  %one = arith.constant 1 : index
  %v = tensor.extract %x[%one, %one] : tensor<4x6xf32>
  %w = arith.addf %v, %v : f32
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) {
    ^bb0(%a: f32, %out: f32):
      %s = arith.mulf %a, %w : f32
      %t = arith.subf %s, %v : f32
      linalg.yield %t : f32
  } -> tensor<4x6xf32>
  %z = tensor.splat %w : tensor<4xf32>
  %q = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%r : tensor<4x6xf32>) outs(%z : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %h = arith.mulf %acc, %w : f32
      %s = arith.subf %h, %a : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r, %q : tensor<4x6xf32>, tensor<4xf32>
}`,
	"an operand that is not needed": `
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>) -> tensor<4x6xf32> {
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%y, %x : tensor<4x6xf32>, tensor<4x6xf32>) outs(%o : tensor<4x6xf32>) {
    ^bb0(%b: f32, %a: f32, %out: f32):
      %c = arith.addf %b, %a : f32
      %d = arith.mulf %a, %a : f32
      linalg.yield %d : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}`,
	"a loop of one place that the result has not": `
func.func @main(%x: tensor<4x1x6xf32>) -> tensor<4x6xf32> {
  %o = tensor.empty() : tensor<4x6xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, j, k)>, affine_map<(i, j, k) -> (i, k)>],
      iterator_types = ["parallel", "parallel", "parallel"]} ins(%x : tensor<4x1x6xf32>) outs(%o : tensor<4x6xf32>) {
    ^bb0(%a: f32, %out: f32):
      %d = arith.mulf %a, %a : f32
      linalg.yield %d : f32
  } -> tensor<4x6xf32>
  return %r : tensor<4x6xf32>
}`,
	"a constant of a file": `
func.func @main(%x: tensor<3xf32>) -> tensor<3xf32> {
  %c = arith.constant dense_resource<numbers> : tensor<3xf32>
  %r = arith.addf %x, %c : tensor<3xf32>
  return %r : tensor<3xf32>
}
{-#
  dialect_resources: {
    builtin: {
      numbers: "0x040000000000803F0000004000004040"
    }
  }
#-}`,
	"products of halves": `
func.func @main(%x: tensor<8x5xf16>, %y: tensor<5x8xf16>, %u: tensor<8x5xbf16>, %v: tensor<5x8xbf16>) -> (tensor<8x8xf16>, tensor<8x8xbf16>) {
  %c = arith.constant dense<0.0> : tensor<8x8xf16>
  %d = arith.constant dense<0.0> : tensor<8x8xbf16>
  %r = linalg.matmul ins(%x, %y : tensor<8x5xf16>, tensor<5x8xf16>) outs(%c : tensor<8x8xf16>) -> tensor<8x8xf16>
  %s = linalg.matmul ins(%u, %v : tensor<8x5xbf16>, tensor<5x8xbf16>) outs(%d : tensor<8x8xbf16>) -> tensor<8x8xbf16>
  return %r, %s : tensor<8x8xf16>, tensor<8x8xbf16>
}`,
	"products of integers": `
func.func @main(%x: tensor<8x5xi8>, %y: tensor<5x8xi8>, %u: tensor<8x5xi16>, %v: tensor<5x8xi16>, %w: tensor<5x8xi64>, %z: tensor<8x5xi64>) ->
    (tensor<8x8xi8>, tensor<8x8xi16>, tensor<8x8xi32>, tensor<8x8xi64>, tensor<8x8xi32>) {
  %c = arith.constant dense<0> : tensor<8x8xi8>
  %d = arith.constant dense<0> : tensor<8x8xi16>
  %e = arith.constant dense<0> : tensor<8x8xi32>
  %f = arith.constant dense<0> : tensor<8x8xi64>
  %r = linalg.matmul ins(%x, %y : tensor<8x5xi8>, tensor<5x8xi8>) outs(%c : tensor<8x8xi8>) -> tensor<8x8xi8>
  %s = linalg.matmul ins(%u, %v : tensor<8x5xi16>, tensor<5x8xi16>) outs(%d : tensor<8x8xi16>) -> tensor<8x8xi16>
  %t = linalg.matmul ins(%x, %v : tensor<8x5xi8>, tensor<5x8xi16>) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  %p = linalg.matmul ins(%z, %w : tensor<8x5xi64>, tensor<5x8xi64>) outs(%f : tensor<8x8xi64>) -> tensor<8x8xi64>
  %q = linalg.matmul ins(%z, %y : tensor<8x5xi64>, tensor<5x8xi8>) outs(%e : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r, %s, %t, %p, %q : tensor<8x8xi8>, tensor<8x8xi16>, tensor<8x8xi32>, tensor<8x8xi64>, tensor<8x8xi32>
}`,
	"a product of unsigned numbers": `
func.func @main(%x: tensor<8x5xi8>, %y: tensor<5x8xi8>) -> tensor<8x8xi32> {
  %m = arith.constant dense<-100> : tensor<8x5xi8>
  %z = arith.addi %x, %m : tensor<8x5xi8>
  %c = arith.constant dense<0> : tensor<8x8xi32>
  %r = linalg.matmul {cast = #linalg.type_fn<cast_unsigned>} ins(%z, %y : tensor<8x5xi8>, tensor<5x8xi8>) outs(%c : tensor<8x8xi32>) -> tensor<8x8xi32>
  return %r : tensor<8x8xi32>
}`,
	"a product with the place added": `
func.func @main(%x: tensor<8x5xf32>, %y: tensor<5x8xf32>) -> tensor<8x8xf32> {
  %c = arith.constant dense<0.0> : tensor<8x8xf32>
  %r = linalg.matmul ins(%x, %y : tensor<8x5xf32>, tensor<5x8xf32>) outs(%c : tensor<8x8xf32>) -> tensor<8x8xf32>
  %s = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i, j)>], iterator_types = ["parallel", "parallel"]}
      ins(%r : tensor<8x8xf32>) outs(%c : tensor<8x8xf32>) {
    ^bb0(%a: f32, %out: f32):
      %i = linalg.index 0 : index
      %j = linalg.index 1 : index
      %k = arith.muli %i, %j : index
      %l = arith.index_cast %k : index to i64
      %f = arith.sitofp %l : i64 to f32
      %d = arith.addf %a, %f : f32
      linalg.yield %d : f32
  } -> tensor<8x8xf32>
  return %s : tensor<8x8xf32>
}`,
	"a long sum of places": `
func.func @main(%x: tensor<100003xf32>) -> tensor<f32> {
  %z = arith.constant dense<0.0> : tensor<f32>
  %r = linalg.generic {indexing_maps = [affine_map<(i) -> (i)>, affine_map<(i) -> ()>], iterator_types = ["reduction"]}
      ins(%x : tensor<100003xf32>) outs(%z : tensor<f32>) {
    ^bb0(%a: f32, %acc: f32):
      %i = linalg.index 0 : index
      %k = arith.index_cast %i : index to i64
      %f = arith.sitofp %k : i64 to f32
      %m = arith.constant 1.0e-05 : f32
      %g = arith.mulf %f, %m : f32
      %d = arith.mulf %a, %g : f32
      %s = arith.addf %d, %acc : f32
      linalg.yield %s : f32
  } -> tensor<f32>
  return %r : tensor<f32>
}`,
}

// sample draws inputs of a function: numbers around zero, and integers from 0 to 4.
func sample(f *mlir.Operation) []*buf.Buffer {
	var inputs []*buf.Buffer
	for i, a := range f.Body().Args {
		t := a.Type.(mlir.TensorType)
		b := buf.New(mlir.DTypeOf(t.Elem), t.Shape)
		for k := range b.Len() {
			if b.DType.IsFloat() {
				b.SetFloat64(k, float64((k*7+i*3)%11)/4-1)
			} else {
				b.SetInt64(k, int64(k*3%5))
			}
		}
		inputs = append(inputs, b)
	}
	return inputs
}

// TestForms compares functions with the reference, as a whole and in small pieces.
func TestForms(t *testing.T) {
	for name, text := range forms {
		t.Run(name, func(t *testing.T) {
			m, err := mlir.Parse("test.mlir", []byte(text))
			require.NoError(t, err)
			defer func(n int) { pieceOps = n }(pieceOps)
			for _, n := range []int{pieceOps, 2} {
				pieceOps = n
				compare(t, m.Funcs()[0], sample(m.Funcs()[0]))
			}
		})
	}
}

// TestFolds compares every operation that folds with the reference: on all types, with the result so far as either
// operand, from a number that is not neutral and from a tensor.
func TestFolds(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 7))
	for _, name := range strings.Fields("arith.addf arith.addi arith.mulf arith.muli arith.maximumf arith.maxsi arith.minimumf arith.minsi " +
		"arith.maxnumf arith.minnumf arith.maxui arith.minui arith.andi arith.ori arith.xori") {
		types := map[string]string{"i1": "true", "i8": "3", "i32": "-3", "i64": "5"}
		if strings.HasSuffix(name, "f") {
			types = map[string]string{"f32": "1.5", "f64": "-2.5"}
		}
		for elem, start := range types {
			t.Run(name+" "+elem, func(t *testing.T) {
				fold := func(init, operands string) string {
					return fmt.Sprintf(`linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]} ins(%%x : tensor<3x5x%[1]s>) outs(%[2]s : tensor<3x%[1]s>) {
    ^bb0(%%a: %[1]s, %%acc: %[1]s):
      %%f = %[3]s %[4]s : %[1]s
      linalg.yield %%f : %[1]s
  } -> tensor<3x%[1]s>`, elem, init, name, operands)
				}
				text := fmt.Sprintf(`func.func @main(%%x: tensor<3x5x%[1]s>, %%i: tensor<3x%[1]s>) -> (tensor<3x%[1]s>, tensor<3x%[1]s>, tensor<3x%[1]s>) {
  %%c = arith.constant dense<%[2]s> : tensor<3x%[1]s>
  %%r = %[3]s
  %%s = %[4]s
  %%t = %[5]s
  return %%r, %%s, %%t : tensor<3x%[1]s>, tensor<3x%[1]s>, tensor<3x%[1]s>
}`, elem, start, fold("%c", "%acc, %a"), fold("%i", "%a, %acc"), fold("%i", "%acc, %a"))
				m, err := mlir.Parse("test.mlir", []byte(text))
				require.NoError(t, err)
				for range 3 {
					inputs := sample(m.Funcs()[0])
					for _, b := range inputs {
						for k := range b.Len() {
							switch {
							case b.DType.IsFloat():
								b.SetFloat64(k, float64(r.IntN(17))/4-2)
							case b.DType == dtype.Bool:
								b.SetInt64(k, int64(r.IntN(2)))
							default:
								b.SetInt64(k, int64(r.Uint64()>>r.IntN(64)))
							}
						}
					}
					compare(t, m.Funcs()[0], inputs)
				}
			})
		}
	}
}

// TestRefusedInPieces: what a function is refused for does not depend on whether it is divided.
func TestRefusedInPieces(t *testing.T) {
	defer func(n int) { pieceOps = n }(pieceOps)
	for _, text := range forms {
		text = strings.Replace(text, "  return ", "  %odd = \"foo.bar\"() : () -> f32\n  return ", 1)
		m, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err)
		var said []string
		for _, n := range []int{1 << 20, 2} {
			pieceOps = n
			_, err := Compile(m.Funcs()[0], Options{Backend: portable.Compile})
			require.ErrorContains(t, err, "foo.bar: operation is not supported")
			said = append(said, err.Error())
		}
		require.Equal(t, said[0], said[1])
	}
}

// TestSpellings: a product that is added is the same kernel however it is written.
func TestSpellings(t *testing.T) {
	var want string
	for _, body := range []string{"%s = math.fma %a, %b, %acc : f32", "%s = math.fma %b, %a, %acc : f32",
		"%m = arith.mulf %a, %b : f32\n%s = arith.addf %acc, %m : f32", "%m = arith.mulf %b, %a : f32\n%s = arith.addf %m, %acc : f32"} {
		m, err := mlir.Parse("test.mlir", []byte(`func.func @main(%x: tensor<40x60xf32>, %y: tensor<60x50xf32>) -> tensor<40x50xf32> {
  %c = arith.constant dense<0.0> : tensor<40x50xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j, k) -> (i, k)>, affine_map<(i, j, k) -> (k, j)>, affine_map<(i, j, k) -> (i, j)>],
      iterator_types = ["parallel", "parallel", "reduction"]} ins(%x, %y : tensor<40x60xf32>, tensor<60x50xf32>) outs(%c : tensor<40x50xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      `+body+`
      linalg.yield %s : f32
  } -> tensor<40x50xf32>
  return %r : tensor<40x50xf32>
}`))
		require.NoError(t, err)
		p, err := Compile(m.Funcs()[0], Options{})
		require.NoError(t, err)
		if want == "" {
			want = kinds(p)
		}
		require.Equal(t, want, kinds(p), body)
		require.Contains(t, want, "matmul")
		p.Close()
		compare(t, m.Funcs()[0], sample(m.Funcs()[0]))
	}
}

// TestFoldsAsWritten: bodies that fold in ways that are evaluated as they are written may name what lies outside of
// them, also in a function that is divided.
func TestFoldsAsWritten(t *testing.T) {
	defer func(n int) { pieceOps = n }(pieceOps)
	pieceOps = 3
	m, err := mlir.Parse("test.mlir", []byte(enginetest.DividedLayers()))
	require.NoError(t, err)
	compare(t, m.Funcs()[0], sample(m.Funcs()[0]))
}
