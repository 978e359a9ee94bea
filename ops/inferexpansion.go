package ops

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

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

// Draw implements [Generator].
func (b typesOnly) Draw() (seed, counter Value) {
	number := &typeValue{TensorType{DType: dtype.I64}}
	return number, number
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
		for _, v := range c.Op.Expand(Emit{typesOnly{}}, c) {
			c.Out = append(c.Out, v.Type())
		}
		c.expanded = true
		return nil
	}
}

// checkExpansion expands a call to types alone, so that what the expansion refuses is
// refused when the call is made and not where its program is compiled. Calls on complex
// numbers must have an expansion to calls on real ones.
func (c *Call) checkExpansion() error {
	op := c.Op.Functional()
	if c.expanded || op.Host != nil || c.Draws() {
		return nil
	}
	f := &Call{Op: op, Args: c.Args, Out: c.Out}
	expand := f.Expansion()
	if expand == nil {
		if d := f.complexType(); d != dtype.Invalid {
			return c.unsupportedComplex(d)
		}
		return nil
	}
	var out []Value
	if err := Try(func() { out = expand(Emit{typesOnly{}}, f) }); err != nil {
		return c.wrap(err)
	}
	for i, v := range out {
		if t := v.Type(); t.DType != c.Out[i].DType {
			return c.DTypeErrorf("operands give a result of %v, not %v", t.DType, c.Out[i].DType)
		} else if !shape.Equal(t.Shape, c.Out[i].Shape) {
			return c.ShapeErrorf("operands give a result of shape %s, not %s", shape.String(t.Shape),
				shape.String(c.Out[i].Shape))
		}
	}
	return nil
}

// composite registers an operator that is only a spelling of others: PyTorch's scripts
// call it, its dispatcher never does.
func composite(schema string, expand func(e Emit, c *Call) []Value, samples ...Sample) {
	register(&Op{Schema: schema, Infer: inferExpansion(nil), Expand: expand, Samples: samplesOf(samples...)})
}
