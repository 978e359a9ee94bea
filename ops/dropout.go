package ops

// dropout outside training is the identity. In training it draws random numbers,
// which are inputs of a program: package nn multiplies by a mask.
func init() {
	for _, name := range []string{"dropout", "feature_dropout", "alpha_dropout"} {
		register(&Op{
			Schema: name + "(Tensor input, float p, bool train) -> Tensor",
			Infer: func(c *Call) error {
				if p := c.Float(1); p < 0 || p > 1 {
					return c.ArgErrorf("p is %v, not a probability", p)
				}
				if c.Bool(2) && c.Float(1) != 0 {
					return c.ArgErrorf("draws random numbers in training; multiply by a mask")
				}
				return inferSame(c)
			},
			Expand:  func(e Emit, c *Call) []Value { return []Value{c.Tensor(0)} },
			Samples: samplesOf(Sample{S(3, 4), 0.5, false}),
		})
	}
}
