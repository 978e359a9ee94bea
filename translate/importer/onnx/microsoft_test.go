package onnx

import (
	"fmt"
	"math"
	"strings"
	"testing"
)

// list writes numbers as programs have them.
func list(n int, f func(i int) float64) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, " %.9g", f(i))
	}
	return b.String()
}

// TestMicrosoft: the operators that ONNX Runtime's optimizer puts into models, by their formulas.
func TestMicrosoft(t *testing.T) {
	x := []float64{-1, 0.5, 2, 0.25}
	each := func(f func(x float64) float64) string {
		return "want y = f32 2x2:" + list(4, func(i int) float64 { return f(x[i]) })
	}
	erf := func(x float64) float64 { return x / 2 * (1 + math.Erf(x/math.Sqrt2)) }
	tanh := func(x float64) float64 {
		return x / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(x+0.044715*x*x*x)))
	}
	sigmoid := func(x float64) float64 { return 1 / (1 + math.Exp(-x)) }
	half := func(f func(float64) float64) string {
		return "want y = f32 2x2:" + list(4, func(i int) float64 { return f(x[i] + []float64{0.5, -1}[i%2]) })
	}
	checkEach(t, "x = f32 2x2: -1 0.5 2 0.25\nb = f32 2: 0.5 -1\nm = f32 2x2: 1 2 3 4\nn = f32 2x2: 1 2 3 4\no = f32 2x2: 5 6 7 8\ng = f32 2: 2 3\nw = f32 2x2: 1 1 1 1\n"+"i = f32 1x1x1x3: 1 -2 1.5\nk = f32 1x1x1x2: 1 2\nc = f32 1: 2\nz = f32 1x1x1x2: -10 20\n",
		"y = com.microsoft.Gelu(x)\n"+each(erf),
		"y = com.microsoft.BiasGelu(x, b)\n"+half(erf),
		"y = com.microsoft.FastGelu(x)\n"+each(tanh),
		"y = com.microsoft.FastGelu(x, b)\n"+half(tanh),
		"y = com.microsoft.QuickGelu(x)\n"+each(func(x float64) float64 { return x * sigmoid(1.702*x) }),
		"y = com.microsoft.QuickGelu(x) alpha=2.0\n"+each(func(x float64) float64 { return x * sigmoid(2*x) }),
		"y = Gelu(x)\n"+each(erf),
		"y = Gelu(x) approximate=\"tanh\"\n"+each(tanh),
		"y = com.microsoft.FusedMatMul(m, o)\nwant y = f32 2x2: 19 22 43 50",
		"y = com.microsoft.FusedMatMul(m, o) transA=1\nwant y = f32 2x2: 26 30 38 44",
		"y = com.microsoft.FusedMatMul(m, o) transB=1\nwant y = f32 2x2: 17 23 39 53",
		"y = com.microsoft.FusedMatMul(m, o) alpha=0.5 transA=0 transB=0\nwant y = f32 2x2: 9.5 11 21.5 25",
		"y = com.microsoft.FusedConv(i, k)\nwant y = f32 1x1x1x2: -3 1",
		"y = com.microsoft.FusedConv(i, k, c)\nwant y = f32 1x1x1x2: -1 3",
		"y = com.microsoft.FusedConv(i, k, c, z)\nwant y = f32 1x1x1x2: -11 23",
		"y = com.microsoft.FusedConv(i, k, \"\", z) activation=\"Relu\"\nwant y = f32 1x1x1x2: 0 21",
		"y = com.microsoft.FusedConv(i, k) activation=\"LeakyRelu\" activation_params=[0.5]\nwant y = f32 1x1x1x2: -1.5 1",
		"y = com.microsoft.FusedConv(i, k) activation=\"HardSigmoid\" activation_params=[0.1,0.4]\nwant y = f32 1x1x1x2: 0.1 0.5",
		"y = com.microsoft.FusedConv(i, k, \"\", z) activation=\"Clip\" activation_params=[-5.0,6.0]\nwant y = f32 1x1x1x2: -5 6",
		"y, a, v, s = com.microsoft.SkipLayerNormalization(m, n, g)\nwant y = f32 2x2: -2 3 -2 3\nwant s = f32 2x2: 2 4 6 8",
		"y, a, v, s = com.microsoft.SkipLayerNormalization(m, n, g, b, b) epsilon=3.0\nwant s = f32 2x2: 2.5 3 6.5 7\nwant y = f32 2x2:"+
			list(4, func(i int) float64 {
				return []float64{0.5 - 2*0.25/math.Sqrt(3.0625), -1 + 3*0.25/math.Sqrt(3.0625)}[i%2]
			}),
		"y = SimplifiedLayerNormalization(m, g)\nwant y = f32 2x2:"+list(4, func(i int) float64 {
			return float64(i+1) * float64(2+i%2) / math.Sqrt([]float64{2.5, 12.5}[i/2])
		}),
		"y = SimplifiedLayerNormalization(m, w) axis=0 epsilon=4.0\nwant y = f32 2x2:"+list(4, func(i int) float64 {
			return float64(i+1) / math.Sqrt(float64(1+4+9+16)/4+4) // over all dimensions from axis on
		}),
	)
}

// TestPackedAttention: query, key and value of two heads come from one product; a mask hides keys, and
// later ones if the attention looks in one direction.
func TestPackedAttention(t *testing.T) {
	const length, hidden, heads, depth = 3, 4, 2, 2
	x := func(i int) float64 { return float64((i*5)%7)/4 - 0.5 }
	w := func(i int) float64 { return float64((i*11)%13)/8 - 0.75 }
	bias := func(i int) float64 { return float64(i%5) / 8 }
	for _, c := range []struct {
		inputs, attributes string
		mask               []float64
		scale, hide        float64
		oneWay             bool
	}{
		{"x, w", "num_heads=2", nil, math.Sqrt(0.5), 0, false},
		{"x, w, b", "num_heads=2 unidirectional=1", nil, math.Sqrt(0.5), 0, true},
		{"x, w, b, m", "num_heads=2", []float64{1, 0, 1}, math.Sqrt(0.5), -10000, false},
		{"x, w, b, m", "num_heads=2 scale=0.25 mask_filter_value=-1.5", []float64{1, 0, 1}, 0.25, -1.5, false},
	} {
		part := func(row, column int) float64 {
			sum := 0.0
			for k := range hidden {
				sum += x(row*hidden+k) * w(k*3*hidden+column)
			}
			if strings.Contains(c.inputs, "b") {
				sum += bias(column)
			}
			return sum
		}
		y := func(i int) float64 {
			row, head := i/hidden, i%hidden/depth
			sum, total := 0.0, 0.0
			for key := range length {
				score := 0.0
				for d := range depth {
					score += part(row, head*depth+d) * part(key, hidden+head*depth+d)
				}
				score *= c.scale
				if c.mask != nil && c.mask[key] == 0 {
					score += c.hide
				}
				if c.oneWay && key > row {
					score = math.Inf(-1)
				}
				total += math.Exp(score)
				sum += math.Exp(score) * part(key, 2*hidden+i%hidden)
			}
			return sum / total
		}
		check(t, "x = f32 1x3x4:"+list(12, x)+"\nw = f32 4x12:"+list(48, w)+"\nb = f32 12:"+list(12, bias)+"\nm = i32 1x3: 1 0 1\n"+
			"y = com.microsoft.Attention("+c.inputs+") "+c.attributes+"\nwant y = f32 1x3x4:"+list(12, y))
	}
}
