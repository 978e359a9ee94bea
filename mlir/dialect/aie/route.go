package aie

import (
	"github.com/go-acap/acap/mlir"
)

// port reads DMA : 0, or DMA alone where a bundle is meant; words may stand in quotes.
func port(p *mlir.Parser, op *mlir.Operation, side string, numbered bool) {
	set(op, side+"Bundle", mlir.StringAttr(word(p)))
	if numbered {
		p.Expect(":")
		set(op, side+"Channel", p.IntOf(mlir.I32))
	}
}

// word reads a keyword, in quotes or not.
func word(p *mlir.Parser) string {
	if p.NextString() {
		return p.Str()
	}
	return p.Keyword()
}

// finish reads the attributes at the end.
func finish(p *mlir.Parser, op *mlir.Operation) { op.Attrs = append(op.Attrs, p.AttrDict()...) }

// parseColumn reads (3) {…} of a switch or a port at a column.
func parseColumn(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "col", p.IntOf(mlir.I32))
	p.Expect(")")
	if op.Name == "aie.shim_switchbox" {
		p.Region(op, nil)
	}
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseConnect reads <West : 0, Core : 1>.
func parseConnect(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("<")
	port(p, op, "source", true)
	p.Expect(",")
	port(p, op, "dest", true)
	p.Expect(">")
	finish(p, op)
}

// parseArbiter reads <5>(3).
func parseArbiter(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("<")
	set(op, "arbiterID", p.IntOf(mlir.I32))
	p.Expect(">")
	p.Expect("(")
	set(op, "msel", p.IntOf(mlir.I32))
	p.Expect(")")
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseMaster reads (East : 0, %a, %b).
func parseMaster(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	port(p, op, "dest", true)
	for p.Accept(",") {
		op.Operands = append(op.Operands, tile(p))
	}
	p.Expect(")")
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseRules reads (South : 0) {…}.
func parseRules(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	port(p, op, "source", true)
	p.Expect(")")
	p.Region(op, nil)
	finish(p, op)
}

// parseRule reads (0x1F, 0x10, %a).
func parseRule(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "mask", p.IntOf(mlir.I32))
	p.Expect(",")
	set(op, "value", p.IntOf(mlir.I32))
	p.Expect(",")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(")")
	finish(p, op)
}

// parsePacketFlow reads (0x10) {…}.
func parsePacketFlow(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "ID", p.IntOf(mlir.I32))
	p.Expect(")")
	p.Region(op, nil)
	finish(p, op)
}

// parsePacketEnd reads <%t, DMA : 0>.
func parsePacketEnd(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("<")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(",")
	port(p, op, "", true)
	p.Expect(">")
	finish(p, op)
}

// parsePacket reads (4, 13): the type and the number of packets.
func parsePacket(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "packet_type", p.IntOf(mlir.I32))
	p.Expect(",")
	set(op, "packet_id", p.IntOf(mlir.I32))
	p.Expect(")")
	finish(p, op)
}

// parseWire reads (%a : Core, %b : Core).
func parseWire(p *mlir.Parser, op *mlir.Operation) {
	parseEnds(p, op, ":", false)
	finish(p, op)
}

// typed reads %v : T.
func typed(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	p.Expect(":")
	op.Operands = append(op.Operands, p.Resolve(r, p.Type()))
}

// parseDebug reads (%v : T).
func parseDebug(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	typed(p, op)
	p.Expect(")")
	finish(p, op)
}

func parseEvent(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "val", p.IntOf(mlir.I32))
	p.Expect(")")
	finish(p, op)
}

// parseGetStream reads (%c : i32) : i32, and parsePutStream (%c : i32, %v : i32).
func parseGetStream(p *mlir.Parser, op *mlir.Operation) {
	parseDebug(p, op)
	p.Expect(":")
	op.SetResults(p.Type())
}

func parsePutStream(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	typed(p, op)
	p.Expect(",")
	typed(p, op)
	p.Expect(")")
	finish(p, op)
}

// parseConfigureCascade reads (%t, West, East).
func parseConfigureCascade(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	for _, name := range []string{"inputDir", "outputDir"} {
		p.Expect(",")
		set(op, name, mlir.StringAttr(word(p)))
	}
	p.Expect(")")
	finish(p, op)
}

// parseGetCascade reads () : T.
func parseGetCascade(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	p.Expect(")")
	finish(p, op)
	p.Expect(":")
	op.SetResults(p.Type())
}
