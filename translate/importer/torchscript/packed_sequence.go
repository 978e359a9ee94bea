package torchscript

import (
	"slices"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/script"
	"github.com/go-acap/acap/base/shape"
)

// Packed sequences have the steps of sequences of different lengths one after the other, the first steps of all
// first, without those that a shorter sequence does not have. The numbers of sequences at each step say which
// these are; they fall, and must be known, as the structure of the program depends on them.

// packedSequences are the functions on them by their names.
func packedSequences() map[string]substitute {
	table := map[string]substitute{"_pack_padded_sequence": packSequence, "_pad_packed_sequence": padSequence}
	for _, name := range []string{"lstm", "gru", "rnn_tanh", "rnn_relu"} {
		table[name] = func(ev *evaluator, at script.Position, args arguments) (value, bool) {
			return ev.packedRecurrent(at, name, args)
		}
	}
	return table
}

// wholeNumbers returns the elements of a tensor of them, which must be known.
func (ev *evaluator) wholeNumbers(at script.Position, t *tensor, what string) []int {
	var b *buf.Buffer
	if t.parameter != nil && !t.written && t.parameter.isConstant() {
		b = t.parameter.Data
	} else {
		b = ev.read(at, t, what)
	}
	if !b.DType.IsInt() || len(b.Shape) != 1 || b.Len() == 0 {
		failAt(at, "%s are %v of shape %s, not a list of whole numbers", what, b.DType, shape.String(b.Shape))
	}
	ev.charge(at, b.Len())
	list := make([]int, b.Len())
	for i := range list {
		list[i] = int(b.Int64(i))
	}
	return list
}

// sequenceSizes returns the numbers of sequences at each step of a packed sequence of rows rows.
func (ev *evaluator) sequenceSizes(at script.Position, t *tensor, rows int) []int {
	sizes, sum := ev.wholeNumbers(at, t, "the numbers of sequences"), 0
	for i, n := range sizes {
		if n < 1 || i > 0 && n > sizes[i-1] || n > rows-sum {
			failAt(at, "%v are no numbers of sequences at each step of %d rows", sizes, rows)
		}
		sum += n
	}
	if sum != rows {
		failAt(at, "%v are no numbers of sequences at each step of %d rows", sizes, rows)
	}
	return sizes
}

// packSequence packs x [T N …], or [N T …], by the lengths of its sequences, which fall.
func packSequence(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok1 := args.at(0).(*tensor)
	given, ok2 := args.at(1).(*tensor)
	batchFirst, ok3 := args.at(2).(bool)
	if !ok1 || !ok2 || !ok3 || len(args.positional) != 3 || len(x.typeOf().Shape) < 2 {
		return nil, false
	}
	if batchFirst {
		x = ev.callOperator(at, "transpose", arguments{positional: []value{x, 0, 1}}).(*tensor)
	}
	dims := x.typeOf().Shape
	lengths := ev.wholeNumbers(at, given, "the lengths of sequences")
	for i, n := range lengths {
		if n < 1 || n > dims[0] || i > 0 && n > lengths[i-1] || len(lengths) != dims[1] {
			failAt(at, "%v are no lengths of %d sequences that fall from at most %d", lengths, dims[1], dims[0])
		}
		ev.charge(at, n)
	}
	var rows, sizes []int
	for t := range lengths[0] {
		count := 0
		for n, length := range lengths {
			if t < length {
				rows = append(rows, t*dims[1]+n)
				count++
			}
		}
		sizes = append(sizes, count)
	}
	flat := ev.reshaped(at, x, append([]int{dims[0] * dims[1]}, dims[2:]...))
	return &tuple{items: []value{ev.taken(at, flat, rows), ev.wholeTensor(sizes)}}, true
}

// padSequence is the inverse of packSequence, with a number where a sequence has no step, and gives the lengths.
func padSequence(ev *evaluator, at script.Position, args arguments) (value, bool) {
	x, ok1 := args.at(0).(*tensor)
	given, ok2 := args.at(1).(*tensor)
	batchFirst, ok3 := args.at(2).(bool)
	if !ok1 || !ok2 || !ok3 || len(args.positional) != 5 || len(x.typeOf().Shape) < 1 {
		return nil, false
	}
	dims := x.typeOf().Shape
	sizes := ev.sequenceSizes(at, given, dims[0])
	steps := len(sizes)
	if total, ok := args.at(4).(int); ok && total > 0 {
		if total < steps || total > shape.MaxElements/sizes[0] {
			failAt(at, "sequences of %d steps in %d", steps, total)
		}
		steps = total
	}
	lengths := make([]int, sizes[0])
	ev.charge(at, steps*sizes[0])
	rows := slices.Repeat([]int{dims[0]}, steps*sizes[0]) // the row of the padding
	first := 0
	for t, count := range sizes {
		for n := range count {
			rows[t*sizes[0]+n] = first + n
			lengths[n]++
		}
		first += count
	}
	pad := slices.Repeat([]int{0}, 2*len(dims))
	pad[len(pad)-1] = 1
	padded := ev.callOperator(at, "constant_pad_nd", arguments{positional: []value{x, ints(pad), args.at(3)}}).(*tensor)
	y := ev.reshaped(at, ev.taken(at, padded, rows), append([]int{steps, sizes[0]}, dims[1:]...))
	if batchFirst {
		y = ev.callOperator(at, "transpose", arguments{positional: []value{y, 0, 1}}).(*tensor)
	}
	return &tuple{items: []value{y, ev.wholeTensor(lengths)}}, true
}

func (ev *evaluator) reshaped(at script.Position, x *tensor, dims []int) *tensor {
	return ev.callOperator(at, "reshape", arguments{positional: []value{x, ints(dims)}}).(*tensor)
}

// taken takes rows of x.
func (ev *evaluator) taken(at script.Position, x *tensor, rows []int) *tensor {
	return ev.callOperator(at, "index_select", arguments{positional: []value{x, 0, ev.wholeTensor(rows)}}).(*tensor)
}

// wholeTensor is a constant of whole numbers.
func (ev *evaluator) wholeTensor(list []int) *tensor {
	b := buf.New(dtypeOfSizes, []int{len(list)})
	for i, v := range list {
		b.SetInt64(i, int64(v))
	}
	return &tensor{parameter: &Parameter{Data: b}}
}
