package engine

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
)

// texts are functions as upstream MLIR writes them.
var texts = map[string]string{
	"numbers that are operands": `
func.func @main(%x: tensor<4x6xf32>) -> (tensor<2x3xf32>, tensor<5x8xf32>, tensor<4x6xf32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %c3 = arith.constant 3 : index
  %z = arith.constant 3.5 : f32
  %s = tensor.extract_slice %x[%c2, 1] [%c2, %c3] [1, %c2] : tensor<4x6xf32> to tensor<2x3xf32>
  %p = tensor.pad %x low[%c1, %c0] high[%c0, %c2] {
  ^bb0(%i: index, %j: index):
    tensor.yield %z : f32
  } : tensor<4x6xf32> to tensor<5x8xf32>
  %t = tensor.insert_slice %s into %x[%c1, %c3] [%c2, %c3] [1, 1] : tensor<2x3xf32> into tensor<4x6xf32>
  return %s, %p, %t : tensor<2x3xf32>, tensor<5x8xf32>, tensor<4x6xf32>
}`,
	"unsigned": `
func.func @main(%x: tensor<8xi8>, %y: tensor<8xi8>) -> (tensor<8xi8>, tensor<8xi32>, tensor<8xi1>, tensor<8xf32>) {
  %q = arith.divui %x, %y : tensor<8xi8>
  %e = arith.extui %x : tensor<8xi8> to tensor<8xi32>
  %c = arith.cmpi ult, %x, %y : tensor<8xi8>
  %f = arith.uitofp %y : tensor<8xi8> to tensor<8xf32>
  return %q, %e, %c, %f : tensor<8xi8>, tensor<8xi32>, tensor<8xi1>, tensor<8xf32>
}`,
	"unsigned wide": `
func.func @main(%x: tensor<8xi64>, %y: tensor<8xi64>, %a: tensor<8xi32>, %b: tensor<8xi32>)
    -> (tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xf64>) {
  %q = arith.divui %x, %y : tensor<8xi64>
  %r = arith.remui %x, %y : tensor<8xi64>
  %lo, %hi = arith.mului_extended %x, %y : tensor<8xi64>
  %m = arith.maxui %a, %b : tensor<8xi32>
  %s = arith.shrui %a, %b : tensor<8xi32>
  %l, %h = arith.mului_extended %a, %b : tensor<8xi32>
  %f = arith.uitofp %x : tensor<8xi64> to tensor<8xf64>
  return %q, %r, %hi, %m, %s, %h, %f : tensor<8xi64>, tensor<8xi64>, tensor<8xi64>, tensor<8xi32>, tensor<8xi32>, tensor<8xi32>, tensor<8xf64>
}`,
	"map and reduce": `
func.func @main(%x: tensor<4x6xf32>, %y: tensor<4x6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %e = tensor.empty() : tensor<4x6xf32>
  %m = linalg.map ins(%x, %y : tensor<4x6xf32>, tensor<4x6xf32>) outs(%e : tensor<4x6xf32>)
    (%a: f32, %b: f32) {
      %p = arith.mulf %a, %b : f32
      linalg.yield %p : f32
    }
  %r = linalg.reduce ins(%m : tensor<4x6xf32>) outs(%init : tensor<4xf32>) dimensions = [1]
    (%a: f32, %b: f32) {
      %p = arith.addf %a, %b : f32
      linalg.yield %p : f32
    }
  return %r : tensor<4xf32>
}`,
	"custom fold": `
func.func @main(%x: tensor<4x6xf32>, %init: tensor<4xf32>) -> tensor<4xf32> {
  %half = arith.constant 0.5 : f32
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (i)>],
      iterator_types = ["parallel", "reduction"]}
      ins(%x : tensor<4x6xf32>) outs(%init : tensor<4xf32>) {
    ^bb0(%a: f32, %acc: f32):
      %h = arith.mulf %acc, %half : f32
      %s = arith.addf %h, %a : f32
      linalg.yield %s : f32
  } -> tensor<4xf32>
  return %r : tensor<4xf32>
}`,
	"gather": `
func.func @main(%table: tensor<5x3xf32>, %at: tensor<4xi64>) -> tensor<4x3xf32> {
  %e = tensor.empty() : tensor<4x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]}
      ins(%at : tensor<4xi64>) outs(%e : tensor<4x3xf32>) {
    ^bb0(%i: i64, %out: f32):
      %row = arith.index_cast %i : i64 to index
      %col = linalg.index 1 : index
      %v = tensor.extract %table[%row, %col] : tensor<5x3xf32>
      linalg.yield %v : f32
  } -> tensor<4x3xf32>
  return %r : tensor<4x3xf32>
}`,
	"maps with division": `
func.func @main(%x: tensor<3x2xf32>) -> tensor<6x4xf32> {
  %e = tensor.empty() : tensor<6x4xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i floordiv 2, j mod 2)>, affine_map<(i, j) -> (i, j)>],
      iterator_types = ["parallel", "parallel"]} ins(%x : tensor<3x2xf32>) outs(%e : tensor<6x4xf32>) {
    ^bb0(%a: f32, %out: f32):
      linalg.yield %a : f32
  } -> tensor<6x4xf32>
  return %r : tensor<6x4xf32>
}`,
	"two results": `
func.func @main(%x: tensor<4x6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %z = arith.constant dense<0.0> : tensor<6xf32>
  %r:2 = linalg.generic {indexing_maps = [affine_map<(i, j) -> (i, j)>, affine_map<(i, j) -> (j)>, affine_map<(i, j) -> (j)>],
      iterator_types = ["reduction", "parallel"]} ins(%x : tensor<4x6xf32>) outs(%z, %z : tensor<6xf32>, tensor<6xf32>) {
    ^bb0(%a: f32, %s: f32, %q: f32):
      %t = arith.addf %s, %a : f32
      %b = arith.mulf %a, %a : f32
      %u = arith.addf %q, %b : f32
      linalg.yield %t, %u : f32, f32
  } -> (tensor<6xf32>, tensor<6xf32>)
  return %r#0, %r#1 : tensor<6xf32>, tensor<6xf32>
}`,
	"groups before the images": `
func.func @main(%x: tensor<2x2x6x7xf32>, %w: tensor<2x3x2x3xf32>) -> tensor<2x2x5x5x3xf32> {
  %z = arith.constant dense<0.0> : tensor<2x2x5x5x3xf32>
  %r = linalg.generic {indexing_maps = [affine_map<(n, g, p, q, k, r, s) -> (n, g, p + r, q + s)>,
      affine_map<(n, g, p, q, k, r, s) -> (g, k, r, s)>, affine_map<(n, g, p, q, k, r, s) -> (n, g, p, q, k)>],
      iterator_types = ["parallel", "parallel", "parallel", "parallel", "parallel", "reduction", "reduction"]}
      ins(%x, %w : tensor<2x2x6x7xf32>, tensor<2x3x2x3xf32>) outs(%z : tensor<2x2x5x5x3xf32>) {
    ^bb0(%a: f32, %b: f32, %acc: f32):
      %m = arith.mulf %a, %b : f32
      %s = arith.addf %acc, %m : f32
      linalg.yield %s : f32
  } -> tensor<2x2x5x5x3xf32>
  return %r : tensor<2x2x5x5x3xf32>
}`,
	"unsigned extremes": `
func.func @main(%x: tensor<4x6xi8>, %y: tensor<4x6xi32>, %init: tensor<4xi32>) -> (tensor<4xi8>, tensor<4xi32>, tensor<4xi32>) {
  %z = arith.constant dense<3> : tensor<4xi8>
  %a = linalg.reduce { arith.maxui } ins(%x : tensor<4x6xi8>) outs(%z : tensor<4xi8>) dimensions = [1]
  %b = linalg.reduce { arith.minui } ins(%y : tensor<4x6xi32>) outs(%init : tensor<4xi32>) dimensions = [1]
  %z32 = arith.constant dense<3> : tensor<4xi32>
  %c = linalg.reduce { arith.maxui } ins(%y : tensor<4x6xi32>) outs(%z32 : tensor<4xi32>) dimensions = [1]
  return %a, %b, %c : tensor<4xi8>, tensor<4xi32>, tensor<4xi32>
}`,
	"insert into itself": `
func.func @main(%x: tensor<6xf32>) -> (tensor<6xf32>, tensor<6xf32>) {
  %a = arith.addf %x, %x : tensor<6xf32>
  %s = tensor.extract_slice %a[0] [2] [1] : tensor<6xf32> to tensor<2xf32>
  %i = tensor.insert_slice %s into %a[3] [2] [1] : tensor<2xf32> into tensor<6xf32>
  %j = tensor.insert_slice %s into %i[1] [2] [2] : tensor<2xf32> into tensor<6xf32>
  return %j, %a : tensor<6xf32>, tensor<6xf32>
}`,
	"scalars": `
func.func @main(%x: tensor<6xf32>, %i: tensor<i64>) -> (tensor<3xf32>, tensor<2x2xindex>) {
  %c1 = arith.constant 1 : index
  %v = tensor.extract %x[%c1] : tensor<6xf32>
  %two = arith.constant 2.0 : f32
  %w = arith.mulf %v, %two : f32
  %e = tensor.empty() : tensor<3xf32>
  %f = linalg.fill ins(%w : f32) outs(%e : tensor<3xf32>) -> tensor<3xf32>
  %g = tensor.generate {
  ^bb0(%p: index, %q: index):
    %s = arith.addi %p, %q : index
    tensor.yield %s : index
  } : tensor<2x2xindex>
  return %f, %g : tensor<3xf32>, tensor<2x2xindex>
}`,
	"empty": `
func.func @main(%x: tensor<0x4xf32>, %y: tensor<4x0xf32>) -> (tensor<4xf32>, tensor<0x4xf32>, tensor<0x0xf32>) {
  %z = arith.constant dense<1.5> : tensor<4xf32>
  %r = linalg.reduce { arith.addf } ins(%x : tensor<0x4xf32>) outs(%z : tensor<4xf32>) dimensions = [0]
  %a = arith.addf %x, %x : tensor<0x4xf32>
  %e = arith.constant dense<0.0> : tensor<0x0xf32>
  %m = linalg.matmul ins(%x, %y : tensor<0x4xf32>, tensor<4x0xf32>) outs(%e : tensor<0x0xf32>) -> tensor<0x0xf32>
  return %r, %a, %m : tensor<4xf32>, tensor<0x4xf32>, tensor<0x0xf32>
}`,
}

