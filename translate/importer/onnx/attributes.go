package onnx

import (
	"cmp"
	"maps"
	"slices"
	"strings"
)

// attributeNames are the names of attributes that the operators of a domain have in any of their versions:
// https://github.com/onnx/onnx/blob/main/docs/Changelog.md and Changelog-ml.md.
var attributeNames = map[string][]string{"": strings.Fields(`
	activation activation_alpha activation_beta activations align_corners allowzero alpha antialias approximate auto_pad axes axis batch_axis
	batch_dims beta bias block_size blocksize body broadcast case_change_action ceil_mode center_point_box chunk_size clip consumed_inputs
	coordinate_transformation_mode count_include_pad cubic_coeff_a delimiter detect_negative detect_positive dilations direction directions
	dtype else_branch end ends epsilon equation exclude_outside exclusive extrapolation_value fmod gamma group height_scale hidden_size high
	ignore_index input_forget interleaved inverse is_case_sensitive is_causal is_test k keep_aspect_ratio_policy keepdims kernel_shape
	kv_num_heads lambd largest layout left_window_size linear_before_reset locale low max max_gram_length max_skip_count maxsplit mean min
	min_gram_length mode momentum nearest_mode new_axis ngram_counts ngram_indexes noop_with_empty_axes num_groups num_heads num_outputs
	num_scan_inputs offset_group onesided output_datatype output_dtype output_height output_padding output_sequence output_shape output_width p
	padding_mode paddings pads pattern periodic perm pixel_format pool_int64s pool_strings pooled_shape precision q_num_heads
	qk_matmul_output_mode ratio reduction reverse right_window_size rotary_embedding_dim round_mode sample_size sampling_ratio saturate scale
	scales scan_input_axes scan_input_directions scan_output_axes scan_output_directions seed select_last_index shape size softcap
	softmax_precision sorted sparse_value spatial spatial_scale split start starts stash_type stopwords storage_order strides then_branch
	time_axis to training_mode transA transB type update_rule upper value value_float value_floats value_int value_ints value_string
	value_strings weights width_scale
`), classical: strings.Fields(`
	aggregate_function base_values base_values_as_tensor cast_to cats_int64s cats_strings class_ids class_nodeids class_treeids class_weights
	class_weights_as_tensor classes_strings classlabels_int64s classlabels_ints classlabels_strings coefficients default_float default_int64
	default_string default_tensor imputed_value_floats imputed_value_int64s inputdimensions int64_vocabulary intercepts kernel_params
	kernel_type keys_floats keys_int64s keys_strings keys_tensor leaf_targetids leaf_weights map_form max_map membership_values multi_class
	n_supports n_targets nodes_falseleafs nodes_falsenodeids nodes_featureids nodes_hitrates nodes_hitrates_as_tensor
	nodes_missing_value_tracks_true nodes_modes nodes_nodeids nodes_splits nodes_treeids nodes_trueleafs nodes_truenodeids nodes_values
	nodes_values_as_tensor norm offset one_class post_transform prob_a prob_b replaced_value_float replaced_value_int64 rho scale
	string_vocabulary support_vectors target_ids target_nodeids target_treeids target_weights target_weights_as_tensor targets threshold
	tree_roots values_floats values_int64s values_strings values_tensor vectors_per_class zeros
`)}

// checkAttributes refuses attributes that no operator of the domain has, such as misspelled ones, which would be without effect. Names that
// begin with two underscores are an exporter's own, as in ONNX, and normalizations of layers, which optimizers make of other operators, may have any.
func (n *node) checkAttributes() {
	names := attributeNames[n.Domain]
	if names == nil || operators[n.Key()] == nil || strings.HasSuffix(n.Op, "LayerNormalization") {
		return
	}
	for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
		if _, known := slices.BinarySearch(names, name); !known && !strings.HasPrefix(name, "__") {
			failf("no operator of %s has an attribute %.60q", cmp.Or(n.Domain, "ai.onnx"), name)
		}
	}
}
