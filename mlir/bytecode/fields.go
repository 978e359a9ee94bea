package bytecode

import (
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// fields are the properties of operations whose definitions here do not list them. Versions of MLIR that differ are
// separated by |.
var fields = map[string]string{
	"builtin.module":       "sym_name? sym_visibility?",
	"func.func":            "arg_attrs? function_type res_attrs? sym_name sym_visibility? | arg_attrs? function_type no_inline? res_attrs? sym_name sym_visibility?",
	"func.call":            "callee | callee no_inline? | arg_attrs? callee no_inline? res_attrs?",
	"func.call_indirect":   "| arg_attrs? res_attrs?",
	"func.constant":        "value",
	"arith.constant":       "value",
	"arith.cmpi":           "predicate",
	"arith.cmpf":           "fastmath? predicate",
	"arith.truncf":         "roundingmode? | fastmath? roundingmode?",
	"arith.scaling_truncf": "fastmath? roundingmode?",
	"cf.cond_br":           "operandSegmentSizes:3 | branch_weights? operandSegmentSizes:3",
	"cf.assert":            "msg",
	"cf.switch":            "case_operand_segments case_values? operandSegmentSizes:3",

	"affine.apply": "map", "affine.min": "map", "affine.max": "map", "affine.load": "map", "affine.store": "map",
	"affine.vector_load": "map", "affine.vector_store": "map", "affine.if": "condition",
	"affine.prefetch": "isDataCache isWrite localityHint map",
	"affine.for":      "lowerBoundMap step upperBoundMap operandSegmentSizes:3",
	"affine.parallel": "lowerBoundsGroups lowerBoundsMap reductions steps upperBoundsGroups upperBoundsMap",

	"linalg.generic":   "doc? indexing_maps iterator_types library_call? operandSegmentSizes:2",
	"linalg.transpose": "permutation", "linalg.broadcast": "dimensions", "linalg.reduce": "dimensions", "linalg.map": "",
	"linalg.index": "dim", "linalg.softmax": "dimension", "linalg.pack": "inner_dims_pos outer_dims_perm? static_inner_tiles",
	"linalg.unpack": "inner_dims_pos outer_dims_perm? static_inner_tiles",

	"memref.global": "alignment? constant? initial_value? sym_name sym_visibility? type", "scf.execute_region": "| no_inline?",
	"memref.prefetch": "isDataCache isWrite localityHint", "memref.load": "alignment? nontemporal? | nontemporal?",
	"memref.store": "alignment? nontemporal? | nontemporal?", "vector.warp_execute_on_lane_0": "warp_size",
	"affine.delinearize_index": "static_basis", "affine.linearize_index": "disjoint? static_basis operandSegmentSizes:2",
	"memref.transpose": "permutation", "memref.expand_shape": "reassociation static_output_shape | reassociation",
	"memref.subview":          "static_offsets static_sizes static_strides operandSegmentSizes:4",
	"memref.reinterpret_cast": "static_offsets static_sizes static_strides operandSegmentSizes:4",
	"ml_program.global":       "is_mutable? sym_name sym_visibility? type value?",
	"ml_program.func":         "arg_attrs? function_type res_attrs? sym_name sym_visibility?",
	"ml_program.subgraph":     "arg_attrs? function_type res_attrs? sym_name sym_visibility?",
	"scf.index_switch":        "cases", "scf.parallel": "operandSegmentSizes:4", "scf.for": "| unsignedCmp?",
	"scf.forall": "mapping? staticLowerBound staticStep staticUpperBound operandSegmentSizes:4",

	"tensor.extract_slice":         "static_offsets static_sizes static_strides operandSegmentSizes:4",
	"tensor.insert_slice":          "static_offsets static_sizes static_strides operandSegmentSizes:5",
	"tensor.parallel_insert_slice": "static_offsets static_sizes static_strides operandSegmentSizes:5",
	"tensor.pad":                   "nofold? static_high static_low operandSegmentSizes:3",
	"tensor.expand_shape":          "reassociation static_output_shape | reassociation",
	"tensor.collapse_shape":        "reassociation",
	"tensor.gather":                "gather_dims unique?", "tensor.scatter": "scatter_dims unique?", "tensor.concat": "dim",
	"tensor.pack":   "inner_dims_pos outer_dims_perm? static_inner_tiles operandSegmentSizes:4",
	"tensor.unpack": "inner_dims_pos outer_dims_perm? static_inner_tiles",

	"tosa.variable": "initial_value? name type | initial_value? sym_name type var_shape", "tosa.variable.read": "name",
	"tosa.variable.write": "name", "tosa.variable_read": "name", "tosa.variable_write": "name",

	"vector.transfer_read":   "in_bounds permutation_map operandSegmentSizes:4 | in_bounds? permutation_map operandSegmentSizes:4",
	"vector.transfer_write":  "in_bounds permutation_map operandSegmentSizes:4 | in_bounds? permutation_map operandSegmentSizes:4",
	"vector.contract":        "indexing_maps iterator_types kind?",
	"vector.multi_reduction": "kind reduction_dims", "vector.reduction": "fastmath? kind", "vector.outerproduct": "kind?",
	"vector.shuffle": "mask", "vector.extract": "static_position", "vector.insert": "static_position",
	"vector.insert_strided_slice": "offsets strides", "vector.extract_strided_slice": "offsets sizes strides",
	"vector.scan": "inclusive kind reduction_dim", "vector.print": "punctuation? stringLiteral?",
	"vector.constant_mask": "mask_dim_sizes",
}

// family is the properties that many operations of a dialect have.
func family(name string) (string, bool) {
	dialect, op, _ := strings.Cut(name, ".")
	switch {
	case dialect == "math", dialect == "complex", dialect == "arith" && strings.HasSuffix(op, "f"):
		return "fastmath?", true
	case dialect == "arith":
		return "overflowFlags?", true
	case dialect != "linalg":
		return "", false
	case strings.HasPrefix(op, "conv"), strings.HasPrefix(op, "depthwise"), strings.HasPrefix(op, "pooling"):
		return "dilations? strides? operandSegmentSizes:2", true
	case strings.HasPrefix(op, "elemwise"):
		return "cast? fun? operandSegmentSizes:2", true
	}
	return "operandSegmentSizes:2 | cast? operandSegmentSizes:2 | cast? indexing_maps? operandSegmentSizes:2", true
}

// fieldsOf are the lists of properties that an operation may have, each in order.
func fieldsOf(name string) (list [][]string) {
	add := func(text string) {
		for _, version := range strings.Split(text, "|") {
			list = append(list, strings.Fields(version))
		}
	}
	if f, ok := fields[name]; ok {
		add(f)
	}
	if op, ok := strings.CutPrefix(name, "vhlo."); ok {
		add(vhloFields[op])
	}
	if def := mlir.Lookup(name); def != nil && def.Properties != nil {
		list = append(list, def.Properties)
		if i := slices.IndexFunc(def.Properties, func(p string) bool { return strings.HasPrefix(p, "operandSegmentSizes") }); i >= 0 {
			list = append(list, slices.Delete(slices.Clone(def.Properties), i, i+1))
		}
	}
	if f, ok := family(name); ok {
		add(f)
	}
	return list
}
