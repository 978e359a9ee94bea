package arith

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parse reads %a, %b fastmath<fast> {…} : T.
func (k kind) parse(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(k.operands)
	k.flags.Parse(p, op)
	if k.exact && p.Accept("exact") {
		op.Attrs = append(op.Attrs, mlir.Named{Name: "isExact", Value: mlir.UnitAttr{}})
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	for _, r := range refs {
		op.Operands = append(op.Operands, p.Resolve(r, t))
	}
	op.SetResults(t)
}

func (k kind) print(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	k.flags.Print(p, op)
	own := []string{k.flags.Attr}
	if k.exact && op.Attrs.Get("isExact") != nil {
		p.Text(" exact")
		own = append(own, "isExact")
	}
	p.OptionalAttrs(op.Attrs, own...)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseConstant reads {…} value.
func parseConstant(p *mlir.Parser, op *mlir.Operation) {
	attrs := p.AttrDict()
	value := p.Attr()
	t := mlir.TypeOf(value)
	if t == nil {
		p.Errorf("a constant needs a number or elements, not %s", value)
		return
	}
	op.Attrs = append(mlir.Attrs{{Name: "value", Value: value}}, attrs...)
	op.SetResults(t)
}

func printConstant(p *mlir.Printer, op *mlir.Operation) {
	p.OptionalAttrs(op.Attrs, "value")
	p.Text(" ")
	p.Attr(op.Attrs.Get("value"))
}

// constantName is c3, c-1_i32, true or cst.
func constantName(op *mlir.Operation, _ int) string {
	if wide, ok := op.Attrs.Get("value").(mlir.OpaqueAttr); ok && mlir.BitWidth(wide.Type) > 64 {
		digits, _, _ := strings.Cut(wide.Text, " ")
		return "c" + digits + "_" + wide.Type.String()
	}
	a, ok := op.Attrs.Get("value").(mlir.IntegerAttr)
	if !ok {
		return "cst"
	}
	name := "c" + strconv.FormatInt(a.Value, 10)
	t, isInt := a.Type.(mlir.IntegerType)
	switch {
	case !isInt:
		return name
	case t.Width == 1:
		return strconv.FormatBool(a.Value != 0)
	}
	return name + "_" + t.String()
}

// compareFlags are the flags of a comparison by whether it compares floats: cmpf takes fastmath.
var compareFlags = map[bool]mlir.Flags{true: mlir.FastMath}

// parseCompare reads olt, %a, %b {…} : T.
func parseCompare(predicates []string, isFloat bool) func(*mlir.Parser, *mlir.Operation) {
	return func(p *mlir.Parser, op *mlir.Operation) {
		word := ""
		if p.NextString() {
			word = p.Str()
		} else {
			word = p.Keyword()
		}
		op.Attrs = mlir.Attrs{{Name: "predicate", Value: mlir.Int(indexOf(predicates, word))}}
		if indexOf(predicates, word) < 0 {
			p.Errorf("unknown predicate %q", word)
		}
		p.Expect(",")
		refs := p.OperandsN(2)
		compareFlags[isFloat].Parse(p, op)
		op.Attrs = append(op.Attrs, p.AttrDict()...)
		p.Expect(":")
		t := p.Type()
		op.Operands = []*mlir.Value{p.Resolve(refs[0], t), p.Resolve(refs[1], t)}
		op.SetResults(boolLike(t))
	}
}

func printCompare(predicates []string, isFloat bool) func(*mlir.Printer, *mlir.Operation) {
	return func(p *mlir.Printer, op *mlir.Operation) {
		n, _ := op.Attrs.Get("predicate").(mlir.IntegerAttr)
		word := strconv.FormatInt(n.Value, 10)
		if n.Value >= 0 && n.Value < int64(len(predicates)) {
			word = predicates[n.Value]
		}
		p.Text(" " + word + ", ")
		p.Values(op.Operands)
		compareFlags[isFloat].Print(p, op)
		p.OptionalAttrs(op.Attrs, "predicate", "fastmath")
		p.Text(" : ")
		p.Type(op.Operands[0].Type)
	}
}

func indexOf(list []string, word string) int {
	for i, w := range list {
		if w == word {
			return i
		}
	}
	return -1
}

// parseSelect reads %c, %a, %b {…} : T, or : C, T for a condition that is no i1.
func parseSelect(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(3)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	var condition mlir.Type = mlir.I1
	t := p.Type()
	if p.Accept(",") {
		condition = t
		t = p.Type()
	}
	op.Operands = []*mlir.Value{
		p.Resolve(refs[0], condition), p.Resolve(refs[1], t), p.Resolve(refs[2], t)}
	op.SetResults(t)
}

func printSelect(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	if c := op.Operands[0].Type; !mlir.SameType(c, mlir.I1) {
		p.Type(c)
		p.Text(", ")
	}
	p.Type(op.Results[0].Type)
}

// roundingModes are the values of truncf's roundingmode, in order.
var roundingModes = [...]string{
	"to_nearest_even", "downward", "upward", "toward_zero", "to_nearest_away"}

// castFlags: conversions between floats take fastmath, and truncations of integers say how they may wrap (since LLVM
// 20).
var castFlags = map[string]mlir.Flags{"arith.extf": mlir.FastMath, "arith.truncf": mlir.FastMath, "arith.trunci": overflow}

// parseCast reads %a to_nearest_even fastmath<fast> {…} : T to U; only truncf has a
// rounding mode.
func parseCast(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	if mode := indexOf(roundingModes[:], p.NextKeyword()); mode >= 0 && op.Name == "arith.truncf" {
		p.Keyword()
		op.Attrs = mlir.Attrs{{Name: "roundingmode", Value: mlir.IntegerAttr{
			Value: int64(mode), Type: mlir.I32}}}
	}
	castFlags[op.Name].Parse(p, op)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
	p.Expect("to")
	op.SetResults(p.Type())
}

func printCast(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	mode, ok := op.Attrs.Get("roundingmode").(mlir.IntegerAttr)
	if ok && mode.Value >= 0 && mode.Value < int64(len(roundingModes)) {
		p.Text(" " + roundingModes[mode.Value])
	}
	flags := castFlags[op.Name]
	flags.Print(p, op)
	p.OptionalAttrs(op.Attrs, "roundingmode", flags.Attr)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" to ")
	p.Type(op.Results[0].Type)
}
