package stablehlo

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/dialect/quant"
)

func init() {
	defineClasses()
	mlir.RegisterDialect(&mlir.Dialect{Name: "chlo", Define: func() []mlir.OpDef { return definitions("chlo", chloRows) }})
	mlir.RegisterDialect(&mlir.Dialect{Name: "stablehlo", Define: define, CheckType: checkType, CheckAttr: checkAttr,
		ParseAttr: parseAttr, CheckEncoding: checkEncoding})
}

// define makes the definitions of the operations of StableHLO.
func define() []mlir.OpDef {
	ops := definitions("stablehlo", rows)
	for i := range ops {
		switch ops[i].Name {
		case "stablehlo.constant":
			ops[i].Shows = showsConstant
		case "stablehlo.composite":
			ops[i].Refers, ops[i].RefersTo, ops[i].Agrees = "decomposition", "func.func", decomposes
		}
	}
	return ops
}

// verifyConstant checks that the elements have the type of the result.
func verifyConstant(f facts) error {
	t := mlir.TypeOf(f.Attrs.Get("value"))
	if u, ok := quant.Of(f.out(0).Elem); ok {
		if got := mlir.ElementOf(t); !mlir.SameType(got, u.Storage) && !compatible(t, f.out(0)) {
			return fmt.Errorf("holds elements %s for %s", got, f.out(0))
		}
		return f.shape(tensorType(t).Shape)
	}
	return f.gives(t)
}

// checkType refuses types that the dialect does not have.
func checkType(t mlir.OpaqueType) error {
	if t.Text == "token" {
		return nil
	}
	if !strings.HasPrefix(t.Text, "future<") {
		return fmt.Errorf("there is no type %s", t)
	}
	list := futureOf(t)
	if len(list) == 0 {
		return fmt.Errorf("a future holds tensors: %s", t)
	}
	for _, e := range list {
		if _, ok := e.(mlir.TensorType); !ok {
			return fmt.Errorf("a future holds tensors, not %s", e)
		}
	}
	return nil
}

// checkEncoding refuses bounds that do not fit the dimensions of a tensor.
func checkEncoding(t mlir.TensorType) error {
	bounds, ok := boundsOf(t)
	if !ok {
		return nil
	}
	if len(bounds) != len(t.Shape) {
		return fmt.Errorf("%s has %d bounds for %d dimensions", t, len(bounds), len(t.Shape))
	}
	for i, n := range bounds {
		if n != mlir.Dynamic && t.Shape[i] != mlir.Dynamic {
			return fmt.Errorf("dimension %d of %s has an extent and a bound", i, t)
		}
	}
	return nil
}
