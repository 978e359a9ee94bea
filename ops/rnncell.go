package ops

import "github.com/go-acap/acap/base/shape"

// One step of a recurrent layer.
func init() {
	const weights = "Tensor w_ih, Tensor w_hh, Tensor? b_ih=None, Tensor? b_hh=None)"
	composite("lstm_cell(Tensor input, Tensor[] hx, "+weights+" -> (Tensor, Tensor)",
		func(e Emit, c *Call) []Value {
			if len(c.Tensors(1)) != 2 {
				panic(c.ArgErrorf("hx has %d tensors, not 2", len(c.Tensors(1))))
			}
			x, h := e.cellProducts(c, c.Tensors(1)[0], 4)
			return lstmStep(e, x, h, c.Tensors(1))
		}, Sample{S(2, 4), []T{S(2, 5), S(2, 5)}, S(20, 4), S(20, 5), S(20), S(20)})
	for _, o := range []struct {
		name  string
		gates int
		step  cellStep
	}{{"gru_cell", 3, gruStep}, {"rnn_tanh_cell", 1, plainStep("tanh")},
		{"rnn_relu_cell", 1, plainStep("relu")}} {
		composite(o.name+"(Tensor input, Tensor hx, "+weights+" -> Tensor",
			func(e Emit, c *Call) []Value {
				x, h := e.cellProducts(c, c.Tensor(1), o.gates)
				return o.step(e, x, h, []Value{c.Tensor(1)})
			}, Sample{S(2, 4), S(2, 5), S(5*o.gates, 4), S(5*o.gates, 5)})
	}
}

// cellProducts returns the products of the input and of the hidden state with the weights
// of all gates.
func (e Emit) cellProducts(c *Call, hidden Value, gates int) (x, h Value) {
	states := []Value{c.Tensor(0), hidden}
	if c.Args[1].Kind == KindTensors {
		states = append(states, c.Tensors(1)...)
	}
	for _, v := range states[1:] {
		if a, b := c.Shape(0), v.Type().Shape; len(a) != len(b) || len(a) == 0 ||
			!shape.Equal(a[:len(a)-1], b[:len(b)-1]) {
			panic(c.ShapeErrorf("input %s and state %s are not of one batch", shape.String(a), shape.String(b)))
		}
	}
	width := hidden.Type().Shape[len(hidden.Type().Shape)-1]
	for i := 2; i < 4; i++ {
		if dims := c.Shape(i); len(dims) != 2 || dims[0] != gates*width {
			panic(c.ShapeErrorf("weights %v do not have %d gates of a state of %d", dims, gates, width))
		}
	}
	for _, v := range states[1:] {
		if s := v.Type().Shape; s[len(s)-1] != width {
			panic(c.ShapeErrorf("state %v does not have the %d elements of the other", s, width))
		}
	}
	return e.Call("linear", c.Tensor(0), c.Tensor(2), optional(c.Tensor(4))),
		e.Call("linear", hidden, c.Tensor(3), optional(c.Tensor(5)))
}
