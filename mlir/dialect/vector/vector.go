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
	cast := func(name string, verify func(op *mlir.Operation) error) assembly.Op {
		return assembly.Op{Name: "vector." + name, Traits: pure, Operands: "source", Results: "result", Verify: verify,
			Format: "$source attr-dict `:` type($source) `to` type($result)"}
	}
	assembly.Register("vector", []assembly.Op{
		cast("shape_cast", reshaped), cast("bitcast", nil), cast("broadcast", broadcasts), cast("type_cast", nil),
		{Name: "vector.extract", Traits: pure, Operands: "vector, dynamic_position*: index", Results: "result",
			Verify: positioned(0), Attrs: "static_position: ints",
			Format: "$vector `` custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict" +
				" `:` type($result) `from` type($vector)"},
		{Name: "vector.insert", Traits: pure, Operands: "source, dest, dynamic_position*: index", Results: "result: dest",
			Verify: positioned(1), Attrs: "static_position: ints",
			Format: "$source `,` $dest custom<DynamicIndexList>($dynamic_position, $static_position) attr-dict" +
				" `:` type($source) `into` type($dest)"},
		{Name: "vector.extractelement", Traits: pure, Operands: "vector, position?", Results: "result: elem(vector)",
			Format: "$vector `[` ($position^ `:` type($position))? `]` attr-dict `:` type($vector)"},
		{Name: "vector.insertelement", Traits: pure, Operands: "source: elem(result), dest: result, position?", Results: "result",
			Format: "$source `,` $dest `[` ($position^ `:` type($position))? `]` attr-dict `:` type($result)"},
		{Name: "vector.fma", Traits: pure, Operands: "lhs, rhs: lhs, acc: lhs", Results: "result: lhs",
			Format: "$lhs `,` $rhs `,` $acc attr-dict `:` type($lhs)"},
		{Name: "vector.splat", Traits: pure, Operands: "input: elem(aggregate)", Results: "aggregate",
			Format: "$input attr-dict `:` type($aggregate)"},
		{Name: "vector.from_elements", Traits: pure, Operands: "elements*: elem(result)", Results: "result",
			Format: "$elements attr-dict `:` type($result)"},
		{Name: "vector.transpose", Traits: pure, Operands: "vector", Results: "result", Attrs: "permutation: ints",
			Format: "$vector `,` $permutation attr-dict `:` type($vector) `to` type($result)"},
		{Name: "vector.reduction", Traits: pure, Verify: knownKind, Operands: "vector, acc?: dest", Results: "dest", Attrs: kind + ", " + flags,
			Format: "$kind `,` $vector (`,` $acc^)? (`fastmath` `` $fastmath^)? attr-dict `:` type($vector) `into` type($dest)"},
		{Name: "vector.multi_reduction", Traits: pure, Verify: knownKind, Operands: "source, acc: dest", Results: "dest",
			Attrs:  kind + ", reduction_dims: array",
			Format: "$kind `,` $source `,` $acc attr-dict $reduction_dims `:` type($source) `to` type($dest)"},
		{Name: "vector.scan", Traits: pure, Verify: knownKind, Operands: "source, initial_value", Results: "dest: source, accumulated_value: initial_value",
			Attrs:  kind + ", reduction_dim: any, inclusive: any",
			Format: "$kind `,` $source `,` $initial_value attr-dict `:` type($source) `,` type($initial_value)"},
		{Name: "vector.load", Operands: "base, indices*: index", Results: "result", Attrs: "nontemporal: bool = false",
			Format: "$base `[` $indices `]` attr-dict `:` type($base) `,` type($result)"},
		{Name: "vector.store", Operands: "valueToStore, base, indices*: index", Attrs: "nontemporal: bool = false",
			Format: "$valueToStore `,` $base `[` $indices `]` attr-dict `:` type($base) `,` type($valueToStore)"},
		{Name: "vector.maskedload", Operands: "base, indices*: index, mask, pass_thru", Results: "result",
			Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.maskedstore", Operands: "base, indices*: index, mask, valueToStore",
			Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.gather", Operands: "base, indices*: index, index_vec, mask, pass_thru", Results: "result",
			Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.scatter", Operands: "base, indices*: index, index_vec, mask, valueToStore",
			Format: "$base `[` $indices `]` `[` $index_vec `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($index_vec) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.expandload", Operands: "base, indices*: index, mask, pass_thru", Results: "result",
			Format: "$base `[` $indices `]` `,` $mask `,` $pass_thru attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($pass_thru) `into` type($result)"},
		{Name: "vector.compressstore", Operands: "base, indices*: index, mask, valueToStore",
			Format: "$base `[` $indices `]` `,` $mask `,` $valueToStore attr-dict" +
				" `:` type($base) `,` type($mask) `,` type($valueToStore)"},
		{Name: "vector.create_mask", Traits: pure, Operands: "sizes*: index", Results: "result",
			Format: "$sizes attr-dict `:` type($result)"},
		{Name: "vector.constant_mask", Traits: pure, Results: "result", Attrs: "mask_dim_sizes: array",
			Format: "$mask_dim_sizes attr-dict `:` type($result)"},
		{Name: "vector.extract_strided_slice", Traits: pure, Operands: "vector", Results: "result",
			Format: "$vector attr-dict `:` type($vector) `to` type($result)"},
		{Name: "vector.insert_strided_slice", Traits: pure, Operands: "source, dest", Results: "result: dest",
			Format: "$source `,` $dest attr-dict `:` type($source) `into` type($dest)"},
		{Name: "vector.interleave", Traits: pure, Operands: "lhs, rhs: lhs", Results: "result",
			Format: "$lhs `,` $rhs attr-dict `:` type($lhs) `->` type($result)"},
		{Name: "vector.deinterleave", Traits: pure, Operands: "source", Results: "res1, res2: res1",
			Format: "$source attr-dict `:` type($source) `->` type($res1)"},
		{Name: "vector.scalable.insert", Traits: pure, Operands: "source, dest", Results: "result: dest", Attrs: "pos: i64",
			Format: "$source `,` $dest `[` $pos `]` attr-dict `:` type($source) `into` type($dest)"},
		{Name: "vector.scalable.extract", Traits: pure, Operands: "source", Results: "result", Attrs: "pos: i64",
			Format: "$source `[` $pos `]` attr-dict `:` type($result) `from` type($source)"},
		{Name: "vector.matrix_multiply", Traits: pure, Operands: "lhs, rhs", Results: "res",
			Format: "$lhs `,` $rhs attr-dict `:` `(` type($lhs) `,` type($rhs) `)` `->` type($res)"},
		{Name: "vector.flat_transpose", Traits: pure, Operands: "matrix", Results: "res",
			Format: "$matrix attr-dict `:` type($matrix) `->` type($res)"},
		{Name: "vector.reshape", Traits: pure, Results: "result",
			Operands: "vector, input_shape*: index, output_shape*: index", Attrs: "fixed_vector_sizes: array",
			Format: "$vector `,` `[` $input_shape `]` `,` `[` $output_shape `]` `,` $fixed_vector_sizes attr-dict" +
				" `:` type($vector) `to` type($result)"},
		{Name: "vector.vscale", Traits: pure, Results: "result: index", Format: "attr-dict"},
		{Name: "vector.step", Traits: pure, Results: "result", Format: "attr-dict `:` type($result)"},
		{Name: "vector.yield", Traits: pure | mlir.Terminator, Operands: "operands_*",
			Format: "attr-dict ($operands_^ `:` type($operands_))?"},
		{Name: "vector.print", Operands: "source?",
			Attrs:  "punctuation: param(vector.punctuation) = newline, stringLiteral: str?",
			Format: "($source^ `:` type($source))? (`punctuation` $punctuation^)? (`str` $stringLiteral^)? attr-dict"},
	}, byHand()...)
}
