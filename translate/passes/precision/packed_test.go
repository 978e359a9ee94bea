package precision_test

import (
	"context"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/translate/passes/precision"
)

// rounded rounds lines of 72 numbers to the values of a format.
func rounded(t *testing.T, f dtype.Format, x *buf.Buffer) *buf.Buffer {
	t.Helper()
	from, to := mlir.Tensor(x.DType, x.Shape).String(), mlir.Tensor(dtype.BF16, x.Shape).String()
	module, err := mlir.Parse("round.mlir", []byte("func.func @main(%x: "+from+") -> "+to+" {\n  %y = \"aten._to_"+f.String()+
		"\"(%x) : ("+from+") -> "+to+"\n  return %y : "+to+"\n}\n"))
	require.NoError(t, err)
	exe, err := host.Device().Compile(context.Background(), module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(context.Background(), []*buf.Buffer{x})
	require.NoError(t, err)
	return out[0]
}

// TestRounding rounds numbers of all magnitudes: none moves by more than half a step of its block, or by
// what lies beyond the ends, and rounding again changes nothing. What is not finite takes its block along.
func TestRounding(t *testing.T) {
	const rows, cols = 200, 72
	r := rand.New(rand.NewPCG(3, 5))
	for _, f := range dtype.Formats() {
		x := buf.New(dtype.F32, []int{rows, cols})
		for i := range rows {
			scale := math.Exp2(float64(r.IntN(230) - 110))
			for j := range cols {
				x.SetFloat64(i*cols+j, r.NormFloat64()*scale*math.Exp2(-float64(r.IntN(9))))
			}
		}
		y := rounded(t, f, x)
		require.Equal(t, y.Bytes(), rounded(t, f, y).Bytes(), "%v: a second time", f)
		for i := range rows {
			for first := 0; first < cols; first += f.Block() {
				most := 0.0
				for j := first; j < min(first+f.Block(), cols); j++ {
					most = max(most, math.Abs(x.Float64(i*cols+j)))
				}
				bound := most / 64 * (1 + 1.0/128)
				if f == dtype.Q4 {
					bound = most / 8 * (1 + 1.0/64) // what has the other sign ends at 7 steps
				}
				for j := first; j < min(first+f.Block(), cols); j++ {
					require.LessOrEqual(t, math.Abs(x.Float64(i*cols+j)-y.Float64(i*cols+j)), bound, "%v row %d", f, i)
				}
			}
		}
		for _, special := range []float64{math.Inf(1), math.Inf(-1), math.NaN()} {
			z := x.Clone()
			z.SetFloat64(cols+3, special)
			out := rounded(t, f, z)
			for i := range out.Len() {
				if i/cols == 1 && i%cols < f.Block() {
					require.True(t, math.IsNaN(out.Float64(i)), "%v of %v", f, special)
				} else {
					require.Equal(t, y.Float64(i), out.Float64(i))
				}
			}
		}
	}
}

// TestPackedProducts: the weights of a product take the values of the format, along the dimension that is summed over,
// on either side, and what they are multiplied by those that the format asks for. Products without weights, or of
// weights alone, stay; so do bias and result.
func TestPackedProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 6))
	draw := func(dims ...int) *buf.Buffer {
		b := buf.New(dtype.F32, dims)
		for i := range b.Len() {
			b.SetFloat64(i, r.NormFloat64())
		}
		return b
	}
	x, w, bias := draw(3, 64), draw(64, 5), draw(5)
	constant := func(b *buf.Buffer) string {
		return fmt.Sprintf("arith.constant dense<\"0x%X\"> : %s", b.Bytes(), mlir.Tensor(b.DType, b.Shape))
	}
	turned := func(b *buf.Buffer) *buf.Buffer {
		out := buf.New(dtype.F32, []int{b.Shape[1], b.Shape[0]})
		for i := range b.Len() {
			out.SetFloat64(i%b.Shape[1]*b.Shape[0]+i/b.Shape[1], b.Float64(i))
		}
		return out
	}
	for _, f := range append(dtype.Formats(), 0) {
		to := func(b *buf.Buffer, weights bool) *buf.Buffer { // rows are blocks
			out := buf.New(dtype.F32, b.Shape)
			for i := range out.Len() {
				out.SetFloat64(i, float64(dtype.ToBFloat16(float32(b.Float64(i))).Float32()))
			}
			if weights || f == dtype.BFP16 {
				return rounded(t, f, b)
			}
			return out
		}
		for _, c := range []struct {
			product, x, w string
			first, second bool // which is a weight
		}{
			{`"aten.mm"(%x, %w) : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, "", constant(w), false, true},
			{`"aten.mm"(%x, %w) : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, constant(x), "", true, false},
			{`"aten.mm"(%x, %w) : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, "", "", false, false},
			{`"aten.mm"(%x, %w) : (tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, constant(x), constant(w), true, true},
			{`"aten.addmm"(%b, %x, %w) : (tensor<5xf32>, tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, "", constant(w), false, true},
			{`"aten.addmm"(%b, %x, %w) : (tensor<5xf32>, tensor<3x64xf32>, tensor<64x5xf32>) -> tensor<3x5xf32>`, constant(x), "", true, false},
		} {
			arguments, body := "%b: tensor<5xf32>", ""
			inputs := []*buf.Buffer{bias}
			for _, v := range []struct {
				name, text string
				b          *buf.Buffer
			}{{"%x", c.x, x}, {"%w", c.w, w}} {
				if v.text != "" {
					body += v.name + " = " + v.text + "\n"
					continue
				}
				arguments += ", " + v.name + ": " + mlir.Tensor(dtype.F32, v.b.Shape).String()
				inputs = append(inputs, v.b)
			}
			module, err := mlir.Parse("m", []byte("func.func @main("+arguments+") -> tensor<3x5xf32> {\n"+body+"%y = "+c.product+
				"\nreturn %y : tensor<3x5xf32>\n}"))
			require.NoError(t, err)
			left, right := x, w
			if f != 0 {
				require.NoError(t, precision.Pack(module, f))
				require.NoError(t, mlir.Verify(module))
				if c.first != c.second {
					left, right = to(x, c.first), turned(to(turned(w), c.second))
				}
			}
			exe, err := host.Device().Compile(context.Background(), module)
			require.NoError(t, err)
			out, err := exe.Run(context.Background(), inputs)
			require.NoError(t, err)
			exe.Close()
			for i := range 3 {
				for j := range 5 {
					want := 0.0
					for k := range 64 {
						want += left.Float64(i*64+k) * right.Float64(k*5+j)
					}
					if strings.Contains(c.product, "addmm") {
						want += bias.Float64(j)
					}
					require.InDelta(t, want, out[0].Float64(i*5+j), 1e-4, "%v: %s", f, c.product)
				}
			}
		}
	}
}
