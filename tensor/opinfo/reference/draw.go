package reference

import (
	"math"

	"gonum.org/v1/gonum/stat/distuv"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/tensor"
)

// Distribution says how the numbers are distributed that an operator draws.
type Distribution struct {
	// Draw returns about n independent numbers.
	Draw func(n int) []float64
	// CDF is the distribution of real numbers; nil for numbers with probabilities.
	CDF func(x float64) float64
	// Mean and Variance are NaN if there are none.
	Mean, Variance float64
	// Probabilities has a probability for each number that may be drawn.
	Probabilities map[float64]float64
}

// Distributions are the operators that draw, by name.
var Distributions = map[string]Distribution{}

// continuous is a distribution of gonum's.
type continuous interface {
	CDF(x float64) float64
	Mean() float64
	Variance() float64
}

// call draws by an operator whose arguments are made for n numbers.
func call(name string, args func(n int) []any) func(n int) []float64 {
	return func(n int) []float64 { return tensor.Call(name, args(n)...)[0].Float64s() }
}

// filled draws by an operator that fills a tensor.
func filled(name string, more ...any) func(n int) []float64 {
	return call(name, func(n int) []any { return append([]any{tensor.Zeros(n)}, more...) })
}

// sized draws by an operator that takes the extents last.
func sized(name string, before ...any) func(n int) []float64 {
	return call(name, func(n int) []any { return append(append([]any{}, before...), []int{n}) })
}

func real(name string, draw func(n int) []float64, d continuous) {
	Distributions[name] = Distribution{Draw: draw, CDF: d.CDF, Mean: d.Mean(), Variance: d.Variance()}
}

func discrete(name string, draw func(n int) []float64, p map[float64]float64) {
	d := Distribution{Draw: draw, Probabilities: p}
	for v, p := range p {
		d.Mean += p * v
	}
	for v, p := range p {
		d.Variance += p * (v - d.Mean) * (v - d.Mean)
	}
	Distributions[name] = d
}

// equally are the integers in [low, high).
func equally(low, high int) map[float64]float64 {
	p := map[float64]float64{}
	for v := low; v < high; v++ {
		p[float64(v)] = 1 / float64(high-low)
	}
	return p
}

func init() {
	unit, normal := distuv.Uniform{Max: 1}, distuv.Normal{Sigma: 1}
	real("rand", sized("rand"), unit)
	real("rand.generator", sized("rand.generator"), unit)
	real("rand_like", filled("rand_like"), unit)
	real("randn", sized("randn"), normal)
	real("randn.generator", sized("randn.generator"), normal)
	real("randn_like", filled("randn_like"), normal)
	real("uniform", filled("uniform", -3.0, 5.0), distuv.Uniform{Min: -3, Max: 5})
	real("normal_functional", filled("normal_functional", 2.0, 0.5), distuv.Normal{Mu: 2, Sigma: 0.5})
	real("log_normal", filled("log_normal", 0.5, 0.25), distuv.LogNormal{Mu: 0.5, Sigma: 0.25})
	real("exponential", filled("exponential", 1.5), distuv.Exponential{Rate: 1.5})
	Distributions["cauchy"] = Distribution{Draw: filled("cauchy", 1.0, 2.0),
		CDF:  func(x float64) float64 { return 0.5 + math.Atan((x-1)/2)/math.Pi },
		Mean: math.NaN(), Variance: math.NaN()}
	// Integers below 2²⁴+1 in float32: as good as real numbers.
	real("random", filled("random"), distuv.Uniform{Max: 1<<24 + 1})
	discrete("random.to", filled("random.to", 6), equally(0, 6))
	discrete("random.from", filled("random.from", -2, 4), equally(-2, 4))
	discrete("randint", sized("randint", 5), equally(0, 5))
	discrete("randint.low", sized("randint.low", -3, 4), equally(-3, 4))
	discrete("randint_like", filled("randint_like", 5), equally(0, 5))
	discrete("randint_like.low_dtype", filled("randint_like.low_dtype", -3, 4), equally(-3, 4))
	geometric := map[float64]float64{}
	for k := 1; k < 40; k++ {
		geometric[float64(k)] = 0.4 * math.Pow(0.6, float64(k-1))
	}
	discrete("geometric", filled("geometric", 0.4), geometric)
}

// Draws from gamma, Dirichlet, Poisson and binomial distributions, by other methods than gonum's.
func init() {
	each := func(name string, parameters ...float64) func(n int) []float64 {
		return call(name, func(n int) []any {
			var args []any
			for _, p := range parameters {
				args = append(args, tensor.FullLike(p, dtype.F32, n))
			}
			return args
		})
	}
	// A number takes many candidates.
	fewer := func(draw func(n int) []float64) func(n int) []float64 {
		return func(n int) []float64 { return draw(n / 10) }
	}
	real("_standard_gamma", fewer(each("_standard_gamma", 0.75)), distuv.Gamma{Alpha: 0.75, Beta: 1})
	// The first of two is of a beta distribution.
	real("_sample_dirichlet", fewer(func(n int) []float64 {
		alpha := tensor.FromSlice([]float32{2.5, 4}).Expand([]int{n, 2})
		return tensor.Call("_sample_dirichlet", alpha)[0].Select(1, 0).Float64s()
	}), distuv.Beta{Alpha: 2.5, Beta: 4})
	some := func(p interface{ Prob(x float64) float64 }, most int) map[float64]float64 {
		m := map[float64]float64{}
		for k := range most {
			m[float64(k)] = p.Prob(float64(k))
		}
		return m
	}
	discrete("poisson", fewer(each("poisson", 12.5)), some(distuv.Poisson{Lambda: 12.5}, 60))
	discrete("binomial", fewer(each("binomial", 60, 0.625)), some(distuv.Binomial{N: 60, P: 0.625}, 61))
}

func init() {
	for _, name := range []string{"_drawn", "_rewritten", "_constant_in", "_after", "_checked"} { // what the values are, apart from gradients
		Functions[name] = func(a Args) []Result {
			x := a.tensor(0)
			return []Result{{DType: x.DType, Shape: x.Shape, Values: a.floats(0)}}
		}
	}
}
