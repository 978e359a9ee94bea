package ops

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// embedding_bag: sums, means or maxima of bags of embeddings; bag b holds the indices from offsets[b] to the next
// offset. The results besides the output are the bag of every index, the size of every bag, and the indices of the
// maxima, or of means the sizes again. Offsets begin with 0, do not fall, and end at the number of indices at most.
// Indices behind a last offset that is included are in the last bag, as in PyTorch's kernels of f64.
func init() {
	const rest = "bool scale_grad_by_freq=False, int mode=0, bool sparse=False, " +
		"Tensor? per_sample_weights=None, bool include_last_offset=False"
	for _, o := range []struct{ name, padding string }{
		{"_embedding_bag", ", int padding_idx=-1"},
		{"_embedding_bag_forward_only", ", int padding_idx=-1"},
		{"embedding_bag", ""},
		{"embedding_bag.padding_idx", ", int? padding_idx"},
	} {
		options := rest
		if o.name == "embedding_bag.padding_idx" {
			options = "bool scale_grad_by_freq, int mode, bool sparse, Tensor? per_sample_weights, " +
				"bool include_last_offset"
		}
		register(&Op{
			Schema: o.name + "(Tensor weight, Tensor indices, Tensor offsets, " + options + o.padding +
				") -> (Tensor, Tensor, Tensor, Tensor)",
			Infer: inferExpansion(checkBags),
			Expand: func(e Emit, c *Call) []Value {
				out := e.bags(c)
				for i, d := 1, dtype.Promote(c.DTypeOf(1), c.DTypeOf(2)); i < len(out); i++ {
					out[i] = e.To(out[i], d)
				}
				return out
			},
			Samples: samplesOf(bagSample(bagSum, S(6)), bagSample(bagMean, nil),
				bagSample(bagMax, nil)),
		})
	}
}

// The modes, in PyTorch's numbers.
const (
	bagSum = iota
	bagMean
	bagMax
)

func bagSample(mode int, weights any) Sample {
	indices := T{DType: dtype.I64, Shape: []int{6}, Low: 0, High: 5}
	return Sample{S(5, 3), indices, given(dtype.I64, []int{4}, 0, 2, 2, 5),
		false, mode, false, weights, false}
}

func checkBags(c *Call) error {
	w, indices, offsets := c.Shape(0), c.Shape(1), c.Shape(2)
	if len(w) != 2 || len(indices) != 1 || len(offsets) != 1 {
		return c.ShapeErrorf("takes a matrix and two lists, not %s, %s and %s",
			shape.String(w), shape.String(indices), shape.String(offsets))
	}
	if !c.DTypeOf(1).IsInt() || !c.DTypeOf(2).IsInt() {
		return c.DTypeErrorf("indices and offsets must be integers")
	}
	if !c.DTypeOf(0).IsFloat() || c.Has(6) && c.DTypeOf(6) != c.DTypeOf(0) {
		return c.DTypeErrorf("takes a weight of floats, and per_sample_weights of the same type: convert them first")
	}
	if c.Has(6) && (c.Int(4) != bagSum || !shape.Equal(c.Shape(6), indices)) {
		return c.ArgErrorf("per_sample_weights needs mode sum and the shape of indices")
	}
	if c.Op.Name() == "embedding_bag.padding_idx" && c.Has(8) && (c.Int(8) < -w[0] || c.Int(8) >= w[0]) {
		return c.ArgErrorf("padding_idx %d is not one of %d rows", c.Int(8), w[0])
	}
	if c.Bool(7) && offsets[0] == 0 {
		return c.ShapeErrorf("include_last_offset needs an offset")
	}
	return nil
}

// paddingOfBags is the index that counts in no bag, or -1. Of embedding_bag.padding_idx, -1 is the last row, and of the
// others no index, as in PyTorch.
func (c *Call) paddingOfBags() int {
	if len(c.Args) <= 8 || !c.Has(8) {
		return -1
	}
	if i := c.Int(8); i >= 0 || c.Op.Name() != "embedding_bag.padding_idx" {
		return i
	}
	return c.Int(8) + c.Shape(0)[0]
}