func TestTexts(t *testing.T) {
	for name, text := range texts {
		t.Run(name, func(t *testing.T) {
			m, err := mlir.Parse("test.mlir", []byte(text))
			require.NoError(t, err)
			f := m.Funcs()[0]
			var inputs []*buf.Buffer
			for i, a := range f.Body().Args {
				tt := a.Type.(mlir.TensorType)
				b := buf.New(mlir.DTypeOf(tt.Elem), tt.Shape)
				for k := range b.Len() {
					switch {
					case b.DType.IsFloat():
						b.SetFloat64(k, float64((k*7+i*3)%11)/4-1)
					case name == "gather":
						b.SetInt64(k, int64(k*3%5))
					default:
						b.SetInt64(k, int64(uint64(k+1)*0x9e3779b97f4a7c15>>(5*i))>>(8*(k%8))|1)
					}
				}
				inputs = append(inputs, b)
			}
			if name == "unsigned wide" { // shifts stay below the width
				for k := range inputs[3].Len() {
					inputs[3].SetInt64(k, inputs[3].Int64(k)&31)
				}
			}
			compare(t, f, inputs)
		})
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]string{
		`func.func @main(%x: tensor<?xf32>) -> tensor<?xf32> { return %x : tensor<?xf32> }`: "without a static shape",
		`func.func @main(%x: tensor<4xcomplex<f32>>) -> tensor<4xcomplex<f32>> {
			return %x : tensor<4xcomplex<f32>> }`: "are not supported",
		`func.func @main(%x: tensor<4xf32>) -> tensor<4xf32> {
			%y = "foo.bar"(%x) : (tensor<4xf32>) -> tensor<4xf32>
			return %y : tensor<4xf32> }`: "test.mlir:2:9: foo.bar: operation is not supported",
	} {
		m, err := mlir.Parse("test.mlir", []byte(text))
		require.NoError(t, err)
		_, err = Compile(m.Funcs()[0], Options{})
		require.ErrorContains(t, err, want)
	}
}

