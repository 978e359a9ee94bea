package aie

import (
	"slices"

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
	finish(p, op)
}

// parseLogicalTile reads <CoreTile>(?, 2): a tile that a pass places.
func parseLogicalTile(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("<")
	set(op, "tile_type", mlir.StringAttr(p.Keyword()))
	p.Expect(">")
	p.Expect("(")
	for i, name := range []string{"col", "row"} {
		if i > 0 {
			p.Expect(",")
		}
		if !p.Accept("?") {
			set(op, name, p.IntOf(mlir.I32))
		}
	}
	p.Expect(")")
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseTile reads (0, 2) {…}.
func parseTile(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	set(op, "col", p.IntOf(mlir.I32))
	p.Expect(",")
	set(op, "row", p.IntOf(mlir.I32))
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
	t := p.Type()
	op.SetResults(t)
	if !p.Accept("=") {
		return
	}
	m, ok := t.(mlir.MemRefType)
	if !ok {
		p.Errorf("%s has no first contents", t)
		return
	}
	set(op, "initial_value", p.AttrOf(mlir.TensorType{Shape: m.Shape, Elem: m.Elem}))
	if p.Accept(":") {
		p.Type()
	}
}

// parseLock reads (%t, 0) {…}.
func parseLock(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	if p.Accept(",") {
		set(op, "lockID", p.IntOf(mlir.I32))
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
			set(op, "value", p.IntOf(mlir.I32))
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
	set(op, "channelIndex", p.IntOf(mlir.I32))
	for range 2 {
		p.Expect(",")
		op.Successors = append(op.Successors, p.Successor())
	}
	if p.Accept(",") {
		p.Expect("repeat_count")
		p.Expect("=")
		set(op, "repeat_count", p.IntOf(mlir.I32))
	}
	p.Expect(")")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
	op.SetResults(mlir.I1)
}

// parseDMA reads (S2MM, 0) {…} [{…}, {…}].
func parseDMA(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	direction(p, op)
	p.Expect(",")
	set(op, "channelIndex", p.IntOf(mlir.I32))
	p.Expect(")")
	finish(p, op)
	p.List("[", "]", func() { p.Region(op, nil) })
	op.SetResults(mlir.I1)
}

// parseDescriptor reads (%b : T, 0, 16, [<size = 4, stride = 1>]) {…}, or (%b : T offset = 0 len = 16 sizes = [4]
// strides = [1]) {…}; the offset and the length may be values of type i32, and sizes and strides of type i64. Behind
// the parenthesis may stand a value for the number of the descriptor, and in texts of 2026 before July those for the
// others.
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
		if p.Accept("pad_value") {
			p.Expect("=")
			set(op, "pad_value", p.IntOf(mlir.I32))
			continue
		}
		if len(names) == 0 {
			p.Errorf("a descriptor has an offset and a length, and then dimensions")
			return
		}
		set(op, names[0], p.IntOf(mlir.I32))
		names = names[1:]
	}
	for word := p.NextKeyword(); word != "" && !p.Failed(); word = p.NextKeyword() {
		p.Keyword()
		p.Accept("=")
		switch word {
		case "offset", "len":
			if p.NextOperand() {
				op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I32))
				set(op, "dynamic_"+word, mlir.UnitAttr{})
				continue
			}
			set(op, word, p.IntOf(mlir.I32))
		case "sizes", "strides":
			list := []int{}
			p.List("[", "]", func() {
				if p.NextOperand() {
					op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I64))
					list = append(list, mlir.DynamicStride)
					return
				}
				list = append(list, p.Int())
			})
			set(op, word, mlir.Ints(list))
		case "pad":
			before, after := pairs(p, "const_pad_before", "const_pad_after")
			set(op, "pad_before", mlir.Ints(before))
			set(op, "pad_after", mlir.Ints(after))
		default:
			p.Errorf("a descriptor has no %q", word)
			return
		}
	}
	p.Expect(")")
	parseDescriptorValues(p, op)
	valueBehind(p, op, "bd_id_val")
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parseDescriptorValues reads the values that stand behind a descriptor in texts of 2026 before July.
func parseDescriptorValues(p *mlir.Parser, op *mlir.Operation) {
	for _, name := range []string{"offset", "len", "sizes", "strides"} {
		if !p.Accept("dyn_" + name) {
			continue
		}
		refs := []mlir.Ref{}
		p.Expect("(")
		for more := true; more && !p.Failed(); more = p.Accept(",") {
			refs = append(refs, p.Operand())
		}
		p.Expect(":")
		op.Operands = append(op.Operands, p.ResolveAll(refs, p.TypeList())...)
		p.Expect(")")
		if name == "offset" || name == "len" {
			set(op, "dynamic_"+name, mlir.UnitAttr{})
			continue
		}
		set(op, name, mlir.Ints(slices.Repeat([]int{mlir.DynamicStride}, len(refs))))
	}
}

