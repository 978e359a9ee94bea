package onnx

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// mixture is a mixture of experts in plain loops: the best k experts make inner numbers of a token's hidden numbers,
// and hidden numbers again.
type mixture struct {
	tokens, experts, k, hidden, inner int
	activation                        string
	fusion                            int // of swiglu
	third, normalize                  bool
	alpha, beta, limit                float64
	// Weights [E N K] and biases [E N] of the projections, what is scored, and shares if they are not made of it.
	x, scores, shares []float64
	weights, biases   [3][]float64
}

// wide is how many numbers the first projection gives.
func (m *mixture) wide() int {
	if m.fusion > 0 {
		return 2 * m.inner
	}
	return m.inner
}

func (m *mixture) draw(r *rand.Rand) {
	m.x, m.scores = drawn(r, m.tokens*m.hidden), drawn(r, m.tokens*m.experts)
	for i, n := range [3]int{m.wide() * m.hidden, m.hidden * m.inner, m.inner * m.hidden} {
		m.weights[i] = drawn(r, m.experts*n)
	}
	m.biases = [3][]float64{drawn(r, m.experts*m.wide()), drawn(r, m.experts*m.hidden), drawn(r, m.experts*m.inner)}
}

func (m *mixture) project(expert, projection int, x []float64) []float64 {
	w, b := m.weights[projection], m.biases[projection]
	rows := len(b) / m.experts
	y := make([]float64, rows)
	for i := range y {
		y[i] = b[expert*rows+i]
		for j, v := range x {
			y[i] += w[(expert*rows+i)*len(x)+j] * v
		}
	}
	return y
}

func (m *mixture) expert(e int, x []float64) []float64 {
	sigmoid := func(v float64) float64 { return 1 / (1 + math.Exp(-v)) }
	first := m.project(e, 0, x)
	var third []float64
	if m.third {
		third = m.project(e, 2, x)
	}
	y := make([]float64, m.inner)
	for i := range y {
		v := first[i]
		switch m.activation {
		case "relu":
			y[i] = max(v, 0)
		case "silu":
			y[i] = v * sigmoid(v)
		case "gelu":
			y[i] = v / 2 * (1 + math.Tanh(math.Sqrt(2/math.Pi)*(v+0.044715*v*v*v)))
		case "identity":
			y[i] = v
		case "swiglu":
			gate, linear := v, 0.0
			switch m.fusion {
			case 0:
				linear = third[i]
			case 1:
				gate, linear = first[2*i], first[2*i+1]
			case 2:
				linear = first[m.inner+i]
			}
			gate, linear = min(gate, m.limit), min(max(linear, -m.limit), m.limit)
			y[i] = gate * sigmoid(m.alpha*gate) * (linear + m.beta)
			continue
		}
		if m.third {
			y[i] *= third[i]
		}
	}
	return m.project(e, 1, y)
}

// result is the sum of the experts of each token by their shares.
func (m *mixture) result() []float64 {
	var out []float64
	for t := range m.tokens {
		scores := m.scores[t*m.experts : (t+1)*m.experts]
		order := make([]int, m.experts)
		all := 0.0
		for e := range order {
			order[e] = e
			all += math.Exp(scores[e])
		}
		slices.SortFunc(order, func(a, b int) int {
			if scores[a] > scores[b] {
				return -1
			}
			return 1
		})
		share := func(e int) float64 {
			if m.shares != nil {
				return m.shares[t*m.experts+e]
			}
			return math.Exp(scores[e]) / all
		}
		total := 0.0
		for _, e := range order[:m.k] {
			total += share(e)
		}
		if !m.normalize {
			total = 1
		}
		sum := make([]float64, m.hidden)
		for _, e := range order[:m.k] {
			for i, v := range m.expert(e, m.x[t*m.hidden:(t+1)*m.hidden]) {
				sum[i] += share(e) / total * v
			}
		}
		out = append(out, sum...)
	}
	return out
}

