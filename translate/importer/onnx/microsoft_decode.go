package onnx

import (
	"math"
	"slices"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/translate/importer/onnx/proto"
)

// Operators that exports of decoders have around the network: Whisper's for the times of words, BART's for texts
// without repetitions.
func init() {
	registerIn(microsoft, "NGramRepeatBlock", blockRepeats)
	registerIn(microsoft, "DynamicTimeWarping", warpTime)
	registerIn(microsoft, "UnfoldTensor", func(n *node) {
		x := n.tensor(0)
		n.set(n.Call("unfold", x, axis(n.int("dim", -1), rank(x)), n.int("size", 0), n.int("step", 1)))
	})
	registerIn(microsoft, "Unique", func(n *node) { // in the order of the first places, without these places
		all := *n
		all.out = make([]*value, 4)
		all.attributes = map[string]*proto.Attribute{"sorted": {Type: proto.Int}}
		unique(&all)
		copy(n.out, []*value{all.out[0], all.out[2], all.out[3]})
	})
}

// blockRepeats makes the scores [N V] of those tokens -Inf that would repeat as many tokens as ngram_size from the
// sequences [N L].
func blockRepeats(n *node) {
	tokens, scores, length := n.To(n.tensor(0), dtype.I64), n.tensor(1), n.int("ngram_size", 0)
	if rank(tokens) != 2 || rank(scores) != 2 || extents(tokens)[0] != extents(scores)[0] || length < 1 {
		failf("ngram_size %d for tokens of %s and scores of %s", length, shape.String(extents(tokens)), shape.String(extents(scores)))
	}
	end := extents(tokens)[1]
	if length > end {
		n.set(scores)
		return
	}
	grams := n.Call("unfold", tokens, 1, length, 1) // [N W length]
	last := n.Call("unsqueeze", n.Call("slice.Tensor", tokens, 1, end-length+1, end, 1), 1)
	same := n.Call("all.dim", n.Compare("eq", n.Call("slice.Tensor", grams, 2, 0, length-1, 1), last), 2, false)
	hits := n.Call("scatter_add", n.Full(extents(scores), 0, dtype.F32), 1, n.Call("select.int", grams, 2, length-1), n.To(same, dtype.F32))
	n.set(n.Call("masked_fill.Scalar", scores, n.Compare("gt", hits, 0), math.Inf(-1)))
}

// warpTime returns the path of least cost from the first to the last element of a known matrix, as rows and columns. A
// step goes on by a row, by a column, or by both where that is less than either.
func warpTime(n *node) {
	x := n.known(0)
	if d := x.Shape; len(d) == 3 && d[0] == 1 {
		x = x.Reshape(d[1:])
	}
	if len(x.Shape) != 2 || x.Len() == 0 || !x.DType.IsFloat() {
		failf("costs of %s with elements of %v", shape.String(x.Shape), x.DType)
	}
	rows, columns := x.Shape[0], x.Shape[1]
	n.ev.work(x.Len())
	sums := make([]float32, (rows+1)*(columns+1)) // in front of which are a row and a column that no path enters
	for i := range sums {
		sums[i] = float32(math.Inf(1))
	}
	sums[0] = 0
	steps := make([][2]int, len(sums)) // by which an element is reached
	for i := range rows {
		for j := range columns {
			at := (i+1)*(columns+1) + j + 1
			both, row, column := sums[at-columns-2], sums[at-columns-1], sums[at-1]
			least := column
			switch steps[at] = [2]int{0, 1}; {
			case both < row && both < column:
				least, steps[at] = both, [2]int{1, 1}
			case row < both && row < column:
				least, steps[at] = row, [2]int{1, 0}
			}
			sums[at] = float32(x.Float64(i*columns+j)) + least
		}
	}
	var path [2][]int
	for i, j := rows, columns; i > 0 || j > 0; {
		path[0], path[1] = append(path[0], i-1), append(path[1], j-1)
		switch {
		case i == 0:
			j--
		case j == 0:
			i--
		default:
			step := steps[i*(columns+1)+j]
			i, j = i-step[0], j-step[1]
		}
	}
	slices.Reverse(path[0])
	slices.Reverse(path[1])
	all := slices.Concat(path[0], path[1])
	n.setKnown(0, n.numbers(dtype.I32, []int{2, len(path[0])}, func(i int) int { return all[i] }))
}
