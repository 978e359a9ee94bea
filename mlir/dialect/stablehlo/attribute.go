package stablehlo

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// Enum returns the value of an enumeration: "LT" of #stablehlo<comparison_direction LT>. Other
// attributes give "".
func Enum(a mlir.Attribute) string {
	o, ok := a.(mlir.OpaqueAttr)
	if !ok {
		return ""
	}
	text := strings.TrimSuffix(o.Text, ">")
	if i := strings.LastIndexAny(text, " <."); i >= 0 {
		return text[i+1:]
	}
	return text
}

// Fields reads the entries of an attribute such as
// #stablehlo.scatter<update_window_dims = [0], index_vector_dim = 1>; a single number is a list of one.
func Fields(a mlir.Attribute) map[string][]int {
	o, ok := a.(mlir.OpaqueAttr)
	if !ok {
		return nil
	}
	_, text, ok := strings.Cut(o.Text, "<")
	if !ok {
		return nil
	}
	text = strings.TrimSuffix(text, ">")
	fields := map[string][]int{}
	for text != "" {
		name, rest, ok := strings.Cut(text, "=")
		if !ok {
			break
		}
		rest = strings.TrimSpace(rest)
		var value string
		if inner, found := strings.CutPrefix(rest, "["); found {
			value, rest, _ = strings.Cut(inner, "]")
			_, rest, _ = strings.Cut(rest, ",")
		} else {
			value, rest, _ = strings.Cut(rest, ",")
		}
		list := []int{}
		for _, word := range strings.FieldsFunc(value, func(r rune) bool { return r == ',' || r == ' ' || r == '\n' }) {
			if n, err := strconv.Atoi(word); err == nil {
				list = append(list, n)
			}
		}
		fields[strings.TrimSpace(name)] = list
		text = rest
	}
	return fields
}

// Convolution are the dimension numbers of a convolution: for its input, kernel and output the
// place of the batch or output feature, of the feature or input feature, and of each spatial dimension.
type Convolution struct {
	InputBatch, InputFeature   int
	InputSpatial               []int
	KernelInput, KernelOutput  int
	KernelSpatial              []int
	OutputBatch, OutputFeature int
	OutputSpatial              []int
}

// ConvolutionOf reads #stablehlo.conv<[b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f]>, or the form with
// names of fields that the raw attribute has.
func ConvolutionOf(a mlir.Attribute) (c Convolution, ok bool) {
	o, _ := a.(mlir.OpaqueAttr)
	_, text, found := strings.Cut(o.Text, "<")
	if !found {
		return c, false
	}
	text = strings.TrimSpace(strings.TrimSuffix(text, ">"))
	if strings.HasPrefix(text, "raw") {
		return rawConvolution(a)
	}
	parts := strings.SplitN(strings.ReplaceAll(text, "->", "x"), "x", 3)
	if len(parts) != 3 {
		return c, false
	}
	if c.InputBatch, c.InputFeature, c.InputSpatial, ok = labels(parts[0], "b", "f"); !ok {
		return c, false
	}
	if c.KernelInput, c.KernelOutput, c.KernelSpatial, ok = labels(parts[1], "i", "o"); !ok {
		return c, false
	}
	c.OutputBatch, c.OutputFeature, c.OutputSpatial, ok = labels(parts[2], "b", "f")
	return c, ok
}

func rawConvolution(a mlir.Attribute) (c Convolution, ok bool) {
	o := a.(mlir.OpaqueAttr)
	f := Fields(mlir.OpaqueAttr{Text: strings.Replace(o.Text, "<raw", "<", 1)})
	one := func(name string) int {
		if len(f[name]) == 1 {
			return f[name][0]
		}
		return 0
	}
	return Convolution{one("input_batch_dimension"), one("input_feature_dimension"), f["input_spatial_dimensions"],
		one("kernel_input_feature_dimension"), one("kernel_output_feature_dimension"), f["kernel_spatial_dimensions"],
		one("output_batch_dimension"), one("output_feature_dimension"), f["output_spatial_dimensions"]}, true
}

// labels finds two letters and the numbers 0, 1, … in [b, 0, 1, f].
func labels(text, first, second string) (a, b int, spatial []int, ok bool) {
	words := strings.FieldsFunc(text, func(r rune) bool { return strings.ContainsRune("[], ", r) })
	a, b = -1, -1
	spatial = make([]int, max(0, len(words)-2))
	seen := 0
	for i, w := range words {
		switch w {
		case first:
			a = i
		case second:
			b = i
		default:
			n, err := strconv.Atoi(w)
			if err != nil || n < 0 || n >= len(spatial) {
				return 0, 0, nil, false
			}
			spatial[n] = i
			seen++
		}
	}
	return a, b, spatial, a >= 0 && b >= 0 && seen == len(spatial)
}
