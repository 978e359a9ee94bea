package ub

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	assembly.Register("ub", []assembly.Op{
		{Name: "ub.poison", Traits: mlir.Pure, Results: "result", Attrs: "value: param(ub.poison)?",
			Format: "attr-dict (`` $value^)? `:` type($result)"},
	})
}
