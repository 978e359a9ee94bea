package ops

import (
	"fmt"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Recurrent layers: the products of all inputs with the input weights are one contraction; the steps multiply the
// state only.
func init() {
	const options = "bool has_biases, int num_layers, float dropout, bool train, " +
		"bool bidirectional, bool batch_first)"
	register(&Op{
		Schema: "lstm.input(Tensor input, Tensor[] hx, Tensor[] params, " + options +
			" -> (Tensor, Tensor, Tensor)",
		Infer:   inferRecurrent(4),
		DrawsIf: dropsBetweenLayers,
		Expand: func(e Emit, c *Call) []Value {
			return e.layers(c, c.Tensors(1), recurrence{lstmStep, true})
		},
		Samples: samplesOf(lstmSample(false), lstmSample(true)),
	})
	for _, cell := range []struct {
		name  string
		gates int
		step  recurrence
	}{
		{"gru", 3, recurrence{gruStep, false}},
		{"rnn_tanh", 1, recurrence{plainStep("tanh"), true}},
		{"rnn_relu", 1, recurrence{plainStep("relu"), true}},
	} {
		register(&Op{
			Schema: cell.name + ".input(Tensor input, Tensor hx, Tensor[] params, " + options +
				" -> (Tensor, Tensor)",
			Infer:   inferRecurrent(cell.gates),
			DrawsIf: dropsBetweenLayers,
			Expand: func(e Emit, c *Call) []Value {
				return e.layers(c, []Value{c.Tensor(1)}, cell.step)
			},
			Samples: samplesOf(recurrentSample(5 * cell.gates)),
		})
	}
}

func recurrentSample(rows int) Sample {
	params := []T{S(rows, 4), S(rows, 5), S(rows), S(rows)}
	return Sample{S(3, 2, 4), S(1, 2, 5), params, true, 1, 0.0, false, false, false}
}

func lstmSample(both bool) Sample {
	directions := 1
	params := []T{S(20, 4), S(20, 5)}
	if both {
		directions = 2
		params = append(params, params...)
	}
	state := S(directions, 2, 5)
	return Sample{S(3, 2, 4), []T{state, state}, params, false, 1, 0.0, false, both, false}
}

// inferRecurrent takes the result types from an expansion of two steps: the second has the types of all that follow.
func inferRecurrent(gates int) func(c *Call) error {
	check, expand := checkRecurrent(gates), inferExpansion(nil)
	return func(c *Call) error {
		if err := check(c); err != nil {
			return err
		}
		d := 0
		if c.Bool(8) {
			d = 1
		}
		in := c.Type(0)
		steps := in.Shape[d]
		in.Shape = slices.Clone(in.Shape)
		in.Shape[d] = min(steps, 2)
		short := &Call{Op: c.Op, Args: slices.Clone(c.Args)}
		short.Args[0] = TensorArg(&typeValue{in})
		if err := expand(short); err != nil {
			return err
		}
		c.Out, c.expanded = short.Out, true
		c.Out[0].Shape = slices.Clone(c.Out[0].Shape)
		c.Out[0].Shape[d] = steps
		return nil
	}
}

// checkRecurrent checks the shapes of input, state and weights.
func checkRecurrent(gates int) func(c *Call) error {
	return func(c *Call) error {
		in := c.Shape(0)
		if len(in) != 3 {
			return c.ShapeErrorf("input %s must have 3 dimensions", shape.String(in))
		}
		if p := c.Float(5); !(p >= 0 && p <= 1) {
			return c.ArgErrorf("dropout is %v, not a probability", p)
		}
		state := c.Tensors(1)
		if c.Args[1].Kind == KindTensor {
			state = []Value{c.Tensor(1)}
		} else if len(state) != 2 {
			return c.ArgErrorf("hx has %d tensors, not 2", len(state))
		}
		n := c.Int(4) * c.directions()
		per := c.paramsPerLayer()
		if n < 1 || per < 2 || per*n != len(c.Tensors(2)) {
			return c.ArgErrorf("%d layers cannot have %d parameters", n, len(c.Tensors(2)))
		}
		for _, v := range append(append([]Value{}, state...), c.Tensors(2)...) {
			if v == nil {
				return c.ArgErrorf("a state or parameter is absent")
			}
		}
		for _, v := range state {
			if dims := v.Type().Shape; len(dims) != 3 || dims[0] != n {
				return c.ShapeErrorf("state %s does not have %d layers", shape.String(dims), n)
			}
		}
		batch := in[1]
		if c.Bool(8) {
			batch = in[0]
		}
		for _, v := range state {
			if dims := v.Type().Shape; dims[1] != batch {
				return c.ShapeErrorf("state %s does not have the %d sequences of input %s", shape.String(dims), batch, shape.String(in))
			}
		}
		for i, v := range c.Tensors(2) {
			dims := v.Type().Shape
			if i == 1 && len(state) == 2 && len(dims) == 2 && state[1].Type().Shape[2] != dims[0]/gates {
				return c.ShapeErrorf("cells %s do not have the %d elements of weight %s",
					shape.String(state[1].Type().Shape), dims[0]/gates, shape.String(dims))
			}
			if len(dims) == 0 || i%per < 2 && (len(dims) != 2 || dims[0]%gates != 0) {
				return c.ShapeErrorf("parameter %d of shape %s does not have %d gates", i,
					shape.String(dims), gates)
			}
			if i == 0 && dims[1] != in[2] {
				return c.ShapeErrorf("input %s does not fit weight %s: the last extents must be equal",
					shape.String(in), shape.String(dims))
			}
		}
		return nil
	}
}

// dropsBetweenLayers: in training, elements of the output of every layer but the last vanish.
func dropsBetweenLayers(c *Call) bool { return c.Bool(6) && c.Float(5) > 0 && c.Int(4) > 1 }

// directions is 2 if the layers also run from the last step to the first.
func (c *Call) directions() int {
	if c.Bool(7) {
		return 2
	}
	return 1
}

// paramsPerLayer is 2 or, with biases, 4, and one more with a projection.
func (c *Call) paramsPerLayer() int {
	return len(c.Tensors(2)) / max(c.Int(4)*c.directions(), 1)
}

// cell has the weights of one layer and direction; entries may be nil.
type cell struct{ inWeight, weight, inBias, bias, project Value }

// cell reads the weights of a layer; with two directions, layers count both.
func (c *Call) cell(layer int) cell {
	per := c.paramsPerLayer()
	p := c.Tensors(2)[layer*per : (layer+1)*per]
	w := cell{inWeight: p[0], weight: p[1]}
	next := 2
	if c.Bool(3) && len(p) >= 4 {
		w.inBias, w.bias = p[2], p[3]
		next = 4
	}
	if next < len(p) {
		w.project = p[next]
	}
	return w
}

// cellStep computes the next state from the products x of the input and h of the
// hidden state with the weights of all gates.
type cellStep func(e Emit, x, h Value, state []Value) []Value

// recurrence is a step, and whether the step takes nothing of x and h but their sum. Then the biases of both are added
// to the products of all inputs at once.
type recurrence struct {
	step cellStep
	sums bool
}

// layers runs all layers and directions. It returns the output and the final states.
func (e Emit) layers(c *Call, initial []Value, r recurrence) []Value {
	x := c.Tensor(0)
	if c.Bool(8) {
		x = e.Call("transpose.int", x, 0, 1)
	}
	final := make([][]Value, len(initial))
	for layer := range c.Int(4) {
		var outputs []Value
		for d := range c.directions() {
			n := layer*c.directions() + d
			var state []Value
			for _, v := range initial {
				state = append(state, e.Call("select.int", v, 0, n))
			}
			y, last := e.sequence(x, c.cell(n), state, d == 1, r)
			outputs = append(outputs, y)
			for i, v := range last {
				final[i] = append(final[i], v)
			}
		}
		x = outputs[0]
		if len(outputs) > 1 {
			x = e.Call("cat", outputs, 2)
		}
		if layer < c.Int(4)-1 && dropsBetweenLayers(c) {
			x = e.Call("dropout", x, c.Float(5), true)
		}
	}
	if c.Bool(8) {
		x = e.Call("transpose.int", x, 0, 1)
	}
	out := []Value{x}
	for _, list := range final {
		out = append(out, e.Call("stack", list, 0))
	}
	return out
}

// sequence runs one cell over the steps of x [steps, batch, features].
func (e Emit) sequence(x Value, w cell, state []Value, backward bool,
	r recurrence) (y Value, last []Value) {
	if r.sums && w.bias != nil {
		w.inBias, w.bias = e.Add(w.inBias, w.bias), nil
	}
	all := e.Call("linear", x, w.inWeight, optional(w.inBias))
	steps := x.Type().Shape[0]
	if steps == 0 {
		detail := fmt.Sprintf("input %s has no steps", shape.String(x.Type().Shape))
		panic(&ShapeError{Op: "lstm", Detail: detail})
	}
	return e.steps(all, state, backward, func(e Emit, x Value, state []Value) []Value {
		h := e.Call("linear", state[0], w.weight, optional(w.bias))
		state = r.step(e, x, h, state)
		if w.project != nil {
			state[0] = e.Call("linear", state[0], w.project)
		}
		return state
	})
}

// Between the turns of a loop the host chooses what runs, and within a turn the kernels follow each other. Up to
// mostSteps steps are no loop, and a turn has leastSteps to mostSteps of them.
const leastSteps, mostSteps = 8, 32

// stepsOfTurn returns how many of n steps are written in a turn of a loop. Steps that are left behind the last turn
// are a program of their own, with another copy of the packed weights, so as few as possible are left.
func stepsOfTurn(n int) int {
	best := mostSteps
	for s := mostSteps; s >= leastSteps; s-- {
		if n%s < n%best {
			best = s
		}
	}
	return best
}

// steps walks through the first dimension of x, in either direction. It returns the first state after each step, in the
// order of x, and the last states. Many steps are a loop where the Builder is a [Looper].
func (e Emit) steps(x Value, state []Value, backward bool, step func(e Emit, x Value, state []Value) []Value) (y Value, last []Value) {
	n := x.Type().Shape[0]
	loop, ok := e.Builder.(Looper)
	if !ok || n <= mostSteps {
		return e.stepByStep(x, state, backward, step)
	}
	each := stepsOfTurn(n)
	turns, rest := n/each, n%each
	first, next, from := 0, 1, 0 // of the turns, and where their steps begin
	if backward {
		first, next, from = turns-1, -1, rest
	}
	part := func(from, n int) Value { return e.Call("slice.Tensor", x, 0, from, from+n, 1) }
	split := func(v Value) Value {
		return e.Reshape(v, append([]int{turns, each}, v.Type().Shape[1:]...))
	}
	looped := split(part(from, n-rest))
	carried := append([]Value{e.Full([]int{1}, first, dtype.I64)}, state...)
	out := append([]int{turns, each}, state[0].Type().Shape...)
	carried = loop.Loop(turns, append(carried, e.Full(out, 0, state[0].Type().DType)), func(e Emit, carried []Value) []Value {
		at, y := carried[0], carried[len(carried)-1]
		x := e.Call("squeeze.dim", e.Call("index_select", looped, 0, at), 0)
		done, state := e.stepByStep(x, carried[1:len(carried)-1], backward, step)
		y = e.Call("index_copy", y, 0, at, e.Call("unsqueeze", done, 0))
		return append(append([]Value{e.Add(at, next)}, state...), y)
	})
	state, y = carried[1:len(carried)-1], carried[len(carried)-1]
	y = e.Reshape(y, append([]int{n - rest}, out[2:]...))
	if rest == 0 {
		return y, state
	}
	if backward {
		done, state := e.stepByStep(part(0, rest), state, backward, step)
		return e.Call("cat", []Value{done, y}, 0), state
	}
	done, state := e.stepByStep(part(n-rest, rest), state, backward, step)
	return e.Call("cat", []Value{y, done}, 0), state
}

func (e Emit) stepByStep(x Value, state []Value, backward bool, step func(e Emit, x Value, state []Value) []Value) (y Value, last []Value) {
	n := x.Type().Shape[0]
	outputs := make([]Value, n)
	for i := range n {
		t := i
		if backward {
			t = n - 1 - i
		}
		state = step(e, e.Call("select.int", x, 0, t), state)
		outputs[t] = state[0]
	}
	return e.Call("stack", outputs, 0), state
}

// gates splits the last dimension into n equal parts.
func (e Emit) gates(v Value, n int) []Value {
	dims := v.Type().Shape
	size := dims[len(dims)-1] / n
	out := make([]Value, n)
	for i := range out {
		out[i] = e.Call("slice.Tensor", v, -1, i*size, (i+1)*size, 1)
	}
	return out
}

// lstmStep: c' = σ(f)·c + σ(i)·tanh(g), h' = σ(o)·tanh(c').
func lstmStep(e Emit, x, h Value, state []Value) []Value {
	g := e.gates(e.Add(x, h), 4)
	keep := e.Mul(e.Call("sigmoid", g[1]), state[1])
	c := e.Add(keep, e.Mul(e.Call("sigmoid", g[0]), e.Call("tanh", g[2])))
	return []Value{e.Mul(e.Call("sigmoid", g[3]), e.Call("tanh", c)), c}
}

// gruStep: n = tanh(xₙ + σ(r)·hₙ), h' = n + σ(z)·(h - n).
func gruStep(e Emit, x, h Value, state []Value) []Value {
	gx, gh := e.gates(x, 3), e.gates(h, 3)
	r := e.Call("sigmoid", e.Add(gx[0], gh[0]))
	z := e.Call("sigmoid", e.Add(gx[1], gh[1]))
	n := e.Call("tanh", e.Add(gx[2], e.Mul(r, gh[2])))
	return []Value{e.Add(n, e.Mul(z, e.Sub(state[0], n)))}
}

// plainStep: h' = f(x + h).
func plainStep(f string) cellStep {
	return func(e Emit, x, h Value, state []Value) []Value {
		return []Value{e.Call(f, e.Add(x, h))}
	}
}
