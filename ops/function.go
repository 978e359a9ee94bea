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
