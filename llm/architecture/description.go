package architecture

import (
	"fmt"
	"math"
	"slices"
)

// A Description says how a model computes: what a file's metadata and a folder's config.json are read into. Parts that
// a file shows by its weights are not described: biases, norms of heads, norms behind the parts of a layer, a head of
// its own, sinks of attention.
type Description struct {
	Architecture string

	Layers, Width, Vocabulary, Context int
	Heads, KVHeads                     int   // of queries, and of keys and values
	LayerKVHeads                       []int // where layers differ; nil elsewhere
	HeadWidth, ValueWidth              int   // of queries and keys, and of values
	Hidden                             int   // of the gated part of a layer
	LayerHidden                        []int // where layers differ; nil elsewhere

	LocalHeads *LocalHeads // of layers with a window, where they differ (Gemma 4)
	KeyValues  bool        // values of layers without a window are what keys are made of (Gemma 4)
	UnitValues bool        // values are normed without weights (Gemma 4)
	Sharing    int         // the last layers, which read keys and values of the last layer of their kind in front of these (Gemma 4)
	LayerWidth int         // numbers that each layer has of each token beside the rows; 0 if there are none (Gemma 4)

	Norm       string // "rms" or "layer"
	Unweighted bool   // norms in front of the parts of a layer, and behind the last one, have no weights (OLMo 1)
	Epsilon    float64
	Activation string  // "silu", "gelu", "gelu_tanh", "relu", "relu2", "xielu" or "clamped" (the gate of GPT-OSS)
	XIELU      []XIELU // the numbers of each layer's "xielu"
	Gated      bool    // the activation of one product is multiplied by another
	Parallel   bool    // attention and the rest of a layer read the same rows
	After      bool    // norms stand behind the sum with the residual, as in BERT
	Encoder    bool    // every token sees every other one, and there is no head

	Rotary      Rotary
	LocalRotary *Rotary // of layers with a window, where they differ
	RotaryEvery int     // every so manieth layer has no rotary positions; 0 if all have them
	Unturned    []bool  // the layers that have none; nil if RotaryEvery says so
	Positions   string  // "rotary", "learned", "slopes" or "none"
	SlopeBound  float64 // of slopes: 2 to the power of minus it is the last one of heads that are a power of two
	FirstRow    int     // the row of learned positions for the first token

	FirstUnnormed bool // attention of the first layer reads rows without a norm (ModernBERT)

	Taps      int    // tokens that a layer with a short convolution sees (LFM2)
	Convolved []bool // layers with a short convolution in the place of attention

	Feeds []bool // where layers are one part behind one norm: those that are products, not attention or a state; nil where layers have both parts (Nemotron-H)

	Recurrence *Recurrence // of layers that keep a state; nil if there are none
	Gate       bool        // attention is gated by what is made beside the queries (Qwen3-Next)

	HeadGate bool // a number of each head gates what attention makes (Spark 2.5)

	Clip float64 // bound of queries, keys and values; 0 if there is none

	Guessing int // layers behind the last one in the file, which guess tokens further on and are not computed

	RotaryWindows bool // where there is a window, the layers that see all tokens have no rotary positions

	Window         int     // tokens that a layer with a window sees; 0 if there is none
	Windows        []bool  // layers with a window; nil if all have one
	Chunked        bool    // the window is the piece of this length that a token lies in, not the last tokens
	AttentionScale float64 // of scores; 0 stands for 1/sqrt(HeadWidth)
	ScoreCap       float64 // of attention: cap*tanh(x/cap); 0 if there is none
	LogitCap       float64
	HeadNormWhole  bool    // norms of queries and keys span all heads (OLMo 2)
	HeadNormTurned bool    // norms of queries and keys stand behind the rotary positions (Hunyuan)
	UnitHeadNorm   bool    // queries and keys are normed without weights, behind the rotary positions (Llama 4)
	Temperature    float64 // of queries by their position (Llama 4, Ministral 3); 0 if there is none
	TemperatureLen int     // positions after which it grows
	TemperatureAll bool    // of all layers, not of those without rotary positions (Ministral 3)

	EmbeddingScale, ResidualScale, LogitScale float64 // 0 stands for 1

	Experts *Experts
	Latent  *Latent

	Separator int    // the token behind which tokens have the second type, of a BERT that scores pairs of texts; 0 if all have the first one
	ScoredRow string // which rows of a text score it, of a model that scores pairs of texts: "cls", "mean", or "last" of a model that generates
	Pooling   string // of embeddings: "mean", "cls", "last", "max", "root", "weighted" or "none"; "rank" of a model that scores pairs of texts
}

