package bufferization

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

func init() {
	assembly.Register("bufferization", []assembly.Op{
		{Name: "bufferization.alloc_tensor", Operands: "dynamic_sizes*: index, copy?: result, size_hint?: index",
			Results: "result", Attrs: "memory_space: any?",
			Format: "`(` $dynamic_sizes `)` (`copy` `(` $copy^ `)`)? (`size_hint` `=` $size_hint^)? attr-dict `:` type($result)"},
		{Name: "bufferization.clone", Operands: "input", Results: "output",
			Format: "$input attr-dict `:` type($input) `to` type($output)"},
		{Name: "bufferization.materialize_in_destination", Operands: "source, dest", Results: "result?",
			Attrs: "restrict: unit, writable: unit",
			Format: "$source `in` (`restrict` $restrict^)? (`writable` $writable^)? $dest attr-dict" +
				" `:` functional-type(operands, results)"},
		{Name: "bufferization.dealloc_tensor", Operands: "tensor", Format: "$tensor attr-dict `:` type($tensor)"},
		{Name: "bufferization.to_tensor", Operands: "memref", Results: "result: tensor(memref)",
			Attrs:  "restrict: unit, writable: unit",
			Format: "$memref (`restrict` $restrict^)? (`writable` $writable^)? attr-dict `:` type($memref)"},
		{Name: "bufferization.to_memref", Traits: mlir.Pure, Operands: "tensor: tensor(memref)", Results: "memref",
			Attrs: "read_only: unit", Format: "$tensor (`read_only` $read_only^)? attr-dict `:` type($memref)"},
		{Name: "bufferization.dealloc", Operands: "memrefs*, conditions*: i1, retained*",
			Results: "updatedConditions*: i1 per retained",
			Format: "(` ``(` $memrefs^ `:` type($memrefs) `)` `if` ` ` `(` $conditions `)`)?" +
				" (`retain` ` ` `(` $retained^ `:` type($retained) `)`)? attr-dict"},
	})
}
