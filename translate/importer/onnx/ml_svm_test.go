package onnx

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// kernels are the kernels of support vectors with gamma 0.5, an addend of 0.25 and the degree 3.
var kernels = map[string]func(a, b []float64) float64{
	"LINEAR": dotProduct,
	"POLY":   func(a, b []float64) float64 { return math.Pow(0.5*dotProduct(a, b)+0.25, 3) },
	"SIGMOID": func(a, b []float64) float64 {
		return math.Tanh(0.5*dotProduct(a, b) + 0.25)
	},
	"RBF": func(a, b []float64) float64 {
		sum := 0.0
		for i := range a {
			sum += (a[i] - b[i]) * (a[i] - b[i])
		}
		return math.Exp(-0.5 * sum)
	},
}

func dotProduct(a, b []float64) float64 {
	sum := 0.0
	for i := range a {
		sum += a[i] * b[i]
	}
	return sum
}

// numbersText writes an attribute of floats.
func numbersText(list ...float64) string {
	var texts []string
	for _, v := range list {
		texts = append(texts, fmt.Sprintf("%.6f", v))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

var (
	inputs  = [][]float64{{0.5, -1}, {2, 0.25}, {-1, 1}}
	support = [][]float64{{1, 0}, {0, 1}, {-1, 0.5}, {0.5, 0.5}, {-0.5, -1}}
)

const vectorsText = "x = f32 3x2: 0.5 -1 2 0.25 -1 1\n"

func supportText() string {
	var all []float64
	for _, v := range support {
		all = append(all, v...)
	}
	return " support_vectors=" + numbersText(all...)
}

func TestSupportRegressor(t *testing.T) {
	weights := []float64{1, -2, 0.5, 0.25, -1}
	for name, kernel := range kernels {
		y := func(i int) float64 {
			sum := 0.125
			for k, w := range weights {
				sum += w * kernel(inputs[i], support[k])
			}
			return sum
		}
		node := "y = ai.onnx.ml.SVMRegressor(x) n_supports=5 rho=[0.125] kernel_params=[0.5,0.25,3.0] kernel_type=\"" + name + "\" coefficients=" +
			numbersText(weights...) + supportText()
		check(t, vectorsText+node+"\nwant y = f32 3x1:"+list(3, y))
		check(t, vectorsText+node+" one_class=1\nwant y = f32 3x1:"+list(3, func(i int) float64 { return math.Copysign(1, y(i)) }))
	}
	check(t, vectorsText+"y = ai.onnx.ml.SVMRegressor(x) rho=[0.125] coefficients=[2.0,-1.0]\nwant y = f32 3x1: 2.125 3.875 -2.875")
}

// TestSupportClassifier: pairs of three classes, with two, one and two support vectors, vote.
func TestSupportClassifier(t *testing.T) {
	first, count := []int{0, 2, 3}, []int{2, 1, 2}
	weights := [][]float64{{1, -2, 0.5, 0.25, -1}, {-0.5, 1, 2, -1, 0.75}} // of each vector, in its pairs
	rho := []float64{0.5, -0.25, 0.125}
	scores := func(i int) (scores []float64, winner int) {
		votes := make([]int, 3)
		for a := range 3 {
			for b := a + 1; b < 3; b++ {
				s := rho[len(scores)]
				for k := range count[a] {
					s += weights[b-1][first[a]+k] * kernels["RBF"](inputs[i], support[first[a]+k])
				}
				for k := range count[b] {
					s += weights[a][first[b]+k] * kernels["RBF"](inputs[i], support[first[b]+k])
				}
				if scores = append(scores, s); s > 0 {
					votes[a]++
				} else {
					votes[b]++
				}
			}
		}
		for c, v := range votes {
			if v > votes[winner] {
				winner = c
			}
		}
		return scores, winner
	}
	var z, y []float64
	for i := range inputs {
		s, winner := scores(i)
		z, y = append(z, s...), append(y, []float64{5, 7, 9}[winner])
	}
	node := "y, z = ai.onnx.ml.SVMClassifier(x) kernel_type=\"RBF\" kernel_params=[0.5,0.0,0.0] classlabels_ints=[5,7,9] vectors_per_class=[2,1,2] coefficients=" +
		numbersText(append(weights[0][:5:5], weights[1]...)...) + " rho=" + numbersText(rho...) + supportText()
	check(t, vectorsText+node+"\nwant z = f32 3x3:"+list(9, func(i int) float64 { return z[i] })+
		"\nwant y = i64 3:"+list(3, func(i int) float64 { return y[i] }))

	// Probabilities sum to one and stand where the probabilities of the pairs would not move them.
	p := newProgram(t, vectorsText+node+" prob_a=[-1.0,-2.0,-0.5] prob_b=[0.0,0.25,-0.5]")
	p.wanted = []string{"z"}
	out, err := p.run(false)
	require.NoError(t, err)
	for i := range inputs {
		s, _ := scores(i)
		var r [3][3]float64
		at := 0
		for a := range 3 {
			for b := a + 1; b < 3; b++ {
				r[a][b] = 1 / (1 + math.Exp(s[at]*[]float64{-1, -2, -0.5}[at]+[]float64{0, 0.25, -0.5}[at]))
				r[b][a] = 1 - r[a][b]
				at++
			}
		}
		total, slope := 0.0, [3]float64{}
		for a := range 3 {
			pa := out[0].Float64(3*i + a)
			require.Greater(t, pa, 0.0)
			total += pa
			for b := range 3 {
				if a != b {
					slope[a] += r[b][a] * (r[b][a]*pa - r[a][b]*out[0].Float64(3*i+b))
				}
			}
		}
		require.InDelta(t, 1, total, 1e-6)
		require.InDelta(t, slope[0], slope[1], 0.005)
		require.InDelta(t, slope[0], slope[2], 0.005)
	}

	// Two classes have one pair, whose score speaks for the first.
	check(t, "x = f32 2x1: 2 -3\ny, z = ai.onnx.ml.SVMClassifier(x) classlabels_ints=[5,7] vectors_per_class=[1,1] coefficients=[1.0,-1.0] "+
		"support_vectors=[1.0,-1.0] rho=[0.5]\nwant y = i64 2: 5 7\nwant z = f32 2x2: -4.5 4.5 5.5 -5.5")
	check(t, vectorsText+"y, z = ai.onnx.ml.SVMClassifier(x) classlabels_ints=[5,7] coefficients=[1.0,0.0,0.0,1.0] rho=[0.5]\n"+
		"want y = i64 3: 5 5 7\nwant z = f32 3x2: 1 -0.5 2.5 0.75 -0.5 1.5")
	refuseEach(t, vectorsText+"y = ai.onnx.ml.", map[string]string{
		"SVMClassifier(x) classlabels_ints=[5,7] coefficients=[1.0] rho=[0.5]":                                    "1 coefficients and 1 rho for 2 classes and [3 2]",
		"SVMClassifier(x) classlabels_ints=[5,7] vectors_per_class=[1,1] coefficients=[1.0,2.0] rho=[0.5,1.0]":    "2 classes with 2 names, 2 coefficients of 2 support vectors, 2 rho",
		"SVMClassifier(x) classlabels_ints=[5,7] vectors_per_class=[1,1] coefficients=[1.0,2.0] rho=[0.5]":        "0 numbers of 2 support vectors",
		"SVMClassifier(x) classlabels_ints=[5,7] vectors_per_class=[-1,1] coefficients=[1.0,2.0] rho=[0.5]":       "vectors_per_class has -1",
		"SVMRegressor(x) rho=[0.5] coefficients=[1.0]":                                                            "1 coefficients for [3 2]",
		"SVMRegressor(x) coefficients=[1.0,2.0]":                                                                  "0 rho, not one",
		"SVMRegressor(x) n_supports=1 rho=[0.5] coefficients=[1.0] support_vectors=[1.0,2.0] kernel_type=\"ODD\"": `kernel_type "ODD" is not supported`,
		"SVMRegressor(x) n_supports=1 rho=[0.5] coefficients=[1.0] support_vectors=[1.0,2.0] kernel_params=[1.0]": "1 kernel_params, not 3",
	})
}
