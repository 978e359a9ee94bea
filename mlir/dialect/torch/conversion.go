package torch

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// registerConversion makes torch_c, whose operations convert between the dialect's types and MLIR's.
func registerConversion() {
	between := func(name, from, to string) mlir.OpDef {
		return assembly.Op{Name: "torch_c." + name, Traits: mlir.Pure, Operands: "operand: " + from, Results: "result: " + to,
			Format: "$operand attr-dict"}.Def()
	}
	tensor := func(name string, verify func(*mlir.Operation) error) mlir.OpDef {
		return assembly.Op{Name: "torch_c." + name, Traits: mlir.Pure, Operands: "operand", Results: "result", Verify: verify,
			Format: "$operand attr-dict `:` type($operand) `->` type($result)"}.Def()
	}
	mlir.RegisterDialect(&mlir.Dialect{Name: "torch_c", Ops: []mlir.OpDef{
		tensor("to_builtin_tensor", func(op *mlir.Operation) error { return builtin(op.Operands[0].Type, op.Results[0].Type) }),
		tensor("from_builtin_tensor", func(op *mlir.Operation) error { return builtin(op.Results[0].Type, op.Operands[0].Type) }),
		between("to_i1", "!torch.bool", "i1"), between("from_i1", "i1", "!torch.bool"),
		between("to_i64", "!torch.int", "i64"), between("from_i64", "i64", "!torch.int"),
		between("to_f64", "!torch.float", "f64"), between("from_f64", "f64", "!torch.float"),
		between("i64_to_generator", "i64", "!torch.Generator"), between("generator_to_i64", "!torch.Generator", "i64"),
		assembly.Op{Name: "torch_c.get_next_seed", Results: "result: i64", Format: "attr-dict `:` `(` `)` `->` type($result)"}.Def(),
	}})
}
