package torch

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// operations are the operations of the dialect that are no operators of ATen: constants, containers, control flow,
// globals, classes, calculations of shapes, symbols.
var operations = []assembly.Op{
	constant("int", "int", "i64"), constant("bool", "bool", "bool"), constant("str", "str", "str"),
	{Name: "torch.constant.none", Traits: mlir.Pure, Results: "result: !torch.none", Format: "attr-dict", ResultName: "none"},
	{Name: "torch.constant.device", Traits: mlir.Pure, Results: "result: !torch.Device", Attrs: "value: str",
		Format: "$value attr-dict", ResultName: "device"},
	{Name: "torch.constant.number", Traits: mlir.Pure | mlir.ConstantLike, Results: "result: !torch.number", Attrs: "value: any"},

	{Name: "torch.prim.ListConstruct", Traits: mlir.Pure, Operands: "elements*", Results: "result", Verify: verifyList,
		Format: "$elements attr-dict `:` functional-type(operands, results)"},
	{Name: "torch.prim.TupleConstruct", Traits: mlir.Pure, Operands: "elements*", Results: "result", Verify: verifyTuple,
		Format: "$elements attr-dict `:` type($elements) `->` type($result)"},
	{Name: "torch.prim.DictConstruct", Operands: "entries*", Results: "result", Parse: parseDict, Print: printDict, Verify: verifyDict},
	{Name: "torch.prim.ListUnpack", Operands: "operand", Results: "results*",
		Format: "$operand attr-dict `:` type($operand) `->` type($results)"},
	{Name: "torch.prim.TupleUnpack", Operands: "operand", Results: "results*",
		Format: "$operand attr-dict `:` type($operand) `->` type($results)"},
	{Name: "torch.prim.CreateObject", Traits: mlir.Pure, Results: "result", Format: "attr-dict type($result)"},
	{Name: "torch.prim.GetAttr", Operands: "receiver", Results: "result", Attrs: "name: str",
		Format: "$receiver `[` $name `]` attr-dict `:` type($receiver) `->` type($result)"},
	{Name: "torch.prim.SetAttr", Operands: "receiver, value", Attrs: "name: str",
		Format: "$receiver `[` $name `]` `=` $value attr-dict `:` type($receiver) `,` type($value)"},
	{Name: "torch.prim.CallMethod", Operands: "receiver, arguments*", Results: "result", Attrs: "name: str",
		Format: "$receiver `[` $name `]` `(` $arguments `)` attr-dict `:` type($receiver) `,` functional-type($arguments, $result)"},
	{Name: "torch.prim.Loop", Operands: "maxTripCount is !torch.int, initialCondition is !torch.bool, inits*", Results: "results*",
		Regions: "region", Verify: verifyLoop,
		Format: "$maxTripCount `,` $initialCondition `,` `init` `(` $inits `)` $region attr-dict `:` functional-type(operands, results)"},
	{Name: "torch.prim.Loop.condition", Traits: mlir.Terminator, Operands: "shouldContinue: !torch.bool, iterArgs*",
		Parents: []string{"torch.prim.Loop"},
		Format:  "$shouldContinue `,` `iter` `(` ($iterArgs^ `:` type($iterArgs))? `)` attr-dict"},
	{Name: "torch.prim.If", Operands: "condition: !torch.bool", Results: "results*", Regions: "then, else",
		Parse: parseIf, Print: printIf, Verify: verifyIf},
	yield("prim.If.yield", "prim.If"),
	{Name: "torch.prim.Store", Operands: "value", Attrs: "name: str", Format: "$name `,` $value attr-dict `:` type($value)"},
	{Name: "torch.prim.Load", Results: "result", Attrs: "name: str", Format: "$name attr-dict `:` type($result)"},
	{Name: "torch.prim.Enter", Operands: "inp", Results: "result: !torch.none", Format: "$inp attr-dict `:` type($inp)"},
	{Name: "torch.prim.Exit", Operands: "inp", Results: "result", Format: "$inp attr-dict `:` type($inp) `->` type($result)"},

	cast("derefine", verifyDerefine), cast("tensor_static_info_cast", verifyCast),
	{Name: "torch.tensor.literal", Results: "result", Attrs: "value: elements", Format: "`(` $value `)` attr-dict `:` type($result)", Verify: verifyLiteral},
	{Name: "torch.copy.to_tensor", Operands: "operand", Results: "result", Parse: parseCopy, Print: printCopy, Verify: verifyCopy},
	{Name: "torch.copy.to_vtensor", Operands: "operand", Results: "result", Parse: parseCopy, Print: printCopy, Verify: verifyCopy},
	{Name: "torch.overwrite.tensor.contents", Operands: "value, overwritten", Verify: verifyOverwrite,
		Format: "$value `overwrites` $overwritten attr-dict `:` type($value) `,` type($overwritten)"},
	{Name: "torch.operator", Operands: "operands*", Results: "results*", Attrs: "name: str", Regions: "regions*",
		Parse: parseOperator, Print: printOperator},
	{Name: "torch.operator_terminator", Traits: mlir.Terminator, Operands: "operands*", Parents: []string{"torch.operator"},
		Format: "$operands attr-dict `:` type($operands)"},
	{Name: "torch.linear_params.create", Operands: "weight, bias?", Results: "result: !torch.LinearParams",
		Format: "$weight (`,` $bias^)? attr-dict `:` type($weight) (`,` type($bias)^)?"},
	{Name: "torch.per_tensor_affine.create", Operands: "int_repr, scale, offset", Results: "result",
		Format: "$int_repr `,` $scale `,` $offset attr-dict `:` type($int_repr) `,` type($scale) `,` type($offset) `->` type($result)"},
	{Name: "torch.promote_dtypes", Operands: "ranks, dtypes", Results: "result: !torch.int",
		Format: "$ranks `,` $dtypes attr-dict `:` functional-type(operands, results)"},
	{Name: "torch.runtime.assert", Operands: "condition: !torch.bool", Attrs: "message: str", Format: "$condition `,` $message attr-dict"},

	calculation("shape.calculate", "shapes"), yield("shape.calculate.yield", "shape.calculate"),
	yield("shape.calculate.yield.shapes", "shape.calculate"),
	calculation("dtype.calculate", "dtypes"), yield("dtype.calculate.yield", "dtype.calculate"),
	yield("dtype.calculate.yield.dtypes", "dtype.calculate"),

	{Name: "torch.symbolic_int", Traits: mlir.Pure, Results: "result", Attrs: "symbol_name: str, min_val: i64, max_val: i64",
		Format: "$symbol_name ` ` `{` `min_val` `=` $min_val `,` `max_val` `=` $max_val `}` attr-dict `:` type($result)"},
	{Name: "torch.bind_symbolic_shape", Operands: "operand, symbols*: !torch.int", Attrs: "shape_expressions: map",
		Parse: parseBind, Print: printBind, Verify: verifyBind},

	{Name: "torch.global_slot", Attrs: "sym_name: name, sym_visibility: str?, typeBound: type",
		Format: "($sym_visibility^)? $sym_name attr-dict `:` $typeBound"},
	{Name: "torch.global_slot.module_initializer", Traits: mlir.IsolatedFromAbove, Regions: "initializer", Format: "$initializer attr-dict",
		Verify: verifyInitializer},
	{Name: "torch.initialize.global_slots", Traits: mlir.Terminator, Operands: "values*", Attrs: "slotSymNames: array",
		Parse: parseInitialize, Print: printInitialize},
	{Name: "torch.global_slot.get", Results: "result", Attrs: "slot: sym", Refers: "slot", RefersTo: "torch.global_slot",
		Format: "$slot attr-dict `:` type($result)"},
	{Name: "torch.global_slot.set", Operands: "value", Attrs: "slot: sym", Refers: "slot", RefersTo: "torch.global_slot",
		Format: "$slot `=` $value attr-dict `:` type($value)"},
	{Name: "torch.class_type", Attrs: "sym_name: name", Regions: "region=torch.class_type_terminator", Format: "$sym_name $region attr-dict",
		Verify: verifyClass},
	{Name: "torch.class_type_terminator", Traits: mlir.Terminator, Format: "attr-dict"},
	{Name: "torch.attr", Attrs: "isPrivate: unit?, name: str, type: type", Parents: []string{"torch.class_type"},
		Format: "(`private` $isPrivate^)? $name `:` $type attr-dict"},
	{Name: "torch.method", Attrs: "isPrivate: unit?, name: str, function: sym", Refers: "function", RefersTo: "func.func", Agrees: verifyMethod, Parents: []string{"torch.class_type"},
		Format: "(`private` $isPrivate^)? $name `,` $function attr-dict"},
	{Name: "torch.nn_module", Results: "result", Regions: "region=torch.nn_module_terminator", Format: "$region attr-dict `:` type($result)",
		Verify: verifyObject},
	{Name: "torch.nn_module_terminator", Traits: mlir.Terminator, Format: "attr-dict"},
	{Name: "torch.slot", Operands: "value", Attrs: "name: str", Parents: []string{"torch.nn_module"},
		Format: "$name `,` $value attr-dict `:` type($value)"},
}

