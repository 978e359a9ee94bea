package stablehlo

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseDotGeneral reads
//
//	%a, %b, batching_dims = [0] x [0], contracting_dims = [2] x [1], precision = [DEFAULT, DEFAULT] : …
func parseDotGeneral(p *mlir.Parser, op *mlir.Operation) {
	refs, more := operands(p)
	sides := map[string][2]string{}
	for more {
		switch word := p.Keyword(); word {
		case "batching_dims", "contracting_dims":
			p.Expect("=")
			left := list(ints(p))
			p.Expect("x")
			sides[word] = [2]string{left, list(ints(p))}
		case "precision":
			p.Expect("=")
			op.Attrs = append(op.Attrs, mlir.Named{Name: "precision_config", Value: precision(p)})
		case "algorithm":
			p.Expect("=")
			op.Attrs = append(op.Attrs, mlir.Named{Name: "algorithm", Value: algorithm(p)})
		default:
			p.Errorf("%s has no %q", op.Name, word)
			return
		}
		more = p.Accept(",")
	}
	var fields []string
	for _, f := range []struct {
		name, key string
		side      int
	}{{"lhs_batching_dimensions", "batching_dims", 0}, {"rhs_batching_dimensions", "batching_dims", 1},
		{"lhs_contracting_dimensions", "contracting_dims", 0}, {"rhs_contracting_dimensions", "contracting_dims", 1}} {
		if text := sides[f.key][f.side]; text != "" && text != "[]" {
			fields = append(fields, f.name+" = "+text)
		}
	}
	op.Attrs = append(op.Attrs, mlir.Named{Name: "dot_dimension_numbers",
		Value: mlir.OpaqueAttr{Text: "#stablehlo.dot<" + strings.Join(fields, ", ") + ">"}})
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// parseDot reads %a, %b, precision = [DEFAULT, DEFAULT] : ….
func parseDot(p *mlir.Parser, op *mlir.Operation) {
	refs, more := operands(p)
	if more {
		p.Expect("precision")
		p.Expect("=")
		op.Attrs = append(op.Attrs, mlir.Named{Name: "precision_config", Value: precision(p)})
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// precision reads [DEFAULT, HIGHEST].
func precision(p *mlir.Parser) mlir.Attribute {
	out := mlir.ArrayAttr{}
	p.List("[", "]", func() { out = append(out, enumAttr(p, "precision", p.Keyword())) })
	return out
}

// algorithm reads <lhs_precision_type = tf32, …>.
func algorithm(p *mlir.Parser) mlir.Attribute {
	var fields []string
	p.List("<", ">", func() {
		name := p.Keyword()
		p.Expect("=")
		value := ""
		if word := p.NextKeyword(); word == "true" || word == "false" {
			value = p.Keyword()
		} else if p.Next("true") || p.Next("false") {
			value = p.Attr().String()
		} else if word != "" {
			value = p.Type().String()
		} else {
			value = number(p.Int())
		}
		fields = append(fields, name+" = "+value)
	})
	return mlir.OpaqueAttr{Text: "#stablehlo.dot_algorithm<" + strings.Join(fields, ", ") + ">"}
}

// parseConvolution reads
//
//	(%a, %b) dim_numbers = [b, 0, 1, f]x[0, 1, i, o]->[b, 0, 1, f],
//	  window = {stride = [1, 1], pad = [[1, 2], [0, 0]], lhs_dilate = […], rhs_dilate = […], reverse = […]} {…} : …
func parseConvolution(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandList("(", ")")
	p.Expect("dim_numbers")
	p.Expect("=")
	text := dimensionLabels(p)
	p.Expect("x")
	text += "x" + dimensionLabels(p)
	p.Expect("->")
	text += "->" + dimensionLabels(p)
	op.Attrs = append(op.Attrs, mlir.Named{Name: "dimension_numbers",
		Value: mlir.OpaqueAttr{Text: "#stablehlo.conv<" + text + ">"}})
	p.Expect(",")
	p.Expect("window")
	p.Expect("=")
	p.List("{", "}", func() { window(p, op) })
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	signature(p, op, refs)
}

// dimensionLabels reads [b, 0, 1, f].
func dimensionLabels(p *mlir.Parser) string {
	var labels []string
	p.List("[", "]", func() {
		if word := p.NextKeyword(); word != "" {
			labels = append(labels, p.Keyword())
		} else if p.Accept("?") {
			labels = append(labels, "?")
		} else {
			labels = append(labels, number(p.Int()))
		}
	})
	return "[" + strings.Join(labels, ", ") + "]"
}

func window(p *mlir.Parser, op *mlir.Operation) {
	word := p.Keyword()
	p.Expect("=")
	switch word {
	case "stride", "lhs_dilate", "rhs_dilate":
		name := map[string]string{"stride": "window_strides", "lhs_dilate": "lhs_dilation", "rhs_dilate": "rhs_dilation"}
		op.Attrs = append(op.Attrs, mlir.Named{Name: name[word], Value: ints(p)})
	case "reverse":
		a := mlir.DenseArrayAttr{Elem: mlir.I1, Ints: []int64{}}
		p.List("[", "]", func() {
			bit := int64(0)
			switch {
			case p.Accept("true"):
				bit = 1
			case p.Accept("false"):
			default:
				bit = int64(p.Int())
			}
			a.Ints = append(a.Ints, bit)
		})
		op.Attrs = append(op.Attrs, mlir.Named{Name: "window_reversal", Value: a})
	case "pad":
		values := []int64{}
		p.List("[", "]", func() {
			pair, _ := mlir.IntList(ints(p))
			if len(pair) != 2 {
				p.Errorf("padding must be pairs")
				return
			}
			values = append(values, int64(pair[0]), int64(pair[1]))
		})
		if p.Failed() {
			return
		}
		op.Attrs = append(op.Attrs, mlir.Named{Name: "padding", Value: mlir.DenseInts(
			mlir.TensorType{Shape: []int{len(values) / 2, 2}, Elem: mlir.I64}, values)})
	default:
		p.Errorf("a window has no %q", word)
	}
}
