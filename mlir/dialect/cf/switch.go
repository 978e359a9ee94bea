package cf

import (
	"fmt"
	"math"
	"strconv"

	"github.com/go-acap/acap/mlir"
)

const (
	caseValues  = "case_values"
	caseSizes   = "case_operand_segments"
	defaultCase = "default"
)

// parseSwitch reads %i : T, [default: ^a(%x : U), 42: ^b, …] {…}. The default is the
// first successor.
func parseSwitch(p *mlir.Parser, op *mlir.Operation) {
	flag := p.Operand()
	p.Expect(":")
	t := p.Type()
	op.Operands = []*mlir.Value{p.Resolve(flag, t)}
	p.Expect(",")
	var values []int64
	p.List("[", "]", func() {
		if len(op.Successors) == 0 {
			p.Expect(defaultCase)
		} else {
			values = append(values, int64(p.Int()))
		}
		p.Expect(":")
		op.Successors = append(op.Successors, p.Successor())
	})
	if p.Failed() {
		return
	}
	if len(values) > 0 {
		list := mlir.TensorType{Shape: []int{len(values)}, Elem: t}
		if mlir.ElementSize(t) == 0 {
			p.ErrorAt(op.Loc, "cf.switch needs an integer, not %s", t)
			return
		}
		op.Attrs = mlir.Attrs{{Name: caseValues, Value: mlir.DenseInts(list, values)}}
	}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.Attrs = op.Attrs.With(caseSizes, caseSegments(op))
}

// caseSegments gives the number of values that each case but the default passes.
func caseSegments(op *mlir.Operation) mlir.Attribute {
	a := mlir.DenseArrayAttr{Elem: mlir.I32, Ints: []int64{}}
	for _, s := range op.Successors[min(1, len(op.Successors)):] {
		a.Ints = append(a.Ints, int64(len(s.Args)))
	}
	return a
}

func verifySwitch(op *mlir.Operation) error {
	if _, ok := op.Operands[0].Type.(mlir.IntegerType); !ok {
		return fmt.Errorf("needs an integer, not %s", op.Operands[0].Type)
	}
	values, _ := mlir.IntList(op.Attrs.Get(caseValues))
	if len(op.Successors) != len(values)+1 {
		return fmt.Errorf("number of case values (%d) should match number of case destinations (%d)",
			len(values), len(op.Successors)-1)
	}
	return nil
}

func printSwitch(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	p.Text(" : ")
	p.TypesOf(op.Operands)
	p.Text(", [")
	values, _ := mlir.IntList(op.Attrs.Get(caseValues))
	mask := uint64(math.MaxUint64) // upstream prints the cases without sign
	if t, ok := op.Operands[0].Type.(mlir.IntegerType); ok && t.Width < 64 {
		mask = 1<<t.Width - 1
	}
	p.Indented(func() {
		for i, s := range op.Successors {
			name := defaultCase
			if i > 0 {
				p.Text(",")
				name = strconv.FormatUint(uint64(values[i-1])&mask, 10)
			}
			p.Newline()
			p.Text(name + ": ")
			p.Successor(s)
		}
	})
	p.Newline()
	p.Text("]")
	p.OptionalAttrs(op.Attrs, caseValues, caseSizes)
}
