package bufferization

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// allocated checks that there is a size for each extent that is not known, or a tensor to copy.
func allocated(op *mlir.Operation) error {
	sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	t, _ := op.Results[0].Type.(mlir.TensorType)
	open := 0
	for _, n := range t.Shape {
		if n < 0 {
			open++
		}
	}
	switch {
	case !ok || len(sizes) != 3:
		return fmt.Errorf("needs the numbers of its operands")
	case sizes[1] > 0 && sizes[0] > 0:
		return fmt.Errorf("takes sizes or a tensor to copy, not both")
	case sizes[1] == 0 && sizes[0] != open:
		return fmt.Errorf("has %d sizes for %d extents that are not known", sizes[0], open)
	}
	return nil
}

// released checks that each released memory has a condition, and each retained memory has a result.
func released(op *mlir.Operation) error {
	sizes, ok := mlir.IntList(op.Attrs.Get("operandSegmentSizes"))
	if !ok || len(sizes) != 3 || sizes[0] != sizes[1] || sizes[2] != len(op.Results) {
		return fmt.Errorf("needs a condition for each memory and a result for each that is retained")
	}
	return nil
}

func init() {
	toTensor := assembly.Op{Name: "bufferization.to_tensor", Operands: "memref", Results: "result: tensor(memref)",
		Attrs:  "restrict: unit, writable: unit",
		Format: "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref)"}.Def()
	plain := toTensor.Parse
	toTensor.Parse = func(p *mlir.Parser, op *mlir.Operation) {
		plain(p, op)
		if p.Accept("to") { // since LLVM 20 the text has the type of the result, which follows from the memory's
			if t := p.Type(); len(op.Results) == 1 && !mlir.SameType(t, op.Results[0].Type) {
				p.Errorf("gives %s, not %s", op.Results[0].Type, t)
			}
		}
	}
	assembly.Register("bufferization", []assembly.Op{
		{Name: "bufferization.alloc_tensor", Operands: "dynamic_sizes*: index, copy?: result, size_hint?: index",
			Results: "result is tensor", Attrs: "memory_space: any?", Verify: allocated,
			Format: "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)"},
		{Name: "bufferization.clone", Operands: "input is memref*", Results: "output is memref*",
			Format: "$input attr-dict `:` type($input) `to` type($output)"},
		{Name: "bufferization.materialize_in_destination", Operands: "source, dest", Results: "result?",
			Attrs: "restrict: unit, writable: unit", Rules: "shape(source, dest), elem(source, dest)",
			Format: "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict" +
				" `:` functional-type(operands, results)"},
		{Name: "bufferization.dealloc_tensor", Operands: "tensor is tensor*", Format: "$tensor attr-dict `:` type($tensor)"},
		{Name: "bufferization.to_buffer", Traits: mlir.Pure, Operands: "tensor is tensor*", Results: "buffer is memref*", // to_memref since LLVM 21
			Attrs: "read_only: unit", Rules: "shape(tensor, buffer), elem(tensor, buffer)",
			Format: "$tensor (`read_only` $read_only^)? attr-dict `:` type($tensor) `to` type($buffer)"},
		{Name: "bufferization.to_memref", Traits: mlir.Pure, Operands: "tensor: tensor(memref)", Results: "memref",
			Attrs: "read_only: unit", Format: "$tensor (`read_only` $read_only^)? attr-dict `:` type($memref)"},
		{Name: "bufferization.dealloc", Operands: "memrefs* is memref*, conditions*: i1, retained* is memref*",
			Results: "updatedConditions*: i1 per retained", Verify: released,
			Format: "(` ``(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?" +
				" (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict"},
	}, toTensor)
}
