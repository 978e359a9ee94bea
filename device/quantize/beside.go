package quantize

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// besideSingle returns the convolutions that could be of bytes but take what one of f32 computes, or compute what
// one takes, with nothing but passes over the elements in between. Bytes lie with the channels side by side, and
// f32 in planes: to change from one to the other costs several times what bytes gain. A depthwise convolution between
// convolutions of one point is such a case.
func besideSingle(b *mlir.Block) map[*mlir.Operation]bool {
	beside := map[*mlir.Operation]bool{}
	from, into := map[*mlir.Value]bool{}, map[*mlir.Value]bool{}
	for _, op := range b.Ops {
		if len(op.Results) == 0 {
			continue
		}
		_, _, bytes := product(op)
		reached := slices.ContainsFunc(op.Operands, func(v *mlir.Value) bool { return from[v] })
		if op.Name == "aten.convolution" {
			beside[op] = bytes && reached
			from[op.Results[0]] = !bytes
		} else if !bytes {
			from[op.Results[0]] = reached
		}
	}
	for _, op := range slices.Backward(b.Ops) {
		if len(op.Results) == 0 || len(op.Operands) == 0 {
			continue
		}
		_, _, bytes := product(op)
		reaches := into[op.Results[0]]
		switch {
		case op.Name == "aten.convolution" && bytes:
			beside[op] = beside[op] || reaches
		case op.Name == "aten.convolution":
			into[op.Operands[0]] = true
		case !bytes && reaches:
			for _, v := range op.Operands {
				into[v] = true
			}
		}
	}
	return beside
}