// TestFault reads outside a table of rows of 3, also where three times the index is a
// number of an element, but for what does not fit 64 bits.
func TestFault(t *testing.T) {
	for _, o := range []Options{{}, {Backend: portable.Compile}} {
		p := compile(t, texts["gather"], o)
		for _, bad := range []int64{-1, -5, 5, 1 << 40, math.MaxInt64/3*2 + 2, math.MinInt64} {
			_, err := p.Run(context.Background(), []*buf.Buffer{buf.From(make([]float32, 15), 5, 3), buf.From([]int64{0, bad, 1, 2}, 4)})
			require.ErrorContains(t, err, "index out of range", bad)
			require.True(t, strings.HasPrefix(err.Error(), "test.mlir:4:"), err.Error())
			_, err = p.Run(context.Background(), []*buf.Buffer{buf.From(make([]float32, 15), 5, 3), buf.From([]int64{0, 4, 1, 2}, 4)})
			require.NoError(t, err)
		}
	}
}

// TestMapOfItsOutput: since LLVM 22 the region of linalg.map takes the element of the output as well, whether it reads
// it or not.
func TestMapOfItsOutput(t *testing.T) {
	p := compile(t, `
func.func @main(%a: tensor<3xf32>, %b: tensor<3xf32>) -> (tensor<3xf32>, tensor<3xf32>) {
  %e = tensor.empty() : tensor<3xf32>
  %0 = linalg.map ins(%a, %b : tensor<3xf32>, tensor<3xf32>) outs(%e : tensor<3xf32>) (%x: f32, %y: f32, %o: f32) {
    %s = arith.subf %x, %y : f32
    linalg.yield %s : f32
  }
  %1 = linalg.map ins(%a : tensor<3xf32>) outs(%b : tensor<3xf32>) (%x: f32, %o: f32) {
    %s = arith.subf %x, %o : f32
    %t = arith.mulf %s, %o : f32
    linalg.yield %t : f32
  }
  return %0, %1 : tensor<3xf32>, tensor<3xf32>
}`, Options{Backend: portable.Compile})
	got := run(t, p, buf.From([]float32{1, 2, 3}, 3), buf.From([]float32{4, 6, 9}, 3))
	require.Equal(t, []float32{-3, -4, -6}, buf.Slice[float32](got[0]))
	require.Equal(t, []float32{-12, -24, -54}, buf.Slice[float32](got[1]))
}

// TestInsertedElement: the element is another one in the result, and the tensor that it was put into stays.
func TestInsertedElement(t *testing.T) {
	p := compile(t, `
func.func @main(%a: tensor<2x3xf32>, %v: f32) -> (tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c2 = arith.constant 2 : index
  %0 = tensor.insert %v into %a[%c1, %c2] : tensor<2x3xf32>
  %1 = tensor.insert %v into %0[%c0, %c0] : tensor<2x3xf32>
  %e = tensor.empty() : tensor<f32>
  %2 = tensor.insert %v into %e[] : tensor<f32>
  return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<f32>
}`, Options{Backend: portable.Compile})
	got := run(t, p, buf.From([]float32{1, 2, 3, 4, 5, 6}, 2, 3), buf.From([]float32{9}))
	require.Equal(t, []float32{1, 2, 3, 4, 5, 9}, buf.Slice[float32](got[0]))
	require.Equal(t, []float32{9, 2, 3, 4, 5, 9}, buf.Slice[float32](got[1]))
	require.Equal(t, []float32{9}, buf.Slice[float32](got[2]))
}