// LocalHeads are the heads of keys and values in layers with a window, and the width of all heads there.
type LocalHeads struct{ KVHeads, Width int }

// Rotary says how positions turn pairs of a head's elements.
type Rotary struct {
	Theta    float64
	Width    int       // elements of a head that are turned, the first ones
	Pairs    bool      // a pair are neighbours, not elements half of the width apart
	Factors  []float64 // divides each frequency; nil for none
	Long     []float64 // instead of Factors beyond Original tokens of context
	Original int       // context that Factors were made for
	Linear   float64   // divides positions; 0 stands for 1
	Yarn     *Yarn
	Scale    float64 // of cosines and sines; 0 stands for 1
}

// Yarn interpolates low frequencies and keeps high ones.
type Yarn struct {
	Factor, Fast, Slow float64
	Original           int
	Truncate           bool
}

// Experts says how tokens choose among parallel gated parts.
type Experts struct {
	Count, Chosen         int
	Hidden                int    // of one expert
	SharedHidden          int    // of the part that all tokens take; 0 if there is none
	Beside                bool   // products of all tokens stand beside the experts, each behind norms of their own (Gemma 4)
	Width                 int    // of the narrow rows that experts read and write (Nemotron 3 Super); 0: the layer's rows
	Score                 string // "softmax", "sigmoid", "chosen" (a softmax of the chosen scores)
	Normalise             bool   // weights of the chosen ones sum to one
	Scale                 float64
	ScaleInput            bool // the weight multiplies what an expert reads (Llama 4)
	Groups                int  // of experts
	ChosenGroups          int
	Dense                 []bool  // layers without experts; nil if all have them
	Bound                 float64 // of gates, from above, and of what these multiply (Maple); 0 if there is none
	SumScale              float64 // multiplies the sum of what the experts make and of the part that all tokens take, such as 0.5 for a mean (Cohere 2); 0 stands for 1
	DenseHybrid           bool    // experts read the rows in front of attention behind a norm of their own, beside products of all tokens, as wide as a row (Arctic)
	RoutedBeforeAttention bool    // experts are chosen by the rows in front of attention, before a norm (SmallThinker)
	TurnsDense            bool    // layers without experts have rotary positions in any case (Cohere 2)
}

// Latent says how DeepSeek's attention makes keys and values of a narrow row.
type Latent struct {
	QueryRank, Rank       int     // 0 if queries are made directly
	Plain, Turned, Values int     // widths of a head: not turned, turned by its position, of values
	Epsilon               float64 // of the norms of narrow rows; 0 stands for the one of the other norms
}

// mostExtent is the largest extent of a network.
const mostExtent = 1 << 24

// check says which number makes no model.
func (d *Description) check() error {
	if err := d.checkExtents(); err != nil {
		return err
	}
	switch {
	case d.Layers > mostLayers:
		return fmt.Errorf("%s: %d layers, want at most %d", d.Architecture, d.Layers, mostLayers)
	case d.XIELU != nil && len(d.XIELU) != d.Layers:
		return fmt.Errorf("%s: %d of %d layers have the numbers of an activation", d.Architecture, len(d.XIELU), d.Layers)
	case !(d.Epsilon >= 0 && d.Epsilon <= 1):
		return fmt.Errorf("%s: the epsilon of norms is %g, want 0 to 1", d.Architecture, d.Epsilon)
	}
	if err := d.checkHeads(); err != nil {
		return err
	}
	if d.Positions == "rotary" {
		for _, r := range []*Rotary{&d.Rotary, d.LocalRotary} {
			if err := d.checkRotary(r); err != nil {
				return err
			}
		}
	}
	if r := d.Recurrence; d.Stateful() {
		for _, n := range []int{r.Keys, r.Heads, r.KeyWidth, r.Width, r.Taps - 1, r.NormGroups} {
			if n < 1 || n > mostExtent || r.Heads%max(r.Keys, 1) != 0 || r.Inner()%max(r.NormGroups, 1) != 0 {
				return fmt.Errorf("%s: layers keep states of %d heads, %d wide, for %d heads of keys, %d wide, behind %d rows, normed in %d parts",
					d.Architecture, r.Heads, r.Width, r.Keys, r.KeyWidth, r.Taps-1, r.NormGroups)
			}
		}
	}
	if e := d.Experts; e != nil {
		if e.Count < 1 || e.Count > 4096 || e.Chosen < 1 || e.Chosen > e.Count || e.Hidden < 1 {
			return fmt.Errorf("%s: %d of %d experts, %d wide", d.Architecture, e.Chosen, e.Count, e.Hidden)
		}
		if e.Groups > 0 && (e.Count%e.Groups != 0 || e.ChosenGroups < 1 || e.ChosenGroups > e.Groups || e.Chosen > e.ChosenGroups*(e.Count/e.Groups)) {
			return fmt.Errorf("%s: %d experts of %d of %d groups of %d experts together", d.Architecture, e.Chosen, e.ChosenGroups, e.Groups, e.Count)
		}
	}
	return nil
}

