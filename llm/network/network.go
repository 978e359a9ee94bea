package network

import (
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/llm/architecture"
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
	"github.com/go-acap/acap/llm/weights"
	"github.com/go-acap/acap/tensor"
)

// Network computes a description with its weights.
type Network struct {
	architecture.Description
	Files        weights.Files
	tokenRows    weights.Lookup             // the embeddings of tokens
	positionRows weights.Lookup             // the embeddings of positions; nil where positions are not learned
	layerTokens  weights.Lookup             // the embeddings of tokens for each layer; nil if there are none
	typeRows     weights.Lookup             // the embeddings of types of tokens; nil if there are none
	loaded       map[string]*weights.Weight // on the device
	adapters     []map[string]LowRank       // by the names of the weights that rows are multiplied by beside them
	device       device.Device
	exact        bool          // no rows are rounded
	cached       cache.Storage // what keys and values are kept as
	Spans        []cache.Span  // of the layers, each once: these have pages of their own
	first        []int         // of the tensors of each layer in the memory, and behind them how many there are

	steps steps

	mu     sync.Mutex
	counts map[int]*tensor.Tensor // 0, 1, 2 …, by their count
	slope  *tensor.Tensor         // of each head, [1, heads, 1, 1]; nil for other positions than slopes
}

// Options say how a network is held.
type Options struct {
	Device  device.Device
	Exact   bool          // no rows are rounded
	Storage cache.Storage // of keys and values
}

// LowRank is the pair of matrices of a LoRA adapter: down [rank, inputs], and up [outputs, rank], which has the scale
// in it.
type LowRank struct{ Down, Up *tensor.Tensor }

// New loads all weights that the description uses. A weight that cannot be read, or has another shape, is an error.
func New(d *architecture.Description, w weights.Files, o Options) (*Network, error) {
	n := &Network{Description: *d, Files: w, loaded: map[string]*weights.Weight{}, device: o.Device, exact: o.Exact, cached: o.Storage,
		Spans: cache.SpansOf(d), counts: map[int]*tensor.Tensor{}}
	if err := n.embeddings(); err != nil {
		return nil, err
	}
	n.first = make([]int, 1, n.Layers+1)
	for i := range n.Layers {
		n.first = append(n.first, n.first[i]+len(cache.RowsOf(&n.Description, i, n.cached)))
	}
	if n.Positions == "slopes" {
		n.slope = tensor.FromSlice(n.Slopes()).Reshape([]int{1, n.Heads, 1, 1}).To(n.device).Freeze()
	}
	return n, n.load()
}

// SetSpans keeps what tokens see by other spans than the spans of the layers. A model and its draft, which have one
// cache of pages together, keep all tokens in all layers.
func (m *Network) SetSpans(spans ...cache.Span) { m.Spans, m.steps = spans, steps{} }

// PoolOf is the number of the pool with the pages of a layer.
func (m *Network) PoolOf(layer int) int {
	return max(0, slices.Index(m.Spans, cache.SpanOf(&m.Description, layer)))
}

// get returns the values of a weight, nil if the model has none by the name.
func (m *Network) get(name string) *tensor.Tensor {
	if w := m.loaded[name]; w != nil {
		return w.Values()
	}
	return nil
}

// Tensors are all tensors on the device, as they are held.
func (m *Network) Tensors() []*tensor.Tensor {
	list := make([]*tensor.Tensor, 0, len(m.loaded))
	for _, w := range m.loaded {
		list = append(list, w.Tensor)
	}
	for _, a := range m.adapters {
		for _, p := range a {
			list = append(list, p.Down, p.Up)
		}
	}
	return list
}

// has reports whether the model has a weight.
func (m *Network) has(name string) bool { return m.loaded[name] != nil }

