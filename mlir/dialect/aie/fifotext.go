package aie

import (
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// parseFIFO reads @f(%a dimensionsToStream […], {%b dimensionsFromStream […]}, 2 : i32) {…} : T = […].
func parseFIFO(p *mlir.Parser, op *mlir.Operation) {
	set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	p.Expect("(")
	end := func(word string) {
		op.Operands = append(op.Operands, tile(p))
		if p.Accept(word) {
			name := word
			if n := len(op.Operands) - 1; n > 0 { // of each consumer its own
				name += strconv.Itoa(n)
			}
			sizes, strides := dimensions(p)
			set(op, name, mlir.ArrayAttr{mlir.Ints(sizes), mlir.Ints(strides)})
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
	if !p.Accept("=") {
		return
	}
	list := mlir.ArrayAttr{} // [dense<…> : T, dense<…>], of the objects that are there at first
	a, _ := op.Attrs.Get("elemType").(mlir.TypeAttr)
	object := objectType(a.Type)
	p.List("[", "]", func() {
		if m, ok := object.(mlir.MemRefType); ok {
			list = append(list, p.AttrOf(mlir.TensorType{Shape: m.Shape, Elem: m.Elem}))
			if p.Accept(":") {
				p.Type()
			}
			return
		}
		list = append(list, p.Attr())
	})
	set(op, "initValues", list)
}

// objectType is the memory of an object of !aie.objectfifo<T>, or nil.
func objectType(t mlir.Type) mlir.Type {
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "aie" {
		return nil
	}
	for _, head := range []string{"objectfifo<", "objectfifosubview<"} {
		if text, ok := strings.CutPrefix(o.Text, head); ok {
			if m, err := mlir.ParseType(strings.TrimSuffix(text, ">")); err == nil {
				return m
			}
		}
	}
	return nil
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
		if p.Next("[") {
			p.List("[", "]", func() { offsets = append(offsets, p.Int()) })
		}
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
	set(op, "size", p.IntOf(mlir.I32))
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
	set(op, "index", p.IntOf(mlir.I32))
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
	set(op, "channelIndex", p.IntOf(mlir.I32))
	for p.Accept(",") {
		if p.NextInteger() {
			set(op, "col", p.IntOf(mlir.I32))
		} else {
			packet(p, op)
		}
	}
	p.Expect(")")
	finish(p, op)
}

// parseAllocate reads @f (%t).
func parseAllocate(p *mlir.Parser, op *mlir.Operation) {
	set(op, "objFifo_name", mlir.SymbolRefAttr{p.Symbol()})
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(")")
	finish(p, op)
}

// parseRegister reads @f (%t, {%a, %b}) : (T, T).
func parseRegister(p *mlir.Parser, op *mlir.Operation) {
	finish(p, op)
	set(op, "objFifo_name", mlir.SymbolRefAttr{p.Symbol()})
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(",")
	var refs []mlir.Ref
	p.List("{", "}", func() { refs = append(refs, p.Operand()) })
	p.Expect(")")
	p.Expect(":")
	n := 0
	p.List("(", ")", func() {
		if t := p.Type(); n < len(refs) {
			op.Operands = append(op.Operands, p.Resolve(refs[n], t))
		}
		n++
	})
	if n != len(refs) {
		p.Errorf("%d buffers and %d types", len(refs), n)
	}
}
