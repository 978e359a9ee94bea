package aie

import (
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

const some = mlir.Variadic

type (
	parser = func(*mlir.Parser, *mlir.Operation)
	check  = func(*mlir.Operation) error
)

func def(name string, operands, results, regions int, parse parser, verify check) mlir.OpDef {
	return mlir.OpDef{Name: name, Operands: operands, Results: results, Regions: regions, Parse: parse, Verify: verify}
}

func with(d mlir.OpDef, traits mlir.Trait) mlir.OpDef { d.Traits = traits; return d }

func within(d mlir.OpDef, parents ...string) mlir.OpDef { d.Parents = parents; return d }

func init() {
	const lines = mlir.NoTerminator | mlir.SingleBlock
	mlir.RegisterDialect(&mlir.Dialect{Name: "aie", Ops: []mlir.OpDef{
		with(def("aie.device", 0, 0, 1, parseDevice, verifyDevice), mlir.SymbolTable|lines|mlir.IsolatedFromAbove),
		def("aie.tile", 0, 1, 0, parseTile, verifyTile), def("aie.logical_tile", 0, 1, 0, parseLogicalTile, verifyLogicalTile),
		def("aie.buffer", 1, 1, 0, parseBuffer, verifyBuffer), def("aie.external_buffer", 0, 1, 0, parseExternal, nil),
		def("aie.lock", 1, 1, 0, parseLock, verifyLock), def("aie.use_lock", some, 0, 0, parseUseLock, verifyUseLock),
		def("aie.core", 1, 1, 1, parseOnTile, verifyCore), def("aie.mem", 1, 1, 1, parseOnTile, verifyDMA),
		def("aie.memtile_dma", 1, 1, 1, parseOnTile, verifyDMA), def("aie.shim_dma", 1, 1, 1, parseOnTile, verifyDMA),
		with(def("aie.dma_start", 0, 1, 0, parseStart, verifyStart), mlir.Terminator|mlir.Branch),
		with(def("aie.dma", 0, 1, some, parseDMA, verifyDMAList), mlir.NoTerminator),
		def("aie.dma_bd", some, 0, 0, parseDescriptor, verifyDescriptor), def("aie.dma_bd_packet", 0, 0, 0, parsePacket, verifyPacket),
		with(def("aie.next_bd", 0, 0, 0, parseNext, nil), mlir.Terminator|mlir.Branch),
		with(def("aie.end", 0, 0, 0, parseEnd, nil), mlir.Terminator),
		def("aie.flow", 2, 0, 0, parseFlow, verifyFlow), def("aie.cascade_flow", 2, 0, 0, parseCascade, verifyCascade),
		def("aie.objectfifo", some, 0, 0, parseFIFO, verifyFIFO), def("aie.objectfifo.link", 0, 0, 0, parseLink, verifyLink),
		def("aie.objectfifo.acquire", 0, some, 0, parsePort, verifyPort), def("aie.objectfifo.release", 0, 0, 0, parsePort, verifyPort),
		def("aie.objectfifo.subview.access", 1, 1, 0, parseAccess, verifyAccess),
		def("aie.objectfifo.allocate", 1, 0, 0, parseAllocate, verifyAllocate),
		def("aie.objectfifo.register_external_buffers", some, 0, 0, parseRegister, verifyRegister),
		def("aie.shim_dma_allocation", some, 0, 0, parseAllocation, nil),
		with(def("aie.runtime_sequence", 0, 0, 1, parseSequence, nil), mlir.NoTerminator),
		with(def("aie.bd_chain", 0, 0, 1, parseSequence, nil), mlir.NoTerminator),

		with(def("aie.switchbox", 1, 1, 1, parseOnTile, verifySwitch), lines), with(def("aie.shim_mux", 1, 1, 1, parseOnTile, verifySwitch), lines),
		with(def("aie.shim_switchbox", 0, 1, 1, parseColumn, nil), lines), def("aie.plio", 0, 1, 0, parseColumn, nil),
		within(def("aie.connect", 0, 0, 0, parseConnect, nil), "aie.switchbox", "aie.shim_mux", "aie.shim_switchbox"),
		within(def("aie.amsel", 0, 1, 0, parseArbiter, verifyArbiter), "aie.switchbox"),
		within(def("aie.masterset", some, 1, 0, parseMaster, verifyMaster), "aie.switchbox"),
		within(with(def("aie.packet_rules", 0, 0, 1, parseRules, verifyRules), lines), "aie.switchbox"),
		within(def("aie.rule", 1, 0, 0, parseRule, verifyRule), "aie.packet_rules"),
		with(def("aie.packet_flow", 0, 0, 1, parsePacketFlow, verifyPacketFlow), lines),
		within(def("aie.packet_source", 1, 0, 0, parsePacketEnd, nil), "aie.packet_flow"),
		within(def("aie.packet_dest", 1, 0, 0, parsePacketEnd, nil), "aie.packet_flow"),
		def("aie.wire", 2, 0, 0, parseWire, nil), def("aie.debug", 1, 0, 0, parseDebug, nil), def("aie.event", 0, 0, 0, parseEvent, verifyEvent),
		within(def("aie.get_stream", 1, 1, 0, parseGetStream, nil), "aie.core"), within(def("aie.put_stream", 2, 0, 0, parsePutStream, nil), "aie.core"),
		assembly.Op{Name: "aie.objectfifo.buffer", Results: "buffer", Attrs: "objFifo_name: sym, index: i32(0..)",
			Format: "$objFifo_name `(` $index `)` attr-dict `:` type($buffer)", Verify: verifyPart}.Def(),
		assembly.Op{Name: "aie.objectfifo.lock", Results: "acquired: index, released: index", Attrs: "objFifo_name: sym, port: enum(Produce|Consume)",
			Format: "$objFifo_name `(` $port `)` attr-dict `:` `(` type($acquired) `,` type($released) `)`", Verify: verifyPart}.Def(),
		assembly.Op{Name: "aie.objectfifo_rearm_binding", Operands: "channels*, locks*",
			Attrs:  "sym_name: name, channel_dirs: any, channel_indices: any, lock_inits: any, head_bd_ids: any?, repeat_counts: any?",
			Format: "$sym_name `channels` `(` ($channels^ `:` type($channels))? `)` `locks` `(` ($locks^ `:` type($locks))? `)` attr-dict",
			Verify: verifyBinding}.Def(),
		def("aie.configure_cascade", 1, 0, 0, parseConfigureCascade, verifyConfigureCascade),
		def("aie.get_cascade", 0, 1, 0, parseGetCascade, verifyCascadeValue), def("aie.put_cascade", 1, 0, 0, parseDebug, verifyCascadeValue),
	}, Define: func() []mlir.OpDef { return assembly.Defs(traces) }})
	mlir.RegisterDialect(&mlir.Dialect{Name: "aiex", Ops: tasks(), Unknown: func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: some, Results: some, Regions: some}
	}})
}

// set appends an attribute.
func set(op *mlir.Operation, name string, a mlir.Attribute) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: name, Value: a})
}

func intOf(op *mlir.Operation, name string) (int, bool) {
	a, ok := op.Attrs.Get(name).(mlir.IntegerAttr)
	return int(a.Value), ok
}