// numbers are 0, 1, 2 and so on, as many as count says.
func (m *Network) numbers(count int) *tensor.Tensor {
	m.mu.Lock() // embeddings are computed beside the engine's passes
	defer m.mu.Unlock()
	if m.counts[count] == nil {
		list := make([]int64, count)
		for i := range list {
			list[i] = int64(i)
		}
		m.counts[count] = tensor.FromSlice(list).To(m.device).Freeze()
	}
	return m.counts[count]
}

// in is the name of a weight of a layer.
func in(layer int, name string) string { return architecture.WeightName(layer, name) }

// project multiplies rows by a weight, and adds its bias if there is one, and what adapters make of the rows.
func (m *Network) project(x *tensor.Tensor, name string) *tensor.Tensor {
	w := m.get(name + ".weight")
	var y *tensor.Tensor
	if bias := m.get(name + ".bias"); bias != nil {
		y = x.Linear(w, tensor.Bias(bias))
	} else {
		y = x.Linear(w)
	}
	return m.adapted(y, x, name)
}

// adapted adds what adapters make of rows x to what a weight makes of them.
func (m *Network) adapted(y, x *tensor.Tensor, name string) *tensor.Tensor {
	for _, a := range m.adapters {
		if p, ok := a[name]; ok {
			y = y.Add(x.Linear(p.Down).Linear(p.Up))
		}
	}
	return y
}

// norm norms rows along their last dimension by the weight of a name, which may have a row for each head; without a
// weight the rows stay as they are.
func (m *Network) norm(x *tensor.Tensor, name string) *tensor.Tensor {
	w := m.get(name + ".weight")
	if w == nil {
		if m.Unweighted && (name == "output_norm" || strings.HasSuffix(name, "attn_norm") || strings.HasSuffix(name, "ffn_norm")) {
			return x.LayerNorm([]int{x.Size(-1)}, tensor.Eps(m.Epsilon))
		}
		return x
	}
	if m.Norm == "layer" {
		width := x.Size(-1)
		if w.Dim() > 1 {
			return x.LayerNorm([]int{width}, tensor.Eps(m.Epsilon)).Mul(w)
		}
		if bias := m.get(name + ".bias"); bias != nil {
			return x.LayerNorm([]int{width}, tensor.Weight(w), tensor.Bias(bias), tensor.Eps(m.Epsilon))
		}
		return x.LayerNorm([]int{width}, tensor.Weight(w), tensor.Eps(m.Epsilon))
	}
	return m.unit(x, m.epsilonOf(name)).Mul(w)
}

// epsilonOf is what a norm adds to the mean of squares.
func (m *Network) epsilonOf(norm string) float64 {
	if m.Latent != nil && m.Latent.Epsilon != 0 && strings.HasSuffix(norm, "_a_norm") {
		return m.Latent.Epsilon
	}
	return m.Epsilon
}

// unit divides rows by the root of the mean of their squares, to which epsilon is added.
func (m *Network) unit(x *tensor.Tensor, epsilon float64) *tensor.Tensor {
	return x.Mul(x.Mul(x).MeanDim([]int{-1}, tensor.KeepDim).AddScalar(epsilon).Rsqrt())
}

// activate is the function between products of a layer.
func (m *Network) activate(x *tensor.Tensor, layer int) *tensor.Tensor {
	switch m.Activation {
	case "gelu":
		return x.GELU()
	case "gelu_tanh":
		return x.GELU(tensor.With("approximate", "tanh"))
	case "relu":
		return x.ReLU()
	case "relu2":
		y := x.ReLU()
		return y.Mul(y)
	case "xielu":
		return xielu(m.XIELU[layer], x)
	}
	return x.SiLU()
}

// gate multiplies the activation of one product by another. The clamped gate of GPT-OSS bounds both.
func (m *Network) gate(gate, up *tensor.Tensor, layer int) *tensor.Tensor {
	if m.Activation == "clamped" {
		const bound, slope = 7, 1.702
		gate = gate.ClampMax(float64(bound))
		up = up.Clamp(tensor.With("min", float64(-bound)), tensor.With("max", float64(bound)))
		return gate.Mul(gate.MulScalar(slope).Sigmoid()).Mul(up.AddScalar(1))
	}
	return m.activate(gate, layer).Mul(up)
}

