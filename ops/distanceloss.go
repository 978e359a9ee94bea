package ops

import "math"

// The losses that PyTorch composes of distances and margins, and the distance between
// pairs of vectors.
func init() {
	composite("pairwise_distance(Tensor x1, Tensor x2, float p=2, float eps=1e-06, bool keepdim=False) "+
		"-> Tensor", func(e Emit, c *Call) []Value {
		d := e.Add(e.Sub(c.Tensor(0), c.Tensor(1)), c.Float(3))
		return e.Calls("linalg_vector_norm", d, c.Float(2), []int{-1}, c.Bool(4))
	}, Sample{S(3, 4), S(3, 4)})
	composite("cosine_embedding_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, "+
		"int reduction=Mean) -> Tensor", func(e Emit, c *Call) []Value {
		const eps = 1e-12
		x, y, target := c.Tensor(0), c.Tensor(1), c.Tensor(2)
		c.mustAgreeInRank(0, 1)
		if n := len(c.Shape(2)); n > 1 || n != len(c.Shape(0))-1 {
			panic(c.ShapeErrorf("target %v is not one number for each pair of vectors of %v", c.Shape(2), c.Shape(0)))
		}
		dims := []int{len(c.Shape(0)) - 1}
		dot := func(a, b Value) Value { return e.Sum(e.Mul(a, b), dims, false) }
		norms := e.Mul(e.Add(dot(x, x), eps), e.Add(dot(y, y), eps))
		cos := e.Div(dot(x, y), e.Call("sqrt", norms))
		apart := e.Call("clamp_min", e.Sub(cos, c.Float(3)), 0)
		loss := e.Add(e.Keep(e.Compare("eq", target, 1), e.OneMinus(cos)),
			e.Keep(e.Compare("eq", target, -1), apart))
		return []Value{e.reduceLoss(loss, c.Int(4), loss.Type().DType)}
	}, Sample{S(3, 4), S(3, 4), SIn(1, 1, 3)})
	composite("margin_ranking_loss(Tensor input1, Tensor input2, Tensor target, float margin=0.0, "+
		"int reduction=Mean) -> Tensor", func(e Emit, c *Call) []Value {
		c.mustAgreeInRank(0, 1, 2)
		gap := e.Neg(e.Mul(c.Tensor(2), e.Sub(c.Tensor(0), c.Tensor(1))))
		loss := e.Call("clamp_min", e.Add(gap, c.Float(3)), 0)
		return []Value{e.reduceLoss(loss, c.Int(4), loss.Type().DType)}
	}, Sample{S(3), S(3), S(3), 0.5})
	composite("hinge_embedding_loss(Tensor self, Tensor target, float margin=1.0, "+
		"int reduction=Mean) -> Tensor", func(e Emit, c *Call) []Value {
		x, target := c.Tensor(0), c.Tensor(1)
		apart := e.Call("clamp_min", e.Neg(e.Sub(x, c.Float(2))), 0)
		loss := e.Add(e.Keep(e.Compare("ne", target, 1), apart), e.Keep(e.Compare("ne", target, -1), x))
		return []Value{e.reduceLoss(loss, c.Int(3), loss.Type().DType)}
	}, Sample{S(3), SIn(1, 1, 3)})
	composite("triplet_margin_loss(Tensor anchor, Tensor positive, Tensor negative, float margin=1.0, "+
		"float p=2, float eps=1e-06, bool swap=False, int reduction=Mean) -> Tensor",
		func(e Emit, c *Call) []Value {
			c.mustAgreeInRank(0, 1, 2)
			distance := func(x, y Value) Value {
				return e.Call("pairwise_distance", x, y, c.Float(4), c.Float(5))
			}
			near, far := distance(c.Tensor(0), c.Tensor(1)), distance(c.Tensor(0), c.Tensor(2))
			if c.Bool(6) {
				far = e.Call("minimum", far, distance(c.Tensor(1), c.Tensor(2)))
			}
			loss := e.Call("clamp_min", e.Add(e.Sub(near, far), c.Float(3)), 0)
			return []Value{e.reduceLoss(loss, c.Int(7), loss.Type().DType)}
		}, Sample{S(3, 4), S(3, 4), S(3, 4), 1.0, 2.0, 1e-6, true})
	composite("poisson_nll_loss(Tensor input, Tensor target, bool log_input, bool full, float eps, "+
		"int reduction) -> Tensor", func(e Emit, c *Call) []Value {
		x, y := c.Tensor(0), c.Tensor(1)
		var loss Value
		if c.Bool(2) {
			loss = e.Sub(e.Call("exp", x), e.Mul(y, x))
		} else {
			loss = e.Sub(x, e.Mul(y, e.Call("log", e.Add(x, c.Float(4)))))
		}
		if c.Bool(3) { // Stirling's approximation of log y!
			rest := e.Mul(e.Call("log", e.Mul(y, 2*math.Pi)), 0.5)
			stirling := e.Add(e.Sub(e.Mul(y, e.Call("log", y)), y), rest)
			loss = e.Add(loss, e.Keep(e.Compare("gt", y, 1), stirling))
		}
		return []Value{e.reduceLoss(loss, c.Int(5), loss.Type().DType)}
	}, Sample{S(3), SIn(0.5, 3, 3), true, true, 1e-8, 1}, Sample{SIn(0.5, 3, 3), S(3), false, false, 1e-8, 2})
}

// mustAgreeInRank panics if tensors differ in the number of their dimensions: [4 1] and [4] would broadcast to [4 4].
func (c *Call) mustAgreeInRank(args ...int) {
	for _, i := range args[1:] {
		if a, b := c.Shape(args[0]), c.Shape(i); len(a) != len(b) {
			panic(c.ShapeErrorf("%v and %v differ in the number of dimensions", a, b))
		}
	}
}
