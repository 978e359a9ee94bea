package stablehlo

import (
	"github.com/go-acap/acap/mlir"
	hlo "github.com/go-acap/acap/mlir/dialect/stablehlo"
)

// notes are targets that say where a tensor lies, or how devices share the tensor; here is one device.
var notes = map[string]bool{"Sharding": true, "annotate_device_placement": true, "xla.sdy.FuncResultSharding": true,
	"SPMDFullToShardShape": true, "SPMDShardToFullShape": true, "xla.sdy.GlobalToLocalShape": true, "xla.sdy.LocalToGlobalShape": true}

// customCall lowers the targets that are operators here as well. Package expand has replaced targets that are
// operations of StableHLO. The others are refused by name.
func (c *block) customCall(op *mlir.Operation) {
	target, in := hlo.Target(op), c.in(op)
	routine := hlo.Routine(op)
	if routine == "" {
		routine = routineOf[target]
	}
	switch f := routines[routine]; {
	case f != nil:
		c.set(op, f(c, op, in)...)
	case notes[target] && len(in) == 1 && len(op.Results) == 1 && mlir.SameType(op.Operands[0].Type, op.Results[0].Type):
		c.set(op, in[0])
	case notes[target]:
		c.fail("the target %q is the work of each of several devices, and here is one: export the program without sharding", target)
	default:
		c.fail("the target %q is not known; export the program for a platform without custom calls, or replace the call "+
			"by operations of StableHLO", target)
	}
}
