package onnx

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/ops"
)

func init() {
	register("RNN", func(n *node) { n.recur(1, rnnCell) })
	register("GRU", func(n *node) { n.recur(3, gruCell) })
	register("LSTM", func(n *node) { n.recur(4, lstmCell) })
}

// recurrence is one direction of a recurrent operator. Weights of the gates lie one after another.
type recurrence struct {
	*node
	w, r      ops.Value // [gates·H I] and [gates·H H]
	bw, br    ops.Value // [gates·H], nil without biases
	peephole  []ops.Value
	functions []func(ops.Value) ops.Value
	names     []string // of the functions
	hidden    int
	clip      float64
	h, c      ops.Value // the state, [N H]
}

// cell computes the next state from the gates' inputs x = W·input + biases of the input.
type cell func(g *recurrence, x ops.Value)

// recur runs a recurrent operator: over the sequence in one direction or both, and for every batch
// entry as long as its sequence is. Inputs are X, W, R, B, sequence_lens, initial_h, and for LSTM
// initial_c and P. With layout 1 the batch comes first.
func (n *node) recur(gates int, step cell) {
	x := n.tensor(0)
	if rank(x) != 3 {
		failf("takes sequences of batches of vectors, not a tensor of %d dimensions", rank(x))
	}
	batchFirst := n.int("layout", 0) == 1
	if batchFirst {
		x = n.Call("transpose.int", x, 0, 1)
	}
	if extents(x)[0] == 0 {
		failf("a sequence of no steps")
	}
	direction := n.text("direction", "forward")
	directions := 1
	if direction == "bidirectional" {
		directions = 2
	}
	w := n.tensor(1)
	if rank(w) != 3 || extents(w)[0] != directions || extents(w)[1]%gates != 0 {
		failf("weights W for %d directions and %d gates", directions, gates)
	}
	hidden, batch := extents(w)[1]/gates, extents(x)[1]
	if given := n.int("hidden_size", hidden); given != hidden {
		failf("hidden_size is %d, and weights W of %v are for %d", given, extents(w), hidden)
	}
	state := []int{directions, batch, hidden}
	if batchFirst {
		state = []int{batch, directions, hidden}
	}
	n.shaped(2, directions, gates*hidden, hidden)
	n.shaped(3, directions, 2*gates*hidden)
	n.shaped(5, state...)
	if gates == 4 {
		n.shaped(6, state...)
		n.shaped(7, directions, 3*hidden)
	}
	var all, lastH, lastC []ops.Value
	for d := range directions {
		g := n.recurrence(x, d, gates, batchFirst)
		backward := d == 1 || direction == "reverse"
		all = append(all, g.output(x, gates, step, backward))
		lastH, lastC = append(lastH, g.h), append(lastC, g.c)
	}
	y := n.Call("stack", all, 1) // [T D N H]
	h := n.Call("stack", lastH, 0)
	if batchFirst {
		y = n.Call("permute", y, []int{2, 0, 1, 3})
		h = n.Call("transpose.int", h, 0, 1)
	}
	n.set(y, h)
	if n.wants(2) {
		c := n.Call("stack", lastC, 0)
		if batchFirst {
			c = n.Call("transpose.int", c, 0, 1)
		}
		n.set(nil, nil, c)
	}
}

// shaped refuses another shape of input i, if it is there.
func (n *node) shaped(i int, want ...int) {
	if n.has(i) && !slices.Equal(extents(n.tensor(i)), want) {
		failf("input %d has the shape %s, want %s", i, shape.String(extents(n.tensor(i))), shape.String(want))
	}
}

// recurrence reads direction d of the inputs.
func (n *node) recurrence(x ops.Value, d, gates int, batchFirst bool) *recurrence {
	part := func(i int) ops.Value { return n.Call("select.int", n.tensor(i), 0, d) }
	g := &recurrence{node: n, w: part(1), r: part(2), clip: n.float("clip", 0)}
	g.hidden = extents(g.w)[0] / gates
	if n.has(3) {
		b := part(3)
		half := gates * g.hidden
		g.bw = n.Call("slice.Tensor", b, 0, 0, half, 1)
		g.br = n.Call("slice.Tensor", b, 0, half, 2*half, 1)
	}
	state := func(i int) ops.Value {
		if !n.has(i) {
			return n.Full([]int{extents(x)[1], g.hidden}, 0, elem(x))
		}
		if batchFirst {
			return n.Call("select.int", n.tensor(i), 1, d)
		}
		return part(i)
	}
	g.h = state(5)
	if gates == 4 {
		g.c = state(6)
		if n.has(7) {
			p := part(7)
			for i := range 3 {
				g.peephole = append(g.peephole, n.Call("slice.Tensor", p, 0, i*g.hidden, (i+1)*g.hidden, 1))
			}
		}
	}
	g.functions, g.names = n.activations(d, gates)
	return g
}

