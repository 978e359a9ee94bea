package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
)

// TestGradient: derivatives that were worked out by hand, also by values inside of the graph, at other values than
// those that the graph has, and of derivatives.
func TestGradient(t *testing.T) {
	const gradient = " = ai.onnx.preview.training.Gradient"
	checkEach(t, "a = f32 2: 2 -3\nb = f32 2: 5 7\nm = f32 2x3: 1 2 3 4 5 6\nv = f32 3x1: 1 -1 2\n",
		"c = Add(a, b)\nx, y"+gradient+"(a, b) xs=[\"a\",\"b\"] y=\"c\"\nwant x = f32 2: 1 1\nwant y = f32 2: 1 1",
		"c = Add(a, b)\nd = Mul(c, a)\nx, y"+gradient+"(a, b) xs=[\"a\",\"b\"] y=\"d\"\nwant x = f32 2: 9 1\nwant y = f32 2: 2 -3\nwant d = f32 2: 14 -12",
		"c = Add(a, b)\nd = Mul(c, a)\n\"\", y"+gradient+"(a, b) xs=[\"a\",\"b\"] y=\"d\"\nwant y = f32 2: 2 -3",
		// By b alone, at 1 and with 4 for a; by c, which b is not behind then.
		"u = f32 2: 1 1\nw = f32 2: 4 4\nc = Add(a, b)\nd = Mul(c, a)\ne = Mul(d, b)\nx"+gradient+"(u, w) xs=[\"b\"] zs=[\"a\"] y=\"e\"\nwant x = f32 2: 24 24",
		"c = Add(a, b)\nd = Mul(c, c)\nx, y"+gradient+"(c, b) xs=[\"c\",\"b\"] y=\"d\"\nwant x = f32 2: 14 8\nwant y = f32 2: 0 0",
		// One tensor for two names.
		"d = Mul(a, b)\ne = Mul(d, a)\nx, y"+gradient+"(a, a) xs=[\"a\",\"b\"] y=\"e\"\nwant x = f32 2: 8 18\nwant y = f32 2: 4 9",
		// The third derivative of x⁴, each of the one before.
		"c = Mul(a, a)\nd = Mul(c, c)\ne"+gradient+"(a) xs=[\"a\"] y=\"d\"\nf"+gradient+"(a) xs=[\"a\"] y=\"e\"\ng"+gradient+"(a) xs=[\"a\"] y=\"f\"\n"+
			"want e = f32 2: 32 -108\nwant f = f32 2: 48 108\nwant g = f32 2: 48 -72",
		// A product by its rows and columns, through a sum that shapes and numbers belong to.
		"p = MatMul(m, v)\ns = Shape(p)\nq = Reshape(p, s)\nr = ReduceSum(q)\nx, y"+gradient+"(m, v) xs=[\"m\",\"v\"] y=\"r\"\n"+
			"want x = f32 2x3: 1 -1 2 1 -1 2\nwant y = f32 3x1: 5 7 9",
		// The larger one of two has it all. By itself a value grows as much as it does.
		"c = Max(a, b)\nx"+gradient+"(a) xs=[\"a\"] y=\"c\"\nwant x = f32 2: 0 0",
		"c = Neg(a)\nx"+gradient+"(c) xs=[\"c\"] y=\"c\"\nwant x = f32 2: 1 1",
	)
	refuseEach(t, "a = f32 2: 2 -3\ni = i64 2: 1 2\nc = Neg(a)\n", map[string]string{
		"y" + gradient + "(a) xs=[\"a\",\"b\"] y=\"c\"":                    "1 inputs for 2 names of xs and 0 of zs",
		"y" + gradient + "(a) y=\"c\"":                                     "1 inputs for 0 names of xs",
		"y" + gradient + "(a) xs=[\"a\"] y=\"far\"":                        `y is "far", which is the result of no node before`,
		"y" + gradient + "(i) xs=[\"i\"] y=\"c\"":                          `"i" has elements of i64`,
		"d = RandomNormalLike(c)\ny" + gradient + "(a) xs=[\"a\"] y=\"d\"": `"d" is computed from random numbers`,
	})
}

// TestGradientOfBodies: a graph inside of a node can name what the graphs around it compute, and loops are
// differentiated as they are unrolled.
func TestGradientOfBodies(t *testing.T) {
	body := graphAttribute("body", putNode("", "Mul", []string{"h", "x"}, []string{"g"}),
		putValue(11, "i", 7), putValue(11, "go", 9), putValue(11, "h", 1), putValue(12, "go", 9), putValue(12, "g", 1))
	inner := graphAttribute("then_branch", putNode("", "Mul", []string{"p", "p"}, []string{"q"}),
		putBytes(1, nodeBody("", "Gradient", []string{"x"}, []string{"r"}, append(putText(1, "xs"), putText(9, "x")...),
			append(putText(1, "y"), putText(4, "q")...)), putText(7, training)), putValue(12, "r", 1))
	model := putModel(16, putBytes(8, putText(1, training), putInt(2, 1)), putGraph(putIntegers("three", 3), putIntegers("flag", 1),
		putNode("", "Squeeze", []string{"three"}, []string{"n"}), putNode("", "Squeeze", []string{"flag"}, []string{"one"}),
		putNode("", "Cast", []string{"one"}, []string{"c"}, intAttribute("to", 9)),
		putNode("", "Loop", []string{"n", "", "x"}, []string{"p"}, body), // x⁴
		putNode("", "If", []string{"c"}, []string{"y"}, inner, graphAttribute("else_branch", putValue(12, "x", 1))),
		putValue(11, "x", 1, 2), putValue(12, "y", 1)))
	got := runModel(t, model, buf.From([]float32{1, 2}, 2))
	require.Equal(t, []float32{8, 8 * 128}, buf.Slice[float32](got[0])) // of (x⁴)²
}

// TestGradientsAreSlopes: of a small network they are what its loss changes by, for each weight.
func TestGradientsAreSlopes(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 5))
	w, b, x, z := drawn(r, 6), drawn(r, 3), drawn(r, 8), drawn(r, 12)
	loss := func() (sum float64) {
		for i := range 4 {
			var row [3]float64
			total := 0.0
			for j := range row {
				row[j] = math.Exp(math.Tanh(x[2*i]*w[j] + x[2*i+1]*w[3+j] + b[j]))
				total += row[j]
			}
			for j := range row {
				sum += math.Pow(row[j]/total-z[3*i+j], 2)
			}
		}
		return sum
	}
	slopes := func(list []float64) []float64 {
		out := make([]float64, len(list))
		for i, v := range list {
			const step = 1e-4
			list[i] = v + step
			high := loss()
			list[i] = v - step
			out[i], list[i] = (high-loss())/(2*step), v
		}
		return out
	}
	text := line("w", "f32", []int{2, 3}, w...) + line("b", "f32", []int{3}, b...) + line("x", "f32", []int{4, 2}, x...) + line("z", "f32", []int{4, 3}, z...)
	check(t, text+"h = Gemm(x, w, b)\na = Tanh(h)\ns = Softmax(a)\nd = Sub(s, z)\nq = Mul(d, d)\nl = ReduceSum(q) keepdims=0\n"+
		"W, B = ai.onnx.preview.training.Gradient(w, b, x, z) xs=[\"w\",\"b\"] zs=[\"x\",\"z\"] y=\"l\"\n"+
		"want "+line("W", "f32", []int{2, 3}, slopes(w)...)+"want "+line("B", "f32", []int{3}, slopes(b)...)+
		fmt.Sprintf("want l = f32: %v\n", loss()))
}