// attributes are the attributes of both operators.
func (m *mixture) attributes() string {
	text := fmt.Sprintf("k=%d activation_type=%q", m.k, m.activation)
	if m.normalize {
		text += " normalize_routing_weights=1"
	}
	if m.activation == "swiglu" {
		text += fmt.Sprintf(" swiglu_fusion=%d activation_alpha=%#v activation_beta=%#v", m.fusion, m.alpha, m.beta)
		if !math.IsInf(m.limit, 1) {
			text += fmt.Sprintf(" swiglu_limit=%#v", m.limit)
		}
	}
	return strings.ReplaceAll(text, "=1 activation_beta", "=1.0 activation_beta")
}

// TestMixtureOfExperts: few tokens, each with experts of its own, and many, by all ways from one projection to the
// next.
func TestMixtureOfExperts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 6))
	for _, m := range []mixture{
		{tokens: 5, experts: 3, k: 1, activation: "relu"},
		{tokens: 5, experts: 3, k: 2, activation: "silu", third: true, normalize: true},
		{tokens: 1, experts: 4, k: 2, activation: "gelu"},
		{tokens: 1, experts: 4, k: 3, activation: "identity", third: true, normalize: true},
		{tokens: 2, experts: 7, k: 3, activation: "swiglu", third: true, alpha: 1.5, beta: 0.5, limit: math.Inf(1)},
		{tokens: 3, experts: 2, k: 1, activation: "swiglu", fusion: 1, alpha: 1.702, beta: 1.25, limit: 0.75, normalize: true},
		{tokens: 3, experts: 2, k: 2, activation: "swiglu", fusion: 2, alpha: 0.5, beta: 0.25, limit: 0.5},
	} {
		m.hidden, m.inner = 4, 3
		m.draw(r)
		text := line("x", "f32", []int{1, m.tokens, m.hidden}, m.x...) + line("s", "f32", []int{m.tokens, m.experts}, m.scores...) +
			line("a", "f32", []int{m.experts, m.wide(), m.hidden}, m.weights[0]...) + line("b", "f32", []int{m.experts, m.wide()}, m.biases[0]...) +
			line("c", "f32", []int{m.experts, m.hidden, m.inner}, m.weights[1]...) + line("d", "f32", []int{m.experts, m.hidden}, m.biases[1]...) +
			line("e", "f32", []int{m.experts, m.inner, m.hidden}, m.weights[2]...) + line("f", "f32", []int{m.experts, m.inner}, m.biases[2]...)
		inputs := "x, s, a, b, c, d"
		if m.third {
			inputs += ", e, f"
		}
		check(t, text+"y = com.microsoft.MoE("+inputs+") "+m.attributes()+"\nwant "+line("y", "f32", []int{1, m.tokens, m.hidden}, m.result()...))
	}
	// Experts without biases, the same for each.
	const small = "x = f32 2x2: 1 2 3 4\ns = f32 2x2: 0 0 0 0\nw = f32 2x1x2: 1 1 1 1\nv = f32 2x2x1: 1 2 1 2\n"
	check(t, small+"y = com.microsoft.MoE(x, s, w, \"\", v) k=2\nwant y = f32 2x2: 3 6 7 14")
	refuseEach(t, small, map[string]string{
		"y = com.microsoft.MoE(x, s, w, \"\", v) use_sparse_mixer=1":                                   "use_sparse_mixer is not supported",
		"y = com.microsoft.MoE(x, s, w, \"\", v) k=3":                                                  "the best 3 of scores of [2 2]",
		"y = com.microsoft.MoE(x, s, w, \"\", v) k=0":                                                  "the best 0 of scores of [2 2]",
		"y = com.microsoft.MoE(x, w, w, \"\", v)":                                                      "scores of [2 1 2]",
		"y = com.microsoft.MoE(x, s, w, \"\", w)":                                                      "weights of [2 1 2] for 1 numbers",
		"y = com.microsoft.MoE(x, s, s, \"\", v)":                                                      "weights of [2 2]",
		"o = f32 1x1x2: 1 1\ny = com.microsoft.MoE(x, s, o, \"\", v)":                                  "[1 1 2] of 2 experts",
		"y = com.microsoft.MoE(x, s, w, \"\", v) activation_type=\"tanh\"":                             `activation_type "tanh" is not supported`,
		"y = com.microsoft.MoE(x, s, w, \"\", v) activation_type=\"swiglu\"":                           "swiglu_fusion 0 of 1 numbers, with a third projection: false",
		"y = com.microsoft.MoE(x, s, w, \"\", v) activation_type=\"swiglu\" swiglu_fusion=1":           "swiglu_fusion 1 of 1 numbers",
		"y = com.microsoft.QMoE(x, s, w, w, \"\", v, v) quant_type=\"fp4\"":                            `quant_type "fp4" of 4 bits`,
		"y = com.microsoft.QMoE(x, s, w, w, \"\", v, v) expert_weight_bits=3":                          "of 3 bits",
		"y = com.microsoft.QMoE(x, s, w, w, \"\", v, v) weights_prepacked=1":                           "weights_prepacked 1",
		"w8 = u8 2x1x2: 1 1 1 1\ny = com.microsoft.QMoE(x, s, w8, s, \"\", v, v) expert_weight_bits=8": "scales of [2 2] for weights of [2 1 2]",
	})
}

