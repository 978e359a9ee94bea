package nn

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// Recurrent is a recurrent network of one or more layers on [N L in], or on [L N in] if
// TimeFirst is set: an LSTM, a GRU, or a plain one.
type Recurrent struct {
	Layers        int
	Bidirectional bool
	TimeFirst     bool
	Dropout       float64 // between layers, in training
	Training      bool
	hook

	op     string // of ATen
	hidden int
	params []member
}

// RecurrentOption changes how a [Recurrent] is made.
type RecurrentOption func(r *Recurrent)

// Layers stacks n layers.
func Layers(n int) RecurrentOption { return func(r *Recurrent) { r.Layers = n } }

// Bidirectional has each layer run in both directions, whose outputs are joined.
func Bidirectional() RecurrentOption { return func(r *Recurrent) { r.Bidirectional = true } }

// TimeFirst has the steps in dimension 0 and the samples in dimension 1.
func TimeFirst() RecurrentOption { return func(r *Recurrent) { r.TimeFirst = true } }

// DropoutBetween drops outputs of all layers but the last, in training.
func DropoutBetween(p float64) RecurrentOption { return func(r *Recurrent) { r.Dropout = p } }

// NewLSTM returns a network with random weights (Hochreiter and Schmidhuber, "Long
// Short-Term Memory", 1997).
func NewLSTM(in, hidden int, options ...RecurrentOption) *Recurrent {
	return newRecurrent("lstm", 4, in, hidden, options)
}

// NewGRU returns a network with random weights (Cho et al., "Learning Phrase
// Representations using RNN Encoder-Decoder", 2014).
func NewGRU(in, hidden int, options ...RecurrentOption) *Recurrent {
	return newRecurrent("gru", 3, in, hidden, options)
}

// NewRNN returns a network h' = tanh(W·x + b + V·h + c) with random weights.
func NewRNN(in, hidden int, options ...RecurrentOption) *Recurrent {
	return newRecurrent("rnn_tanh", 1, in, hidden, options)
}

func newRecurrent(op string, gates, in, hidden int, options []RecurrentOption) *Recurrent {
	r := &Recurrent{Layers: 1, Training: true, op: op, hidden: hidden}
	applyOptions(op, r, options)
	checkLayers(op, r.Layers)
	if in < 1 || hidden < 1 {
		trace.Raise(&tensor.ArgError{Op: op, Detail: fmt.Sprintf("layers of %d numbers on %d", hidden, in)})
	}
	bound := 1 / math.Sqrt(float64(hidden))
	for layer := range r.Layers {
		for direction := range r.directions() {
			suffix := fmt.Sprintf("_l%d", layer)
			if direction == 1 {
				suffix += "_reverse"
			}
			add := func(name string, dims ...int) {
				r.params = append(r.params, member{name: name + suffix, tensor: parameter(tensor.Uniform(-bound, bound, dims...))})
			}
			add("weight_ih", gates*hidden, in)
			add("weight_hh", gates*hidden, hidden)
			add("bias_ih", gates*hidden)
			add("bias_hh", gates*hidden)
		}
		in = hidden * r.directions()
	}
	return r
}

func (r *Recurrent) directions() int {
	if r.Bidirectional {
		return 2
	}
	return 1
}

func (r *Recurrent) members() []member { return r.params }

// states is how many tensors the state of the network has.
func (r *Recurrent) states() int {
	if r.op == "lstm" {
		return 2
	}
	return 1
}

// Start returns a state of zeros for n samples: one tensor [layers·directions N hidden],
// or two for an LSTM.
func (r *Recurrent) Start(n int) []*tensor.Tensor {
	like := r.params[0].tensor
	state := make([]*tensor.Tensor, r.states())
	for i := range state {
		state[i] = tensor.FullLike(0, like.DType(), r.Layers*r.directions(), n, r.hidden).To(like.Device())
	}
	return state
}

// Forward implements [Module]: the outputs of the last layer for all steps, from a state
// of zeros.
func (r *Recurrent) Forward(x *tensor.Tensor) *tensor.Tensor {
	y, _ := r.run(x, nil)
	return y
}

// Run returns the outputs of the last layer for all steps, and the state after them. A nil
// state is one of zeros.
func (r *Recurrent) Run(x *tensor.Tensor, state []*tensor.Tensor) (y *tensor.Tensor, after []*tensor.Tensor) {
	y, after = r.run(x, state)
	results := []lazy.Value{y}
	for _, s := range after {
		results = append(results, s)
	}
	lazy.Together(results...)
	return y, after
}

func (r *Recurrent) run(x *tensor.Tensor, state []*tensor.Tensor) (y *tensor.Tensor, after []*tensor.Tensor) {
	if x.Dim() != 3 {
		trace.Raise(&tensor.ShapeError{Op: r.op, Detail: fmt.Sprintf("an input of %d dimensions, not 3", x.Dim())})
	}
	samples := x.Size(0)
	if r.TimeFirst {
		samples = x.Size(1)
	}
	if state == nil {
		state = r.Start(samples)
	}
	if len(state) != r.states() {
		trace.Raise(&tensor.ArgError{Op: r.op, Detail: fmt.Sprintf("a state of %d tensors, not %d", len(state), r.states())})
	}
	var params []*tensor.Tensor
	for _, p := range r.params {
		params = append(params, p.tensor)
	}
	if !r.Training || r.Dropout == 0 || r.Layers == 1 {
		y, after = r.layers(x, state, params, r.Layers)
		return r.seen(y), after
	}
	after = make([]*tensor.Tensor, len(state))
	ends := make([][]*tensor.Tensor, len(state))
	per := len(params) / r.Layers
	for layer := range r.Layers {
		if layer > 0 {
			x = x.Dropout(r.Dropout, true)
		}
		part := make([]*tensor.Tensor, len(state))
		for i, s := range state {
			part[i] = s.Narrow(0, layer*r.directions(), r.directions())
		}
		var end []*tensor.Tensor
		x, end = r.layers(x, part, params[layer*per:(layer+1)*per], 1)
		for i := range end {
			ends[i] = append(ends[i], end[i])
		}
	}
	for i := range after {
		after[i] = tensor.Cat(ends[i])
	}
	return r.seen(x), after
}

// layers runs some of the layers.
func (r *Recurrent) layers(x *tensor.Tensor, state, params []*tensor.Tensor, n int) (*tensor.Tensor, []*tensor.Tensor) {
	var hx any = state
	if len(state) == 1 {
		hx = state[0]
	}
	out := tensor.Call(r.op+".input", x, hx, params, true, n, 0.0, false, r.Bidirectional, !r.TimeFirst)
	return out[0], out[1:]
}

// String implements [fmt.Stringer].
func (r *Recurrent) String() string {
	return fmt.Sprintf("%s(%d, %d, layers=%d, bidirectional=%v)", r.op, r.params[0].tensor.Size(1), r.hidden, r.Layers, r.Bidirectional)
}