func constant(name, kind, attr string) assembly.Op {
	return assembly.Op{Name: "torch.constant." + name, Traits: mlir.Pure | mlir.ConstantLike,
		Results: "result: !torch." + kind, Attrs: "value: " + attr, Format: "$value attr-dict", ResultName: name}
}

func cast(name string, verify func(*mlir.Operation) error) assembly.Op {
	return assembly.Op{Name: "torch." + name, Traits: mlir.Pure, Operands: "operand", Results: "result",
		Format: "$operand attr-dict `:` type($operand) `to` type($result)", Verify: verify}
}

func yield(name, parent string) assembly.Op {
	return assembly.Op{Name: "torch." + name, Traits: mlir.Terminator | mlir.Pure, Operands: "values*",
		Parents: []string{"torch." + parent}, Format: "attr-dict ($values^ `:` type($values))?"}
}

func calculation(name, word string) assembly.Op {
	return assembly.Op{Name: "torch." + name, Results: "results*", Regions: "body, calculation",
		Format: "$body `" + word + "` $calculation attr-dict `:` type($results)"}
}

// verifyList checks that the elements are of the list's type.
func verifyList(op *mlir.Operation) error {
	name, inner := parts(op.Results[0].Type)
	if name != "list" {
		return fmt.Errorf("makes a list, not %s", op.Results[0].Type)
	}
	for _, v := range op.Operands {
		if !IsSubtype(v.Type, inner[0]) {
			return fmt.Errorf("puts %s into %s", v.Type, op.Results[0].Type)
		}
	}
	return nil
}

