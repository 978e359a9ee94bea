package ops

import "math"

// reshapings give the same elements in the same order other extents.
var reshapings = []string{"view", "reshape", "_reshape_alias", "_unsafe_view", "view_as", "reshape_as",
	"flatten.using_ints", "ravel", "unflatten.int", "squeeze", "squeeze.dim", "squeeze.dims", "unsqueeze"}

var casts = []string{"_to_copy", "to.dtype", "to.dtype_layout", "to.device", "to.prim_dtype", "to.prim_device",
	"to.other", "type_as"}

var roundings = []string{"ceil", "floor", "round", "trunc"}

func sameBits(x, y float64) bool { return math.Float64bits(x) == math.Float64bits(y) }

// simplifications of each operator, in the order in which they are tried. All of them keep every bit: 0 is no neutral
// number of a sum of floats, where -0 + 0 is 0, but -0 is; and nothing is said of a product of floats with 0, which
// NaN and infinities do not make 0.
var simplifications map[string][]simplification

func init() {
	one := func(k constant) bool { return k.is(1) }
	none := func(k constant) bool { return !k.d.IsFloat() && k.is(0) }
	alpha := func(c *Call) bool { return c.Scalar(2).Is(1) }
	when := func(cond func(c *Call) bool, rule simplification) simplification {
		return func(e Emit, c *Call) Value {
			if !cond(c) {
				return nil
			}
			return rule(e, c)
		}
	}
	twice := func(c *Call) bool { return integers(c) && c.Tensor(0) == c.Tensor(1) }
	timesZero := func(c *Call) bool {
		k, ok := constantOf(c, 1)
		return integers(c) && ok && k.is(0)
	}
	bools := func(c *Call) bool {
		inner := made(c.Tensor(0), "logical_not")
		return inner != nil && inner.DTypeOf(0) == c.Out[0].DType
	}
	zeros := func(i int) func(c *Call) bool {
		return func(c *Call) bool { return allAre(c.Ints(i), 0) }
	}
	simplifications = map[string][]simplification{
		// Operators that only concern PyTorch's memory.
		"alias": {unchanged(nil)}, "detach": {unchanged(nil)}, "lift_fresh": {unchanged(nil)}, "contiguous": {unchanged(nil)},
		"clone": {unchanged(nil)}, "_rewritten": {unchanged(nil)},

		"neg":         {undoes("neg")},
		"bitwise_not": {undoes("bitwise_not")},
		"logical_not": {when(bools, undoes("logical_not"))},
		"abs":         {keeps("abs"), ignores("neg")},
		"square":      {ignores("neg", "abs")},
		"relu":        {keeps("relu")},
		"sign":        {keeps("sign")},
		"ceil":        {keeps(roundings...)}, "floor": {keeps(roundings...)},
		"round": {keeps(roundings...)}, "trunc": {keeps(roundings...)},
		"tril": {keeps("tril")}, "triu": {keeps("triu")},

		"add.Tensor": {when(alpha, neutral(true, func(k constant) bool { return none(k) || k.is(math.Copysign(0, -1)) }))},
		"add.Scalar": {when(alpha, neutral(false, func(k constant) bool { return none(k) || k.is(math.Copysign(0, -1)) }))},
		"sub.Tensor": {when(alpha, neutral(false, func(k constant) bool { return k.is(0) })),
			filled(0, func(c *Call) bool { return alpha(c) && twice(c) })},
		"sub.Scalar": {when(alpha, neutral(false, func(k constant) bool { return k.is(0) }))},
		"mul.Tensor": {neutral(true, one), filled(0, timesZero)},
		"mul.Scalar": {neutral(false, one), filled(0, timesZero)},
		"div.Tensor": {neutral(false, one)}, "div.Scalar": {neutral(false, one)},
		"floor_divide":       {when(integers, neutral(false, one))},
		"pow.Tensor_Scalar":  {neutral(false, one)},
		"bitwise_or.Tensor":  {repeated(0), neutral(true, none)},
		"bitwise_and.Tensor": {repeated(0), neutral(true, func(k constant) bool { return k.is(-1) })},
		"bitwise_xor.Tensor": {neutral(true, none), filled(0, twice)},
		"maximum":            {repeated(0)}, "minimum": {repeated(0)},
		"eq.Tensor": {filled(1, twice)}, "ge.Tensor": {filled(1, twice)}, "le.Tensor": {filled(1, twice)},
		"ne.Tensor": {filled(0, twice)}, "gt.Tensor": {filled(0, twice)}, "lt.Tensor": {filled(0, twice)},
		"where.self": {chosen},

		"expand": {unstretched, uniform}, "expand_as": {unstretched, uniform}, "broadcast_to": {unstretched, uniform},
		"slice.Tensor": {unchanged(nil)}, "narrow": {unchanged(nil)}, // one that leaves nothing out has the type of its input
		"flip":            {unchanged(func(c *Call) bool { return len(c.Ints(1)) == 0 })},
		"roll":            {unchanged(zeros(1))},
		"constant_pad_nd": {unchanged(zeros(1))},
		"repeat":          {unchanged(func(c *Call) bool { return allAre(c.Ints(1), 1) })},
		"cat": {func(_ Emit, c *Call) Value {
			if list := c.Tensors(0); len(list) == 1 {
				return list[0]
			}
			return nil
		}},

		"zeros_like": {likeConstant(0)}, "ones_like": {likeConstant(1)}, "empty_like": {likeConstant(0)},
		"full_like": {likeConstant(nil)}, "new_zeros": {likeConstant(0)}, "new_ones": {likeConstant(1)},
		"new_empty": {likeConstant(0)}, "new_full": {likeConstant(nil)},
	}
	for _, name := range reshapings {
		simplifications[name] = []simplification{uniform, unshaped}
	}
	for name := range permutations {
		simplifications[name] = []simplification{uniform, unpermuted}
	}
	for _, name := range casts {
		simplifications[name] = []simplification{uncast}
	}
}

func allAre(list []int, v int) bool {
	for _, n := range list {
		if n != v {
			return false
		}
	}
	return true
}
