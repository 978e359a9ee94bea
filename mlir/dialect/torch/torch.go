package torch

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// Type returns a type of the dialect: int, float, bool, str, none, list<int>.
func Type(name string) mlir.Type { return mlir.OpaqueType{Dialect: "torch", Text: name} }

// VTensor returns the type of a tensor with value semantics. Signless integers of a
// tensor are signed here; bools stay i1.
func VTensor(t mlir.TensorType) mlir.Type {
	extents := make([]string, len(t.Shape))
	for i, n := range t.Shape {
		extents[i] = strconv.Itoa(n)
		if n == mlir.Dynamic {
			extents[i] = "?"
		}
	}
	return Type("vtensor<[" + strings.Join(extents, ",") + "]," + Signed(t.Elem).String() + ">")
}

// Signed is the element type that the dialect has for one of a tensor.
func Signed(elem mlir.Type) mlir.Type {
	if t, ok := elem.(mlir.IntegerType); ok && t.Signedness == mlir.Signless && t.Width > 1 {
		t.Signedness = mlir.Signed
		return t
	}
	return elem
}

// Signless is the inverse of [Signed].
func Signless(elem mlir.Type) mlir.Type {
	if t, ok := elem.(mlir.IntegerType); ok && t.Signedness == mlir.Signed {
		t.Signedness = mlir.Signless
		return t
	}
	return elem
}

// TensorOf returns the tensor type that a vtensor stands for. It reports false for other
// types and for tensors whose rank or element type is not known.
func TensorOf(t mlir.Type) (mlir.TensorType, bool) {
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "torch" {
		return mlir.TensorType{}, false
	}
	body, ok := strings.CutPrefix(o.Text, "vtensor<[")
	extents, elem, found := strings.Cut(strings.TrimSuffix(body, ">"), "],")
	if !ok || !found {
		return mlir.TensorType{}, false
	}
	shape := []int{}
	for _, field := range strings.Split(extents, ",") {
		switch field = strings.TrimSpace(field); field {
		case "":
			if extents != "" {
				return mlir.TensorType{}, false
			}
		case "?", "-1":
			shape = append(shape, mlir.Dynamic)
		default:
			n, err := strconv.ParseUint(field, 10, 62)
			if err != nil {
				return mlir.TensorType{}, false
			}
			shape = append(shape, int(n))
		}
	}
	e, err := mlir.ParseType(elem)
	if err != nil {
		return mlir.TensorType{}, false
	}
	return mlir.TensorType{Shape: shape, Elem: Signless(e)}, true
}

func init() {
	ops := []mlir.OpDef{
		{Name: "torch.constant.float", Traits: mlir.Pure | mlir.ConstantLike, Results: 1, Parse: parseFloat, Print: printFloat,
			ResultName: func(*mlir.Operation, int) string { return "float" }},
		{Name: "torch.vtensor.literal", Traits: mlir.Pure | mlir.ConstantLike, Results: 1, Parse: parseLiteral, Print: printLiteral, Verify: verifyLiteral},
	}
	define := func() []mlir.OpDef { return assembly.Defs(operations) }
	mlir.RegisterDialect(&mlir.Dialect{Name: "torch", Ops: ops, Define: define, ParseType: parseType, CheckArgument: checkArgument, Unknown: func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: mlir.Variadic, Results: mlir.Variadic, Regions: mlir.Variadic,
			Traits: effects(name), Parse: parse, Print: printOp, Verify: verifyOperator}
	}})
	registerConversion()
}

// effects: operators whose name ends in an underscore change an operand.
func effects(name string) mlir.Trait {
	base, _, _ := strings.Cut(strings.TrimPrefix(name, "torch.aten."), ".")
	if strings.HasPrefix(name, "torch.aten.") && !strings.HasSuffix(base, "_") {
		return mlir.Pure
	}
	return 0
}

// parse reads %a, %b {…} : T, U -> V, W.
func parse(p *mlir.Parser, op *mlir.Operation) {
	refs := p.Operands()
	op.Attrs = p.AttrDict()
	op.SetResults()
	if !p.Accept(":") {
		return
	}
	var types []mlir.Type
	if !p.Next("->") {
		types = p.TypeList()
	}
	op.Operands = p.ResolveAll(refs, types)
	if p.Accept("->") {
		op.SetResults(p.TypeList()...)
	}
}

func printOp(p *mlir.Printer, op *mlir.Operation) {
	if len(op.Operands) > 0 {
		p.Text(" ")
		p.Values(op.Operands)
	}
	p.OptionalAttrs(op.Attrs)
	if len(op.Operands)+len(op.Results) == 0 {
		return
	}
	p.Text(" : ")
	p.TypesOf(op.Operands)
	if len(op.Results) > 0 {
		p.Text(" -> ")
		p.TypesOf(op.Results)
	}
}

// parseFloat reads 1.0 {…}.
func parseFloat(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(mlir.Attrs{{Name: "value", Value: p.Attr()}}, p.AttrDict()...)
	op.SetResults(Type("float"))
}

func printFloat(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	text := op.Attrs.Get("value")
	if f, ok := text.(mlir.FloatAttr); ok && mlir.SameType(f.Type, mlir.F64) {
		number, _, _ := strings.Cut(f.String(), " : ")
		if !strings.HasPrefix(number, "0x") {
			p.Text(number)
			p.OptionalAttrs(op.Attrs, "value")
			return
		}
	}
	p.Attr(text)
	p.OptionalAttrs(op.Attrs, "value")
}

// parseLiteral reads (dense<…> : T) {…} : !torch.vtensor<…>.
func parseLiteral(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	value := p.Attr()
	p.Expect(")")
	op.Attrs = append(mlir.Attrs{{Name: "value", Value: value}}, p.AttrDict()...)
	p.Expect(":")
	op.SetResults(p.Type())
}

func printLiteral(p *mlir.Printer, op *mlir.Operation) {
	p.Text("(")
	p.Attr(op.Attrs.Get("value"))
	p.Text(")")
	p.OptionalAttrs(op.Attrs, "value")
	p.Text(" : ")
	p.TypesOf(op.Results)
}
