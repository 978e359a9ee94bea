package math

import (
	"fmt"

	"github.com/go-acap/acap/base/scalar"
	"github.com/go-acap/acap/mlir"
)

// intOps gives the number of operands of the operations on integers whose operands and result have one type.
var intOps = map[string]int{"absi": 1, "ctlz": 1, "ctpop": 1, "cttz": 1, "ipowi": 2}

// tests are the operations that ask what kind of number a float is. LLVM has them, and erfc, from release 20 on.
var tests = []string{"isfinite", "isinf", "isnan", "isnormal"}

// sinCos gives the sine and the cosine of a number.
var sinCos = mlir.OpDef{
	Name: "math.sincos", Traits: mlir.Pure | mlir.Elementwise | mlir.SameOperandsAndResultType, Operands: 1, Results: 2,
	Verify: verifyFloat, Print: printFloat,
	Parse: func(p *mlir.Parser, op *mlir.Operation) {
		parseFloat(1)(p, op)
		if !p.Failed() {
			op.SetResults(op.Operands[0].Type, op.Operands[0].Type)
		}
	},
	ResultName: func(_ *mlir.Operation, i int) string { return [...]string{"sin", "cos"}[i] },
}

// clamp is a number within two bounds.
var clamp = mlir.OpDef{
	Name: "math.clampf", Traits: mlir.Pure | mlir.Elementwise | mlir.SameOperandsAndResultType, Operands: 3, Results: 1,
	Verify: verifyFloat, Parse: parseClamp, Print: printClamp,
}

// parseClamp reads %x to [%min, %max] fastmath<fast> {…} : T.
func parseClamp(p *mlir.Parser, op *mlir.Operation) {
	refs := []mlir.Ref{p.Operand()}
	p.Expect("to")
	refs = append(refs, p.OperandList("[", "]")...)
	mlir.FastMath.Parse(p, op)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	t := p.Type()
	for _, r := range refs {
		op.Operands = append(op.Operands, p.Resolve(r, t))
	}
	op.SetResults(t)
}

func printClamp(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" to [")
	p.Values(op.Operands[1:])
	p.Text("]")
	mlir.FastMath.Print(p, op)
	p.OptionalAttrs(op.Attrs, mlir.FastMath.Attr)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

func init() {
	const traits = mlir.Pure | mlir.Elementwise
	ops := []mlir.OpDef{{
		Name: "math.fpowi", Traits: traits, Operands: 2, Results: 1,
		Verify: verifyFPowI, Parse: parseFPowI, Print: printFPowI,
	}}
	float := func(name string, operands int, fold func(*mlir.Operation, []mlir.Attribute) []mlir.Folded) {
		ops = append(ops, mlir.OpDef{
			Name: name, Traits: traits | mlir.SameOperandsAndResultType,
			Operands: operands, Results: 1, Verify: verifyFloat, Parse: parseFloat(operands), Print: printFloat, Fold: fold,
		})
	}
	for _, f := range scalar.Functions {
		if f.MLIR != "" {
			float(f.MLIR, f.Operands, fold(f))
		}
	}
	float("math.fma", 3, nil)
	ops = append(ops, clamp)
	for name, n := range intOps {
		ops = append(ops, mlir.OpDef{
			Name: "math." + name, Traits: traits | mlir.SameOperandsAndResultType,
			Operands: n, Results: 1, Verify: verifyInt,
			Parse: mlir.ParseSameType(n), Print: mlir.PrintSameType,
		})
	}
	for _, name := range tests {
		ops = append(ops, mlir.OpDef{Name: "math." + name, Traits: traits, Operands: 1, Results: 1,
			Verify: verifyTest, Parse: parseTest, Print: printTest})
	}
	ops = append(ops, sinCos)
	mlir.RegisterDialect(&mlir.Dialect{Name: "math", Upstream: true, Ops: ops})
}

// parseFloat reads %a, %b fastmath<fast> {…} : T.
func parseFloat(n int) func(*mlir.Parser, *mlir.Operation) {
	return func(p *mlir.Parser, op *mlir.Operation) {
		refs := p.OperandsN(n)
		mlir.FastMath.Parse(p, op)
		op.Attrs = append(op.Attrs, p.AttrDict()...)
		p.Expect(":")
		t := p.Type()
		for _, r := range refs {
			op.Operands = append(op.Operands, p.Resolve(r, t))
		}
		op.SetResults(t)
	}
}

func printFloat(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	mlir.FastMath.Print(p, op)
	p.OptionalAttrs(op.Attrs, mlir.FastMath.Attr)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}

// parseFPowI reads %x, %n fastmath<fast> {…} : T, U.
func parseFPowI(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(2)
	mlir.FastMath.Parse(p, op)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	types := p.TypeList()
	op.Operands = p.ResolveAll(refs, types)
	op.SetResults(types[0])
}

func printFPowI(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	mlir.FastMath.Print(p, op)
	p.OptionalAttrs(op.Attrs, mlir.FastMath.Attr)
	p.Text(" : ")
	p.TypesOf(op.Operands)
}

func verifyFloat(op *mlir.Operation) error {
	if _, ok := mlir.ElementOf(op.Operands[0].Type).(mlir.FloatType); !ok {
		return fmt.Errorf("works on floats, not on %s", op.Operands[0].Type)
	}
	return mlir.FastMath.Verify(op)
}

// parseTest reads %x {…} : T.
func parseTest(p *mlir.Parser, op *mlir.Operation) {
	refs := p.OperandsN(1)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	t := p.Type()
	op.Operands = p.ResolveAll(refs, []mlir.Type{t})
	op.SetResults(mlir.WithElement(t, mlir.I1))
}

func printTest(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Values(op.Operands)
	var without []string // no assumption is the default
	if mlir.FastMath.None(op) {
		without = []string{mlir.FastMath.Attr}
	}
	p.OptionalAttrs(op.Attrs, without...)
	p.Text(" : ")
	p.TypesOf(op.Operands)
}

func verifyTest(op *mlir.Operation) error {
	if want := mlir.WithElement(op.Operands[0].Type, mlir.I1); !mlir.SameType(op.Results[0].Type, want) {
		return fmt.Errorf("gives %s, not %s", want, op.Results[0].Type)
	}
	return verifyFloat(op)
}

func verifyInt(op *mlir.Operation) error {
	switch t := mlir.ElementOf(op.Operands[0].Type).(type) {
	case mlir.IndexType:
		return nil
	case mlir.IntegerType:
		if t.Signedness == mlir.Signless {
			return nil
		}
	}
	return fmt.Errorf("works on signless integers, not on %s", op.Operands[0].Type)
}

func verifyFPowI(op *mlir.Operation) error {
	if !mlir.SameType(op.Operands[0].Type, op.Results[0].Type) {
		return fmt.Errorf("gives %s, not %s", op.Operands[0].Type, op.Results[0].Type)
	}
	t := mlir.ElementOf(op.Operands[1].Type)
	if i, ok := t.(mlir.IntegerType); !ok || i.Signedness != mlir.Signless {
		return fmt.Errorf("takes an integer as the exponent, not %s", t)
	}
	return verifyFloat(op)
}
