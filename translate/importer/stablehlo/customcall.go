package stablehlo

import (
	"github.com/go-acap/acap/mlir"
)

// customCall lowers the targets that are operators here as well. The others are refused by name.
func (c *block) customCall(op *mlir.Operation) {
	target, _ := op.Attrs.Get("call_target_name").(mlir.StringAttr)
	in := c.in(op)
	switch {
	case target == "ProductOfElementaryHouseholderReflectors" && len(in) == 2 && len(op.Results) == 1:
		// XLA's targets of its own for a QR decomposition; the reflectors make the first columns of an orthogonal matrix.
		c.set(op, c.aten("linalg_householder_product", in[0], in[1]))
	case target == "Sharding" && len(in) == 1 && len(op.Results) == 1 && mlir.SameType(op.Operands[0].Type, op.Results[0].Type):
		c.set(op, in[0]) // JAX's note on how devices share a tensor; here is one device
	default:
		c.fail("the target %q is not known; export the program for a platform without custom calls, or replace the call "+
			"by operations of StableHLO", string(target))
	}
}