func bracketed(p *mlir.Parser, item func()) { p.List("[", "]", item) }

// steps reads [<size = 4, stride = 1>, …] into sizes and strides, or [<const_pad_before = 1, const_pad_after = 0>, …].
func steps(p *mlir.Parser, op *mlir.Operation) {
	names := [2]string{"sizes", "strides"}
	if op.Attrs.Get("sizes") != nil {
		names = [2]string{"pad_before", "pad_after"}
	}
	first, second := pairs(p, "size", "stride", "const_pad_before", "const_pad_after")
	if len(first) > 0 {
		set(op, names[0], mlir.Ints(first))
		set(op, names[1], mlir.Ints(second))
	}
}

// pairs reads a list of pairs of named numbers; names has the names of the first number and of the second.
func pairs(p *mlir.Parser, names ...string) (first, second []int) {
	bracketed(p, func() {
		p.Expect("<")
		for i := range 2 {
			if i > 0 {
				p.Expect(",")
			}
			known := false
			for k := i; k < len(names) && !known; k += 2 {
				known = p.Accept(names[k])
			}
			if known {
				p.Expect("=")
			}
			if n := p.Int(); i == 0 {
				first = append(first, n)
			} else {
				second = append(second, n)
			}
		}
		p.Expect(">")
	})
	return first, second
}

func dimensions(p *mlir.Parser) (sizes, strides []int) { return pairs(p, "size", "stride") }

func parseNext(p *mlir.Parser, op *mlir.Operation) {
	op.Successors = []mlir.Successor{p.Successor()}
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

func parseEnd(p *mlir.Parser, op *mlir.Operation) { op.Attrs = append(op.Attrs, p.AttrDict()...) }

// parseFlow reads (%a, DMA : 0, %b, DMA : 1) {…}.
func parseFlow(p *mlir.Parser, op *mlir.Operation) {
	parseEnds(p, op, ",", true)
	op.Attrs = append(op.Attrs, p.AttrDict()...)
}

// parseEnds reads the source and the destination of a connection in parentheses: a tile, a mark and a port, perhaps
// with a number.
func parseEnds(p *mlir.Parser, op *mlir.Operation, mark string, numbered bool) {
	p.Expect("(")
	for i, side := range []string{"source", "dest"} {
		if i > 0 {
			p.Expect(",")
		}
		op.Operands = append(op.Operands, tile(p))
		p.Expect(mark)
		port(p, op, side, numbered)
	}
	p.Expect(")")
}

func parseCascade(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = append(op.Operands, tile(p))
	p.Expect(",")
	op.Operands = append(op.Operands, tile(p))
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

// parseCopy reads (%a[0, 0, 0, 0][1, 1, 1, 16][0, 0, 0, 1]) {…} : T, whose numbers may be values of type i64; before
// 2025 two numbers stood in front, and the last stride was left out.
func parseCopy(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	for p.NextInteger() {
		p.Int()
		p.Expect(",")
	}
	r := p.Operand()
	var values []*mlir.Value
	for _, name := range []string{"offsets", "sizes", "strides"} {
		list := []int{}
		p.List("[", "]", func() {
			if p.NextOperand() {
				values = append(values, p.Resolve(p.Operand(), mlir.I64))
				list = append(list, mlir.DynamicStride)
				return
			}
			list = append(list, p.Int())
		})
		if name == "strides" && len(list) == 3 {
			list = append(list, 1)
		}
		set(op, name, mlir.Ints(list))
	}
	if p.Accept(",") {
		if p.Accept("packet") {
			p.Expect("=")
		}
		packet(p, op)
	}
	p.Expect(")")
	finish(p, op)
	p.Expect(":")
	op.Operands = append([]*mlir.Value{p.Resolve(r, p.Type())}, values...)
}