// feed is the part of a layer behind attention, of the weights named with a suffix.
func (m *Network) feed(x *tensor.Tensor, layer int, suffix string) *tensor.Tensor {
	name := func(part string) string { return in(layer, "ffn_"+part+suffix) }
	up := m.project(x, name("up"))
	switch {
	case m.has(name("gate") + ".weight"):
		up = m.gate(m.project(x, name("gate")), up, layer)
	case m.Gated: // both in one matrix
		half := up.Size(-1) / 2
		up = m.gate(up.Narrow(-1, 0, half), up.Narrow(-1, half, half), layer)
	default:
		up = m.activate(up, layer)
	}
	return m.project(up, name("down"))
}

// layer computes one layer over rows.
func (m *Network) layer(x *tensor.Tensor, i int, s *pass) *tensor.Tensor {
	add := func(x, y *tensor.Tensor) *tensor.Tensor {
		if m.ResidualScale != 0 && m.ResidualScale != 1 {
			y = y.MulScalar(m.ResidualScale)
		}
		return x.Add(y)
	}
	begun := x
	part := func(h *tensor.Tensor) *tensor.Tensor {
		switch {
		case m.Dense(i):
			return m.feed(h, i, "")
		case m.Experts.RoutedBeforeAttention:
			return m.mixture(h, begun, i)
		case m.Experts.DenseHybrid:
			from := m.norm(begun, in(i, "ffn_norm_exps"))
			return m.feed(h, i, "").Add(m.mixture(from, from, i))
		}
		return m.mixture(h, h, i)
	}
	if m.After {
		x = m.norm(x.Add(m.attention(x, i, s)), in(i, "attn_output_norm"))
		return m.norm(x.Add(part(x)), in(i, "layer_output_norm"))
	}
	before, after := in(i, "ffn_norm"), in(i, "post_attention_norm")
	if !m.has(before+".weight") && m.has(in(i, "attn_norm")+".weight") { // so GPT-OSS calls the norm in front of the second part
		before, after = after, ""
	}
	h := m.norm(x, in(i, "attn_norm"))
	if !m.Mixes(i) {
		return add(x, part(h))
	}
	y := m.attention(h, i, s)
	if !m.FeedsForward(i) {
		return add(x, y)
	}
	if m.Parallel {
		if m.has(before + ".weight") { // a norm of its own
			h = m.norm(x, before)
		}
		return add(add(x, y), part(h))
	}
	x = add(x, m.norm(y, after))
	if m.Experts != nil && m.Experts.Beside {
		both := m.norm(m.feed(m.norm(x, before), i, ""), in(i, "post_ffw_norm_1")).Add(m.norm(m.mixture(x, x, i), in(i, "post_ffw_norm_2")))
		return add(x, m.norm(both, in(i, "post_ffw_norm")))
	}
	return add(x, m.norm(part(m.norm(x, before)), in(i, "post_ffw_norm")))
}

// forward runs all layers over the rows of a pass.
func (m *Network) forward(x *tensor.Tensor, s *pass) *tensor.Tensor {
	x = m.norm(x, "token_embd_norm")
	var beside *tensor.Tensor
	if m.LayerWidth > 0 {
		beside = m.layerRows(x, s)
	}
	for i := range m.Layers {
		x = m.withLayerRows(m.layer(x, i, s), beside, i)
		if scale := m.get(in(i, "layer_output_scale.weight")); scale != nil {
			x = x.Mul(scale)
		}
	}
	return x
}

