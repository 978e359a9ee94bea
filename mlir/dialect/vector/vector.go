package vector

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const (
	pure  = mlir.Pure
	kind  = "kind: param(vector.kind)"
	flags = "fastmath: param(arith.fastmath) = none"
)

func init() {
	cast := func(name, source, result string, verify func(op *mlir.Operation) error) assembly.Op {
		return assembly.Op{Name: "vector." + name, Traits: pure, Operands: "source is " + source, Results: "result is " + result, Verify: verify,
			Format: "$source attr-dict `:` type($source) `to` type($result)"}
	}
	assembly.Register("vector", []assembly.Op{
		cast("shape_cast", "vector", "vector", reshaped), cast("bitcast", "vector", "vector", recast),
		cast("broadcast", "any", "vector", broadcasts), cast("type_cast", "memref", "memref(any)", nil),
		{Name: "vector.extract", Traits: pure, Operands: "vector is vector, dynamic_position*: index", Results: "result",
			Verify: positioned(0), Attrs: "static_position: ints",
			Format: "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict" +
				" `:` type($result) `from` type($vector)"},
		{Name: "vector.insert", Traits: pure, Operands: "source, dest is vector, dynamic_position*: index", Results: "result: dest",
			Verify: positioned(1), Attrs: "static_position: ints",
			Format: "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict" +
				" `:` type($source) `into` type($dest)"},
		{Name: "vector.extractelement", Traits: pure, Operands: "vector is vector(0..1), position? is index | int", Results: "result: elem(vector)", Verify: located(0),
			Format: "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)"},
		{Name: "vector.insertelement", Traits: pure, Operands: "source: elem(result), dest: result, position? is index | int", Results: "result is vector(0..1)", Verify: located(1),
			Format: "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)"},
		{Name: "vector.fma", Traits: pure, Operands: "lhs is vector(float), rhs: lhs, acc: lhs", Results: "result: lhs",
			Format: "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"},
		{Name: "vector.splat", Traits: pure, Operands: "input: elem(aggregate) is int | index | float", Results: "aggregate is vector",
			Format: "$input attr-dict `:` type($aggregate)"},
		{Name: "vector.from_elements", Traits: pure, Operands: "elements*: elem(result)", Results: "result is vector", Verify: filled,
			Format: "$elements attr-dict `:` type($result)"},
		{Name: "vector.transpose", Traits: pure, Operands: "vector is vector", Results: "result is vector", Attrs: "permutation: ints", Verify: permuted,
			Format: "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"},
		{Name: "vector.reduction", Traits: pure, Verify: reduced, Operands: "vector is vector(0..1), acc?: dest", Results: "dest: elem(vector)", Attrs: kind + ", " + flags,
			Format: "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"},
		{Name: "vector.multi_reduction", Traits: pure, Verify: reducedAlong, Operands: "source is vector, acc: dest", Results: "dest",
			Attrs:  kind + ", reduction_dims: array",
			Format: "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"},
		{Name: "vector.scan", Traits: pure, Verify: scanned, Rules: "elem(source, initial_value)",
			Operands: "source is vector, initial_value is vector", Results: "dest: source, accumulated_value: initial_value",
			Attrs:  kind + ", reduction_dim: any, inclusive: any",
			Format: "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"},
		{Name: "vector.load", Operands: "base is memref, indices*: index", Results: "result is vector", Attrs: "nontemporal: bool = false",
			Rules: "indices(base, indices), contiguous(base)", Verify: loaded,
			Format: "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"},
		{Name: "vector.store", Operands: "valueToStore is vector, base is memref, indices*: index", Attrs: "nontemporal: bool = false",
			Rules: "indices(base, indices), contiguous(base)", Verify: stored,
			Format: "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"},
		{Name: "vector.maskedload", Operands: "base is memref, indices*: index, mask is vector(1 i1), pass_thru: result", Results: "result is vector(1)",
			Rules: "indices(base, indices), shape(mask, result)", Verify: loaded,
			Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.maskedstore", Operands: "base is memref, indices*: index, mask is vector(1 i1), valueToStore is vector(1)",
			Rules: "indices(base, indices), shape(mask, valueToStore)", Verify: storedUnder,
			Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.gather", Operands: "base is memref | tensor, indices*: index, index_vec is vector(1.. int | index), mask is vector(1.. i1), pass_thru: result",
			Results: "result is vector(1..)", Rules: "indices(base, indices), elem(base, result), shape(index_vec, mask, result)",
			Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.scatter", Operands: "base is memref, indices*: index, index_vec is vector(1 int | index), mask is vector(1 i1), valueToStore is vector(1)",
			Rules: "indices(base, indices), elem(base, valueToStore), shape(index_vec, mask, valueToStore)",
			Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.expandload", Operands: "base is memref, indices*: index, mask is vector(1 i1), pass_thru: result", Results: "result is vector(1)",
			Rules: "indices(base, indices), shape(mask, result)", Verify: loaded,
			Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.compressstore", Operands: "base is memref, indices*: index, mask is vector(1 i1), valueToStore is vector(1)",
			Rules: "indices(base, indices), shape(mask, valueToStore)", Verify: storedUnder,
			Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.create_mask", Traits: pure, Operands: "sizes*: index", Results: "result is vector(i1)", Verify: sized,
			Format: "$sizes attr-dict `:` type($result)"},
		{Name: "vector.constant_mask", Traits: pure, Results: "result is vector(i1)", Attrs: "mask_dim_sizes: array", Verify: masked,
			Format: "$mask_dim_sizes attr-dict `:` type($result)"},
		{Name: "vector.extract_strided_slice", Traits: pure, Operands: "vector is vector", Results: "result is vector", Verify: extracted,
			Format: "$vector attr-dict `:` type($vector) `to` type($result)"},
		{Name: "vector.insert_strided_slice", Traits: pure, Operands: "source is vector, dest is vector", Results: "result: dest",
			Rules: "elem(source, dest)", Verify: inserted,
			Format: "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"},
		{Name: "vector.interleave", Traits: pure, Operands: "lhs is vector, rhs: lhs", Results: "result is vector", Verify: interleaved,
			Format: "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"},
		{Name: "vector.deinterleave", Traits: pure, Operands: "source is vector(1..)", Results: "res1 is vector, res2: res1", Verify: halved,
			Format: "$source attr-dict `:` type($source) `->` type($res1)"},
		{Name: "vector.scalable.insert", Traits: pure, Operands: "source is vector(1), dest is vector(1)", Results: "result: dest",
			Attrs: "pos: i64", Rules: "elem(source, dest)",
			Format: "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)"},
		{Name: "vector.scalable.extract", Traits: pure, Operands: "source is vector(1)", Results: "result is vector(1)",
			Attrs: "pos: i64", Rules: "elem(source, result)",
			Format: "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)"},
		{Name: "vector.matrix_multiply", Traits: pure, Operands: "lhs is vector(1), rhs is vector(1)", Results: "res is vector(1)", Rules: "elem(lhs, rhs, res)",
			Attrs:  "lhs_rows: i32, lhs_columns: i32, rhs_columns: i32",
			Format: "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"},
		{Name: "vector.flat_transpose", Traits: pure, Operands: "matrix is vector(1)", Results: "res is vector(1)", Rules: "elem(matrix, res)",
			Attrs:  "rows: i32, columns: i32",
			Format: "$matrix attr-dict `:` type($matrix) `->` type($res)"},
		{Name: "vector.reshape", Traits: pure, Results: "result",
			Operands: "vector, input_shape*: index, output_shape*: index", Attrs: "fixed_vector_sizes: array",
			Format: "$vector `,` `[` $input_shape `]` `,` `[` $output_shape `]` `,` $fixed_vector_sizes attr-dict" +
				" `:` type($vector) `to` type($result)"},
		{Name: "vector.vscale", Traits: pure, Results: "result: index", Format: "attr-dict"},
		{Name: "vector.step", Traits: pure, Results: "result is vector(1 index)", Format: "attr-dict `:` type($result)"},
		{Name: "vector.yield", Traits: pure | mlir.Terminator, Operands: "operands_*",
			Format: "attr-dict ($operands_^ `:` type($operands_))?"},
		{Name: "vector.print", Operands: "source? is int | anyint | index | float | vector", Verify: printed,
			Attrs:  "punctuation: param(vector.punctuation) = newline, stringLiteral: str?",
			Format: "($source^ `:` type($source))? (`punctuation` $punctuation^)? (`str` $stringLiteral^)? attr-dict"},
	}, byHand()...)
}
