package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/translate/importer/torchscript/pickle"
)

// Dynamically quantized recurrent layers and embeddings: weights are integers, everything between products numbers.
// A product rounds what it takes by its range, see [evaluator.coarse]: the range of a layer's input is taken over all
// steps at once, the range of its state anew for every step, as PyTorch does on a CPU.

// cellParameters reads the state of a CellParamsBase, which stands for it: the kind of cell, biases, two lists of
// numbers and the packed parameters for input and state.
func (o *objects) cellParameters(call *pickle.Object, g *pickle.Global) value {
	state, _ := o.value(call.State, call.Offset).(*tuple)
	if g.Name != "CellParamsBase" || state == nil || len(state.items) != 5 {
		o.fail(call.Offset, "parameters of class %s are malformed or not supported", g)
	}
	if state.items[0] != value("quantized_dynamic") {
		o.fail(call.Offset, "recurrent cells of kind %s are not supported: they are quantized_dynamic", text(state.items[0]))
	}
	o.memo[call] = state
	return state
}

// cell is a recurrent cell: it gives the next states of what the products of input and state add up to.
type cell struct {
	states int
	next   func(ev *evaluator, at script.Position, input, product *tensor, state []*tensor) []*tensor
}

// part is gate i of a product.
func (ev *evaluator) part(at script.Position, t *tensor, i, gates int) *tensor {
	dims := t.typeOf().Shape
	if len(dims) == 0 || dims[len(dims)-1]%gates != 0 {
		failAt(at, "a product of shape %v is not a product of %d gates", dims, gates)
	}
	n := dims[len(dims)-1] / gates
	return ev.emit(at, "narrow", t, -1, i*n, n)
}

var cells = map[string]cell{
	"lstm": {2, func(ev *evaluator, at script.Position, input, product *tensor, state []*tensor) []*tensor {
		sum := ev.emit(at, "add", input, product)
		gate := func(i int, f string) *tensor { return ev.emit(at, f, ev.part(at, sum, i, 4)) }
		c := ev.emit(at, "add", ev.emit(at, "mul", gate(1, "sigmoid"), state[1]), ev.emit(at, "mul", gate(0, "sigmoid"), gate(2, "tanh")))
		return []*tensor{ev.emit(at, "mul", gate(3, "sigmoid"), ev.emit(at, "tanh", c)), c}
	}},
	"gru": {1, func(ev *evaluator, at script.Position, input, product *tensor, state []*tensor) []*tensor {
		gate := func(i int) *tensor {
			return ev.emit(at, "sigmoid", ev.emit(at, "add", ev.part(at, input, i, 3), ev.part(at, product, i, 3)))
		}
		fresh := ev.emit(at, "tanh", ev.emit(at, "add", ev.part(at, input, 2, 3), ev.emit(at, "mul", gate(0), ev.part(at, product, 2, 3))))
		return []*tensor{ev.emit(at, "add", fresh, ev.emit(at, "mul", gate(1), ev.emit(at, "sub", state[0], fresh)))}
	}},
	"rnn_tanh": {1, plainCell("tanh")},
	"rnn_relu": {1, plainCell("relu")},
}

func plainCell(f string) func(*evaluator, script.Position, *tensor, *tensor, []*tensor) []*tensor {
	return func(ev *evaluator, at script.Position, input, product *tensor, _ []*tensor) []*tensor {
		return []*tensor{ev.emit(at, f, ev.emit(at, "add", input, product))}
	}
}

func init() {
	for name, c := range cells {
		quantizers["quantized::quantized_"+name+"_cell_dynamic"] = func(ev *evaluator, at script.Position, args arguments) value {
			state := ev.states(at, args.at(1))
			if len(state) != c.states {
				failAt(at, "%d states for a cell of %s", len(state), name)
			}
			input := ev.coarseProduct(at, ev.tensorAt(at, args, 0), packedAt(at, args, 2))
			return asValue(c.next(ev, at, input, ev.coarseProduct(at, state[0], packedAt(at, args, 3)), state))
		}
	}
	for _, name := range []string{"lstm", "gru"} {
		quantizers["quantized_"+name] = func(ev *evaluator, at script.Position, args arguments) value {
			return ev.recurrent(at, name, args)
		}
	}
	quantizers["quantized::embedding_byte"] = (*evaluator).embedded
}

// asValue is one tensor, or a tuple of several.
func asValue(list []*tensor) value {
	if len(list) == 1 {
		return list[0]
	}
	t := &tuple{}
	for _, v := range list {
		t.items = append(t.items, v)
	}
	return t
}

