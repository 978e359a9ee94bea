package linalg

import (
	"slices"

	"github.com/go-acap/acap/mlir"
)

// The operations map and reduce show their payload either as the name of one
// operation, { arith.addf }, or as a region behind named arguments.

// shortPayload is the first kind.
type shortPayload struct {
	name  string
	attrs mlir.Attrs
}

// parseShort reads { arith.addf {…} } if it comes next.
func parseShort(p *mlir.Parser) (s shortPayload, ok bool) {
	if !p.Next("{") {
		return s, false
	}
	p.Expect("{")
	s.name = p.Keyword()
	s.attrs = p.AttrDict()
	p.Expect("}")
	if !p.Failed() && mlir.Lookup(s.name) == nil {
		p.Errorf("unknown operation %q", s.name)
	}
	return s, true
}

// build makes the region of a short payload. The operation takes the arguments in
// order, or for a reduction with the last ones, the accumulators, in front.
func (s shortPayload) build(op *mlir.Operation, args int, initFirst bool) {
	block := op.AddRegion().AddBlock()
	for _, v := range op.Operands[:args] {
		block.AddArg(elementOf(v.Type))
	}
	operands := slices.Clone(block.Args)
	if initFirst && args > 0 {
		operands = append(operands[args-1:args:args], operands[:args-1]...)
	}
	b := &mlir.Builder{Block: block, Loc: op.Loc}
	last := op.Operands[len(op.Operands)-1]
	r := b.Create(s.name, operands, []mlir.Type{elementOf(last.Type)}, s.attrs).Result()
	b.Create("linalg.yield", []*mlir.Value{r}, nil, nil)
}

// shortForm returns the operation that alone makes up the payload of op, or nil.
func shortForm(op *mlir.Operation, initFirst bool) *mlir.Operation {
	body := op.Body()
	if body == nil || len(body.Ops) != 2 || len(body.Args) == 0 {
		return nil
	}
	payload, yield := body.Ops[0], body.Ops[1]
	args := body.Args
	if op.Name == "linalg.map" {
		args = args[:min(len(args), len(Inputs(op)))] // the output's element has no place in the form
	}
	if initFirst {
		args = append([]*mlir.Value{args[len(args)-1]}, args[:len(args)-1]...)
	}
	if !slices.Equal(payload.Operands, args) || len(payload.Results) != 1 ||
		len(payload.Regions) > 0 || len(yield.Operands) != 1 ||
		yield.Operands[0] != payload.Results[0] {
		return nil
	}
	return payload
}

func printShort(p *mlir.Printer, payload *mlir.Operation) {
	p.Text(" { " + payload.Name)
	p.OptionalAttrs(payload.Attrs)
	p.Text(" }")
}

// parseLong reads (%a: T, …) { … }.
func parseLong(p *mlir.Parser, op *mlir.Operation) {
	var args []mlir.BlockArg
	p.List("(", ")", func() {
		ref := p.Operand()
		p.Expect(":")
		args = append(args, mlir.BlockArg{Ref: ref, Type: p.Type()})
		p.SkipLocation()
	})
	p.Region(op, args)
}

func printLong(p *mlir.Printer, op *mlir.Operation) {
	p.Indented(func() {
		p.Newline()
		p.Text("(")
		for i, v := range op.Body().Args {
			if i > 0 {
				p.Text(", ")
			}
			p.Value(v)
			p.Text(": ")
			p.Type(v.Type)
		}
		p.Text(") ")
		p.Region(op.Regions[0], false, true)
	})
}

// parseMap reads { op } ins(…) outs(…) {…}, or the long form.
func parseMap(p *mlir.Parser, op *mlir.Operation) {
	s, short := parseShort(p)
	_, outputs := parseOperands(p, op)
	if outputs != 1 {
		p.ErrorAt(op.Loc, "linalg.map has one output")
		return
	}
	op.Attrs = p.AttrDict()
	resultsLikeOutputs(op)
	if !short {
		parseLong(p, op)
	} else if !p.Failed() {
		s.build(op, len(Inputs(op)), false)
	}
}

func printMap(p *mlir.Printer, op *mlir.Operation) {
	payload := shortForm(op, false)
	if payload != nil {
		printShort(p, payload)
	}
	printOperands(p, op)
	p.OptionalAttrs(op.Attrs)
	if payload == nil {
		printLong(p, op)
	}
}

// parseReduce reads { op } ins(…) outs(…) dimensions = […] {…}, or the long form.
func parseReduce(p *mlir.Parser, op *mlir.Operation) {
	s, short := parseShort(p)
	inputs, outputs := parseOperands(p, op)
	if inputs != outputs || inputs == 0 {
		p.ErrorAt(op.Loc, "linalg.reduce has as many outputs as inputs")
		return
	}
	op.Attrs = mlir.Attrs{parseDims(p, "dimensions")}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	resultsLikeOutputs(op)
	if !short {
		parseLong(p, op)
	} else if !p.Failed() {
		s.build(op, len(op.Operands), true)
	}
}

func printReduce(p *mlir.Printer, op *mlir.Operation) {
	payload := shortForm(op, true)
	if len(op.Operands) != 2 {
		payload = nil
	}
	if payload != nil {
		printShort(p, payload)
	}
	printOperands(p, op)
	printDims(p, op, "dimensions")
	p.OptionalAttrs(op.Attrs, "dimensions")
	if payload == nil {
		printLong(p, op)
	}
}
