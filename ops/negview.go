package ops

// _neg_view is a view of the negated elements, with the shape and dtype of its operand: what is written to it is
// negated in the operand. Autograd makes it of the imaginary part of a conjugated tensor.
func init() {
	register(&Op{
		Schema:  "_neg_view(Tensor(a) self) -> Tensor(a)",
		Infer:   inferSame,
		Strides: sameStrides,
		Expand:  func(e Emit, c *Call) []Value { return []Value{e.Neg(c.Tensor(0))} },
		View:    func(e Emit, _ *Call, _, view Value, _ int) Value { return e.Neg(view) },
		Samples: samplesOf(Sample{S(2, 3)}),
	})
}
