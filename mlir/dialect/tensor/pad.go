package tensor

import "github.com/go-acap/acap/mlir"

// padAttrs are the attributes that the custom form of tensor.pad shows otherwise.
var padAttrs = []string{"operandSegmentSizes", "static_low", "static_high", "nofold"}

// setPad stores the widths in op, whose operand is the source.
func setPad(op *mlir.Operation, low, high []Bound, nofold bool) {
	lowAttr := splitBounds(op, low)
	lows := len(op.Operands) - 1
	highAttr := splitBounds(op, high)
	highs := len(op.Operands) - 1 - lows
	if nofold {
		op.Attrs = append(op.Attrs, mlir.Named{Name: "nofold", Value: mlir.UnitAttr{}})
	}
	op.Attrs = append(op.Attrs,
		mlir.Named{Name: "operandSegmentSizes", Value: mlir.DenseArrayAttr{
			Elem: mlir.I32, Ints: []int64{1, int64(lows), int64(highs)}}},
		mlir.Named{Name: "static_high", Value: highAttr},
		mlir.Named{Name: "static_low", Value: lowAttr})
}

// padOf returns the widths of a tensor.pad before and behind each dimension.
func padOf(op *mlir.Operation) (low, high []Bound) {
	low, rest := joinBounds(op.Attrs.Get("static_low"), op.Operands[min(1, len(op.Operands)):])
	high, _ = joinBounds(op.Attrs.Get("static_high"), rest)
	return low, high
}

// parsePad reads %t nofold low[…] high[…] { … } {…} : T to U.
func parsePad(p *mlir.Parser, op *mlir.Operation) {
	ref := p.Operand()
	nofold := p.Accept("nofold")
	p.Expect("low")
	low := parseBounds(p)
	p.Expect("high")
	high := parseBounds(p)
	p.Region(op, nil)
	attrs := p.AttrDict()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(ref, p.Type())}
	p.Expect("to")
	op.SetResults(p.Type())
	setPad(op, low, high, nofold)
	op.Attrs = append(op.Attrs, attrs...)
}

func printPad(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	p.Value(op.Operands[0])
	if op.Attrs.Get("nofold") != nil {
		p.Text(" nofold")
	}
	low, high := padOf(op)
	p.Text(" low")
	printBounds(p, low)
	p.Text(" high")
	printBounds(p, high)
	p.Text(" ")
	p.Region(op.Regions[0], true, true)
	p.OptionalAttrs(op.Attrs, padAttrs...)
	p.Text(" : ")
	p.Type(op.Operands[0].Type)
	p.Text(" to ")
	p.Type(op.Results[0].Type)
}

// parseGenerate reads %d, … { … } {…} : T.
func parseGenerate(p *mlir.Parser, op *mlir.Operation) {
	p.ResolveIndices(op, p.Operands())
	p.Region(op, nil)
	op.Attrs = p.AttrDict()
	p.Expect(":")
	op.SetResults(p.Type())
}

func printGenerate(p *mlir.Printer, op *mlir.Operation) {
	p.Text(" ")
	if len(op.Operands) > 0 {
		p.Values(op.Operands)
		p.Text(" ")
	}
	p.Region(op.Regions[0], true, true)
	p.OptionalAttrs(op.Attrs)
	p.Text(" : ")
	p.Type(op.Results[0].Type)
}