// checkExtents holds each extent within its bounds.
func (d *Description) checkExtents() error {
	for _, size := range []struct {
		name  string
		value int
		least int
	}{{"number of layers", d.Layers, 1}, {"width", d.Width, 1}, {"number of heads", d.Heads, 1}, {"number of heads of keys", d.KVHeads, 1},
		{"width of heads", d.HeadWidth, 1}, {"size of the vocabulary", d.Vocabulary, 1}, {"context", d.Context, 1},
		{"hidden width", d.Hidden, 0}, {"width of a layer's embeddings", d.LayerWidth, 0}, {"window", d.Window, 0}, {"width of values", d.ValueWidth, 1}} {
		if size.value < size.least || size.value > mostExtent {
			return fmt.Errorf("%s: the %s is %d, want %d to %d", d.Architecture, size.name, size.value, size.least, mostExtent)
		}
	}
	return nil
}

// checkHeads says which heads cannot share keys and values.
func (d *Description) checkHeads() error {
	if d.Heads%d.KVHeads != 0 {
		return fmt.Errorf("%s: %d heads cannot share %d heads of keys and values", d.Architecture, d.Heads, d.KVHeads)
	}
	for i, n := range d.LayerKVHeads {
		if n != d.KVHeads {
			return fmt.Errorf("%s: layer %d has %d heads of keys and layer 0 has %d; layers must be alike", d.Architecture, i, n, d.KVHeads)
		}
	}
	if h := d.LocalHeads; h != nil && (h.KVHeads < 1 || h.Width < 1 || h.Width > mostExtent || d.Heads%h.KVHeads != 0) {
		return fmt.Errorf("%s: %d heads of the width %d in layers with a window cannot share %d heads of keys and values", d.Architecture, d.Heads, h.Width, h.KVHeads)
	}
	for i := range d.Layers {
		if d.Sharing < 0 || d.KVSource(i) < 0 {
			return fmt.Errorf("%s: the last %d layers read keys of a layer in front of them, and layer %d has none of its kind there", d.Architecture, d.Sharing, i)
		}
	}
	return nil
}

// checkRotary says which number turns no head; nil turns all.
func (d *Description) checkRotary(r *Rotary) error {
	if r == nil {
		return nil
	}
	if r.Width < 2 || r.Width%2 != 0 || r.Width > max(d.HeadWidth, d.LocalWidth(), 2) {
		return fmt.Errorf("%s: %d elements of heads of %d are turned in pairs", d.Architecture, r.Width, d.HeadWidth)
	}
	if !(r.Theta >= 1 && r.Theta <= 1e15) {
		return fmt.Errorf("%s: the base of rotary positions is %g, want 1 to 1e15", d.Architecture, r.Theta)
	}
	for _, list := range [][]float64{r.Factors, r.Long} {
		if list != nil && len(list) != r.Width/2 {
			return fmt.Errorf("%s: %d factors of %d frequencies", d.Architecture, len(list), r.Width/2)
		}
	}
	return nil
}

// TopNorm is the norm that a model needs outside its layers: after the last layer, or in BERT after the embeddings.
func (d *Description) TopNorm() string {
	if d.After {
		return "token_embd_norm"
	}
	return "output_norm"
}

// mostLayers is how many layers a model has at most.
const mostLayers = 1024

// eachLayer makes a list with an entry for each layer, before check has said whether a model may have as many.
func eachLayer(layers int) []bool { return make([]bool, max(min(layers, mostLayers), 0)) }

