package linalg

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseOperands reads ins(%a : T) outs(%b : U), the first being optional.
func parseOperands(p *mlir.Parser, op *mlir.Operation) (inputs, outputs int) {
	group := func() int {
		p.Expect("(")
		refs := p.Operands()
		if len(refs) > 0 {
			p.Expect(":")
			op.Operands = append(op.Operands, p.ResolveAll(refs, p.TypeList())...)
		}
		p.Expect(")")
		return len(refs)
	}
	if p.Accept("ins") {
		inputs = group()
	}
	if p.Accept("outs") {
		outputs = group()
	}
	return inputs, outputs
}

func printOperands(p *mlir.Printer, op *mlir.Operation) {
	group := func(name string, values []*mlir.Value) {
		if len(values) == 0 {
			return
		}
		p.Text(" " + name + "(")
		p.Values(values)
		p.Text(" : ")
		p.TypesOf(values)
		p.Text(")")
	}
	group("ins", Inputs(op))
	group("outs", Outputs(op))
}

func segments(inputs, outputs int) mlir.Named {
	return mlir.Named{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{
		Elem: mlir.I32, Ints: []int64{int64(inputs), int64(outputs)}}}
}

// parseResults reads -> T, or -> (T, U), or nothing.
func parseResults(p *mlir.Parser, op *mlir.Operation) {
	op.Results = []*mlir.Value{}
	if p.Accept("->") {
		op.SetResults(p.ResultTypes()...)
	}
}

// resultsLikeOutputs gives op a result for each output that is a tensor.
func resultsLikeOutputs(op *mlir.Operation) {
	var types []mlir.Type
	for _, v := range Outputs(op) {
		if t, ok := v.Type.(mlir.TensorType); ok {
			types = append(types, t)
		}
	}
	op.SetResults(types...)
}

// parseNamed reads {…} ins(…) outs(…) -> T and adds the region. The kind of a linalg.elementwise and maps of the
// operation's own stand in front.
func parseNamed(p *mlir.Parser, op *mlir.Operation) {
	n := namedOps[strings.TrimPrefix(op.Name, "linalg.")]
	for _, name := range front {
		if n.own && (name != "kind" || n.open) && p.Accept(name) {
			p.Expect("=")
			op.Attrs = append(op.Attrs, mlir.Named{Name: name, Value: p.Attr()})
		}
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	inputs, outputs := parseOperands(p, op)
	op.Attrs = append(op.Attrs, segments(inputs, outputs))
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	parseResults(p, op)
	if p.Failed() {
		return
	}
	if inputs != n.inputsOf(op) || outputs != 1 {
		p.ErrorAt(op.Loc, "%s takes %d inputs and one output", op.Name, n.inputsOf(op))
		return
	}
	if err := addPayload(op, n.payload); err != nil {
		p.ErrorAt(op.Loc, "%v", err)
	}
}

// front are the attributes that named operations show in front.
var front = [...]string{"kind", "indexing_maps"}

func printNamed(p *mlir.Printer, op *mlir.Operation) {
	hidden := []string{"operandSegmentSizes", "linalg.memoized_indexing_maps"}
	if namedOps[strings.TrimPrefix(op.Name, "linalg.")].own {
		for i, name := range front {
			if v := op.Attrs.Get(name); v != nil {
				p.Text(" " + name + [...]string{"=", " = "}[i])
				p.Attr(v)
				hidden = append(hidden, name)
			}
		}
	}
	p.OptionalAttrs(op.Attrs, hidden...)
	printOperands(p, op)
	p.Arrow(mlir.TypesOf(op.Results))
}

// structural are the attributes of linalg.generic that stand in front.
var structural = []string{"doc", "indexing_maps", "library_call", "iterator_types"}

// parseGeneric reads {indexing_maps = …, iterator_types = […]} ins(…) outs(…)
// attrs = {…} { … } -> T.
func parseGeneric(p *mlir.Parser, op *mlir.Operation) {
	for _, n := range p.AttrDictOrAlias() {
		if n.Name == "iterator_types" {
			n.Value = namesToIterators(p, n.Value)
		}
		op.Attrs = append(op.Attrs, n)
	}
	inputs, outputs := parseOperands(p, op)
	op.Attrs = append(op.Attrs, segments(inputs, outputs))
	if p.Accept("attrs") {
		p.Expect("=")
		op.Attrs = append(op.Attrs, p.AttrDict()...)
	}
	p.Region(op, nil)
	parseResults(p, op)
}

// namesToIterators turns the strings of the custom form into attributes.
func namesToIterators(p *mlir.Parser, a mlir.Attribute) mlir.Attribute {
	list, _ := a.(mlir.ArrayAttr)
	kinds := make([]string, len(list))
	for i, e := range list {
		s, ok := e.(mlir.StringAttr)
		if !ok {
			return a // the form that the attribute has anyway
		}
		if kinds[i] = string(s); kinds[i] != Parallel && kinds[i] != Reduction && kinds[i] != "window" {
			p.Errorf("unknown iterator type %q", kinds[i])
		}
	}
	return iteratorAttr(kinds)
}

func printGeneric(p *mlir.Printer, op *mlir.Operation) {
	var front, rest mlir.Attrs
	for _, name := range structural {
		if v := op.Attrs.Get(name); v != nil {
			if name == "iterator_types" {
				v = iteratorsToNames(op)
			}
			front = append(front, mlir.Named{Name: name, Value: v})
		}
	}
	for _, n := range op.Attrs {
		if front.Get(n.Name) == nil && n.Name != "operandSegmentSizes" {
			rest = append(rest, n)
		}
	}
	p.Text(" ")
	p.Attrs(front)
	printOperands(p, op)
	if len(rest) > 0 {
		p.Text(" attrs = ")
		p.OptionalAttrs(rest)
	}
	p.Text(" ")
	p.Region(op.Regions[0], true, true)
	p.Arrow(mlir.TypesOf(op.Results))
}

func iteratorsToNames(op *mlir.Operation) mlir.Attribute {
	list := mlir.ArrayAttr{}
	for _, k := range genericIterators(op) {
		list = append(list, mlir.StringAttr(k))
	}
	return list
}

// parseIndex reads 0 {…} : index.
func parseIndex(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = mlir.Attrs{{Name: "dim", Value: mlir.Int(p.Int())}}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.SetResults(p.Type())
}

func printIndex(p *mlir.Printer, op *mlir.Operation) {
	dim, _ := op.Attrs.Get("dim").(mlir.IntegerAttr)
	p.Text(" " + strconv.FormatInt(dim.Value, 10))
	p.OptionalAttrs(op.Attrs, "dim")
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}
