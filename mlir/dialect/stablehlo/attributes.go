package stablehlo

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// enumerations are the words of each.
var enumerations = map[string]string{
	"precision": "DEFAULT HIGH HIGHEST", "fft_type": "FFT IFFT RFFT IRFFT",
	"comparison_direction": "EQ NE GE GT LE LT", "comparison_type": "NOTYPE FLOAT TOTALORDER SIGNED UNSIGNED",
	"rng_distribution": "UNIFORM NORMAL", "rng_algorithm": "DEFAULT THREE_FRY PHILOX",
	"transpose":            "TRANSPOSE_INVALID NO_TRANSPOSE TRANSPOSE ADJOINT",
	"result_accuracy_mode": "DEFAULT HIGHEST TOLERANCE",
}

// word is the kind of an attribute with a word of an enumeration, as operations state the kinds of attributes.
func word(enumeration string) string { return "word(stablehlo<" + enumeration + ">)" }

// structures are the fields of attributes with several, in order.
var structures = map[string]string{
	"scatter": "update_window_dims inserted_window_dims input_batching_dims scatter_indices_batching_dims scatter_dims_to_operand_dims index_vector_dim",
	"gather":  "offset_dims collapsed_slice_dims operand_batching_dims start_indices_batching_dims start_index_map index_vector_dim",
	"dot":     "lhs_batching_dimensions rhs_batching_dimensions lhs_contracting_dimensions rhs_contracting_dimensions",
}

// checkAttr refuses attributes that the dialect does not have.
func checkAttr(a mlir.OpaqueAttr) error {
	text := strings.TrimPrefix(a.Text, "#stablehlo")
	if inner, ok := strings.CutPrefix(text, "<"); ok {
		name, word, _ := strings.Cut(strings.TrimSuffix(inner, ">"), " ")
		if words, known := enumerations[name]; known && !slices.Contains(strings.Fields(words), strings.TrimSpace(word)) {
			return fmt.Errorf("%s is none of %s", a.Text, words)
		}
		name, _, _ = strings.Cut(inner, "<")
		if _, known := structures[name]; !known {
			return nil
		}
		text = "." + strings.TrimSuffix(inner, ">")
	}
	name, inner, ok := strings.Cut(strings.TrimPrefix(text, "."), "<")
	if !ok {
		return fmt.Errorf("%s is no attribute of the dialect, all of which have brackets", a.Text)
	}
	inner = strings.TrimSpace(strings.TrimSuffix(inner, ">"))
	switch name {
	case "conv":
		return checkConvolution(inner)
	case "result_accuracy":
		return checkAccuracy(inner)
	case "dot_algorithm":
		return checkAlgorithm(inner)
	}
	if fields, known := structures[name]; known {
		return checkFields(strings.Fields(fields), inner)
	}
	return nil
}

// split cuts a text at the commas outside of brackets.
func split(text string) (list []string) {
	depth, start := 0, 0
	for i, c := range text + "," {
		switch {
		case strings.ContainsRune("[<(", c):
			depth++
		case strings.ContainsRune("]>)", c):
			depth--
		case c == ',' && depth == 0:
			if field := strings.TrimSpace(text[start:i]); field != "" {
				list = append(list, field)
			}
			start = i + 1
		}
	}
	return list
}

// checkFields refuses fields that are unknown or there twice.
func checkFields(known []string, text string) error {
	seen := map[string]bool{}
	for _, field := range split(text) {
		name, value, ok := strings.Cut(field, "=")
		if strings.Contains(value, "=") {
			return fmt.Errorf("expected a comma in %q", field)
		}
		if name = strings.TrimSpace(name); !ok || !slices.Contains(known, name) {
			return fmt.Errorf("%q is none of %s", name, strings.Join(known, ", "))
		}
		if seen[name] {
			return fmt.Errorf("%s is there twice", name)
		}
		seen[name] = true
	}
	return nil
}