// run steps through the sequence and returns the hidden state of every step, in order of time.
func (g *recurrence) run(x ops.Value, step cell, backward bool) []ops.Value {
	length, batch := extents(x)[0], extents(x)[1]
	flat := g.Call("reshape", x, []int{length * batch, extents(x)[2]})
	product := g.Call("mm", flat, g.Call("t", g.w))
	if g.bw != nil {
		product = g.Add(product, g.bw)
	}
	product = g.Reshape(product, []int{length, batch, extents(g.w)[0]})
	var lengths ops.Value
	if g.has(4) && !g.allOf(4, length) {
		lengths = g.view(g.To(g.tensor(4), dtype.I64), batch, 1)
	}
	out := make([]ops.Value, length)
	for i := range length {
		t := i
		if backward {
			t = length - 1 - i
		}
		h, c := g.h, g.c
		step(g, g.Call("select.int", product, 0, t))
		out[t] = g.h
		if lengths != nil { // past its end a sequence keeps its state and gives zeros
			inside := g.Compare("gt", lengths, t)
			out[t] = g.Keep(inside, g.h)
			g.h = g.Where(inside, g.h, h)
			if c != nil {
				g.c = g.Where(inside, g.c, c)
			}
		}
	}
	return out
}

// output returns the hidden states of all steps [T N H]: by the layer of ATen where there is one that does the same,
// which stays one call.
func (g *recurrence) output(x ops.Value, gates int, step cell, backward bool) ops.Value {
	name, order := g.layer(gates)
	if name == "" || g.has(4) && !g.allOf(4, extents(x)[0]) {
		return g.Call("stack", g.run(x, step, backward), 0)
	}
	sorted := func(v ops.Value) ops.Value { // the gates
		if len(order) == 1 {
			return v
		}
		parts := make([]ops.Value, len(order))
		for i, at := range order {
			parts[i] = g.Call("slice.Tensor", v, 0, at*g.hidden, (at+1)*g.hidden, 1)
		}
		return g.Call("cat", parts, 0)
	}
	parameters := []ops.Value{sorted(g.w), sorted(g.r)}
	if g.bw != nil {
		parameters = append(parameters, sorted(g.bw), sorted(g.br))
	}
	one := func(v ops.Value) ops.Value { return g.Call("unsqueeze", v, 0) }
	var state any = one(g.h)
	if g.c != nil {
		state = []ops.Value{one(g.h), one(g.c)}
	}
	if backward {
		x = g.Call("flip", x, []int{0})
	}
	out := g.Calls(name, x, state, parameters, g.bw != nil, 1, 0.0, false, false, false)
	g.h = g.Call("squeeze.dim", out[1], 0)
	if g.c != nil {
		g.c = g.Call("squeeze.dim", out[2], 0)
	}
	if backward {
		return g.Call("flip", out[0], []int{0})
	}
	return out[0]
}

// layer is ATen's recurrent layer of the same cell, and which of the gates stands in each place there; empty if ATen
// has none.
func (g *recurrence) layer(gates int) (name string, order []int) {
	if g.clip > 0 || g.peephole != nil || g.int("input_forget", 0) != 0 {
		return "", nil
	}
	switch names := strings.ToLower(strings.Join(g.names, " ")); {
	case gates == 1 && (names == "tanh" || names == "relu"):
		return "rnn_" + names + ".input", []int{0}
	case gates == 3 && names == "sigmoid tanh" && g.int("linear_before_reset", 0) != 0:
		return "gru.input", []int{1, 0, 2}
	case gates == 4 && names == "sigmoid tanh tanh":
		return "lstm.input", []int{0, 2, 3, 1}
	}
	return "", nil
}

// allOf reports whether all numbers of a known input are v.
func (n *node) allOf(i, v int) bool {
	b := n.value(i).known
	if b == nil {
		return false
	}
	return !slices.ContainsFunc(integers(b), func(k int) bool { return k != v })
}

// gate returns part i of the gates' inputs.
func (g *recurrence) gate(x ops.Value, i int) ops.Value {
	return g.Call("slice.Tensor", x, 1, i*g.hidden, (i+1)*g.hidden, 1)
}

// recurrent returns R·h with its bias, of gates first to last.
func (g *recurrence) recurrent(h ops.Value, first, last int) ops.Value {
	r := g.Call("slice.Tensor", g.r, 0, first*g.hidden, last*g.hidden, 1)
	product := g.Call("mm", h, g.Call("t", r))
	if g.br != nil {
		product = g.Add(product, g.Call("slice.Tensor", g.br, 0, first*g.hidden, last*g.hidden, 1))
	}
	return product
}

// activate clips, if the model says so, and applies activation function i.
func (g *recurrence) activate(x ops.Value, i int) ops.Value {
	if g.clip > 0 {
		x = g.Call("clamp", x, -g.clip, g.clip)
	}
	return g.functions[i](x)
}