// states reads one tensor or a list of them.
func (ev *evaluator) states(at script.Position, v value) []*tensor {
	if t, ok := v.(*tensor); ok {
		return []*tensor{t}
	}
	var list []*tensor
	for i := range itemsOf(v) {
		list = append(list, ev.tensorAt(at, arguments{positional: itemsOf(v)}, i))
	}
	if len(list) == 0 {
		failAt(at, "the state is a %s", kindOf(v))
	}
	return list
}

// coarseProduct is a dynamically quantized linear layer.
func (ev *evaluator) coarseProduct(at script.Position, x *tensor, p *packed) *tensor {
	return ev.multiply(at, ev.coarse(at, x), p)
}

// recurrent runs layers of cells over a sequence: input, states, parameters of each layer and direction, has_biases,
// num_layers, dropout, train, bidirectional, batch_first.
func (ev *evaluator) recurrent(at script.Position, name string, args arguments) value {
	x, initial, params := ev.tensorAt(at, args, 0), ev.states(at, args.at(1)), itemsOf(args.at(2))
	_, packedSequence := args.at(3).(*list) // the parameters, behind the sizes of the batches
	layers, train, both, first := 0, false, false, false
	if !packedSequence {
		layers, train = ev.intOf(at, args.at(4)), args.at(6) == value(true)
		both, first = args.at(7) == value(true), args.at(8) == value(true)
	}
	directions := 1
	if both {
		directions = 2
	}
	switch {
	case packedSequence:
		failAt(at, "quantized_%s of a packed sequence is not supported", name)
	case train:
		failAt(at, "quantized_%s does not train", name)
	case len(params) != layers*directions || layers < 1:
		failAt(at, "%d sets of parameters for %d layers of %d directions", len(params), layers, directions)
	case len(initial) != cells[name].states || len(x.typeOf().Shape) != 3:
		failAt(at, "quantized_%s of shape %v with %d states is not supported", name, x.typeOf().Shape, len(initial))
	}
	if first {
		x = ev.emit(at, "transpose", x, 0, 1)
	}
	last := make([][]value, len(initial)) // of every layer and direction
	for layer := range layers {
		var outputs []value
		for d := range directions {
			k := layer*directions + d
			var state []*tensor
			for _, t := range initial {
				state = append(state, ev.emit(at, "select", t, 0, k))
			}
			var steps []value
			steps, state = ev.direction(at, cells[name], x, state, params[k], d == 1)
			outputs = append(outputs, ev.emit(at, "stack", &list{items: steps}, 0))
			for i, t := range state {
				last[i] = append(last[i], t)
			}
		}
		x = ev.emit(at, "cat", &list{items: outputs}, -1)
	}
	if first {
		x = ev.emit(at, "transpose", x, 0, 1)
	}
	out := &tuple{items: []value{x}}
	for _, states := range last {
		out.items = append(out.items, ev.emit(at, "stack", &list{items: states}, 0))
	}
	return out
}

// direction runs one direction of a layer over the steps of a sequence.
func (ev *evaluator) direction(at script.Position, c cell, x *tensor, state []*tensor, params value, backward bool) (steps []value, last []*tensor) {
	parts := itemsOf(params)
	if len(parts) != 5 {
		failAt(at, "the parameters of a cell are a %s", kindOf(params))
	}
	weights := arguments{positional: itemsOf(parts[4])}
	input := ev.coarseProduct(at, x, packedAt(at, weights, 0))
	for i := range x.typeOf().Shape[0] {
		if backward {
			i = x.typeOf().Shape[0] - 1 - i
		}
		state = c.next(ev, at, ev.emit(at, "select", input, 0, i), ev.coarseProduct(at, state[0], packedAt(at, weights, 1)), state)
		steps = append(steps, state[0])
	}
	if backward {
		slices.Reverse(steps)
	}
	return steps, state
}

// embedded looks up rows of a quantized table, each with a scale and a zero point, which are floats.
func (ev *evaluator) embedded(at script.Position, args arguments) value {
	p, indices := packedAt(at, args, 0), ev.tensorAt(at, args, 1)
	q := p.weight
	if q.scales == nil || q.axis != 0 || len(q.data.(*tensor).typeOf().Shape) != 2 {
		failAt(at, "the table of an embedding has a scale for each row")
	}
	rows := func(t *tensor) *tensor { return ev.emit(at, "embedding", t, indices) }
	scale, zero := rows(perChannel(q.scales, dtype.F32, 0, 2)), rows(perChannel(q.zeros, dtype.F32, 0, 2))
	return ev.emit(at, "mul", ev.emit(at, "sub", ev.to(at, rows(q.data.(*tensor)), dtype.F32), zero), scale)
}
