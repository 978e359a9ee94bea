package report

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/aten"
	"github.com/go-acap/acap/translate/passes/acap2019"
)

// layerName is the attribute that names an operation in reports.
const layerName = "layer_name"

// NameLayers names every aten operation but constants: L2-relu-0 is the third of all
// and the first relu. The error is always nil.
func NameLayers(module *mlir.Operation) error {
	n, kinds := 0, map[string]int{}
	module.Walk(func(op *mlir.Operation) {
		if !isLayer(op) {
			return
		}
		kind := aten.BaseName(op.Name)
		op.Attrs = op.Attrs.With(layerName, mlir.StringAttr(fmt.Sprintf("L%d-%s-%d", n, kind, kinds[kind])))
		n++
		kinds[kind]++
	})
	return nil
}

func isLayer(op *mlir.Operation) bool { return aten.Is(op) && !acap2019.IsConstant(op) }

// eachLayer visits the aten operations with their names; those without one get what
// [NameLayers] would give.
func eachLayer(module *mlir.Operation, visit func(name string, op *mlir.Operation)) {
	n, kinds := 0, map[string]int{}
	module.Walk(func(op *mlir.Operation) {
		if !isLayer(op) {
			return
		}
		kind := aten.BaseName(op.Name)
		name := fmt.Sprintf("L%d-%s-%d", n, kind, kinds[kind])
		n++
		kinds[kind]++
		if given, ok := op.Attrs.Get(layerName).(mlir.StringAttr); ok {
			name = string(given)
		}
		visit(name, op)
	})
}
