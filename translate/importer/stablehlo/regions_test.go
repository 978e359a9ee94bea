package stablehlo_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestScatters folds updates into places by every operation, some of them twice and some outside, and compares with
// loops.
func TestScatters(t *testing.T) {
	truth := func(b bool) float64 {
		if b {
			return 1
		}
		return 0
	}
	all := map[string]func(x, y float64) float64{
		"stablehlo.add %x, %y":      func(x, y float64) float64 { return x + y },
		"stablehlo.multiply %x, %y": func(x, y float64) float64 { return x * y },
		"stablehlo.maximum %x, %y":  func(x, y float64) float64 { return max(x, y) },
		"stablehlo.minimum %x, %y":  func(x, y float64) float64 { return min(x, y) },
		"stablehlo.maximum %y, %x":  func(x, y float64) float64 { return max(x, y) },
		"x":                         func(x, _ float64) float64 { return x },
		"y":                         func(_, y float64) float64 { return y },
	}
	signed := map[string]func(x, y float64) float64{
		"stablehlo.subtract %x, %y": func(x, y float64) float64 { return x - y },
		"stablehlo.subtract %y, %x": func(x, y float64) float64 { return y - x },
		"stablehlo.add %x, %x":      func(x, _ float64) float64 { return x + x },
	}
	logic := map[string]func(x, y float64) float64{
		"stablehlo.add %x, %y":      func(x, y float64) float64 { return max(x, y) },
		"stablehlo.or %x, %y":       func(x, y float64) float64 { return max(x, y) },
		"stablehlo.maximum %x, %y":  func(x, y float64) float64 { return max(x, y) },
		"stablehlo.multiply %x, %y": func(x, y float64) float64 { return min(x, y) },
		"stablehlo.and %x, %y":      func(x, y float64) float64 { return min(x, y) },
		"stablehlo.minimum %x, %y":  func(x, y float64) float64 { return min(x, y) },
		"stablehlo.xor %x, %y":      func(x, y float64) float64 { return truth(x != y) },
		"y":                         func(_, y float64) float64 { return y },
	}
	r := rand.New(rand.NewPCG(5, 5))
	places := []int32{3, 0, 4, 3, 5, -1, 1, 0}
	for _, c := range []struct {
		name  string
		d     dtype.DType
		folds []map[string]func(x, y float64) float64
	}{
		{"f32", dtype.F32, []map[string]func(x, y float64) float64{all, signed}},
		{"i32", dtype.I32, []map[string]func(x, y float64) float64{all, signed}},
		{"ui8", dtype.U8, []map[string]func(x, y float64) float64{all}},
		{"i1", dtype.Bool, []map[string]func(x, y float64) float64{logic}},
	} {
		for _, folds := range c.folds {
			for body, fold := range folds {
				into, updates := buf.New(c.d, []int{5}), buf.New(c.d, []int{8})
				want := make([]float64, 5)
				for i := range want {
					into.SetInt64(i, int64(r.IntN(2)+i)%4)
					if c.d == dtype.Bool {
						into.SetInt64(i, int64(r.IntN(2)))
					}
					want[i] = into.Float64(i)
				}
				for k, at := range places {
					updates.SetInt64(k, int64(r.IntN(4)))
					if c.d == dtype.Bool {
						updates.SetInt64(k, int64(r.IntN(2)))
					}
					if at >= 0 && at < 5 {
						want[at] = fold(want[at], updates.Float64(k))
					}
				}
				result := "%" + body
				if len(body) > 1 {
					result = "%r"
					body = fmt.Sprintf("%%r = %s : tensor<%s>\n", body, c.name)
				} else {
					body = ""
				}
				text := fmt.Sprintf(`func.func @main(%%a: tensor<5x%[1]s>, %%i: tensor<8x1xi32>, %%u: tensor<8x%[1]s>) -> tensor<5x%[1]s> {
  %%0 = "stablehlo.scatter"(%%a, %%i, %%u) <{scatter_dimension_numbers = #stablehlo.scatter<inserted_window_dims = [0], scatter_dims_to_operand_dims = [0], index_vector_dim = 1>}> ({
  ^bb0(%%x: tensor<%[1]s>, %%y: tensor<%[1]s>):
    %[2]sstablehlo.return %[3]s : tensor<%[1]s>
  }) : (tensor<5x%[1]s>, tensor<8x1xi32>, tensor<8x%[1]s>) -> tensor<5x%[1]s>
  return %%0 : tensor<5x%[1]s>
}`, c.name, body, result)
				out := compute(t, text, into, buf.From(places, 8, 1), updates)
				for i := range want {
					require.Equal(t, want[i], out[0].Float64(i), "%s: %s element %d", c.name, body, i)
				}
			}
		}
	}
}

