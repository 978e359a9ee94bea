package stablehlo_test

import (
	"cmp"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
)

// TestSorts compares stable sorts along any axis, of several operands at once, with Go's: by an operand with or without
// a sign, by a float, falling, by two operands, and by the second one where the first is equal.
func TestSorts(t *testing.T) {
	r := rand.New(rand.NewPCG(12, 1))
	// Each compares elements a and b of operands x (i32), y (f32) and z (ui8).
	compares := []struct {
		body string
		less func(x, y, z [2]float64) int
	}{
		{"%p = stablehlo.compare LT, %xa, %xb : (tensor<i32>, tensor<i32>) -> tensor<i1>", func(x, _, _ [2]float64) int { return cmp.Compare(x[0], x[1]) }},
		{"%p = stablehlo.compare GT, %xa, %xb : (tensor<i32>, tensor<i32>) -> tensor<i1>", func(x, _, _ [2]float64) int { return cmp.Compare(x[1], x[0]) }},
		{"%p = stablehlo.compare LT, %xb, %xa : (tensor<i32>, tensor<i32>) -> tensor<i1>", func(x, _, _ [2]float64) int { return cmp.Compare(x[1], x[0]) }},
		{"%p = stablehlo.compare LT, %za, %zb : (tensor<ui8>, tensor<ui8>) -> tensor<i1>", func(_, _, z [2]float64) int { return cmp.Compare(z[0], z[1]) }},
		{"%p = stablehlo.compare GT, %za, %zb : (tensor<ui8>, tensor<ui8>) -> tensor<i1>", func(_, _, z [2]float64) int { return cmp.Compare(z[1], z[0]) }},
		{"%p = stablehlo.compare LT, %ya, %yb : (tensor<f32>, tensor<f32>) -> tensor<i1>", func(_, y, _ [2]float64) int { return cmp.Compare(y[0], y[1]) }},
		{"%p = stablehlo.compare GT, %ya, %yb : (tensor<f32>, tensor<f32>) -> tensor<i1>", func(_, y, _ [2]float64) int { return cmp.Compare(y[1], y[0]) }},
		{`%l = stablehlo.compare LT, %xa, %xb : (tensor<i32>, tensor<i32>) -> tensor<i1>
			%e = stablehlo.compare EQ, %xa, %xb : (tensor<i32>, tensor<i32>) -> tensor<i1>
			%m = stablehlo.compare GT, %ya, %yb : (tensor<f32>, tensor<f32>) -> tensor<i1>
			%q = stablehlo.and %e, %m : tensor<i1>
			%p = stablehlo.or %l, %q : tensor<i1>`, func(x, y, _ [2]float64) int { return cmp.Or(cmp.Compare(x[0], x[1]), cmp.Compare(y[1], y[0])) }},
	}
	for i := range 4 * len(compares) {
		c := compares[i%len(compares)]
		dims := []int{1 + r.IntN(9), 1 + r.IntN(9), 1 + r.IntN(3)}[:1+r.IntN(3)]
		axis := r.IntN(len(dims))
		x, y, z := buf.New(dtype.I32, dims), buf.New(dtype.F32, dims), buf.New(dtype.U8, dims)
		for k := range x.Len() {
			x.SetInt64(k, int64(r.IntN(5)-2))
			y.SetFloat64(k, float64(r.IntN(5)-2))
			z.SetInt64(k, int64(r.IntN(4)*80))
		}
		named := axis
		if r.IntN(2) == 0 {
			named -= len(dims)
		}
		types := []string{typeOf(dims, dtype.I32), typeOf(dims, dtype.F32), strings.Replace(typeOf(dims, dtype.I32), "i32", "ui8", 1)}
		all := strings.Join(types, ", ")
		text := fmt.Sprintf(`func.func @main(%%x: %s, %%y: %s, %%z: %s) -> (%s) {
			%%0:3 = "stablehlo.sort"(%%x, %%y, %%z) ({
			^bb0(%%xa: tensor<i32>, %%xb: tensor<i32>, %%ya: tensor<f32>, %%yb: tensor<f32>, %%za: tensor<ui8>, %%zb: tensor<ui8>):
			%s
			stablehlo.return %%p : tensor<i1>
			}) {dimension = %d : i64, is_stable = true} : (%s) -> (%s)
			return %%0#0, %%0#1, %%0#2 : %s
		}`, types[0], types[1], types[2], all, c.body, named, all, all, all)
		got := compute(t, text, x, y, z)
		lines := slices.Clone(dims)
		lines[axis] = 1
		each(lines, func(at []int) {
			from := make([]int, dims[axis])
			for k := range from {
				at[axis] = k
				from[k] = place(dims, at)
			}
			at[axis] = 0
			sorted := slices.Clone(from)
			slices.SortStableFunc(sorted, func(a, b int) int {
				return c.less([2]float64{number(x, a), number(x, b)}, [2]float64{number(y, a), number(y, b)}, [2]float64{number(z, a), number(z, b)})
			})
			for k, p := range from {
				for o, in := range []*buf.Buffer{x, y, z} {
					require.Equal(t, number(in, sorted[k]), number(got[o], p), text)
				}
			}
		})
	}
}