func verifyTuple(op *mlir.Operation) error {
	name, inner := parts(op.Results[0].Type)
	if name != "tuple" || len(inner) != len(op.Operands) {
		return fmt.Errorf("makes a tuple of %d, not %s", len(op.Operands), op.Results[0].Type)
	}
	for i, v := range op.Operands {
		if !IsSubtype(v.Type, inner[i]) {
			return fmt.Errorf("puts %s into %s", v.Type, op.Results[0].Type)
		}
	}
	return nil
}

// verifyIf checks that both sides give what the operation does.
func verifyIf(op *mlir.Operation) error {
	for _, r := range op.Regions {
		if err := gives(op, r, "torch.prim.If.yield", 0, mlir.TypesOf(op.Results)); err != nil {
			return err
		}
	}
	return nil
}

// verifyLoop checks the types of the values that go around a loop: the operands, the body's arguments after the number
// of the iteration, the operands of the condition, and the results agree.
func verifyLoop(op *mlir.Operation) error {
	types := mlir.TypesOf(op.Operands[2:])
	if got := mlir.TypesOf(op.Results); !mlir.SameTypes(got, types) {
		return fmt.Errorf("begins with %s and gives %s", mlir.TupleType{Elems: types}, mlir.TupleType{Elems: got})
	}
	r := op.Regions[0]
	if len(r.Blocks) != 1 {
		return fmt.Errorf("has a body of %d blocks", len(r.Blocks))
	}
	want := append([]mlir.Type{Type("int")}, types...)
	if got := mlir.TypesOf(r.Blocks[0].Args); !mlir.SameTypes(got, want) {
		return fmt.Errorf("the body takes %s, not %s", mlir.TupleType{Elems: want}, mlir.TupleType{Elems: got})
	}
	return gives(op, r, "torch.prim.Loop.condition", 1, types)
}

// gives checks the operands of a region's terminator behind the first few.
func gives(op *mlir.Operation, r *mlir.Region, name string, skip int, types []mlir.Type) error {
	if len(r.Blocks) != 1 || r.Blocks[0].Terminator() == nil || r.Blocks[0].Terminator().Name != name {
		return fmt.Errorf("a region must end with %s", name)
	}
	got := mlir.TypesOf(r.Blocks[0].Terminator().Operands)
	if len(got) < skip || !mlir.SameTypes(got[skip:], types) {
		return fmt.Errorf("a region gives %s, not %s", mlir.TupleType{Elems: got[min(skip, len(got)):]}, mlir.TupleType{Elems: types})
	}
	return nil
}