func rnnCell(g *recurrence, x ops.Value) {
	g.h = g.activate(g.Add(x, g.recurrent(g.h, 0, 1)), 0)
}

// gruCell has the gates update, reset and hidden.
func gruCell(g *recurrence, x ops.Value) {
	both := g.Add(g.Call("slice.Tensor", x, 1, 0, 2*g.hidden, 1), g.recurrent(g.h, 0, 2))
	update, reset := g.activate(g.gate(both, 0), 0), g.activate(g.gate(both, 1), 0)
	var inner ops.Value
	if g.int("linear_before_reset", 0) != 0 {
		inner = g.Mul(reset, g.recurrent(g.h, 2, 3))
	} else {
		inner = g.recurrent(g.Mul(reset, g.h), 2, 3)
	}
	hidden := g.activate(g.Add(g.gate(x, 2), inner), 1)
	g.h = g.Add(g.Mul(g.OneMinus(update), hidden), g.Mul(update, g.h))
}

// lstmCell has the gates input, output, forget and cell; peepholes add the cell's state to the
// first three.
func lstmCell(g *recurrence, x ops.Value) {
	all := g.Add(x, g.recurrent(g.h, 0, 4))
	peep := func(i int, c ops.Value) ops.Value {
		v := g.gate(all, i)
		if g.peephole != nil {
			v = g.Add(v, g.Mul(c, g.peephole[i]))
		}
		return v
	}
	input := g.activate(peep(0, g.c), 0)
	var forget ops.Value
	if g.int("input_forget", 0) != 0 {
		forget = g.OneMinus(input)
	} else {
		forget = g.activate(peep(2, g.c), 0)
	}
	cell := g.activate(g.gate(all, 3), 1)
	g.c = g.Add(g.Mul(forget, g.c), g.Mul(input, cell))
	output := g.activate(peep(1, g.c), 0)
	g.h = g.Mul(output, g.functions[2](g.c))
}

// activations returns the functions of direction d, with their names: those that the model names, or the usual ones.
func (n *node) activations(d, gates int) (out []func(ops.Value) ops.Value, called []string) {
	usual := map[int][]string{1: {"Tanh"}, 3: {"Sigmoid", "Tanh"}, 4: {"Sigmoid", "Tanh", "Tanh"}}[gates]
	names := n.strings("activations")
	alphas, betas := n.floats("activation_alpha"), n.floats("activation_beta")
	takeAlpha := func(or float64) float64 { return takeNext(&alphas, or) }
	takeBeta := func(or float64) float64 { return takeNext(&betas, or) }
	for k := range (d + 1) * len(usual) {
		name := usual[k%len(usual)]
		if len(names) > 0 {
			if k >= len(names) {
				failf("%d activations for %d directions", len(names), d+1)
			}
			name = names[k]
		}
		f := n.activation(name, takeAlpha, takeBeta)
		if k >= d*len(usual) {
			out, called = append(out, f), append(called, name)
		}
	}
	return out, called
}

func takeNext(list *[]float64, or float64) float64 {
	if len(*list) == 0 {
		return or
	}
	v := (*list)[0]
	*list = (*list)[1:]
	return v
}

// activation returns a function by its name. Those with parameters take the next of the lists.
func (n *node) activation(name string, alpha, beta func(or float64) float64) func(ops.Value) ops.Value {
	switch strings.ToLower(name) {
	case "relu", "tanh", "sigmoid":
		return func(x ops.Value) ops.Value { return n.Call(strings.ToLower(name), x) }
	case "affine":
		a, b := alpha(1), beta(0)
		return func(x ops.Value) ops.Value { return n.Add(n.Mul(x, a), b) }
	case "leakyrelu":
		a := alpha(0.01)
		return func(x ops.Value) ops.Value { return n.Call("leaky_relu", x, a) }
	case "thresholdedrelu":
		a := alpha(1)
		return func(x ops.Value) ops.Value { return n.Keep(n.Compare("ge", x, a), x) }
	case "scaledtanh":
		a, b := alpha(1), beta(1)
		return func(x ops.Value) ops.Value { return n.Mul(n.Call("tanh", n.Mul(x, b)), a) }
	case "hardsigmoid":
		a, b := alpha(0.2), beta(0.5)
		return func(x ops.Value) ops.Value { return n.hardSigmoid(x, a, b) }
	case "clip":
		a, b := alpha(-math.MaxFloat32), beta(math.MaxFloat32)
		return func(x ops.Value) ops.Value { return n.Call("clamp", x, a, b) }
	case "elu":
		a := alpha(1)
		return func(x ops.Value) ops.Value { return n.Call("elu", x, a) }
	case "softsign":
		return func(x ops.Value) ops.Value { return n.Div(x, n.Add(n.Call("abs", x), 1)) }
	case "softplus":
		return n.softplus
	}
	failf("activation %q is not supported", name)
	return nil
}
