package aie

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// tasks are the operations of the host: transfers, chains of descriptors that it configures, and writes to registers.
func tasks() []mlir.OpDef {
	list := []mlir.OpDef{
		with(def("aiex.runtime_sequence", 0, 0, 1, parseSequence, nil), mlir.NoTerminator),
		def("aiex.npu.dma_memcpy_nd", some, 0, 0, parseCopy, verifyCopy),
		def("aiex.dma_configure_task", some, 1, 1, parseTask, verifyTask), def("aiex.dma_configure_task_for", some, 1, 1, parseTaskFor, verifyTask),
		def("aiex.dma_start_bd_chain", some, 1, 0, parseStartChain, nil), def("aiex.dma_start_bd_chain_for", some, 1, 0, parseStartChain, nil),
		def("aiex.npu.rtp_write", some, 0, 0, parseParameter, nil), def("aiex.set_lock", some, 0, 0, parseSetLock, verifySetLock),
		def("aiex.npu.push_queue", some, 0, 0, parsePush, nil), def("aiex.npu.blockwrite", 1, 0, 0, parseBlockWrite, nil),
		with(def("aiex.configure", 0, 1, 1, parseConfigure, nil), mlir.NoTerminator), def("aiex.run", some, 0, 0, parseRun, nil),
		def("aiex.scratchpad_parameter", 0, 0, 0, parseScratchpad, nil),
	}
	for _, name := range []string{"dma_start_task", "dma_await_task", "dma_free_task"} {
		list = append(list, def("aiex."+name, 1, 0, 0, parseOfTask, verifyOfTask))
	}
	for _, name := range []string{"npu.dma_wait", "npu.writebd", "npu.load_pdi", "npu.preempt", "npu.blockwrite32", "control_packet", "npu.control_packet",
		"npu.create_scratchpad", "sync_scratchpad_parameters_from_host"} {
		list = append(list, def("aiex."+name, 0, 0, 0, parseEnd, nil))
	}
	return append(list, assembly.Defs(registers)...)
}

// parseTask reads (%t, MM2S, 0, <pkt_type = 0, pkt_id = 1>) repeat %n : i32 bd_id %d : i32 {…} {…}.
func parseTask(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(",")
	direction(p, op)
	p.Expect(",")
	set(op, "channelIndex", p.IntOf(mlir.I32))
	if p.Accept(",") {
		packet(p, op)
	}
	p.Expect(")")
	valueBehind(p, op, "repeat")
	valueBehind(p, op, "bd_id")
	p.Region(op, nil)
	finish(p, op)
	op.SetResults(mlir.Index)
}

// packet reads <pkt_type = 0, pkt_id = 1>, or the attribute with its name.
func packet(p *mlir.Parser, op *mlir.Operation) {
	if p.Next("<") {
		set(op, "packet", mlir.OpaqueAttr{Text: "#aie.packet_info" + p.Bracketed()})
		return
	}
	set(op, "packet", p.Attr())
}

// valueBehind reads a word and a value with its type, where the word stands; an attribute notes that the value is
// there.
func valueBehind(p *mlir.Parser, op *mlir.Operation, word string) {
	if !p.Accept(word) {
		return
	}
	r := p.Operand()
	p.Expect(":")
	op.Operands = append(op.Operands, p.Resolve(r, p.Type()))
	set(op, "dynamic_"+word, mlir.UnitAttr{})
}

// parseTaskFor reads @f repeat %n : i32 {…} {…}.
func parseTaskFor(p *mlir.Parser, op *mlir.Operation) {
	set(op, "alloc", p.Attr())
	valueBehind(p, op, "repeat")
	p.Region(op, nil)
	finish(p, op)
	op.SetResults(mlir.Index)
}

// typedOperands reads (%a, %b) : (T, U).
func typedOperands(p *mlir.Parser) []*mlir.Value {
	refs := p.OperandList("(", ")")
	p.Expect(":")
	var types []mlir.Type
	p.List("(", ")", func() { types = append(types, p.Type()) })
	return p.ResolveAll(refs, types)
}