// Scores returns the scores of the vocabulary's tokens for rows of the last layer.
func (m *Network) Scores(x *tensor.Tensor) *tensor.Tensor {
	x = m.norm(x, "output_norm")
	head := "output"
	if !m.has("output.weight") {
		head = "token_embd"
	}
	y := m.project(x, head)
	if bias := m.get("output.bias"); bias != nil && head != "output" { // of a head that multiplies by the matrix of the embeddings
		y = y.Add(bias)
	}
	if m.LogitScale != 0 && m.LogitScale != 1 {
		y = y.MulScalar(m.LogitScale)
	}
	if m.LogitCap != 0 {
		y = y.MulScalar(1 / m.LogitCap).Tanh().MulScalar(m.LogitCap)
	}
	return y
}

// embeddings finds the matrices whose rows begin a pass.
func (m *Network) embeddings() (err error) {
	if m.tokenRows, err = m.Files.Lookup("token_embd.weight"); err == nil && m.Positions == "learned" {
		m.positionRows, err = m.Files.Lookup("position_embd.weight")
	}
	if err == nil && m.LayerWidth > 0 {
		m.layerTokens, err = m.Files.Lookup("per_layer_token_embd.weight")
	}
	if err == nil && m.Files.Shape("token_types.weight") != nil {
		m.typeRows, err = m.Files.Lookup("token_types.weight")
	}
	return err
}

// Weight returns a weight as it is held, nil if the model has none by the name.
func (m *Network) Weight(name string) *weights.Weight { return m.loaded[name] }

// Adapt adds an adapter to the products.
func (m *Network) Adapt(pairs map[string]LowRank) { m.adapters = append(m.adapters, pairs) }

// Place brings a tensor to the device.
func (m *Network) Place(w *tensor.Tensor) *tensor.Tensor { return w.To(m.device) }

// LastRows are the rows behind the last layer for tokens that see each other as the architecture says, one behind
// another, before the last norm: a few rows more than tokens may follow. Nothing is kept. A token that the vocabulary
// does not have is an error.
func (m *Network) LastRows(tokens []int) (*tensor.Tensor, error) {
	n := min(schedule.Rows(len(tokens), schedule.LeastPiece, m.Context), m.Context)
	s := newPass(m, Numbers{Pass: schedule.Pass{Sequences: 1, Tokens: n, Seen: n}}).room(nil)
	padded, at := make([]int, n), make([]int, n)
	copy(padded, tokens)
	for i := range at {
		at[i] = min(i, len(tokens)-1)
	}
	if m.Encoder {
		s.length.host[0] = int64(len(tokens))
	}
	if err := s.write(padded, at); err != nil {
		return nil, err
	}
	return m.forward(s.x.Tensor, s), nil
}

// Normed are rows behind the last norm.
func (m *Network) Normed(x *tensor.Tensor) *tensor.Tensor { return m.norm(x, "output_norm") }

// embed looks up the rows of tokens at their positions, on the host.
func (m *Network) embed(tokens, positions []int, out []float32) error {
	if err := m.tokenRows(tokens, out); err != nil {
		return err
	}
	if scale := float32(m.EmbeddingScale); scale != 0 && scale != 1 {
		for i := range out {
			out[i] *= scale
		}
	}
	add := func(from weights.Lookup, rows []int) error {
		more := make([]float32, len(out))
		if err := from(rows, more); err != nil {
			return err
		}
		for i, v := range more {
			out[i] += v
		}
		return nil
	}
	if m.positionRows != nil {
		rows := slices.Clone(positions)
		for i := range rows {
			rows[i] += m.FirstRow
		}
		if err := add(m.positionRows, rows); err != nil {
			return err
		}
	}
	if m.typeRows != nil {
		types, second := make([]int, len(tokens)), 0
		for i, token := range tokens {
			if types[i] = second; m.Separator > 0 && token == m.Separator {
				second = 1
			}
		}
		return add(m.typeRows, types)
	}
	return nil
}

// temperature is the factor of the queries at a position.
func (m *Network) temperature(position int) float32 {
	if !m.TemperatureAll {
		position++ // Llama 4 counts from one
	}
	return float32(math.Log(math.Floor(float64(position)/float64(m.TemperatureLen))+1)*m.Temperature + 1)
}
