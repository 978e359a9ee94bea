package bytecode

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// fromVHLO makes StableHLO of the operations of its versions, which a portable artifact has.
func fromVHLO(module *mlir.Operation) {
	module.Walk(func(op *mlir.Operation) {
		name, ok := strings.CutPrefix(op.Name, "vhlo.")
		if !ok {
			return
		}
		if i := strings.LastIndex(name, "_v"); i >= 0 {
			if _, err := strconv.Atoi(name[i+2:]); err == nil {
				name = name[:i]
			}
		}
		switch {
		case name == "func":
			functionFromVHLO(op)
		case name == "call":
			op.Name = "func.call"
			op.Attrs = mlir.Attrs{{Name: "callee", Value: symbolOf(op.Attrs.Get("callee"))}}
		case name == "return" && op.Parent() != nil && (op.Parent().Name == "vhlo.func_v1" || op.Parent().Name == "func.func"):
			op.Name = "func.return"
		default:
			op.Name = "stablehlo." + name
			op.Attrs = attributesOf(name, op.Attrs)
		}
	})
	// Casts between versions of a type stand around operations of other dialects.
	_ = mlir.Rewrite(module, func(r *mlir.Rewriter, op *mlir.Operation) error {
		if op.Name == "builtin.unrealized_conversion_cast" && len(op.Operands) == 1 && len(op.Results) == 1 &&
			mlir.SameType(op.Operands[0].Type, op.Results[0].Type) {
			r.Replace(op.Operands[0])
		}
		return nil
	})
}

func symbolOf(a mlir.Attribute) mlir.Attribute {
	s, _ := a.(mlir.StringAttr)
	return mlir.SymbolRefAttr{string(s)}
}

func functionFromVHLO(op *mlir.Operation) {
	old := op.Attrs
	op.Name = "func.func"
	op.Attrs = nil
	for _, name := range []string{"sym_name", "function_type"} { // a file that is damaged may be without
		if v := old.Get(name); v != nil {
			op.Attrs = append(op.Attrs, mlir.Named{Name: name, Value: v})
		}
	}
	if v, _ := old.Get("sym_visibility").(mlir.StringAttr); v != "" {
		op.Attrs = append(op.Attrs, mlir.Named{Name: "sym_visibility", Value: v})
	}
	own := []string{"sym_name", "function_type", "sym_visibility", "arg_attrs", "res_attrs"}
	for _, n := range old {
		if !slices.Contains(own, n.Name) {
			op.Attrs = append(op.Attrs, n)
		}
	}
	for _, name := range own[3:] {
		if list, _ := old.Get(name).(mlir.ArrayAttr); slices.ContainsFunc(list, func(a mlir.Attribute) bool {
			d, _ := a.(mlir.DictAttr)
			return len(d) > 0
		}) {
			op.Attrs = append(op.Attrs, mlir.Named{Name: name, Value: list})
		}
	}
}

// grouped are the attributes of vhlo that are one in StableHLO: its name there, its mnemonic, and the fields.
var grouped = map[string]struct {
	attr, mnemonic string
	fields         []string
}{
	"dot_general": {"dot_dimension_numbers", "dot", strings.Fields("lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions")},
	"gather":      {"dimension_numbers", "gather", gatherFields}, "dynamic_gather": {"dimension_numbers", "gather", gatherFields},
	"scatter": {"scatter_dimension_numbers", "scatter", strings.Fields("update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims scatter_dims_to_operand_dims index_vector_dim")},
}

var gatherFields = strings.Fields("offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map index_vector_dim")

// algorithm are the attributes of a product's algorithm.
var algorithm = strings.Fields("lhs_precision_type rhs_precision_type accumulation_type lhs_component_count rhs_component_count num_primitive_operations allow_imprecise_accumulation")

// attributesOf returns the attributes of an operation of StableHLO from the attributes of its vhlo form.
func attributesOf(name string, old mlir.Attrs) (out mlir.Attrs) {
	add := func(name string, a mlir.Attribute) { out = append(out, mlir.Named{Name: name, Value: a}) }
	used := map[string]bool{}
	if g, ok := grouped[name]; ok {
		var parts []string
		for _, f := range g.fields {
			used[f] = true
			if text := fieldText(old.Get(f)); text != "" && text != "[]" && (f != "index_vector_dim" || text != "0") {
				parts = append(parts, f+" = "+text)
			}
		}
		add(g.attr, mlir.OpaqueAttr{Text: "#stablehlo." + g.mnemonic + "<" + strings.Join(parts, ", ") + ">"})
	}
	if name == "convolution" || name == "dynamic_conv" {
		add("dimension_numbers", convolutionOf(old, used))
	}
	var parts []string
	for _, f := range algorithm {
		used[f] = true
		a := old.Get(f)
		if t, ok := a.(mlir.TypeAttr); ok && !mlir.SameType(t.Type, mlir.NoneType{}) {
			parts = append(parts, f+" = "+t.Type.String())
		} else if a != nil && !ok {
			text, _, _ := strings.Cut(a.String(), " : ")
			parts = append(parts, f+" = "+text)
		}
	}
	if t, ok := old.Get(algorithm[0]).(mlir.TypeAttr); ok && !mlir.SameType(t.Type, mlir.NoneType{}) {
		add("algorithm", mlir.OpaqueAttr{Text: "#stablehlo.dot_algorithm<" + strings.Join(parts, ", ") + ">"})
	}
	channel(old, used, add)
	for _, n := range old {
		if layout := n.Name == "operand_layouts" || n.Name == "result_layouts"; layout && !empty(old.Get("operand_layouts"), old.Get("result_layouts")) {
			add(n.Name, n.Value)
			continue
		}
		if v := attributeOf(name, n); v != nil && !used[n.Name] {
			add(n.Name, v)
		}
	}
	return out
}

