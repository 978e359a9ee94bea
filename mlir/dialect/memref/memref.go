package memref

import (
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const (
	pure = mlir.Pure

	parts = "offsets*: index, sizes*: index, strides*: index"
	spans = "static_offsets: ints, static_sizes: ints, static_strides: ints"
)

// atomicKinds are the kinds of atomic updates by number.
var atomicKinds = []string{"addf", "addi", "assign", "maximumf", "maxs", "maxu", "minimumf", "mins", "minu", "mulf", "muli",
	"ori", "andi", "maxnumf", "minnumf"}

func init() {
	alloc := func(name string) assembly.Op {
		return assembly.Op{Name: "memref." + name, Operands: "dynamicSizes*: index, symbolOperands*: index",
			Results: "memref is memref", Attrs: "alignment: i64?",
			Format: "`(`$dynamicSizes`)` (`` `[` $symbolOperands^ `]`)? attr-dict `:` type($memref)",
			Verify: allocated, ResultName: name}
	}
	cast := func(name, result string, verify func(*mlir.Operation) error) assembly.Op {
		return assembly.Op{Name: "memref." + name, Traits: pure, Operands: "source is memref*", Results: "dest is memref*", Verify: verify,
			Format: "$source attr-dict `:` type($source) `to` type($dest)", ResultName: result}
	}
	assembly.Register("memref", []assembly.Op{
		alloc("alloc"), alloc("alloca"), cast("cast", "cast", castable), cast("memory_space_cast", "memspacecast", compatible),
		{Name: "memref.realloc", Operands: "source is memref(1), dynamicResultSize?: index", Results: "result is memref(1)", Attrs: "alignment: i64?",
			Rules: "elem(source, result), space(source, result)", Verify: reallocated,
			Format: "$source (`(` $dynamicResultSize^ `)`)? attr-dict `:` type($source) `to` type(results)"},
		{Name: "memref.dealloc", Operands: "memref is memref*", Format: "$memref attr-dict `:` type($memref)"},
		{Name: "memref.alloca_scope.return", Traits: pure | mlir.Terminator, Operands: "values*",
			Format: "attr-dict ($values^ `:` type($values))?"},
		{Name: "memref.assume_alignment", Operands: "memref is memref", Attrs: "alignment: i32(1..2147483647)", Verify: powerOfTwo,
			Format: "$memref `,` $alignment attr-dict `:` type($memref)"},
		{Name: "memref.copy", Operands: "source is memref*, target is memref*", Rules: "shape(source, target), elem(source, target)",
			Format: "$source `,` $target attr-dict `:` type($source) `to` type($target)"},
		{Name: "memref.dim", Traits: pure, Operands: "source is memref*(1..), index: index", Results: "result: index",
			Format: "attr-dict $source `,` $index `:` type($source)", ResultName: "dim"},
		{Name: "memref.rank", Traits: pure, Operands: "memref is memref*", Results: "result: index",
			Format: "$memref attr-dict `:` type($memref)"},
		{Name: "memref.extract_aligned_pointer_as_index", Traits: pure, Operands: "source is memref*", Results: "aligned_pointer is index",
			Format: "$source `:` type($source) `->` type(results) attr-dict", ResultName: "intptr"},
		{Name: "memref.load", Operands: "memref is memref, indices*: index", Results: "result: elem(memref)",
			Rules: "indices(memref, indices)", Attrs: "nontemporal: bool = false", Format: "$memref `[` $indices `]` attr-dict `:` type($memref)"},
		{Name: "memref.store", Operands: "value: elem(memref), memref is memref, indices*: index",
			Rules: "indices(memref, indices)", Attrs: "nontemporal: bool = false",
			Format: "$value `,` $memref `[` $indices `]` attr-dict `:` type($memref)"},
		{Name: "memref.atomic_rmw", Operands: "value: elem(memref) is int | float, memref is memref(int | float), indices*: index", Results: "result: value",
			Rules: "indices(memref, indices)", Verify: updated, Attrs: "kind: enum(" + strings.Join(atomicKinds, "|") + ")",
			Format: "$kind $value `,` $memref `[` $indices `]` attr-dict `:` `(` type($value) `,` type($memref) `)`" +
				" `->` type($result)"},
		{Name: "memref.atomic_yield", Traits: pure | mlir.Terminator, Operands: "result", Verify: yieldsElement, Parents: []string{"memref.generic_atomic_rmw"},
			Format: "$result attr-dict `:` type($result)"},
		{Name: "memref.get_global", Traits: pure, Results: "result is memref", Attrs: "name: sym", Refers: "name", RefersTo: "memref.global", Agrees: ofGlobal,
			Format: "$name `:` type($result) attr-dict"},
		{Name: "memref.reinterpret_cast", Traits: pure, Operands: "source is memref*, " + parts, Results: "result is memref", Attrs: spans,
			Rules: "elem(source, result), space(source, result)", Verify: reinterpreted,
			Format: "$source `to` `offset` `` `:` custom<DynamicIndexList>($offsets, $static_offsets) `` `,`" +
				" `sizes` `` `:` custom<DynamicIndexList>($sizes, $static_sizes) `` `,`" +
				" `strides` `` `:` custom<DynamicIndexList>($strides, $static_strides)" +
				" attr-dict `:` type($source) `to` type($result)", ResultName: "reinterpret_cast"},
		{Name: "memref.reshape", Traits: pure, Operands: "source is memref*, shape is memref(1 int | index)", Results: "result is memref*", Rules: "elem(source, result)", Verify: reshaped,
			Format: "$source `(` $shape `)` attr-dict `:` functional-type(operands, results)", ResultName: "reshape"},
		{Name: "memref.expand_shape", Traits: pure, Operands: "src is memref, output_shape*: index", Results: "result is memref",
			Rules: "elem(src, result), space(src, result)", Verify: expanded, Attrs: "reassociation: groups, static_output_shape: ints",
			Format: "$src $reassociation `output_shape` custom<DynamicIndexList>($output_shape, $static_output_shape)" +
				" attr-dict `:` type($src) `into` type($result)", ResultName: "expand_shape"},
		{Name: "memref.collapse_shape", Traits: pure, Operands: "src is memref", Results: "result is memref", Attrs: "reassociation: groups",
			Rules: "elem(src, result), space(src, result)", Verify: collapsed,
			Format: "$src $reassociation attr-dict `:` type($src) `into` type($result)", ResultName: "collapse_shape"},
		{Name: "memref.subview", Traits: pure, Operands: "source is memref, " + parts, Results: "result is memref", Attrs: spans,
			Rules: "elem(source, result), space(source, result)", Verify: subviewed,
			Format: "$source `` custom<DynamicIndexList>($offsets, $static_offsets)" +
				" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
				" attr-dict `:` type($source) `to` type($result)", ResultName: "subview"},
		{Name: "memref.view", Traits: pure, Operands: "source is memref(1 i8), byte_shift: index, sizes*: index", Results: "result is memref", Rules: "space(source, result)", Verify: viewed,
			Format:     "$source `[` $byte_shift `]` `` `[` $sizes `]` attr-dict `:` type($source) `to` type(results)",
			ResultName: "view"},
	}, byHand()...)
}
