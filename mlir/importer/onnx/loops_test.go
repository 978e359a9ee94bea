package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"
)

// line writes a tensor of a program.
func line(name, kind string, dims []int, values ...float64) string {
	var b strings.Builder
	extents := strings.Trim(strings.ReplaceAll(fmt.Sprint(dims), " ", "x"), "[]")
	fmt.Fprintf(&b, "%s = %s %s:", name, kind, extents)
	for _, v := range values {
		fmt.Fprintf(&b, " %.9g", v)
	}
	return b.String() + "\n"
}

// drawn are numbers of a normal distribution.
func drawn(r *rand.Rand, n int) []float64 {
	out := make([]float64, n)
	for i := range out {
		out[i] = float64(float32(r.NormFloat64()))
	}
	return out
}

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

// TestGrams counts n-grams in all ways with plain loops: every sequence of numbers that lie equally far apart, by at
// most the skips and one.
func TestGrams(t *testing.T) {
	r := rand.New(rand.NewPCG(2, 2))
	pool := []int{1, 2, 3, 1, 2, 2, 2, 3, 1, 1, 2, 3} // three single ones, three pairs, a triple
	starts := []int{0, 3, 9}
	grams := [][]int{{1}, {2}, {3}, {1, 2}, {2, 2}, {3, 1}, {1, 2, 3}}
	places := []int{3, 1, 0, 2, 6, 4, 5}
	weights := []float64{0.5, 2, 1, 3, 4, 0.25, 8}
	list := func(v any) string { return strings.ReplaceAll(fmt.Sprint(v), " ", ",") }
	for _, mode := range []string{"TF", "IDF", "TFIDF"} {
		for skips := range 4 {
			for _, sizes := range [][2]int{{1, 1}, {1, 3}, {2, 3}, {2, 2}} {
				const rows, length = 2, 7
				var x []float64
				for range rows * length {
					x = append(x, float64(1+r.IntN(3)))
				}
				want := make([]float64, rows*7)
				for row := range rows {
					for k, gram := range grams {
						if len(gram) < sizes[0] || len(gram) > sizes[1] {
							continue
						}
						found := 0.0
						for gap := 1; gap == 1 || gap <= skips+1 && len(gram) > 1; gap++ {
							for at := range length {
								same := true
								for i, v := range gram {
									p := at + i*gap
									same = same && p < length && x[row*length+min(p, length-1)] == float64(v)
								}
								if same {
									found++
								}
							}
						}
						if mode == "IDF" {
							found = min(found, 1)
						}
						if mode != "TF" {
							found *= weights[k]
						}
						want[row*7+places[k]] = found
					}
				}
				node := fmt.Sprintf("y = TfIdfVectorizer(x) mode=%q max_skip_count=%d min_gram_length=%d max_gram_length=%d ngram_counts=%s ngram_indexes=%s pool_int64s=%s weights=[0.5,2.0,1.0,3.0,4.0,0.25,8.0]\n",
					mode, skips, sizes[0], sizes[1], list(starts), list(places), list(pool))
				check(t, line("x", "i64", []int{rows, length}, x...)+node+"want "+line("y", "f32", []int{rows, 7}, want...))
				if rows := 1; mode == "TF" {
					check(t, line("x", "i32", []int{length}, x[:length*rows]...)+node+"want "+line("y", "f32", []int{7}, want[:7]...))
				}
			}
		}
	}
	const head = "x = i64 3: 1 2 3\ny = TfIdfVectorizer(x) "
	for attributes, want := range map[string]string{
		`mode="TF"`:                  "n-grams of i64 with a pool of 0 numbers",
		`mode="odd" pool_int64s=[1]`: `mode "odd"`,
		`mode="TF" pool_int64s=[1] ngram_counts=[0] min_gram_length=0`:                           "grams of 0 to 1",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] min_gram_length=2`:                           "grams of 2 to 1",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] max_gram_length=2`:                           "grams of 1 to 2",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] max_skip_count=-1`:                           "-1 skips",
		`mode="IDF" pool_int64s=[1] ngram_counts=[0] ngram_indexes=[0] weights=[1.0,2.0]`:        "2 weights",
		`mode="TF" pool_int64s=[1] ngram_counts=[0] ngram_indexes=[-1]`:                          "ngram_indexes has -1",
		`mode="TF" pool_int64s=[1,2] ngram_counts=[0] ngram_indexes=[0]`:                         "ngram_indexes has 1 numbers for more grams",
		`mode="TF" pool_int64s=[1] ngram_counts=[2] ngram_indexes=[0]`:                           "ngram_counts [2] for a pool of 1 numbers",
		`mode="TF" pool_int64s=[1] ngram_counts=[-1] ngram_indexes=[0]`:                          "ngram_counts [-1] for a pool of 1 numbers",
		`mode="TF" pool_int64s=[1,2] ngram_counts=[0,1] ngram_indexes=[0,1] max_gram_length=2`:   "for a pool of 2 numbers",
		`mode="TF" pool_int64s=[1,2,3] ngram_counts=[1,0] ngram_indexes=[0,1] max_gram_length=2`: "ngram_counts [1 0] for a pool of 3 numbers",
	} {
		refuse(t, head+attributes, want)
	}
}

// TestRegions averages interpolated values of an image over the cells of regions, and takes maxima of weighted corners,
// with plain loops.
func TestRegions(t *testing.T) {
	const images, channels, height, width, rows, columns = 2, 2, 5, 6, 2, 3
	r := rand.New(rand.NewPCG(3, 3))
	x := drawn(r, images*channels*height*width)
	regions := []float64{1, 1, 9, 8, -6, -3, 4, 3, 2.5, 2.25, 3, 2.5, 8, 8, 30, 30}
	batches := []float64{0, 1, 1, 0}
	const scale = 0.5
	for _, version := range []int{10, 16} {
		for _, mode := range []string{"avg", "max"} {
			for _, ratio := range []int{0, 1, 3} {
				for _, transform := range []string{"", "half_pixel", "output_half_pixel"} {
					if version < 16 && transform != "" {
						continue
					}
					half := transform == "half_pixel" || transform == "" && version >= 16
					var want []float64
					for k, image := range batches {
						place := func(i int) float64 {
							v := regions[4*k+i] * scale
							if half {
								v -= 0.5
							}
							return v
						}
						w, h := place(2)-place(0), place(3)-place(1)
						if !half {
							w, h = math.Max(w, 1), math.Max(h, 1)
						}
						w, h = w/columns, h/rows
						down, across := ratio, ratio
						if ratio == 0 {
							down, across = max(1, int(math.Ceil(h))), max(1, int(math.Ceil(w)))
						}
						for c := range channels {
							pixel := func(row, column int) float64 {
								return x[((int(image)*channels+c)*height+row)*width+column]
							}
							for row := range rows {
								for column := range columns {
									sum, most := 0.0, math.Inf(-1)
									for i := range down {
										for j := range across {
											py := place(1) + h*(float64(row)+(float64(i)+0.5)/float64(down))
											px := place(0) + w*(float64(column)+(float64(j)+0.5)/float64(across))
											if py < -1 || py > height || px < -1 || px > width {
												most = math.Max(most, 0)
												continue
											}
											py, px = math.Min(math.Max(py, 0), height-1), math.Min(math.Max(px, 0), width-1)
											for a := range 2 {
												for b := range 2 {
													y, z := math.Floor(py), math.Floor(px)
													weight := (1 - math.Abs(py-y-float64(a))) * (1 - math.Abs(px-z-float64(b)))
													v := weight * pixel(min(int(y)+a, height-1), min(int(z)+b, width-1))
													sum, most = sum+v, math.Max(most, v)
												}
											}
										}
									}
									if mode == "max" {
										want = append(want, most)
									} else {
										want = append(want, sum/float64(down*across))
									}
								}
							}
						}
					}
					node := fmt.Sprintf("y = RoiAlign(x, r, b) mode=%q sampling_ratio=%d output_height=%d output_width=%d spatial_scale=0.5", mode, ratio, rows, columns)
					if transform != "" {
						node += fmt.Sprintf(" coordinate_transformation_mode=%q", transform)
					}
					check(t, fmt.Sprintf("version %d\n", version)+line("x", "f32", []int{images, channels, height, width}, x...)+
						line("r", "f32", []int{4, 4}, regions...)+line("b", "i64", []int{4}, batches...)+node+"\nwant "+
						line("y", "f32", []int{4, channels, rows, columns}, want...))
				}
			}
		}
	}
	const head = "x = f32 1x1x1x1: 1\nr = f32 1x4: 0 0 1 1\nb = i64 1: 0\nc = i64 2: 0 0\nd = i64 1: 1\ne = i64 1: -1\nf = f32 1x3: 0 0 1\ng = f32 1x4: 0 0 1e9 1e9\n"
	for node, want := range map[string]string{
		"RoiAlign(f, r, b)":            "regions [1 4] in [1 3] with 1 batch indices",
		"RoiAlign(x, f, b)":            "regions [1 3] in",
		"RoiAlign(x, r, c)":            "with 2 batch indices",
		"RoiAlign(x, r, d)":            "batch index 1 of 1",
		"RoiAlign(x, r, e)":            "batch index -1 of 1",
		`RoiAlign(x, r, b) mode="odd"`: `mode "odd"`,
		`RoiAlign(x, r, b) coordinate_transformation_mode="odd"`: `coordinate_transformation_mode "odd" is not supported`,
		"RoiAlign(x, r, b) output_height=0":                      "0 × 1 cells",
		"RoiAlign(x, r, b) output_width=0":                       "1 × 0 cells",
		"RoiAlign(x, r, b) sampling_ratio=-1":                    "sampling_ratio -1",
		"RoiAlign(x, g, b)":                                      "a region from",
	} {
		refuse(t, head+"y = "+node, want)
	}
}

// TestActivations: a network of one number and one step gives each function of a weighted input.
func TestActivations(t *testing.T) {
	for name, f := range map[string]func(x float64) float64{
		"Relu": func(x float64) float64 { return math.Max(x, 0) }, "Tanh": math.Tanh,
		"Sigmoid": func(x float64) float64 { return 1 / (1 + math.Exp(-x)) },
		"Affine":  func(x float64) float64 { return 1.5*x + 0.25 },
		"LeakyRelu": func(x float64) float64 {
			if x < 0 {
				return 1.5 * x
			}
			return x
		},
		"ThresholdedRelu": func(x float64) float64 {
			if x >= 1.5 {
				return x
			}
			return 0
		},
		"ScaledTanh":  func(x float64) float64 { return 1.5 * math.Tanh(0.25*x) },
		"HardSigmoid": func(x float64) float64 { return math.Max(0, math.Min(1, 1.5*x+0.25)) },
		"Elu": func(x float64) float64 {
			if x < 0 {
				return 1.5 * (math.Exp(x) - 1)
			}
			return x
		},
		"Softsign": func(x float64) float64 { return x / (1 + math.Abs(x)) },
		"Softplus": func(x float64) float64 { return math.Log1p(math.Exp(x)) },
	} {
		inputs := []float64{-2, -0.25, 0.125, 1.5, 2}
		var want []float64
		for _, x := range inputs {
			want = append(want, f(x))
		}
		check(t, line("x", "f32", []int{1, 5, 1}, inputs...)+"w = f32 1x1x1: 1\nr = f32 1x1x1: 0\n"+
			fmt.Sprintf("y = RNN(x, w, r) hidden_size=1 activations=[%q] activation_alpha=[1.5] activation_beta=[0.25]\nwant ", name)+
			line("y", "f32", []int{1, 1, 5, 1}, want...))
	}
	const head = "x = f32 1x1x1: 1\nw = f32 1x1x1: 1\nr = f32 1x1x1: 0\nv = f32 2x1x1: 1 1\ny = "
	refuse(t, head+`RNN(x, w, r) hidden_size=1 activations=["Odd"]`, `activation "Odd" is not supported`)
	refuse(t, head+`RNN(x, v, v) hidden_size=1 direction="bidirectional" activations=["Tanh"]`, "1 activations for 2 directions")
}