// Windowed reports whether a layer has a window.
func (d *Description) Windowed(layer int) bool {
	return d.Window > 0 && (d.Windows == nil || layer < len(d.Windows) && d.Windows[layer])
}

// IsConvolved reports whether a layer has a short convolution in the place of attention.
func (d *Description) IsConvolved(layer int) bool {
	return layer < len(d.Convolved) && d.Convolved[layer]
}

// Mixes reports whether a layer has attention, or what stands in its place.
func (d *Description) Mixes(layer int) bool { return d.Feeds == nil || !d.Feeds[layer] }

// FeedsForward reports whether a layer has products behind attention, or in its place.
func (d *Description) FeedsForward(layer int) bool { return d.Feeds == nil || d.Feeds[layer] }

// Turned reports whether a layer has rotary positions.
func (d *Description) Turned(layer int) bool {
	if d.RotaryWindows && d.Window > 0 && !d.Windowed(layer) {
		return d.Experts != nil && d.Experts.TurnsDense && d.Dense(layer)
	}
	if d.Unturned != nil {
		return d.Positions == "rotary" && !d.Unturned[layer]
	}
	return d.Positions == "rotary" && (d.RotaryEvery == 0 || (layer+1)%d.RotaryEvery != 0)
}

// RotaryAt returns what turns the heads of a layer.
func (d *Description) RotaryAt(layer int) *Rotary {
	if d.LocalRotary != nil && d.Windowed(layer) {
		return d.LocalRotary
	}
	return &d.Rotary
}

// Rotaries are what turns the heads of the layers, each once.
func (d *Description) Rotaries() []*Rotary {
	var list []*Rotary
	for i := range d.Layers {
		if r := d.RotaryAt(i); d.Turned(i) && d.Latent == nil && !slices.Contains(list, r) {
			list = append(list, r)
		}
	}
	if d.Latent != nil {
		list = append(list, &d.Rotary)
	}
	return list
}

// Dense reports whether a layer has no experts.
func (d *Description) Dense(layer int) bool {
	return d.Experts == nil || layer < len(d.Experts.Dense) && d.Experts.Dense[layer]
}

// ScoreScale is the factor of the scores of attention.
func (d *Description) ScoreScale() float64 {
	if d.AttentionScale != 0 {
		return d.AttentionScale
	}
	return 1 / math.Sqrt(float64(d.HeadWidth))
}

// Frequencies returns the angle by which one position turns each pair, and the scale of cosines and sines, for a
// context.
func (r *Rotary) Frequencies(context int) (turn []float64, scale float64) {
	half := r.Width / 2
	turn = make([]float64, half)
	factors := r.Factors
	if r.Long != nil && context > r.Original {
		factors = r.Long
	}
	scale = r.Scale
	if scale == 0 {
		scale = 1
	}
	for i := range turn {
		turn[i] = math.Pow(r.Theta, -float64(2*i)/float64(r.Width))
		if factors != nil {
			turn[i] /= factors[i]
		}
		if r.Linear != 0 {
			turn[i] /= r.Linear
		}
	}
	if y := r.Yarn; y != nil {
		at := func(turns float64) float64 {
			return float64(r.Width) * math.Log(float64(y.Original)/(turns*2*math.Pi)) / (2 * math.Log(r.Theta))
		}
		low, high := at(y.Fast), at(y.Slow)
		if y.Truncate {
			low, high = math.Floor(low), math.Ceil(high)
		}
		low, high = max(low, 0), min(high, float64(r.Width-1))
		if low == high {
			high += 0.001
		}
		for i := range turn {
			ramp := min(max((float64(i)-low)/(high-low), 0), 1)
			turn[i] = turn[i]/y.Factor*ramp + turn[i]*(1-ramp)
		}
	}
	return turn, scale
}

// llama3 returns the factors of Llama 3.1: low frequencies are divided, high ones kept, those between interpolated.
func llama3(r *Rotary, factor, low, high float64, original int) []float64 {
	out := make([]float64, r.Width/2)
	for i := range out {
		length := 2 * math.Pi * math.Pow(r.Theta, float64(2*i)/float64(r.Width))
		switch {
		case length < float64(original)/high:
			out[i] = 1
		case length > float64(original)/low:
			out[i] = factor
		default:
			smooth := (float64(original)/length - low) / (high - low)
			out[i] = 1 / ((1-smooth)/factor + smooth)
		}
	}
	return out
}
