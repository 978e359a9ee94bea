package ops

// function is a pointwise operator of one tensor, one line of a family that
// differs in one scalar function. Its result has the operand's shape.
type function struct {
	name string
	f    func(s *Scalars, x Elem) Elem
	// grad returns the gradient of x, where y = f(x) has cotangent dy.
	grad func(g *Gradient, dy, x, y Value) Value
	// Samples are drawn from [low, high).
	low, high float64
}

// registerFunctions registers a family with in-place variants.
func registerFunctions(infer func(*Call) error, list ...function) {
	for _, o := range list {
		register(&Op{
			Schema:  o.name + "(Tensor self) -> Tensor",
			Inplace: true,
			Infer:   infer,
			Lower:   lower1(o.f),
			Grad:    gradient1(o.grad),
			Samples: samplesOf(Sample{SIn(o.low, o.high, 3, 4)}, Sample{SIn(o.low, o.high)}),
		})
	}
}

// floating refuses results that are not floating.
func floating(infer func(*Call) error) func(*Call) error {
	return func(c *Call) error {
		if err := infer(c); err != nil {
			return err
		}
		if d := c.Out[0].DType; !d.IsFloat() {
			return c.DTypeErrorf("takes floating tensors, not %v", d)
		}
		return nil
	}
}

// gradient1 is the Grad of an operator with one differentiable operand; nil
// stands for a gradient of zero.
func gradient1(f func(g *Gradient, dy, x, y Value) Value) func(g *Gradient) {
	if f == nil {
		return func(g *Gradient) { g.Set(0, g.Zeros(g.Type(0))) }
	}
	return func(g *Gradient) { g.Set(0, f(g, g.Grad(0), g.Tensor(0), g.Out0())) }
}

// gradient2 is the Grad of an operator whose first two operands are tensors or
// numbers.
func gradient2(dx, dy func(g *Gradient, grad, x, y Value) Value) func(g *Gradient) {
	return func(g *Gradient) {
		x, y := g.operand(0), g.operand(1)
		for i, f := range []func(g *Gradient, grad, x, y Value) Value{dx, dy} {
			switch {
			case !g.Needs(i):
			case f == nil:
				g.Set(i, g.Zeros(g.Type(i)))
			default:
				g.Set(i, f(g, g.Grad(0), x, y))
			}
		}
	}
}

// operand returns argument i as a tensor; a number becomes one without dimensions.
func (g *Gradient) operand(i int) Value {
	if v := g.Tensor(i); v != nil || !g.Has(i) {
		return v
	}
	return g.Full([]int{}, g.Scalar(i), g.Out[0].DType)
}

// Number returns a tensor without dimensions, of the element type of like.
func (e Emit) Number(v any, like Value) Value { return e.Full([]int{}, v, like.Type().DType) }

// Keep returns v where cond holds, and 0 elsewhere.
func (e Emit) Keep(cond, v Value) Value { return e.Where(cond, v, e.Number(0, v)) }

// Compare returns the comparison of x with a Value or a number.
func (e Emit) Compare(relation string, x Value, y any) Value { return e.binary(relation, x, y) }

// And returns the logical and.
func (e Emit) And(x, y Value) Value { return e.Call("logical_and", x, y) }

// Or returns the logical or.
func (e Emit) Or(x, y Value) Value { return e.Call("logical_or", x, y) }

// Square returns x².
func (e Emit) Square(x Value) Value { return e.Mul(x, x) }

// Pow returns x to a constant power.
func (e Emit) Pow(x Value, p any) Value { return e.Call("pow.Tensor_Scalar", x, p) }

// OneMinus returns 1 - x.
func (e Emit) OneMinus(x Value) Value { return e.Call("rsub.Scalar", x, 1) }
