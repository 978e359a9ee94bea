package quant

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	cast := func(name string) mlir.OpDef {
		return assembly.Op{Name: "quant." + name, Traits: mlir.Pure, Operands: "input", Results: "result",
			Format: "$input attr-dict `:` type($input) `to` type($result)"}.Def()
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "quant", Upstream: true, ParseType: parseType,
		Ops: []mlir.OpDef{cast("dcast"), cast("qcast"), cast("scast")}})
}
