package memref

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const (
	pure = mlir.Pure

	parts = "offsets*: index, sizes*: index, strides*: index"
	spans = "static_offsets: ints, static_sizes: ints, static_strides: ints"

	atomicKinds = "addf|addi|assign|maximumf|maxs|maxu|minimumf|mins|minu|mulf|muli|ori|andi|maxnumf|minnumf"
)

func init() {
	alloc := func(name string) assembly.Op {
		return assembly.Op{Name: "memref." + name, Operands: "dynamicSizes*: index, symbolOperands*: index",
			Results: "memref", Attrs: "alignment: i64?",
			Format: "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
			Verify: allocated, ResultName: name}
	}
	cast := func(name, result string) assembly.Op {
		return assembly.Op{Name: "memref." + name, Traits: pure, Operands: "source", Results: "dest", Verify: compatible,
			Format: "$source attr-dict `:` type($source) `to` type($dest)", ResultName: result}
	}
	assembly.Register("memref", []assembly.Op{
		alloc("alloc"), alloc("alloca"), cast("cast", "cast"), cast("memory_space_cast", "memspacecast"),
		{Name: "memref.realloc", Operands: "source, dynamicResultSize?: index", Results: "result", Attrs: "alignment: i64?",
			Format: "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)"},
		{Name: "memref.dealloc", Operands: "memref", Format: "$memref attr-dict `:` type($memref)"},
		{Name: "memref.alloca_scope.return", Traits: pure | mlir.Terminator, Operands: "values*",
			Format: "attr-dict ($values^ `:` type($values))?"},
		{Name: "memref.assume_alignment", Operands: "memref", Attrs: "alignment: i32",
			Format: "$memref `,` $alignment attr-dict `:` type($memref)"},
		{Name: "memref.copy", Operands: "source, target",
			Format: "$source `,` $target attr-dict `:` type($source) `to` type($target)"},
		{Name: "memref.dim", Traits: pure, Operands: "source, index: index", Results: "result: index",
			Format: "attr-dict $source `,` $index `:` type($source)", ResultName: "dim"},
		{Name: "memref.rank", Traits: pure, Operands: "memref", Results: "result: index",
			Format: "$memref attr-dict `:` type($memref)"},
		{Name: "memref.extract_aligned_pointer_as_index", Traits: pure, Operands: "source", Results: "aligned_pointer",
			Format: "$source `:` type($source) `->` type(results) attr-dict", ResultName: "intptr"},
		{Name: "memref.load", Operands: "memref, indices*: index", Results: "result: elem(memref)",
			Verify: indexed(0), Attrs: "nontemporal: bool = false", Format: "$memref `[` $indices `]` attr-dict `:` type($memref)"},
		{Name: "memref.store", Operands: "value: elem(memref), memref, indices*: index",
			Verify: indexed(1), Attrs: "nontemporal: bool = false",
			Format: "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"},
		{Name: "memref.atomic_rmw", Operands: "value, memref, indices*: index", Results: "result",
			Attrs: "kind: enum(" + atomicKinds + ")",
			Format: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)`" +
				" `->` type($result)"},
		{Name: "memref.atomic_yield", Traits: pure | mlir.Terminator, Operands: "result",
			Format: "$result attr-dict `:` type($result)"},
		{Name: "memref.get_global", Traits: pure, Results: "result", Attrs: "name: sym", Refers: "name", RefersTo: "memref.global",
			Format: "$name `:` type($result) attr-dict"},
		{Name: "memref.reinterpret_cast", Traits: pure, Operands: "source, " + parts, Results: "result", Attrs: spans,
			Format: "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,`" +
				" `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,`" +
				" `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)" +
				" attr-dict `:` type($source) `to` type($result)", ResultName: "reinterpret_cast"},
		{Name: "memref.reshape", Traits: pure, Operands: "source, shape", Results: "result",
			Format: "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)", ResultName: "reshape"},
		{Name: "memref.expand_shape", Traits: pure, Operands: "src, output_shape*: index", Results: "result",
			Attrs: "reassociation: array, static_output_shape: ints",
			Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)" +
				" attr-dict `:` type($src) `into` type($result)", ResultName: "expand_shape"},
		{Name: "memref.collapse_shape", Traits: pure, Operands: "src", Results: "result", Attrs: "reassociation: array",
			Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)", ResultName: "collapse_shape"},
		{Name: "memref.subview", Traits: pure, Operands: "source, " + parts, Results: "result", Attrs: spans, Verify: subviewed,
			Format: "$source `` custom<DynamicIndexList>($offsets, $static_offsets)" +
				" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
				" attr-dict `:` type($source) `to` type($result)", ResultName: "subview"},
		{Name: "memref.view", Traits: pure, Operands: "source, byte_shift: index, sizes*: index", Results: "result",
			Format:     "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)",
			ResultName: "view"},
	}, byHand()...)
}