// TestQuantizedExperts: weights are packed in bytes, with a scale and maybe a zero point for each row, or for each
// block of a row.
func TestQuantizedExperts(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 7))
	for _, c := range []struct {
		bits, blocks, tokens int
		zeros, shares        bool
	}{{4, 1, 1, false, false}, {4, 2, 4, true, false}, {8, 1, 4, true, true}, {8, 2, 1, false, false}, {2, 1, 1, true, true}, {2, 2, 4, false, false}} {
		m := mixture{tokens: c.tokens, experts: 3, k: 2, hidden: 8, inner: 8, activation: "silu", third: true, normalize: true}
		m.draw(r)
		text := line("x", "f32", []int{m.tokens, m.hidden}, m.x...) + line("s", "f32", []int{m.tokens, m.experts}, m.scores...)
		inputs, zeros := "x, s", ""
		per := 8 / c.bits
		// packed writes numbers as bytes, the first of a byte in its low bits.
		packed := func(name string, dims []int, list []int) string {
			bytes := make([]float64, len(list)/per)
			for i, v := range list {
				bytes[i/per] += math.Ldexp(float64(v), i%per*c.bits)
			}
			dims = slices.Clone(dims)
			dims[len(dims)-1] /= per
			return line(name, "u8", dims, bytes...)
		}
		for p := range 3 {
			const rows, columns = 8, 8
			values, points := make([]int, m.experts*rows*columns), make([]int, m.experts*rows*c.blocks)
			scales := make([]float64, len(points))
			for i := range points {
				points[i], scales[i] = 1<<(c.bits-1), math.Ldexp(float64(1+r.IntN(7)), -c.bits)
				if c.zeros {
					points[i] = r.IntN(1 << c.bits)
				}
			}
			for i := range values {
				values[i] = r.IntN(1 << c.bits)
				block := i / (columns / c.blocks)
				m.weights[p][i] = float64(values[i]-points[block]) * scales[block]
			}
			dims := []int{m.experts, rows}
			if c.blocks > 1 {
				dims = append(dims, c.blocks)
			}
			text += packed(fmt.Sprint("w", p), []int{m.experts, rows, columns}, values) + line(fmt.Sprint("c", p), "f32", dims, scales...) +
				line(fmt.Sprint("b", p), "f32", []int{m.experts, rows}, m.biases[p]...)
			inputs += fmt.Sprintf(", w%d, c%d, b%d", p, p, p)
			zero := `""`
			if c.zeros {
				zero = fmt.Sprint("z", p)
				text += packed(zero, dims, points)
			}
			zeros += ", " + zero
		}
		if c.shares {
			m.shares = make([]float64, m.tokens*m.experts)
			for i := range m.shares {
				m.shares[i] = float64(1+r.IntN(8)) / 8
			}
			text += line("r", "f32", []int{m.tokens, m.experts}, m.shares...)
			zeros += ", r"
		}
		check(t, text+"y = com.microsoft.QMoE("+inputs+zeros+") "+m.attributes()+fmt.Sprintf(" expert_weight_bits=%d block_size=%d\nwant ", c.bits, 8/c.blocks)+
			line("y", "f32", []int{m.tokens, m.hidden}, m.result()...))
	}
}