// TestRegions: what stands in the region of a reduction, and operations that leave a tensor as it is.
func TestRegions(t *testing.T) {
	reduce := func(body string) string {
		return `func.func private @sum(%p: tensor<f32>, %q: tensor<f32>) -> tensor<f32> {
  %r = stablehlo.add %p, %q : tensor<f32>
  return %r : tensor<f32>
}
func.func private @twice(%p: tensor<f32>, %q: tensor<f32>) -> tensor<f32> {
  %r = func.call @sum(%p, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  %s = func.call @sum(%r, %q) : (tensor<f32>, tensor<f32>) -> tensor<f32>
  return %s : tensor<f32>
}
func.func @main(%x: tensor<4xf32>) -> tensor<f32> {
  %z = stablehlo.constant dense<0.0> : tensor<f32>
  %0 = "stablehlo.reduce"(%x, %z) ({
  ^bb0(%a: tensor<f32>, %b: tensor<f32>):
` + body + `
  }) {dimensions = array<i64: 0>} : (tensor<4xf32>, tensor<f32>) -> tensor<f32>
  return %0 : tensor<f32>
}`
	}
	whole := func(op, out string) string {
		return "func.func @main(%x: tensor<4xf32>) -> " + out + " {\n  %0 = " + op + "\n  return %0 : " + out + "\n}"
	}
	x := buf.From([]float32{1, 2, 4, 8}, 4)
	for text, want := range map[string][]float64{
		reduce("%c = func.call @sum(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>\nstablehlo.return %c : tensor<f32>"):                                                                 {15},
		reduce("%c = func.call @twice(%a, %b) : (tensor<f32>, tensor<f32>) -> tensor<f32>\nstablehlo.return %c : tensor<f32>"):                                                               {30},
		reduce("%k = stablehlo.constant dense<3.0> : tensor<f32>\n%d = stablehlo.multiply %b, %k : tensor<f32>\n%c = stablehlo.add %a, %d : tensor<f32>\nstablehlo.return %c : tensor<f32>"): {45},
		reduce("%d = stablehlo.reshape %b : (tensor<f32>) -> tensor<f32>\n%c = stablehlo.maximum %a, %d : tensor<f32>\nstablehlo.return %c : tensor<f32>"):                                   {8},
		reduce("%d = stablehlo.optimization_barrier %b : tensor<f32>\n%c = stablehlo.add %a, %d : tensor<f32>\nstablehlo.return %c : tensor<f32>"):                                           {15},
		reduce("%d = stablehlo.broadcast_in_dim %b, dims = [] : (tensor<f32>) -> tensor<f32>\n%c = stablehlo.add %a, %d : tensor<f32>\nstablehlo.return %c : tensor<f32>"):                   {15},
		whole("stablehlo.reverse %x, dims = [] : tensor<4xf32>", "tensor<4xf32>"):                                                                                                            {1, 2, 4, 8},
		whole("stablehlo.reverse %x, dims = [0] : tensor<4xf32>", "tensor<4xf32>"):                                                                                                           {8, 4, 2, 1},
		whole("stablehlo.concatenate %x, dim = 0 : (tensor<4xf32>) -> tensor<4xf32>", "tensor<4xf32>"):                                                                                       {1, 2, 4, 8},
		whole("stablehlo.concatenate %x, %x, dim = 0 : (tensor<4xf32>, tensor<4xf32>) -> tensor<8xf32>", "tensor<8xf32>"):                                                                    {1, 2, 4, 8, 1, 2, 4, 8},
		whole("stablehlo.slice %x [1:4:2] : (tensor<4xf32>) -> tensor<2xf32>", "tensor<2xf32>"):                                                                                              {2, 8},
		whole("stablehlo.slice %x [4:4:1] : (tensor<4xf32>) -> tensor<0xf32>", "tensor<0xf32>"):                                                                                              {},
	} {
		out := compute(t, text, x)[0]
		require.Equal(t, len(want), out.Len(), text)
		for i := range want {
			require.Equal(t, want[i], out.Float64(i), text)
		}
	}
}

// TestIntegerProducts: squares, and the upper halves of products of signed and of unsigned integers.
func TestIntegerProducts(t *testing.T) {
	x, y := []int32{3, -5, 1 << 30, -1 << 31, 7}, []int32{4, 6, 1 << 20, -1 << 31, -9}
	for _, c := range []struct {
		op, elem string
		d        dtype.DType
		want     func(x, y int32) int32
	}{
		{"chlo.square %x", "i32", dtype.I32, func(x, _ int32) int32 { return x * x }},
		{"chlo.mulhi %x, %y", "i32", dtype.I32, func(x, y int32) int32 { return int32(int64(x) * int64(y) >> 32) }},
		{"chlo.mulhi %x, %y", "ui32", dtype.U32, func(x, y int32) int32 { return int32(uint64(uint32(x)) * uint64(uint32(y)) >> 32) }},
	} {
		operands := "tensor<5x" + c.elem + ">"
		types := operands
		if strings.Contains(c.op, ",") {
			types += ", " + operands
		}
		op, args, _ := strings.Cut(c.op, " ")
		text := fmt.Sprintf("func.func @main(%%x: %[1]s, %%y: %[1]s) -> %[1]s {\n  %%0 = %q(%s) : (%s) -> %[1]s\n  return %%0 : %[1]s\n}",
			operands, op, args, types)
		a, b := buf.New(c.d, []int{5}), buf.New(c.d, []int{5})
		for i := range x {
			a.SetInt64(i, int64(x[i]))
			b.SetInt64(i, int64(y[i]))
		}
		out := compute(t, text, a, b)[0]
		for i := range x {
			require.Equal(t, c.want(x[i], y[i]), int32(out.Int64(i)), "%s of %s, %d and %d", c.op, c.elem, x[i], y[i])
		}
	}
}