func (e Emit) bags(c *Call) []Value {
	n, count := c.Shape(1)[0], c.Shape(2)[0]
	if c.Bool(7) {
		count--
	}
	indices, offsets := e.To(c.Tensor(1), dtype.I64), e.orderly(e.To(c.Tensor(2), dtype.I64), n)
	offsets = e.Call("slice.Tensor", offsets, 0, 0, count, 1)
	// The bag of a place is the number of offsets up to it, less one.
	started := e.Compare("ge", e.Reshape(e.Call("arange", n, dtype.I64), []int{n, 1}), offsets)
	bag := e.Sub(e.Sum(started, []int{1}, false), 1)
	member := e.Compare("eq", bag, e.Reshape(e.Call("arange", count, dtype.I64), []int{count, 1}))
	padding := c.paddingOfBags()
	if padding >= 0 {
		member = e.And(member, e.Compare("ne", indices, padding))
	}
	size := e.Sum(member, []int{1}, false)
	byFrequency := c.Bool(3) && c.Int(4) != bagMax // maxima are not scaled, as in PyTorch
	rows := e.Call("embedding", c.Tensor(0), indices, -1, byFrequency)
	if c.Int(4) == bagMax {
		return e.bagMaxima(member, rows, bag, size, indices, offsets)
	}
	if c.Has(6) {
		rows = e.Mul(rows, e.Reshape(c.Tensor(6), []int{n, 1}))
	}
	if padding >= 0 {
		rows = e.Keep(e.Reshape(e.Compare("ne", indices, padding), []int{n, 1}), rows)
	}
	out := e.Call("index_add", e.emptyBags(rows.Type(), offsets, count), 0, bag, rows)
	if c.Int(4) == bagMean {
		n := e.To(e.Call("clamp_min", size, 1), rows.Type().DType)
		out = e.Div(out, e.Reshape(n, []int{count, 1}))
	}
	if c.Int(4) == bagMean {
		return []Value{out, bag, size, size}
	}
	return e.sumOfBags(c, out, bag, count)
}

// orderly returns the offsets of bags of n indices. An offset that is not orderly is read from an index out of range,
// which fails.
func (e Emit) orderly(offsets Value, n int) Value {
	count := offsets.Type().Shape[0]
	if count == 0 {
		return offsets
	}
	first := e.Zeros(TensorType{dtype.I64, []int{1}})
	least := e.Call("cat", []Value{first, e.Call("slice.Tensor", offsets, 0, 0, count-1, 1)}, 0)
	most := e.Call("cat", []Value{first, e.Full([]int{count - 1}, n, dtype.I64)}, 0)
	fits := e.And(e.Compare("ge", offsets, least), e.Compare("le", offsets, most))
	places := e.Where(fits, e.Call("arange", count, dtype.I64), e.Number(-1, first))
	return e.Call("index_select", offsets, 0, places)
}

// emptyBags are the sums of bags before rows are added. Without rows all offsets have to be 0, which picks the only row
// of zeros.
func (e Emit) emptyBags(rows TensorType, offsets Value, count int) Value {
	if rows.Shape[0] > 0 {
		return e.Zeros(TensorType{rows.DType, []int{count, rows.Shape[1]}})
	}
	return e.Call("index_select", e.Zeros(TensorType{rows.DType, []int{1, rows.Shape[1]}}), 0, offsets)
}

// sumOfBags gives sums their other results, as PyTorch's kernels of a CPU do, which need none of them: sizes and maxima
// of 0, and no bags of indices where the kernel is the fast one.
func (e Emit) sumOfBags(c *Call, out, bag Value, count int) []Value {
	if d := c.DTypeOf(0); c.paddingOfBags() < 0 && (d == dtype.F32 || d == dtype.F16 || d == dtype.BF16) {
		bag = e.Zeros(TensorType{dtype.I64, []int{0}})
	}
	if c.Op.Name() == "_embedding_bag_forward_only" {
		count = c.Shape(2)[0] // an offset at the end counts
	}
	none := e.Zeros(TensorType{dtype.I64, []int{count}})
	return []Value{out, bag, none, none}
}

// bagMaxima takes the greatest of the rows of every bag, 0 of an empty one.
func (e Emit) bagMaxima(member, rows, bag, size, indices, offsets Value) []Value {
	count, n := member.Type().Shape[0], member.Type().Shape[1]
	width := rows.Type().Shape[1]
	if n == 0 {
		return []Value{e.emptyBags(rows.Type(), offsets, count), bag, size, e.Zeros(TensorType{dtype.I64, []int{count, width}})}
	}
	candidates := e.Where(e.Reshape(member, []int{count, n, 1}), rows, e.Number(math.Inf(-1), rows))
	best := e.Calls("max.dim", candidates, 1)
	some := e.Reshape(e.Compare("gt", size, 0), []int{count, 1})
	row := e.Call("index_select", indices, 0, e.Reshape(best[1], []int{count * width}))
	return []Value{e.Keep(some, best[0]), bag, size, e.Reshape(row, []int{count, width})}
}
