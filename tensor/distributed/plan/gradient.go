package plan

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// GradientBytes returns the bytes of a model's gradients: as many as its constants of floating point have.
func GradientBytes(module *mlir.Operation) float64 {
	total := 0.0
	module.Walk(func(op *mlir.Operation) {
		if !strings.HasSuffix(op.Name, ".constant") || len(op.Results) != 1 {
			return
		}
		if t, ok := op.Results[0].Type.(mlir.TensorType); ok {
			if f, ok := t.Elem.(mlir.FloatType); ok {
				n := mlir.BitWidth(f) / 8
				for _, d := range t.Shape {
					n *= d
				}
				total += float64(n)
			}
		}
	})
	return total
}
