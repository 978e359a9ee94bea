package onnx

import (
	"maps"
	"slices"
	"strings"
)

// attributeNames are the names of attributes that the operators of ai.onnx have in any of their versions:
// https://github.com/onnx/onnx/blob/main/docs/Changelog.md.
var attributeNames = strings.Fields(`
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
`)

// checkAttributes refuses attributes that no operator of ai.onnx has, such as misspelled ones, which would be without effect. Names that begin
// with two underscores are an exporter's own, as in ONNX.
func (n *node) checkAttributes() {
	for _, name := range slices.Sorted(maps.Keys(n.attributes)) {
		if _, known := slices.BinarySearch(attributeNames, name); !known && !strings.HasPrefix(name, "__") {
			failf("no operator of ai.onnx has an attribute %.60q", name)
		}
	}
}
