package aie

import (
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseDevice reads (npu2) @name {…}.
func parseDevice(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "device", mlir.StringAttr(p.Keyword()))
	p.Expect(")")
	if p.NextSymbol() {
		set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	}
	p.Region(op, nil)
}

// parseTile reads (0, 2) {…}.
func parseTile(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "col", number(p.Int()))
	p.Expect(",")
	set(op, "row", number(p.Int()))
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(mlir.Index)
}

// tile reads %t, whose type goes without saying.
func tile(p *mlir.Parser) *mlir.Value { return p.Resolve(p.Operand(), mlir.Index) }

// parseBuffer reads (%t) {…} : T = dense<…>.
func parseBuffer(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(")")
	parseExternal(p, op)
}

func parseExternal(p *mlir.Parser, op *mlir.Operation) {
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.SetResults(p.Type())
	if p.Accept("=") {
		set(op, "initial_value", p.Attr())
	}
}

// parseLock reads (%t, 0) {…}.
func parseLock(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	if p.Accept(",") {
		set(op, "lockID", number(p.Int()))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(mlir.Index)
}

// parseUseLock reads (%l, AcquireGreaterEqual, 1), or with a value of type i32 behind the action.
func parseUseLock(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(",")
	word := ""
	if p.NextString() {
		word = p.Str()
	} else {
		word = p.Keyword()
	}
	set(op, "action", mlir.StringAttr(word))
	for p.Accept(",") {
		switch {
		case p.NextOperand():
			op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I32))
		case p.NextInteger():
			set(op, "value", number(p.Int()))
		default:
			set(op, "blocking", mlir.StringAttr(p.Keyword()))
		}
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parseOnTile reads (%t) {…} {…}.
func parseOnTile(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(")")
	p.Region(op, nil)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(mlir.Index)
}

// direction reads MM2S or S2MM.
func direction(p *mlir.Parser, op *mlir.Operation) {
	if p.NextString() {
		set(op, "channelDir", mlir.StringAttr(p.Str()))
		return
	}
	set(op, "channelDir", mlir.StringAttr(p.Keyword()))
}

// parseStart reads (MM2S, 0, ^bd, ^end, repeat_count = 4) {…}.
func parseStart(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	direction(p, op)
	p.Expect(",")
	set(op, "channelIndex", number(p.Int()))
	for range 2 {
		p.Expect(",")
		op.Successors = append(op.Successors, p.Successor())
	}
	if p.Accept(",") {
		p.Expect("repeat_count")
		p.Expect("=")
		set(op, "repeat_count", number(p.Int()))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(mlir.I1)
}

// parseDescriptor reads (%b : T, 0, 16, [<size = 4, stride = 1>]) {…}, or (%b : T offset = 0 len = 16 sizes = [4]
// strides = [1]) {…}; numbers may be values of type i32.
func parseDescriptor(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	r := p.Operand()
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
	names := []string{"offset", "len"}
	for p.Accept(",") {
		if p.Next("[") {
			steps(p, op)
			continue
		}
		if len(names) == 0 {
			p.Errorf("a descriptor has an offset and a length, and then dimensions")
			return
		}
		set(op, names[0], number(p.Int()))
		names = names[1:]
	}
	for word := p.NextKeyword(); word != "" && !p.Failed(); word = p.NextKeyword() {
		p.Keyword()
		p.Accept("=")
		switch word {
		case "offset", "len":
			if p.NextOperand() {
				op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I32))
				continue
			}
			set(op, word, number(p.Int()))
		case "sizes", "strides":
			list := []int{}
			p.List("[", "]", func() {
				if p.NextOperand() {
					op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I32))
					list = append(list, mlir.DynamicStride)
					return
				}
				list = append(list, p.Int())
			})
			set(op, word, mlir.Ints(list))
		case "pad":
			bracketed(p, func() { p.Bracketed() })
			set(op, "padded", mlir.UnitAttr{})
		default:
			p.Errorf("a descriptor has no %q", word)
			return
		}
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func bracketed(p *mlir.Parser, item func()) { p.List("[", "]", item) }

// steps reads [<size = 4, stride = 1>, …] into sizes and strides; padding in the same place is passed.
func steps(p *mlir.Parser, op *mlir.Operation) {
	sizes, strides := dimensions(p)
	if len(sizes) > 0 {
		set(op, "sizes", mlir.Ints(sizes))
		set(op, "strides", mlir.Ints(strides))
	}
}

func dimensions(p *mlir.Parser) (sizes, strides []int) {
	bracketed(p, func() {
		text := p.Bracketed()
		for _, field := range strings.Split(strings.Trim(text, "<>"), ",") {
			name, value, _ := strings.Cut(field, "=")
			n := 0
			for _, c := range strings.TrimSpace(value) {
				if c < '0' || c > '9' {
					p.Errorf("%s is no number", value)
					return
				}
				n = min(n*10+int(c-'0'), 1<<40)
			}
			switch strings.TrimSpace(name) {
			case "size":
				sizes = append(sizes, n)
			case "stride":
				strides = append(strides, n)
			}
		}
	})
	return sizes, strides
}

