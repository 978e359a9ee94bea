package tensor

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// The operations whose form a description gives.
var (
	gather = assembly.Op{
		Name: "tensor.gather", Traits: mlir.Pure, Operands: "source is tensor, indices is tensor(1.. int | index)", Results: "result is tensor",
		Rules: "elem(source, result)", Verify: gathered,
		Attrs: "gather_dims: ints, unique: unit",
		Format: "$source `[` $indices `]` `gather_dims` `(` $gather_dims `)` (`unique` $unique^)? attr-dict" +
			" `:` functional-type(operands, results)",
	}
	scatter = assembly.Op{
		Name: "tensor.scatter", Traits: mlir.Pure, Operands: "source is tensor, dest is tensor, indices is tensor(1.. int | index)", Results: "result: dest",
		Rules: "elem(source, dest)", Verify: scattered,
		Attrs: "scatter_dims: ints, unique: unit",
		Format: "$source `into` $dest `[` $indices `]` `scatter_dims` `(` $scatter_dims `)` (`unique` $unique^)?" +
			" attr-dict `:` functional-type(operands, results)",
	}
	parallelInsertSlice = assembly.Op{
		Name:     "tensor.parallel_insert_slice",
		Operands: "source, dest, offsets*: index, sizes*: index, strides*: index",
		Attrs:    "static_offsets: ints, static_sizes: ints, static_strides: ints", Verify: verifyInsertSlice,
		Format: "$source `into` $dest `` custom<DynamicIndexList>($offsets, $static_offsets)" +
			" custom<DynamicIndexList>($sizes, $static_sizes) custom<DynamicIndexList>($strides, $static_strides)" +
			" attr-dict `:` type($source) `into` type($dest)",
	}
)

// Pack describes the operation of that name that cuts a tensor into tiles: tensor.pack up to LLVM 20, linalg.pack
// since.
func Pack(name string) assembly.Op {
	return assembly.Op{
		Name: name, Traits: mlir.Pure, Operands: "source, dest, padding_value?, inner_tiles*: index",
		Results: "result: dest",
		Attrs:   "outer_dims_perm: ints?, inner_dims_pos: ints, static_inner_tiles: ints",
		Format: "$source (`padding_value` `(` $padding_value^ `:` type($padding_value) `)`)?" +
			" (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos" +
			" `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) `into` $dest" +
			" attr-dict `:` type($source) `->` type($dest)",
		ResultName: "pack", Verify: packed,
	}
}

// Unpack describes the inverse of [Pack].
func Unpack(name string) assembly.Op {
	return assembly.Op{
		Name: name, Traits: mlir.Pure, Operands: "source, dest, inner_tiles*: index",
		Results: "result: dest",
		Attrs:   "outer_dims_perm: ints?, inner_dims_pos: ints, static_inner_tiles: ints",
		Format: "$source (`outer_dims_perm` `=` $outer_dims_perm^)? `inner_dims_pos` `=` $inner_dims_pos" +
			" `inner_tiles` `=` custom<DynamicIndexList>($inner_tiles, $static_inner_tiles) `into` $dest" +
			" attr-dict `:` type($source) `->` type($dest)",
		ResultName: "unpack", Verify: packed,
	}
}
