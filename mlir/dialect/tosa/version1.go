package tosa

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// TOSA 1.0, which LLVM has since version 20, gives as operands what TOSA 0.80 has as attributes: zero points,
// shifts, and shapes of the type !tosa.shape. An operation of either version is one of its own form.

const (
	shapeType = "opaque" // !tosa.shape<2>
	point     = "tensor*(1)"
	ranked    = "tensor(1..)" // at least one dimension
	nan       = "nan_mode: any?"

	flat1 = "pad: ints(4), stride: ints(2), dilation: ints(2), acc_type: type, local_bound: bool?"
	deep1 = "pad: ints(6), stride: ints(3), dilation: ints(3), acc_type: type, local_bound: bool?"
	zeros = ", input_zp is " + point + ", weight_zp is " + point
)

// version1 are the operations whose form TOSA 1.0 has changed, or given another name.
func version1() []assembly.Op {
	ops := []assembly.Op{
		{Name: "argmax", Operands: "input is " + number, Results: "output is " + anyTensor, Attrs: oneAxis + ", " + nan, Verify: found},
		{Name: "avg_pool2d", Operands: "input is " + picture + ", input_zp is " + point + ", output_zp is " + point, Results: "output is tensor*(4)", Rules: "elem(input, output)",
			Attrs: kernels + ", acc_type: type", Verify: pooled},
		{Name: "max_pool2d", Operands: "input is " + picture, Results: "output is tensor*(4)", Rules: "elem(input, output)",
			Attrs: kernels + ", " + nan, Verify: pooled},
		{Name: "conv2d", Operands: "input is " + picture + ", weight is " + picture + ", bias is " + bias + zeros, Results: "output is tensor*(4)", Attrs: flat1, Verify: convolved},
		{Name: "depthwise_conv2d", Operands: "input is " + picture + ", weight is " + picture + ", bias is " + bias + zeros, Results: "output is tensor*(4)", Attrs: flat1, Verify: convolved},
		{Name: "conv3d", Operands: "input is " + volume + ", weight is " + volume + ", bias is " + bias + zeros, Results: "output is tensor*(5)", Attrs: deep1, Verify: convolved},
		{Name: "transpose_conv2d", Operands: "input is " + picture + ", weight is " + picture + ", bias is " + bias + zeros, Results: "output is tensor*(4)",
			Attrs: "out_pad: ints(4), stride: ints(2), acc_type: type, local_bound: bool?", Verify: convolved},
		{Name: "matmul", Operands: "a is tensor(3), b is tensor(3), a_zp is " + point + ", b_zp is " + point, Results: "output is tensor(3)", Verify: multiplied},
		{Name: "clamp", Operands: "input is " + number, Results: "output is " + number, Rules: "shape(input, output), elem(input, output)",
			Attrs: "min_val: any, max_val: any, " + nan, Verify: clamped},
		{Name: "negate", Operands: "input1 is " + number + ", input1_zp is " + point + ", output_zp is " + point, Results: "output is " + number,
			Rules: "broadcast(input1, output), elem(input1, output)", Verify: negated},
		{Name: "mul", Operands: "input1, input2, shift is tensor*(1 i8)", Results: "output", Rules: "broadcast(input1, input2, output)", Verify: product},
		{Name: "pad", Operands: "input1 is " + ranked + ", padding is " + shapeType + ", pad_const is " + point, Results: "output is " + anyTensor, Rules: "elem(input1, output)", Verify: padded},
		{Name: "reshape", Operands: "input1 is " + anyTensor + ", shape is " + shapeType, Results: "output is " + anyTensor, Rules: "elem(input1, output)", Verify: reshaped},
		{Name: "slice", Operands: "input1 is " + ranked + ", start is " + shapeType + ", size is " + shapeType, Results: "output is tensor", Rules: "elem(input1, output)", Verify: sliced},
		{Name: "tile", Operands: "input1 is " + ranked + ", multiples is " + shapeType, Results: "output is " + anyTensor, Rules: "elem(input1, output)", Verify: tiled},
		{Name: "transpose", Operands: "input1 is tensor*(1..)", Results: "output is " + anyTensor, Rules: "elem(input1, output)", Attrs: "perms: any", Verify: permuted},
		{Name: "resize", Operands: "input is " + picture + ", scale is " + shapeType + ", offset is " + shapeType + ", border is " + shapeType,
			Results: "output is tensor*(4)", Attrs: "mode: any", Verify: resized},
		{Name: "rescale", Operands: "input is " + anyTensor + ", multiplier is tensor(1), shift is tensor(1 i8), input_zp is " + point + ", output_zp is " + point,
			Results: "output is " + anyTensor, Rules: "shape(input, output)",
			Attrs: "scale32: bool, rounding_mode: any, per_channel: bool, input_unsigned: bool, output_unsigned: bool", Verify: rescaled},
		{Name: "const", Results: "output is tensor", Attrs: "values: elements", Verify: constant},
		{Name: "const_shape", Results: "output is " + shapeType, Attrs: "values: elements", Verify: constantShape},
		{Name: "intdiv", Operands: "input1 is " + anyTensor + ", input2 is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "broadcast(input1, input2, output), elem(input1, input2, output)"},
		{Name: "reduce_product", Operands: "input is " + anyTensor, Results: "output is " + anyTensor, Rules: "elem(input, output)", Attrs: oneAxis, Verify: reduced},
	}
	for _, name := range []string{"maximum", "minimum"} {
		ops = append(ops, assembly.Op{Name: name, Operands: "input1 is " + anyTensor + ", input2 is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "broadcast(input1, input2, output), elem(input1, input2, output)", Attrs: nan})
	}
	for _, name := range []string{"reduce_max", "reduce_min"} {
		ops = append(ops, assembly.Op{Name: name, Operands: "input is " + anyTensor, Results: "output is " + anyTensor,
			Rules: "elem(input, output)", Attrs: oneAxis + ", " + nan, Verify: reduced})
	}
	for i, op := range ops {
		ops[i].Verify = func(o *mlir.Operation) error { return conformant(o, op.Verify) }
	}
	return ops
}

// newAttrs are attributes of 1.0 alone, which tell its form where the operands do not.
var newAttrs = []string{"values", "min_val", "max_val", "nan_mode", "perms"}

// IsVersion1 reports whether an operation has the form of TOSA 1.0, where the versions differ.
func IsVersion1(op *mlir.Operation) bool {
	forms, changed := changedForms[op.Name]
	if !changed {
		return false
	}
	return forms.isNew(op)
}

// forms are the definitions of an operation in both versions.
type forms struct{ old, new mlir.OpDef }

var changedForms = map[string]forms{}

func (f forms) isNew(op *mlir.Operation) bool {
	for _, name := range newAttrs {
		if op.Attrs.Get(name) != nil {
			return true
		}
	}
	for _, v := range op.Operands {
		if isShape(v.Type) {
			return true
		}
	}
	fits := func(d mlir.OpDef) bool { return d.Operands == mlir.Variadic || d.Operands == len(op.Operands) }
	return !fits(f.old) && fits(f.new)
}

// either is the definition of an operation that has one of two forms.
func either(old, new mlir.OpDef) mlir.OpDef {
	f := forms{old, new}
	changedForms[old.Name] = f
	d := old
	d.Operands = mlir.Variadic
	d.Verify = func(op *mlir.Operation) error {
		form := f.old
		if f.isNew(op) {
			form = f.new
		}
		if form.Operands != mlir.Variadic && len(op.Operands) != form.Operands {
			return fmt.Errorf("has %d operands, not the %d of TOSA 0.80 or the %d of TOSA 1.0", len(op.Operands), f.old.Operands, f.new.Operands)
		}
		return form.Verify(op)
	}
	return d
}

// clamped checks the bounds of a clamp of TOSA 1.0.
func clamped(op *mlir.Operation) error {
	t, ok := op.Operands[0].Type.(mlir.TensorType)
	for _, name := range []string{"min_val", "max_val"} {
		if have := mlir.TypeOf(op.Attrs.Get(name)); ok && have != nil && !mlir.SameType(have, t.Elem) {
			if _, quantized := t.Elem.(mlir.OpaqueType); !quantized {
				return fmt.Errorf("%s of type %s for elements of type %s", name, have, t.Elem)
			}
		}
	}
	return ordered(op.Attrs.Get("min_val"), op.Attrs.Get("max_val"))
}

// permuted checks that the perms of a transpose are a permutation, by which the extents go.
func permuted(op *mlir.Operation) error {
	perms, ok := mlir.IntList(op.Attrs.Get("perms"))
	in, out := extents(op.Operands[0]), extents(op.Results[0])
	if !ok || in != nil && len(perms) != len(in) {
		return fmt.Errorf("perms has one number for each dimension of %s", op.Operands[0].Type)
	}
	if out != nil && len(out) != len(perms) {
		return fmt.Errorf("perms has %d numbers for %s", len(perms), op.Results[0].Type)
	}
	seen := map[int]bool{}
	for i, p := range perms {
		if p < 0 || p >= len(perms) || seen[p] {
			return fmt.Errorf("perms %v is no permutation", perms)
		}
		seen[p] = true
		if in != nil && len(out) == len(perms) && in[p] != out[i] && in[p] >= 0 && out[i] >= 0 {
			return fmt.Errorf("dimension %d of %s is dimension %d of %s", i, op.Results[0].Type, p, op.Operands[0].Type)
		}
	}
	return nil
}

// keywords are the attributes that the custom form of TOSA 1.0 writes as a word.
var keywords = map[string]string{"nan_mode": "nan_mode", "rounding_mode": "rounding_mode", "mode": "resize_mode"}

// words are the values of these attributes.
var words = map[string][]string{"nan_mode": {"PROPAGATE", "IGNORE"}, "mode": {"NEAREST_NEIGHBOR", "BILINEAR"},
	"rounding_mode": {"SINGLE_ROUND", "INEXACT_ROUND", "DOUBLE_ROUND"}}

func parseFunctional(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	op.Attrs = append(op.Attrs, p.AttrDictWithWords(func(name, word string) mlir.Attribute {
		if kind := keywords[name]; kind != "" {
			return mlir.OpaqueAttr{Text: "#tosa." + kind + "<" + word + ">"}
		}
		return nil
	})...)
	p.Signature(op, refs)
}

func printFunctional(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
	}
	separator := " {"
	for _, a := range op.Attrs {
		p.Text(separator)
		separator = ", "
		if word, ok := Word(a.Value); ok && keywords[a.Name] != "" {
			p.Text(a.Name + " = " + word)
			continue
		}
		p.NamedAttr(a)
	}
	if len(op.Attrs) > 0 {
		p.Text("}")
	}
	p.Text(" : ")
	p.FunctionType(op)
}

// Word returns the word of an attribute such as #tosa.nan_mode<IGNORE>.
func Word(a mlir.Attribute) (string, bool) {
	o, ok := a.(mlir.OpaqueAttr)
	_, word, found := strings.Cut(strings.TrimSuffix(o.Text, ">"), "<")
	return word, ok && found && strings.HasPrefix(o.Text, "#tosa.")
}