// checkConvolution refuses dimension numbers that name a dimension twice or not at all.
func checkConvolution(text string) error {
	if strings.HasPrefix(text, "raw") {
		return nil
	}
	sides := strings.SplitN(strings.ReplaceAll(text, "->", "x"), "x", 3)
	if len(sides) != 3 {
		return fmt.Errorf("dimension numbers must be [b, 0, f]x[0, i, o]->[b, 0, f], not %s", text)
	}
	for i, names := range []string{"b f", "i o", "b f"} {
		side := strings.TrimSpace(sides[i])
		if !strings.HasPrefix(side, "[") || !strings.HasSuffix(side, "]") {
			return fmt.Errorf("dimension numbers must stand in brackets, not %s", side)
		}
		list := strings.Split(strings.Trim(side, "[]"), ",")
		seen, spatial := map[string]bool{}, 0
		for _, word := range list {
			word = strings.TrimSpace(word)
			n, err := strconv.Atoi(word)
			switch {
			case word == "?":
				continue
			case err == nil && n >= 0:
				spatial = max(spatial, n+1)
			case !slices.Contains(strings.Fields(names), word):
				return fmt.Errorf("%q is no dimension of %s, which has %s and numbers", word, side, names)
			}
			if seen[word] {
				return fmt.Errorf("%s has %s twice", side, word)
			}
			seen[word] = true
		}
		for _, word := range strings.Fields(names) {
			if !seen[word] {
				return fmt.Errorf("%s does not have %s", side, word)
			}
		}
		for n := range spatial { // a list of words has the first missing number at its length at the latest
			if !seen[strconv.Itoa(n)] {
				return fmt.Errorf("%s does not have %d", side, n)
			}
		}
	}
	return nil
}

// checkAccuracy refuses tolerances for modes without, and negative ones.
func checkAccuracy(text string) error {
	zero, mode := true, "DEFAULT"
	for _, field := range split(text) {
		name, value, _ := strings.Cut(field, "=")
		name, value = strings.TrimSpace(name), strings.TrimSpace(value)
		if name == "mode" {
			mode = strings.TrimSpace(Enum(mlir.OpaqueAttr{Text: value}))
			continue
		}
		v, err := strconv.ParseFloat(value, 64)
		if err != nil || v < 0 {
			return fmt.Errorf("a tolerance must be a number from 0 on, not %s", value)
		}
		zero = zero && v == 0
	}
	if words := strings.Fields(enumerations["result_accuracy_mode"]); !slices.Contains(words, mode) {
		return fmt.Errorf("%s is none of %v", mode, words)
	}
	if (mode == "TOLERANCE") == zero {
		return fmt.Errorf("the mode TOLERANCE has tolerances, and %s does not have these", mode)
	}
	return nil
}

// algorithms are the products that hardware has: types of left and right side and sum, numbers of parts and of
// products, and whether sums may be imprecise.
var algorithms = []string{
	"f8E5M2 f8E5M2 f32 1 1 1 false", "tf32 tf32 f32 1 1 1 false", "tf32 tf32 f32 1 1 3 false",
	"bf16 bf16 f32 1 1 1 false", "bf16 bf16 bf16 1 1 1 false", "bf16 bf16 f32 1 1 3 false", "bf16 bf16 f32 1 1 6 false",
	"bf16 bf16 f32 1 1 9 false", "f16 f16 f16 1 1 1 false", "f16 f16 f32 1 1 1 false", "f32 f32 f32 1 1 1 false",
	"f64 f64 f64 1 1 1 false",
}

// checkAlgorithm refuses products that no hardware has.
func checkAlgorithm(text string) error {
	value := map[string]string{}
	for _, field := range split(text) {
		name, v, _ := strings.Cut(field, "=")
		value[strings.TrimSpace(name)] = strings.TrimSpace(v)
	}
	for _, name := range []string{"lhs_component_count", "rhs_component_count", "num_primitive_operations"} {
		if n, err := strconv.Atoi(value[name]); err != nil || n < 1 {
			return fmt.Errorf("%s must be positive, not %q", name, value[name])
		}
	}
	left, right := value["lhs_precision_type"], value["rhs_precision_type"]
	if strings.HasPrefix(left, "f8") && strings.HasPrefix(right, "f8") { // any of them, with or without precise sums
		left, right = "f8E5M2", "f8E5M2"
		value["allow_imprecise_accumulation"] = "false"
	}
	row := strings.Join([]string{left, right, value["accumulation_type"], value["lhs_component_count"],
		value["rhs_component_count"], value["num_primitive_operations"], value["allow_imprecise_accumulation"]}, " ")
	if !slices.Contains(algorithms, row) {
		return fmt.Errorf("no hardware multiplies so: %s", text)
	}
	return nil
}

// parseAttr reads bounds of dimensions into one spelling; others stay as they are.
func parseAttr(p *mlir.Parser, mnemonic string) mlir.Attribute {
	if mnemonic != "bounds" && mnemonic != "type_extensions" {
		return nil
	}
	var list []string
	bound := func() {
		if p.Accept("?") {
			list = append(list, "?")
		} else {
			list = append(list, number(p.Int()))
		}
	}
	if mnemonic == "bounds" {
		p.List("<", ">", bound)
	} else {
		p.Expect("<")
		p.Expect("bounds")
		p.Expect("=")
		p.List("[", "]", bound)
		p.Expect(">")
	}
	return mlir.OpaqueAttr{Text: "#stablehlo.bounds<" + strings.Join(list, ", ") + ">"}
}
