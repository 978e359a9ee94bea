package emit

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
)

// packed returns the format of a tensor whose values were rounded to blocks along a loop that
// contracts it, as _to_bfp16 and _to_q4 do along the last dimension. A device may keep such a tensor
// packed.
func packed(a *graph.Access, loop int) dtype.Format {
	if a.Format != dtype.Plain {
		return a.Format
	}
	if a.Tensor.DType != dtype.BF16 || a.Strides[loop] != 1 || len(a.Tensor.Writers) != 1 {
		return dtype.Plain
	}
	by := graph.Origin{Op: a.Tensor.Writers[0].Op.Name, Loc: a.Tensor.Writers[0].Op.Loc}
	for _, f := range dtype.Formats() {
		if by.Operator() == "_to_"+f.String() && a.StartsAtBlocks(loop, f.Block()) {
			return f
		}
	}
	return dtype.Plain
}
