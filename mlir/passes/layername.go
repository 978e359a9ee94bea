package passes

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// layerName is the attribute that names an operation in reports.
const layerName = "layer_name"

// LayerNames names every aten operation but constants: L2-relu-0 is the third of all
// and the first relu.
func LayerNames(module *mlir.Operation) error {
	n, kinds := 0, map[string]int{}
	module.Walk(func(op *mlir.Operation) {
		if !isLayer(op) {
			return
		}
		kind := kindOf(op)
		op.Attrs = op.Attrs.With(layerName, mlir.StringAttr(fmt.Sprintf("L%d-%s-%d", n, kind, kinds[kind])))
		n++
		kinds[kind]++
	})
	return nil
}

func isLayer(op *mlir.Operation) bool { return isAten(op) && op.Name != constantOp2019 }

// kindOf is the name of an operator without its dialect and overload.
func kindOf(op *mlir.Operation) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(op.Name, "aten."), ".")
	return kind
}

// eachLayer visits the aten operations with their names; those without one get what
// [LayerNames] would give.
func eachLayer(module *mlir.Operation, visit func(name string, op *mlir.Operation)) {
	n, kinds := 0, map[string]int{}
	module.Walk(func(op *mlir.Operation) {
		if !isLayer(op) {
			return
		}
		kind := kindOf(op)
		name := fmt.Sprintf("L%d-%s-%d", n, kind, kinds[kind])
		n++
		kinds[kind]++
		if given, ok := op.Attrs.Get(layerName).(mlir.StringAttr); ok {
			name = string(given)
		}
		visit(name, op)
	})
}
