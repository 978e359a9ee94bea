package stablehlo

import (
	"strconv"

	"github.com/go-acap/acap/mlir"
)

// key is one "word = value" of a custom form and the attribute that it gives.
type key struct {
	word, attr string
	read       func(*mlir.Parser) mlir.Attribute
	write      func(mlir.Attribute) string
}

// keys are the keys of one operation. They come in any order behind the operands: "%a, %b, word = value, word = value
// {…} : …".
type keys []key

// keyed are the operations of this form.
var keyed = map[string]keys{
	"broadcast":                {{"sizes", "broadcast_sizes", ints, list}},
	"broadcast_in_dim":         {{"dims", "broadcast_dimensions", ints, list}},
	"dynamic_broadcast_in_dim": {{"dims", "broadcast_dimensions", ints, list}},
	"transpose":                {{"dims", "permutation", ints, list}},
	"reverse":                  {{"dims", "dimensions", ints, list}},
	"concatenate":              {{"dim", "dimension", integer, single}},
	"iota":                     {{"dim", "iota_dimension", integer, single}},
	"dynamic_iota":             {{"dim", "iota_dimension", integer, single}},
	"get_dimension_size":       {{"dim", "dimension", integer, single}},
	"set_dimension_size":       {{"dim", "dimension", integer, single}},
	"dynamic_slice":            {{"sizes", "slice_sizes", ints, list}},
	"pad": {{"low", "edge_padding_low", ints, list}, {"high", "edge_padding_high", ints, list},
		{"interior", "interior_padding", ints, list}},
	"fft":              {{"type", "fft_type", enum("fft_type"), Enum}, {"length", "fft_length", ints, list}},
	"rng":              {{"distribution", "rng_distribution", enum("rng_distribution"), Enum}},
	"reduce_precision": {{"format", "format", format, formatText}},
	"cholesky":         {{"lower", "lower", (*mlir.Parser).Attr, mlir.Attribute.String}},
}

func number(n int) string { return strconv.Itoa(n) }

func list(a mlir.Attribute) string {
	values, _ := mlir.IntList(a)
	text := "["
	for i, n := range values {
		if i > 0 {
			text += ", "
		}
		text += number(n)
	}
	return text + "]"
}

func single(a mlir.Attribute) string {
	n, _ := a.(mlir.IntegerAttr)
	return strconv.FormatInt(n.Value, 10)
}

// format reads e5m10.
func format(p *mlir.Parser) mlir.Attribute { return mlir.StringAttr(p.Keyword()) }

func formatText(a mlir.Attribute) string {
	s, _ := a.(mlir.StringAttr)
	return string(s)
}

func (k keys) parse(p *mlir.Parser, op *mlir.Operation) {
	refs, more := operands(p)
	for more {
		word := p.Keyword()
		known := false
		for _, entry := range k {
			if entry.word != word {
				continue
			}
			known = true
			p.Expect("=")
			value := entry.read(p)
			if entry.attr == "format" {
				op.Attrs = append(op.Attrs, formatAttrs(value)...)
			} else {
				op.Attrs = append(op.Attrs, mlir.Named{Name: entry.attr, Value: value})
			}
		}
		if !known {
			p.Errorf("%s has no %q", op.Name, word)
			return
		}
		more = p.Accept(",")
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// formatAttrs splits e5m10 into the attributes of the generic form.
func formatAttrs(a mlir.Attribute) mlir.Attrs {
	var exponent, mantissa int
	text := formatText(a)
	for i := range text {
		if text[i] == 'm' && i > 1 {
			exponent, _ = strconv.Atoi(text[1:i])
			mantissa, _ = strconv.Atoi(text[i+1:])
		}
	}
	return mlir.Attrs{
		{Name: "exponent_bits", Value: mlir.IntegerAttr{Value: int64(exponent), Type: mlir.I32}},
		{Name: "mantissa_bits", Value: mlir.IntegerAttr{Value: int64(mantissa), Type: mlir.I32}}}
}

func (k keys) print(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	var without []string
	for i, entry := range k {
		if entry.attr != "format" && op.Attrs.Get(entry.attr) == nil {
			continue // an optional one
		}
		if i > 0 || len(op.Operands) > 0 {
			p.Text(", ")
		}
		p.Text(entry.word + " = ")
		if entry.attr == "format" {
			p.Text("e" + single(op.Attrs.Get("exponent_bits")) + "m" + single(op.Attrs.Get("mantissa_bits")))
			without = append(without, "exponent_bits", "mantissa_bits")
			continue
		}
		p.Text(entry.write(op.Attrs.Get(entry.attr)))
		without = append(without, entry.attr)
	}
	p.OptionalAttrs(op.Attrs, without...)
	p.Text(" : ")
	if len(op.Operands) == 0 {
		p.Type(op.Result().Type)
		return
	}
	p.FunctionType(op)
}
