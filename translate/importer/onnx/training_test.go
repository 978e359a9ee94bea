package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"testing"
)

// TestTraining: a step of each optimiser on two tensors, element by element.
func TestTraining(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 1))
	each := func(f func(i int) float64) []float64 {
		out := make([]float64, 3)
		for i := range out {
			out[i] = f(i)
		}
		return out
	}
	for _, count := range []float64{0, 3} {
		const rate = 0.25
		var x, g, v, h [2][]float64
		text := line("r", "f32", nil, rate) + line("t", "i64", nil, count)
		for i := range 2 {
			x[i], g[i], v[i], h[i] = drawn(r, 3), drawn(r, 3), drawn(r, 3), each(func(int) float64 { return float64(float32(r.Float64())) })
			text += line(fmt.Sprint("x", i), "f32", []int{3}, x[i]...) + line(fmt.Sprint("g", i), "f32", []int{3}, g[i]...) +
				line(fmt.Sprint("v", i), "f32", []int{3}, v[i]...) + line(fmt.Sprint("h", i), "f32", []int{3}, h[i]...)
		}
		wanted := func(name string, f func(k, i int) float64) (out string) {
			for k := range 2 {
				out += "want " + line(fmt.Sprint(name, k), "f32", []int{3}, each(func(i int) float64 { return f(k, i) })...)
			}
			return out
		}
		const domain = "ai.onnx.preview.training."
		gradient := func(k, i int, norm float64) float64 { return norm*x[k][i] + g[k][i] }

		squares := func(k, i int) float64 { return h[k][i] + math.Pow(gradient(k, i, 0.5), 2) }
		check(t, text+"y0, y1, z0, z1 = "+domain+"Adagrad(r, t, x0, x1, g0, g1, h0, h1) decay_factor=0.1 norm_coefficient=0.5 epsilon=0.01\n"+
			wanted("y", func(k, i int) float64 {
				return x[k][i] - rate/(1+count*0.1)*gradient(k, i, 0.5)/(math.Sqrt(squares(k, i))+0.01)
			})+wanted("z", squares))

		mean := func(k, i int) float64 { return 0.75*v[k][i] + 0.25*gradient(k, i, 0.5) }
		moment := func(k, i int) float64 { return 0.5*h[k][i] + 0.5*math.Pow(gradient(k, i, 0.5), 2) }
		adjusted := rate
		if count > 0 {
			adjusted = rate * math.Sqrt(1-math.Pow(0.5, count)) / (1 - math.Pow(0.75, count))
		}
		check(t, text+"y0, y1, z0, z1, w0, w1 = "+domain+
			"Adam(r, t, x0, x1, g0, g1, v0, v1, h0, h1) alpha=0.75 beta=0.5 norm_coefficient=0.5 norm_coefficient_post=0.125 epsilon=0.01\n"+
			wanted("y", func(k, i int) float64 {
				return (1 - 0.125) * (x[k][i] - adjusted*mean(k, i)/(math.Sqrt(moment(k, i))+0.01))
			})+wanted("z", mean)+wanted("w", moment))

		beta := 0.5
		if count == 0 {
			beta = 1
		}
		velocity := func(k, i int) float64 { return 0.75*v[k][i] + beta*gradient(k, i, 0.5) }
		node := "y0, y1, z0, z1 = " + domain + "Momentum(r, t, x0, x1, g0, g1, v0, v1) alpha=0.75 beta=0.5 norm_coefficient=0.5 mode="
		check(t, text+node+"\"standard\"\n"+
			wanted("y", func(k, i int) float64 { return x[k][i] - rate*velocity(k, i) })+wanted("z", velocity))
		check(t, text+node+"\"nesterov\"\n"+
			wanted("y", func(k, i int) float64 { return x[k][i] - rate*(gradient(k, i, 0.5)+0.75*velocity(k, i)) })+wanted("z", velocity))
	}
	const head = "r = f32: 1\nt = i64: 1\nx = f32 1: 1\n"
	refuse(t, head+"y = ai.onnx.preview.training.Adagrad(r, t, x, x)", "4 inputs are no rate, count and groups of 3")
	refuse(t, head+"y = ai.onnx.preview.training.Adam(r, t)", "2 inputs are no rate, count and groups of 4")
	refuse(t, head+"y = ai.onnx.preview.training.Momentum(r, t, x, x, x) mode=\"odd\"", `mode "odd" is not supported`)
}
