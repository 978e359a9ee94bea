package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/script"
)

// dtypeOfSizes is the type of lengths and of numbers of sequences.
const dtypeOfSizes = dtype.I64

// packedRun is a layer of a recurrent network over a packed sequence, in one direction.
type packedRun struct {
	ev    *evaluator
	at    script.Position
	name  string
	sizes []int
	// state holds the first states [1 N H] of the layer, and weights its parameters.
	state    []*tensor
	weights  *list
	hasBias  value
	together bool // the states are a list
}

// packedRecurrent runs layers over a packed sequence; see torch.lstm with batch_sizes.
func (ev *evaluator) packedRecurrent(at script.Position, name string, args arguments) (value, bool) {
	x, ok1 := args.at(0).(*tensor)
	given, ok2 := args.at(1).(*tensor)
	params, ok3 := args.at(3).(*list)
	layers, ok4 := args.at(5).(int)
	both, ok5 := args.at(8).(bool)
	if !ok1 || !ok2 || !ok3 || !ok4 || !ok5 || len(args.positional) != 9 {
		return nil, false
	}
	first, together := []value{args.at(2)}, false
	if l, ok := args.at(2).(*list); ok {
		first, together = l.items, true
	}
	directions := 1
	if both {
		directions = 2
	}
	if dims := x.typeOf().Shape; len(dims) != 2 || layers < 1 || len(params.items)%(layers*directions) != 0 {
		return nil, false
	}
	sizes := ev.sequenceSizes(at, given, x.typeOf().Shape[0])
	per := len(params.items) / (layers * directions)
	final := make([][]value, len(first))
	for layer := range layers {
		var outputs []value
		for d := range directions {
			n := layer*directions + d
			run := &packedRun{ev: ev, at: at, name: name, sizes: sizes, hasBias: args.at(4), together: together,
				weights: &list{items: params.items[n*per : (n+1)*per]}}
			for _, s := range first {
				run.state = append(run.state, run.part(s, 0, n, n+1))
			}
			over := run.forward
			if d == 1 {
				over = run.backward
			}
			y, last := over(x)
			outputs = append(outputs, y)
			for i, s := range last {
				final[i] = append(final[i], s)
			}
		}
		x = ev.joined(at, outputs, 1)
		if layer+1 < layers {
			x = ev.callOperator(at, "dropout", arguments{positional: []value{x, args.at(6), args.at(7)}}).(*tensor)
		}
	}
	out := &tuple{items: []value{x}}
	for _, states := range final {
		out.items = append(out.items, ev.joined(at, states, 0))
	}
	return out, true
}

// joined is a concatenation.
func (ev *evaluator) joined(at script.Position, parts []value, dim int) *tensor {
	if len(parts) == 1 {
		return parts[0].(*tensor)
	}
	return ev.callOperator(at, "cat", arguments{positional: []value{&list{items: parts}, dim}}).(*tensor)
}

// part is a slice along a dimension.
func (r *packedRun) part(x value, dim, from, to int) *tensor {
	return r.ev.callOperator(r.at, "slice", arguments{positional: []value{x, dim, from, to, 1}}).(*tensor)
}

// segment are steps of equally many sequences.
type segment struct{ row, steps, count int }

func (r *packedRun) segments() []segment {
	var list []segment
	row := 0
	for i, count := range r.sizes {
		if i > 0 && count == r.sizes[i-1] {
			list[len(list)-1].steps++
		} else {
			list = append(list, segment{row, 1, count})
		}
		row += count
	}
	return list
}

// steps runs one segment, backward in time if it is turned, and returns its rows and the states after it.
func (r *packedRun) steps(x *tensor, s segment, state []*tensor, turned bool) (*tensor, []*tensor) {
	call := func(name string, list ...value) value {
		return r.ev.callOperator(r.at, name, arguments{positional: list})
	}
	rows := s.steps * s.count
	in := r.ev.reshaped(r.at, r.part(x, 0, s.row, s.row+rows), []int{s.steps, s.count, x.typeOf().Shape[1]})
	if turned {
		in = call("flip", in, ints([]int{0})).(*tensor)
	}
	var states value = state[0]
	if r.together {
		l := &list{}
		for _, s := range state {
			l.items = append(l.items, s)
		}
		states = l
	}
	results := call(r.name, in, states, r.weights, r.hasBias, 1, 0.0, false, false, false).(*tuple).items
	y := results[0].(*tensor)
	if turned {
		y = call("flip", y, ints([]int{0})).(*tensor)
	}
	after := make([]*tensor, len(state))
	for i := range after {
		after[i] = results[1+i].(*tensor)
	}
	return r.ev.reshaped(r.at, y, []int{rows, y.typeOf().Shape[2]}), after
}

// forward runs the steps in order; the states of sequences that end are final.
func (r *packedRun) forward(x *tensor) (*tensor, []*tensor) {
	var outputs []value
	state := slices.Clone(r.state)
	ended := make([][]value, len(state)) // the last ones first
	for _, s := range r.segments() {
		for i, v := range state {
			if have := v.typeOf().Shape[1]; have > s.count {
				ended[i] = slices.Insert(ended[i], 0, value(r.part(v, 1, s.count, have)))
				state[i] = r.part(v, 1, 0, s.count)
			}
		}
		var y *tensor
		y, state = r.steps(x, s, state, false)
		outputs = append(outputs, y)
	}
	final := make([]*tensor, len(state))
	for i, v := range state {
		final[i] = r.ev.joined(r.at, append([]value{v}, ended[i]...), 1)
	}
	return r.ev.joined(r.at, outputs, 0), final
}

// backward runs the steps from the last one on; sequences begin with their first states where they end.
func (r *packedRun) backward(x *tensor) (*tensor, []*tensor) {
	var outputs []value
	state := make([]*tensor, len(r.state))
	have := 0
	for _, s := range slices.Backward(r.segments()) {
		for i, v := range r.state {
			begun := []value{r.part(v, 1, have, s.count)}
			if have > 0 {
				begun = slices.Insert(begun, 0, value(state[i]))
			}
			state[i] = r.ev.joined(r.at, begun, 1)
		}
		var y *tensor
		y, state = r.steps(x, s, state, true)
		outputs = slices.Insert(outputs, 0, value(y))
		have = s.count
	}
	return r.ev.joined(r.at, outputs, 0), state
}
