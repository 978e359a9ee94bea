package network

import (
	"math"

	"github.com/go-acap/acap/tensor"
)

// mixture sends rows through the experts that the rows of from choose, and through what all rows take.
func (m *Network) mixture(x, from *tensor.Tensor, i int) *tensor.Tensor {
	y := x
	if m.Experts.Beside {
		from = m.unit(x, m.Epsilon).Mul(m.get(in(i, "ffn_gate_inp_scale.weight"))).MulScalar(1 / math.Sqrt(float64(m.Width)))
		y = m.norm(x, in(i, "pre_ffw_norm_2"))
	}
	chosen, weight := m.route(from, i)
	if m.Experts.Width > 0 {
		y = m.project(y, in(i, "ffn_latent_down"))
	}
	y = m.chosen(y, i, chosen, weight)
	if m.Experts.Width > 0 {
		y = m.project(y, in(i, "ffn_latent_up"))
	}
	if !m.has(in(i, "ffn_up_shexp.weight")) {
		return y
	}
	shared := m.feed(x, i, "_shexp")
	if name := in(i, "ffn_gate_inp_shexp"); m.has(name + ".weight") {
		part := x.Linear(m.get(name + ".weight").Reshape([]int{1, m.Width}))
		shared = shared.Mul(m.adapted(part, x, name).Sigmoid())
	}
	if y = y.Add(shared); m.Experts.SumScale != 0 {
		y = y.MulScalar(m.Experts.SumScale)
	}
	return y
}

// route returns which experts rows choose and the weights of these, [rows, chosen].
func (m *Network) route(x *tensor.Tensor, i int) (chosen, weight *tensor.Tensor) {
	e := m.Experts
	scores := m.project(x, in(i, "ffn_gate_inp"))
	switch e.Score {
	case "softmax":
		scores = scores.Softmax(-1)
	case "sigmoid":
		scores = scores.Sigmoid()
	}
	ranked := scores
	if bias := m.get(in(i, "exp_probs_b.bias")); bias != nil {
		ranked = scores.Add(bias)
	}
	if e.Groups > 1 {
		ranked = m.withinGroups(ranked, i)
	}
	_, chosen = ranked.Topk(e.Chosen)
	weight = scores.Gather(-1, chosen)
	if e.Score == "chosen" {
		weight = weight.Softmax(-1)
	}
	if e.Normalise {
		weight = weight.Div(weight.SumDim([]int{-1}, tensor.KeepDim))
	}
	if scale := m.get(in(i, "ffn_down_exps_scale.weight")); scale != nil { // of each expert
		weight = weight.Mul(scale.IndexSelect(0, chosen.Reshape([]int{-1})).Reshape(weight.Shape()))
	}
	if e.Scale != 0 && e.Scale != 1 {
		weight = weight.MulScalar(e.Scale)
	}
	return chosen, weight
}

// withinGroups leaves the scores of the best groups of experts, by their best score, or with a bias by their two best.
func (m *Network) withinGroups(scores *tensor.Tensor, i int) *tensor.Tensor {
	e, rows := m.Experts, scores.Size(0)
	each := e.Count / e.Groups
	parts := scores.Reshape([]int{rows, e.Groups, each})
	best := parts.Amax(tensor.Dim(-1))
	if m.has(in(i, "exp_probs_b.bias")) {
		top, _ := parts.Topk(2)
		best = top.SumDim([]int{-1})
	}
	_, groups := best.Topk(e.ChosenGroups)
	keep := m.among(groups, e.Groups).AnyDim(1).Unsqueeze(-1).Expand([]int{rows, e.Groups, each})
	return parts.MaskedFillScalar(keep.LogicalNot(), math.Inf(-1)).Reshape([]int{rows, e.Count})
}

// among tells of numbers [rows, chosen] which of count each one is: [rows, chosen, count].
func (m *Network) among(chosen *tensor.Tensor, count int) *tensor.Tensor {
	return chosen.Unsqueeze(-1).Eq(m.numbers(count))
}

// chosen runs rows through the experts that they have chosen. Few rows take copies of their experts' weights; many rows
// run through all experts, and those that they have not chosen count nothing.
func (m *Network) chosen(x *tensor.Tensor, i int, chosen, weight *tensor.Tensor) *tensor.Tensor {
	e, rows, width := m.Experts, x.Size(0), x.Size(-1)
	few := rows*e.Chosen <= e.Count
	count := e.Count
	pick := func(name string) *tensor.Tensor {
		w := m.loaded[in(i, name)]
		switch {
		case w == nil:
			return nil
		case few: // copies of what is stored
			w = w.Indexed(chosen.Reshape([]int{rows * e.Chosen}))
		}
		return w.Values()
	}
	var in3 *tensor.Tensor // [experts, rows, width]
	if few {
		count = rows * e.Chosen
		in3 = x.Unsqueeze(1).Expand([]int{rows, e.Chosen, width}).Reshape([]int{count, 1, width})
		weight = weight.Reshape([]int{count, 1, 1})
	} else {
		in3 = x.Unsqueeze(0).Expand([]int{count, rows, width})
		weight = m.among(chosen, count).Where(weight.Unsqueeze(-1), tensor.Zeros(1).To(m.device)).SumDim([]int{1})
		weight = weight.Transpose(0, 1).Unsqueeze(-1)
	}
	if e.ScaleInput {
		in3 = in3.Mul(weight)
	}
	product := func(x *tensor.Tensor, name string) *tensor.Tensor {
		y := x.BMM(pick(name+".weight").Transpose(1, 2))
		if bias := pick(name + ".bias"); bias != nil {
			y = y.Add(bias.Unsqueeze(1))
		}
		return y
	}
	var gate, up, y *tensor.Tensor
	switch {
	case m.has(in(i, "ffn_gate_exps.weight")):
		gate, up = product(in3, "ffn_gate_exps"), product(in3, "ffn_up_exps")
	case !m.Gated:
		y = m.activate(product(in3, "ffn_up_exps"), i)
	default:
		both := product(in3, "ffn_gate_up_exps")
		gate, up = both.Narrow(-1, 0, e.Hidden), both.Narrow(-1, e.Hidden, e.Hidden)
	}
	if gate != nil && e.Bound > 0 {
		gate, up = gate.ClampMax(e.Bound), up.Clamp(tensor.With("min", -e.Bound), tensor.With("max", e.Bound))
	}
	if gate != nil {
		y = m.gate(gate, up, i)
	}
	y = product(y, "ffn_down_exps")
	if !e.ScaleInput {
		y = y.Mul(weight)
	}
	if few {
		return y.Reshape([]int{rows, e.Chosen, width}).SumDim([]int{1})
	}
	return y.SumDim([]int{0})
}