// parseStartChain reads @chain(%b, %l) : (T, index) on (%t, MM2S, 0), or for @f.
func parseStartChain(p *mlir.Parser, op *mlir.Operation) {
	set(op, "symbol", mlir.SymbolRefAttr{p.Symbol()})
	op.Operands = typedOperands(p)
	if p.Accept("for") {
		set(op, "alloc", mlir.SymbolRefAttr{p.Symbol()})
	} else {
		p.Expect("on")
		p.Expect("(")
		op.Operands = append(op.Operands, tile(p))
		p.Expect(",")
		direction(p, op)
		p.Expect(",")
		set(op, "channelIndex", p.IntOf(mlir.I32))
		p.Expect(")")
	}
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseOfTask reads (%task).
func parseOfTask(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(")")
	finish(p, op)
}

// parseParameter reads (@b, 0, 50), ("b", 0, 50), or with a value of type i32 in the last place, behind which the type
// may stand.
func parseParameter(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	if p.NextSymbol() {
		set(op, "buffer", mlir.SymbolRefAttr{p.Symbol()})
	} else {
		set(op, "buffer", mlir.SymbolRefAttr{p.Str()})
	}
	p.Expect(",")
	set(op, "index", p.IntOf(mlir.I32))
	p.Expect(",")
	if p.NextOperand() {
		op.Operands = []*mlir.Value{p.Resolve(p.Operand(), mlir.I32)}
	} else {
		set(op, "value", p.IntOf(mlir.I32))
	}
	p.Expect(")")
	finish(p, op)
	if len(op.Operands) > 0 && p.Accept(":") {
		p.Type()
	}
}

// parseSetLock reads (%l, 1), or with a value of type i32.
func parseSetLock(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	op.Operands = []*mlir.Value{tile(p)}
	p.Expect(",")
	if p.NextOperand() {
		op.Operands = append(op.Operands, p.Resolve(p.Operand(), mlir.I32))
	} else {
		set(op, "value", p.IntOf(mlir.I32))
	}
	p.Expect(")")
	finish(p, op)
}

// parsePush reads (0, 0, S2MM : 1) {…}, or (0, 0, S2MM : 1) bd_id %d repeat %n {…} : i32, i32.
func parsePush(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	for _, name := range []string{"column", "row"} {
		set(op, name, p.IntOf(mlir.I32))
		p.Expect(",")
	}
	direction(p, op)
	p.Expect(":")
	set(op, "channelIndex", p.IntOf(mlir.I32))
	p.Expect(")")
	var refs []mlir.Ref
	if p.Accept("bd_id") {
		refs = append(refs, p.Operand())
		p.Expect("repeat")
		refs = append(refs, p.Operand())
	}
	finish(p, op)
	if len(refs) > 0 {
		p.Expect(":")
		op.Operands = p.ResolveAll(refs, p.TypeList())
	}
}

// parseBlockWrite reads (%m) {…} : T.
func parseBlockWrite(p *mlir.Parser, op *mlir.Operation) {
	p.Expect("(")
	r := p.Operand()
	p.Expect(")")
	finish(p, op)
	p.Expect(":")
	op.Operands = []*mlir.Value{p.Resolve(r, p.Type())}
}

// parseConfigure reads @device {…}.
func parseConfigure(p *mlir.Parser, op *mlir.Operation) {
	set(op, "symbol", mlir.SymbolRefAttr{p.Symbol()})
	p.Region(op, nil)
	finish(p, op)
	op.SetResults(mlir.Index)
}

// parseRun reads @sequence(%a, %b) : (T, U).
func parseRun(p *mlir.Parser, op *mlir.Operation) {
	set(op, "runtime_sequence_symbol", mlir.SymbolRefAttr{p.Symbol()})
	op.Operands = typedOperands(p)
	finish(p, op)
}

// parseScratchpad reads @name : i32.
func parseScratchpad(p *mlir.Parser, op *mlir.Operation) {
	set(op, "sym_name", mlir.StringAttr(p.Symbol()))
	p.Expect(":")
	set(op, "type", mlir.TypeAttr{Type: p.Type()})
	finish(p, op)
}