func parseNext(p *mlir.Parser, op *mlir.Operation) {
	op.Successors = []mlir.Successor{p.Successor()}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func parseEnd(p *mlir.Parser, op *mlir.Operation) { op.Attrs = append(op.Attrs, p.AttrDict()...) }

// parseFlow reads (%a, DMA : 0, %b, DMA : 1) {…}.
func parseFlow(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	for i, side := range []string{"source", "dest"} {
		if i > 0 {
			p.Expect(",")
		}
		op.Operands = append(op.Operands, tile(p))
		p.Expect(",")
		set(op, side+"Bundle", mlir.StringAttr(p.Keyword()))
		p.Expect(":")
		set(op, side+"Channel", number(p.Int()))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func parseCascade(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = append(op.Operands, tile(p))
	p.Expect(",")
	op.Operands = append(op.Operands, tile(p))
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parseFIFO reads @f(%a dimensionsToStream […], {%b dimensionsFromStream […]}, 2 : i32) {…} : T = […].
func parseFIFO(p *mlir.Parser, op *mlir.Operation) {
	set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	p.Expect("(")
	end := func(word string) {
		op.Operands = append(op.Operands, tile(p))
		if p.Accept(word) {
			sizes, strides := dimensions(p)
			set(op, word, mlir.ArrayAttr{mlir.Ints(sizes), mlir.Ints(strides)})
		}
	}
	end("dimensionsToStream")
	p.Expect(",")
	p.List("{", "}", func() { end("dimensionsFromStream") })
	p.Expect(",")
	set(op, "elemNumber", p.Attr())
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	set(op, "elemType", mlir.TypeAttr{Type: p.Type()})
	if p.Accept("=") {
		set(op, "initValues", p.Attr())
	}
}

// parseLink reads [@a] -> [@b, @c] ([] [0, 8]) {…}.
func parseLink(p *mlir.Parser, op *mlir.Operation) {
	for i, name := range []string{"fifoIns", "fifoOuts"} {
		if i > 0 {
			p.Expect("->")
		}
		list := mlir.ArrayAttr{}
		p.List("[", "]", func() { list = append(list, mlir.SymbolRefAttr{p.Symbol()}) })
		set(op, name, list)
	}
	p.Expect("(")
	for _, name := range []string{"src_offsets", "dst_offsets"} {
		offsets := []int{}
		p.List("[", "]", func() { offsets = append(offsets, p.Int()) })
		set(op, name, mlir.Ints(offsets))
		p.Accept(",")
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parsePort reads @f(Consume, 1) {…} : T.
func parsePort(p *mlir.Parser, op *mlir.Operation) {
	set(op, "objFifo_name", mlir.SymbolRefAttr{p.Symbol()})
	p.Expect("(")
	set(op, "port", mlir.StringAttr(p.Keyword()))
	p.Expect(",")
	set(op, "size", number(p.Int()))
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	if p.Accept(":") {
		op.SetResults(p.TypeList()...)
	} else {
		op.SetResults()
	}
}

// parseAccess reads %s[0] : T -> U.
func parseAccess(p *mlir.Parser, op *mlir.Operation) {
	r := p.Operand()
	p.Expect("[")
	set(op, "index", number(p.Int()))
	p.Expect("]")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
	p.Expect("->")
	op.SetResults(p.Type())
}

// parseAllocation reads @s(%t, MM2S, 0) {…}, or (MM2S, 0, 0) with a column.
func parseAllocation(p *mlir.Parser, op *mlir.Operation) {
	set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	p.Expect("(")
	if p.NextOperand() {
		op.Operands = []*mlir.Value{tile(p)}
		p.Expect(",")
	}
	direction(p, op)
	p.Expect(",")
	set(op, "channelIndex", number(p.Int()))
	if p.Accept(",") {
		set(op, "col", number(p.Int()))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parseSequence reads @name(%a: T, %b: U) {…}.
func parseSequence(p *mlir.Parser, op *mlir.Operation) {
	if p.NextSymbol() {
		set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	}
	var args []mlir.BlockArg
	p.List("(", ")", func() {
		r := p.Operand()
		p.Expect(":")
		args = append(args, mlir.BlockArg{Ref: r, Type: p.Type()})
	})
	p.Region(op, args)
}

// parseCopy reads (%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {…} : T.
func parseCopy(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	r := p.Operand()
	for _, name := range []string{"offsets", "sizes", "strides"} {
		list := []int{}
		p.List("[", "]", func() { list = append(list, p.Int()) })
		set(op, name, mlir.Ints(list))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
}
