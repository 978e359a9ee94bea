package stablehlo

import "github.com/go-acap/acap/mlir"

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
