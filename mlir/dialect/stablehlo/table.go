package stablehlo

import (
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// Classes of tensors, by the kinds of their elements.
const (
	all       = "tensor(pred | signed | unsigned | real | pairs | quantized)"
	axes      = "tensor(pred | signed | unsigned | real | pairs | quantized | peraxis)"
	plainOnly = "tensor(pred | signed | unsigned | real | pairs)"
	integers  = "tensor(signed | unsigned)"
	bits      = "tensor(pred | signed | unsigned)"
	preds     = "tensor(pred)"
	reals     = "tensor(real)"
	halves    = "tensor(real | pairs)"
	measured  = "tensor(real | quantized)"
	smooth    = "tensor(real | pairs | quantized)"
	numeric   = "tensor(signed | unsigned | real | pairs | quantized)"
	oriented  = "tensor(signed | real | pairs | quantized)"
	drawn     = "tensor(pred | signed | unsigned | real)"
	states    = "tensor(signed | unsigned | real)"
	index     = "tensor(0 signed | unsigned)"
	extent    = "tensor(1 signed | unsigned | index)"
	scalar    = "tensor(0 pred | signed | unsigned | real | pairs | quantized)"
	carried   = axes + " | token"
	anything  = axes + " | token | tuple | memref"
	passed    = "tensor*(pred | signed | unsigned | real | pairs | quantized | peraxis) | token | tuple | memref | future"
)

// row is an operation of the table: its operands and results with their classes, its attributes, relations
// between types, and a check of what these do not say.
type row struct {
	names             string
	traits            mlir.Trait
	operands, results string
	attrs, rules      string
	regions           string
	form              form
	check             func(facts) error
}

const (
	onValue = "operand is "
	gives   = "result is "
)

// two are operands and results of a class.
func two(class string) (operands, results string) {
	return "lhs is " + class + ", rhs is " + class, gives + class
}

func unary(names, operand, result, rules string, check func(facts) error) row {
	return row{names: names, traits: mlir.Pure, operands: onValue + operand, results: gives + result, rules: rules, form: plain, check: check}
}

func binary(names, class string) row {
	in, out := two(class)
	return row{names: names, traits: mlir.Pure, operands: in, results: out, rules: "compatible(lhs, rhs, result)", form: plain}
}

// rows are the operations of the dialect.
var rows = []row{
	unary("abs", oriented, "tensor(signed | real | quantized)", "", verifyAbs),
	unary(`cbrt cosine exponential exponential_minus_one log log_plus_one logistic rsqrt sine sqrt tan tanh`,
		smooth, smooth, "compatible(operand, result)", nil),
	unary("ceil floor round_nearest_afz round_nearest_even", measured, measured, "compatible(operand, result)", nil),
	unary("convert", plainOnly, plainOnly, "", verifyConvert),
	unary("count_leading_zeros popcnt", integers, integers, "compatible(operand, result)", nil),
	unary("not", bits, bits, "compatible(operand, result)", nil),
	unary("negate", numeric, numeric, "compatible(operand, result)", nil),
	unary("sign", oriented, oriented, "compatible(operand, result)", nil),
	unary("real imag", halves, reals, "", verifyPart),
	unary("is_finite", measured, preds, "", verifyIsFinite),
	unary("bitcast_convert", axes, axes, "", verifyBitcastConvert),
	unary("uniform_quantize", "tensor(real | quantized | peraxis)", "tensor(quantized | peraxis)", "axes(operand, result)", verifyUniformQuantize),
	unary("uniform_dequantize", "tensor(quantized | peraxis)", reals, "axes(operand)", verifyUniformDequantize),
	binary("atan2", smooth),
	binary("divide power remainder subtract", numeric),
	binary("maximum minimum multiply", all),
	binary("and or xor", bits),
	binary("shift_left shift_right_arithmetic shift_right_logical", integers),
	{names: "add", traits: mlir.Pure, operands: "lhs is " + axes + ", rhs is " + axes, results: gives + axes,
		rules: "extents(lhs, rhs, result), axes(lhs, rhs, result)", form: plain, check: verifyAdd},
	{names: "complex", traits: mlir.Pure, operands: "lhs is tensor(f32 | f64), rhs is tensor(f32 | f64)",
		results: gives + "tensor(pairs)", rules: "compatible(lhs, rhs)", form: form{parseComplex, mlir.PrintFunctional}, check: verifyComplex},
	{names: "compare", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + all, results: gives + preds,
		attrs: "comparison_direction: " + word("comparison_direction") + ", compare_type: " + word("comparison_type") + "?", rules: "elements(lhs, rhs), shape(lhs, rhs, result)",
		form: form{parseCompare, printCompare}, check: verifyCompare},
	{names: "clamp", traits: mlir.Pure, operands: "min is " + all + ", operand is " + all + ", max is " + all, results: gives + all,
		rules: "elements(operand, min, max, result)", form: plain, check: verifyClamp},
	{names: "select", traits: mlir.Pure, operands: "pred is " + preds + ", true is " + all + ", false is " + all,
		results: gives + all, form: plain, check: verifySelectOp},
	keyedRow("reduce_precision", onValue+measured, measured, "exponent_bits: i32(1..), mantissa_bits: i32(0..)", "compatible(operand, result)", nil),

	{names: "reshape", traits: mlir.Pure, operands: onValue + axes, results: gives + axes,
		rules: "elements(operand, result), bounded(result), axes(operand, result)", form: plain, check: verifyReshape},
	{names: "dynamic_reshape", traits: mlir.Pure, operands: onValue + axes + ", shape is " + extent, results: gives + axes,
		rules: "static(shape), elements(operand, result), axes(operand, result)", form: plain, check: verifyDynamicReshape},
	keyedRow("broadcast", onValue+all, axes, "broadcast_sizes: any", "elements(operand, result)", verifyBroadcast),
	keyedRow("broadcast_in_dim", onValue+axes, axes, "broadcast_dimensions: any", "bounded(result), axes(operand, result)", verifyBroadcastInDim),
	keyedRow("dynamic_broadcast_in_dim", onValue+axes+", shape is "+extent, axes, "broadcast_dimensions: any", "static(shape), axes(operand, result)", verifyDynamicBroadcastInDim),
	keyedRow("transpose", onValue+axes, axes, "permutation: any", "elements(operand, result), axes(operand, result)", verifyTranspose),
	keyedRow("reverse", onValue+all, all, "dimensions: any", "compatible(operand, result)", verifyReverse),
	keyedRow("concatenate", "operands* is "+all, all, "dimension: i64(0..)", "elements(operands, result)", verifyConcatenate),
	keyedRow("iota", "", numeric, "iota_dimension: i64(0..)", "static(result)", verifyIota),
	keyedRow("dynamic_iota", "shape is "+extent, numeric, "iota_dimension: i64(0..)", "static(shape)", verifyDynamicIota),
	keyedRow("get_dimension_size", onValue+axes, "tensor(i32)", "dimension: i64(0..)", "", verifyGetDimensionSize),
	keyedRow("set_dimension_size", onValue+all+", size is tensor(i32)", all, "dimension: i64(0..)", "elements(operand, result)", verifySetDimensionSize),
	keyedRow("dynamic_slice", onValue+all+", starts* is "+index, all, "slice_sizes: any", "elements(operand, result)", verifyDynamicSlice),
	keyedRow("pad", onValue+all+", value is "+scalar, all, "edge_padding_low: any, edge_padding_high: any, interior_padding: any", "elements(operand, value, result)", verifyPad),
	{names: "slice", traits: mlir.Pure, operands: onValue + all, results: gives + all, rules: "elements(operand, result)",
		attrs: "start_indices: any, limit_indices: any, strides: any", form: form{parseSlice, printSlice}, check: verifySlice},
	{names: "dynamic_update_slice", traits: mlir.Pure, operands: onValue + all + ", update is " + all + ", starts* is " + index,
		results: gives + all, rules: "elements(operand, update, result)", form: plain, check: verifyDynamicUpdateSlice},
	{names: "real_dynamic_slice", traits: mlir.Pure, operands: onValue + all + ", start is " + extent + ", limit is " + extent + ", strides is " + extent,
		results: gives + all, rules: "elements(operand, result), type(start, limit, strides)", form: plain, check: verifyRealDynamicSlice},
	{names: "dynamic_pad", traits: mlir.Pure, operands: onValue + all + ", value is " + scalar + ", low is " + extent + ", high is " + extent + ", interior is " + extent,
		results: gives + all, rules: "elements(operand, value, result), type(low, high, interior), static(low), rank(operand, result)",
		form: plain, check: verifyDynamicPad},
	{names: "constant", traits: mlir.Pure | mlir.ConstantLike, results: gives + all, attrs: "value: elements",
		form: form{parseConstant, printConstant}, check: verifyConstant},
	{names: "sort", operands: "inputs* is " + all, results: "results* is " + all, regions: "comparator",
		rules: "shape(inputs, results)", attrs: "dimension: i64?, is_stable: bool?", check: verifySort},

	{names: "dot", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + axes, results: gives + axes,
		rules: "axes(rhs, result)", form: form{parseDot, nil}, check: verifyDot},
	{names: "dot_general", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + axes, results: gives + axes,
		attrs: "dot_dimension_numbers: any", rules: "axes(rhs, result)", form: form{parseDotGeneral, nil}, check: verifyDotGeneral},
	{names: "convolution", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + axes, results: gives + axes,
		attrs: "feature_group_count: i64(1..), batch_group_count: i64(1..), dimension_numbers: any",
		rules: "axes(rhs, result)", form: form{parseConvolution, nil}, check: verifyConvolution},
	{names: "dynamic_conv", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + all + ", padding is " + integers, results: gives + all,
		attrs: "feature_group_count: i64(1..), batch_group_count: i64(1..), dimension_numbers: any",
		rules: "static(padding)", form: plain, check: verifyDynamicConv},
	{names: "einsum", traits: mlir.Pure, operands: "lhs is " + all + ", rhs is " + all, results: gives + all, attrs: "einsum_config: str", form: plain},
	{names: "unary_einsum", traits: mlir.Pure, operands: onValue + all, results: gives + all, attrs: "einsum_config: str", form: plain},
	{names: "torch_index_select", traits: mlir.Pure, operands: onValue + all + ", index is " + all, results: gives + all, attrs: "dim: i64, batch_dims: i64",
		check: verifyIndexSelect},
	keyedRow("fft", onValue+halves, halves, "fft_type: "+word("fft_type")+", fft_length: any", "", verifyFFT),
	{names: "triangular_solve", traits: mlir.Pure, operands: "a is " + halves + ", b is " + halves, results: gives + halves,
		attrs: "left_side: bool, lower: bool, unit_diagonal: bool, transpose_a: " + word("transpose"), rules: "elements(a, b, result)", check: verifyTriangularSolve},
	keyedRow("cholesky", "a is "+smooth, smooth, "lower: bool?", "elements(a, result)", verifyCholesky),
	norm("batch_norm_inference", measured+", scale is "+vector+", offset is "+vector+", mean is "+vector+", variance is "+vector, gives+measured),
	norm("batch_norm_training", measured+", scale is "+vector+", offset is "+vector, "output is "+measured+", mean is "+vector+", variance is "+vector),
	norm("batch_norm_grad", measured+", scale is "+vector+", mean is "+vector+", variance is "+vector+", cotangent is "+measured,
		"output is "+measured+", scales is "+vector+", offsets is "+vector),

	{names: "gather", traits: mlir.Pure, operands: onValue + all + ", indices is " + integers, results: gives + all,
		attrs: "dimension_numbers: any, slice_sizes: any, indices_are_sorted: bool?", rules: "elements(operand, result)", check: verifyGather},
	{names: "dynamic_gather", traits: mlir.Pure, operands: onValue + all + ", indices is " + integers + ", sizes is " + integers, results: gives + all,
		attrs: "dimension_numbers: any, indices_are_sorted: bool?", rules: "elements(operand, result), static(sizes)", form: plain, check: verifyDynamicGather},
	{names: "scatter", operands: "operands* is " + all + " | tensor(anyint | index)", results: "results* is " + all, regions: "update",
		attrs: "scatter_dimension_numbers: any, indices_are_sorted: bool?, unique_indices: bool?", check: verifyScatter},

	{names: "map", operands: "inputs* is " + all, results: gives + all, regions: "computation", attrs: "dimensions: any",
		rules: "shape(inputs, result)", check: verifyMap},
	{names: "reduce", traits: mlir.RecursiveEffects, operands: "operands* is " + all, results: "results* is " + all, regions: "body",
		attrs: "dimensions: any", form: form{parseReduce, nil}, check: verifyReduce},
	{names: "reduce_window", operands: "operands* is " + all, results: "results* is " + all, regions: "body",
		attrs: "window_dimensions: any", check: verifyReduceWindow},
	{names: "select_and_scatter", operands: onValue + all + ", source is " + all + ", init is " + all, results: gives + all,
		regions: "select, scatter", check: verifySelectAndScatter},
	{names: "while", operands: "operands* is " + anything, results: "results* is " + anything, regions: "cond, body",
		form: form{parseWhile, nil}, check: verifyWhile},
	{names: "if", operands: "pred is " + preds, results: "results* is " + carried, regions: "true, false", check: verifyBranches},
	{names: "case", operands: "index is tensor(i32)", results: "results* is " + carried, regions: "branches*", check: verifyBranches},
	{names: "return", traits: mlir.Terminator | mlir.Pure, operands: "results* is " + passed,
		form: form{mlir.ParseReturn, mlir.PrintReturn}},
	{names: "async_start", operands: "operands* is " + all, results: "result is future", regions: "body", check: verifyAsyncStart},
	{names: "async_done", operands: "operand is future", results: gives + all, check: verifyAsyncDone},

	{names: "all_reduce", operands: "operands* is " + all, results: "results* is " + all, regions: "computation", check: verifyAllReduce},
	{names: "collective_reduce", operands: "operands* is " + all, results: "results* is " + all, regions: "computation", check: verifyCollectiveReduce},
	{names: "reduce_scatter", operands: onValue + all, results: gives + all, regions: "computation",
		attrs: "scatter_dimension: i64(0..)", check: verifyReduceScatter},
	{names: "all_gather", operands: "operands* is " + all, results: "results* is " + all, attrs: "all_gather_dim: i64(0..)", check: verifyAllGather},
	{names: "all_to_all", operands: "operands* is " + all, results: "results* is " + all,
		attrs: "split_dimension: i64(0..), concat_dimension: i64(0..), split_count: i64(1..)", check: verifyAllToAll},
	{names: "collective_broadcast", operands: "operands* is " + all, results: "results* is " + all, check: verifyCollectiveBroadcast},
	{names: "collective_permute", operands: onValue + all, results: gives + all, attrs: "source_target_pairs: elements",
		rules: "elements(operand, result)", check: verifyCollectivePermute},
	{names: "cross-replica-sum", operands: onValue + all, results: gives + all, attrs: "replica_groups: elements", rules: "compatible(operand, result)"},
	{names: "replica_id partition_id", results: "result is tensor(0 ui32)", form: form{parsePlain, nil}},

	keyedRow("rng", "a is tensor(0 pred | signed | unsigned | real), b is tensor(0 pred | signed | unsigned | real), shape is "+extent, drawn,
		"rng_distribution: "+word("rng_distribution"), "elements(a, b, result), static(shape)", verifyRng),
	{names: "rng_bit_generator", operands: "state is " + states, results: "next is " + states + ", output is " + states,
		attrs: "rng_algorithm: " + word("rng_algorithm"), rules: "static(output)",
		form: form{keys{{"algorithm", "rng_algorithm", enum("rng_algorithm"), Enum}}.parse, nil}, check: verifyRngBitGenerator},

	{names: "after_all", operands: "inputs* is token", results: "result is token", form: form{parsePlain, nil}},
	{names: "create_token", results: "result is token", form: form{parsePlain, nil}},
	{names: "infeed", operands: "token is token", results: "results*", check: verifyInfeed},
	{names: "outfeed", operands: "inputs* is " + axes + ", token is token", results: "result is token"},
	{names: "send", operands: "inputs* is " + axes + ", token is token", results: "result is token", attrs: "channel_handle: any", check: verifySend},
	{names: "recv", operands: "token is token", results: "results*", attrs: "channel_handle: any", check: verifyRecv},
	{names: "tuple", traits: mlir.Pure, operands: "values* is " + anything, results: "result is tuple", form: form{parseTuple, nil}, check: verifyTuple},
	{names: "get_tuple_element", traits: mlir.Pure, operands: "operand is tuple", results: gives + anything, attrs: "index: i32(0..)",
		form: form{parseElement, nil}, check: verifyElement},
	{names: "optimization_barrier", operands: "operands* is " + all + " | token", results: "results* is " + all + " | token",
		form: form{parseBarrier, nil}, check: verifyBarrier},
	{names: "custom_call", operands: "inputs* is " + passed, results: "results* is " + passed, regions: "called*",
		attrs: "call_target_name: str", form: form{parseCustomCall, nil}, check: verifyCustomCall},
	{names: "composite", operands: "inputs*", results: "results*", regions: "parts*", attrs: "name: str, decomposition: sym",
		form: form{parseComposite, nil}, check: verifyComposite},
}

const vector = "tensor(1 real | quantized)"

func norm(name, operands, results string) row {
	rules := "elements(operand, scale)"
	return row{names: name, traits: mlir.Pure, operands: onValue + operands, results: results, rules: rules,
		attrs: "epsilon: float, feature_index: i64(0..)", check: verifyBatchNorm}
}

func keyedRow(name, operands, result, attrs, rules string, check func(facts) error) row {
	k := keyed[name]
	return row{names: name, traits: mlir.Pure, operands: operands, results: gives + result, attrs: attrs, rules: rules,
		form: form{k.parse, k.print}, check: check}
}

// definitions are the operations of rows of a dialect.
func definitions(dialect string, rows []row) (ops []mlir.OpDef) {
	for _, r := range rows {
		for _, name := range strings.Fields(r.names) {
			op := assembly.Op{Name: dialect + "." + name, Traits: r.traits, Operands: r.operands, Results: r.results,
				Attrs: r.attrs, Rules: r.rules, Regions: r.regions, Parse: r.form.parse, Print: r.form.print}
			if check := r.check; check != nil {
				op.Verify = func(op *mlir.Operation) error { return check(facts{Operation: op}) }
			}
			ops = append(ops, op.Def())
		}
	}
	return ops
}
