package ops

// typesOnly infers the types of an expansion without building it.
type typesOnly struct{}

type typeValue struct{ t TensorType }

func (v *typeValue) Type() TensorType { return v.t }

// Emit implements [Builder].
func (b typesOnly) Emit(c *Call) []Value {
	out := make([]Value, len(c.Out))
	for i, t := range c.Out {
		out[i] = &typeValue{t}
	}
	return out
}

// inferExpansion takes the result types from the operator's expansion. check, if
// not nil, runs first.
func inferExpansion(check func(c *Call) error) func(*Call) error {
	return func(c *Call) error {
		if check != nil {
			if err := check(c); err != nil {
				return err
			}
		}
		return Try(func() {
			for _, v := range c.Op.Expand(Emit{typesOnly{}}, c) {
				c.Out = append(c.Out, v.Type())
			}
		})
	}
}

// composite registers an operator that is only a spelling of others: PyTorch's scripts
// call it, its dispatcher never does.
func composite(schema string, expand func(e Emit, c *Call) []Value, samples ...Sample) {
	register(&Op{Schema: schema, Infer: inferExpansion(nil), Expand: expand, Samples: samplesOf(samples...)})
}
