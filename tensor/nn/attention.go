package nn

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/trace"
)

// MultiheadAttention has queries look at keys and gives them a mean of the values, in
// several parts of the features, the heads (Vaswani et al., "Attention Is All You Need",
// 2017).
type MultiheadAttention struct {
	InWeight *tensor.Tensor `nn:"in_proj_weight"` // [3·dim dim]: of queries, keys and values
	InBias   *tensor.Tensor `nn:"in_proj_bias"`   // [3·dim]
	Out      *Linear        `nn:"out_proj"`
	Heads    int
	Dropout  float64 // of the shares, in training
	Training bool
	hook
}

// NewMultiheadAttention returns a layer in training for features of the given extent, with
// random weights. Heads that do not divide the features panic with a [*tensor.ArgError].
func NewMultiheadAttention(dim, heads int) *MultiheadAttention {
	if heads < 1 || dim%heads != 0 {
		trace.Raise(&tensor.ArgError{Op: "attention", Detail: fmt.Sprintf("%d heads do not divide %d features", heads, dim)})
	}
	bound := math.Sqrt(6 / float64(4*dim))
	a := &MultiheadAttention{InWeight: parameter(tensor.Uniform(-bound, bound, 3*dim, dim)),
		InBias: parameter(tensor.Zeros(3 * dim)), Out: NewLinear(dim, dim), Heads: heads, Training: true}
	a.Out.Bias = parameter(tensor.Zeros(dim))
	return a
}

// Forward implements [Module]: attention of x [N L dim] to itself.
func (a *MultiheadAttention) Forward(x *tensor.Tensor) *tensor.Tensor {
	return a.Attend(x, x, x, nil, false)
}

// Attend takes queries [N L dim] and keys and values [N S dim] to [N L dim]. mask may be
// nil; otherwise it is added to the scores [N heads L S], or, if bool, says which keys a
// query may look at. causal hides keys after the query. A query that may look at no key takes nothing: the result
// is the bias of Out.
func (a *MultiheadAttention) Attend(query, key, value, mask *tensor.Tensor, causal bool) *tensor.Tensor {
	dim := a.InWeight.Size(1)
	project := func(x *tensor.Tensor, i int) *tensor.Tensor {
		w, b := a.InWeight.Narrow(0, i*dim, dim), a.InBias.Narrow(0, i*dim, dim)
		return a.split(x.Linear(w, tensor.Bias(b)))
	}
	q, k, v := project(query, 0), project(key, 1), project(value, 2)
	if mask != nil && causal {
		mask, causal = withoutLater(mask, query.Size(1), key.Size(1)), false
	}
	var y *tensor.Tensor
	if p := a.Dropout; p > 0 && a.Training {
		y = a.dropped(q, k, mask, causal).MatMul(v)
	} else {
		y = q.ScaledDotProductAttention(k, v, tensor.AttnMask(mask), tensor.With("is_causal", causal))
	}
	y = y.Transpose(1, 2).Reshape([]int{query.Size(0), query.Size(1), dim})
	return a.seen(a.Out.Forward(y))
}

// withoutLater hides in a mask, too, the keys after each query.
func withoutLater(mask *tensor.Tensor, queries, keys int) *tensor.Tensor {
	var hidden any = false
	if mask.DType().IsFloat() {
		hidden = math.Inf(-1)
	}
	return tensor.Call("where.ScalarOther", visible(mask, queries, keys), mask, hidden)[0]
}

// visible says which keys are not after a query, on the device of a tensor.
func visible(like *tensor.Tensor, queries, keys int) *tensor.Tensor {
	return tensor.Call("ones", []int{queries, keys}, tensor.On(like.Device()))[0].Tril().GtScalar(0)
}

// dropped returns the shares of the values, some of which are dropped.
func (a *MultiheadAttention) dropped(q, k, mask *tensor.Tensor, causal bool) *tensor.Tensor {
	scores := q.MatMul(k.Transpose(-2, -1)).MulScalar(1 / math.Sqrt(float64(q.Size(-1))))
	if causal {
		scores = scores.MaskedFillScalar(visible(q, q.Size(-2), k.Size(-2)).LogicalNot(), math.Inf(-1))
	}
	switch {
	case mask == nil:
	case mask.DType().IsFloat():
		scores = scores.Add(mask)
	default:
		scores = scores.MaskedFillScalar(mask.LogicalNot(), math.Inf(-1))
	}
	return tensor.Call("_safe_softmax", scores, -1)[0].Dropout(a.Dropout, true)
}

// split makes [N L dim] into [N heads L dim/heads].
func (a *MultiheadAttention) split(x *tensor.Tensor) *tensor.Tensor {
	return x.Reshape([]int{x.Size(0), x.Size(1), a.Heads, x.Size(2) / a.Heads}).Transpose(1, 2)
}

// String implements [fmt.Stringer].
func (a *MultiheadAttention) String() string {
	return fmt.Sprintf("MultiheadAttention(%d, heads=%d)", a.InWeight.Size(1), a.Heads)
}
