package stablehlo

import "github.com/go-acap/acap/mlir"

// tuple notes what a tuple holds; it is no value of its own.
func (c *block) tuple(op *mlir.Operation) {
	if c.tuples == nil {
		c.tuples = map[*mlir.Value][]*mlir.Value{}
	}
	c.tuples[op.Result()] = op.Operands
}

func (c *block) tupleElement(op *mlir.Operation) {
	held, i := c.tuples[op.Operands[0]], c.integer(op, "index", -1)
	if i < 0 || i >= len(held) {
		c.fail("element %d of a tuple that is not known here", i)
	}
	if inner, ok := c.tuples[held[i]]; ok {
		c.tuples[op.Result()] = inner
		return
	}
	c.set(op, c.value(held[i]))
}

// withConstants returns op with operands that are constants as attributes of the given names;
// operands without a name stay.
func (c *block) withConstants(op *mlir.Operation, names ...string) *mlir.Operation {
	d := *op
	d.Operands = nil
	for i, v := range op.Operands {
		if i >= len(names) || names[i] == "" {
			d.Operands = append(d.Operands, v)
			continue
		}
		a, ok := mlir.ConstantValue(v).(mlir.DenseAttr)
		if !ok {
			c.fail("operand %d must be a constant", i)
		}
		d.Attrs = d.Attrs.With(names[i], a)
	}
	return &d
}

func (c *block) dynamicPad(op *mlir.Operation) {
	c.pad(c.withConstants(op, "", "", "edge_padding_low", "edge_padding_high", "interior_padding"))
}