// empty reports whether arrays have no items.
func empty(arrays ...mlir.Attribute) bool {
	return !slices.ContainsFunc(arrays, func(a mlir.Attribute) bool {
		list, _ := a.(mlir.ArrayAttr)
		return len(list) > 0
	})
}

// fieldText is a list of integers, or one.
func fieldText(a mlir.Attribute) string {
	if n, ok := a.(mlir.IntegerAttr); ok {
		return strconv.FormatInt(n.Value, 10)
	}
	list, ok := mlir.IntList(a)
	if !ok {
		return ""
	}
	words := make([]int64, len(list))
	for i, n := range list {
		words[i] = int64(n)
	}
	return numbers(words)
}

// convolutionOf are the dimension numbers of a convolution.
func convolutionOf(old mlir.Attrs, used map[string]bool) mlir.Attribute {
	side := func(what, first, second, a, b string) string {
		spatial, _ := mlir.IntList(old.Get(what + "_spatial_dimensions"))
		labels := make([]string, len(spatial)+2)
		put := func(name, label string) {
			used[name] = true
			if n, ok := old.Get(name).(mlir.IntegerAttr); ok && n.Value >= 0 && int(n.Value) < len(labels) {
				labels[n.Value] = label
			}
		}
		used[what+"_spatial_dimensions"] = true
		put(what+first, a)
		put(what+second, b)
		for i, d := range spatial {
			if d >= 0 && d < len(labels) {
				labels[d] = strconv.Itoa(i)
			}
		}
		return "[" + strings.Join(labels, ", ") + "]"
	}
	return mlir.OpaqueAttr{Text: "#stablehlo.conv<" + side("input", "_batch_dimension", "_feature_dimension", "b", "f") + "x" +
		side("kernel", "_input_feature_dimension", "_output_feature_dimension", "i", "o") + "->" +
		side("output", "_batch_dimension", "_feature_dimension", "b", "f") + ">"}
}

// channel joins the number and the type of a channel.
func channel(old mlir.Attrs, used map[string]bool, add func(string, mlir.Attribute)) {
	id, ok := old.Get("channel_id").(mlir.IntegerAttr)
	if !ok {
		return
	}
	used["channel_id"], used["channel_type"] = true, true
	kind, typed := old.Get("channel_type").(mlir.IntegerAttr)
	if !typed {
		kind.Value = 1 // between devices
	}
	if id.Value == 0 && !typed {
		return
	}
	add("channel_handle", mlir.OpaqueAttr{Text: "#stablehlo.channel_handle<handle = " + strconv.FormatInt(id.Value, 10) +
		", type = " + strconv.FormatInt(kind.Value, 10) + ">"})
}

// numbered are attributes that are lists of integers as arrays in StableHLO, and tensors in vhlo.
var numbered = strings.Fields(`broadcast_dimensions broadcast_sizes permutation dimensions slice_sizes start_indices limit_indices strides
	edge_padding_low edge_padding_high interior_padding fft_length window_dimensions window_strides base_dilations window_dilations
	lhs_dilation rhs_dilation known_expanding_dimensions known_nonexpanding_dimensions`)

// attributeOf is the attribute of StableHLO for one of vhlo, nil for one that goes without saying.
func attributeOf(op string, n mlir.Named) mlir.Attribute {
	switch a := n.Value.(type) {
	case nil:
		return nil
	case mlir.DenseAttr:
		if slices.Contains(numbered, n.Name) {
			if list, ok := mlir.IntList(a); ok {
				if len(list) == 0 && strings.HasPrefix(n.Name, "known_") {
					return nil
				}
				return mlir.Ints(list)
			}
		}
		if n.Name == "window_reversal" {
			out := mlir.DenseArrayAttr{Elem: mlir.I1, Ints: make([]int64, a.Len())}
			for i := range out.Ints {
				out.Ints[i] = a.IntAt(i) & 1
			}
			return out
		}
	case mlir.ArrayAttr:
		if n.Name == "called_computations" {
			list := mlir.ArrayAttr{}
			for _, s := range a {
				list = append(list, symbolOf(s))
			}
			if len(list) == 0 {
				return nil
			}
			return list
		}
		if len(a) == 0 {
			return nil
		}
	case mlir.StringAttr:
		switch {
		case n.Name == "decomposition":
			return symbolOf(a)
		case a == "" && n.Name != "call_target_name":
			return nil
		}
	case mlir.IntegerAttr:
		if flags := []string{"use_global_device_ids", "has_dynamic_root"}; slices.Contains(flags, n.Name) {
			if a.Value == 0 {
				return nil
			}
			return mlir.UnitAttr{}
		}
		if mlir.SameType(a.Type, mlir.I1) && a.Value == 0 && (n.Name == "has_side_effect" || n.Name == "indices_are_sorted" || n.Name == "unique_indices") {
			return nil
		}
	case mlir.OpaqueAttr:
		if a.Text == "#stablehlo<comparison_type NOTYPE>" || a.Text == defaultAccuracy {
			return nil
		}
	}
	return n.Value
}
