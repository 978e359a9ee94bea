package aie

import (
	"github.com/go-acap/acap/mlir"
)

func init() {
	const any = mlir.Variadic
	op := func(name string, operands, results, regions int, parse func(*mlir.Parser, *mlir.Operation), verify func(*mlir.Operation) error) mlir.OpDef {
		return mlir.OpDef{Name: name, Operands: operands, Results: results, Regions: regions, Parse: parse, Verify: verify}
	}
	holds := func(d mlir.OpDef, traits mlir.Trait) mlir.OpDef { d.Traits = traits; return d }
	mlir.RegisterDialect(&mlir.Dialect{Name: "aie", Ops: []mlir.OpDef{
		holds(op("aie.device", 0, 0, 1, parseDevice, nil), mlir.SymbolTable|mlir.NoTerminator|mlir.SingleBlock|mlir.IsolatedFromAbove),
		op("aie.tile", 0, 1, 0, parseTile, verifyTile),
		op("aie.buffer", 1, 1, 0, parseBuffer, nil), op("aie.external_buffer", 0, 1, 0, parseExternal, nil),
		op("aie.lock", 1, 1, 0, parseLock, verifyLock), op("aie.use_lock", any, 0, 0, parseUseLock, verifyUseLock),
		op("aie.core", 1, 1, 1, parseOnTile, nil), op("aie.mem", 1, 1, 1, parseOnTile, nil),
		op("aie.memtile_dma", 1, 1, 1, parseOnTile, nil), op("aie.shim_dma", 1, 1, 1, parseOnTile, nil),
		holds(op("aie.dma_start", 0, 1, 0, parseStart, verifyStart), mlir.Terminator|mlir.Branch),
		op("aie.dma_bd", any, 0, 0, parseDescriptor, verifyDescriptor),
		holds(op("aie.next_bd", 0, 0, 0, parseNext, nil), mlir.Terminator|mlir.Branch),
		holds(op("aie.end", 0, 0, 0, parseEnd, nil), mlir.Terminator),
		op("aie.flow", 2, 0, 0, parseFlow, nil), op("aie.cascade_flow", 2, 0, 0, parseCascade, nil),
		op("aie.objectfifo", any, 0, 0, parseFIFO, verifyFIFO), op("aie.objectfifo.link", 0, 0, 0, parseLink, nil),
		op("aie.objectfifo.acquire", 0, any, 0, parsePort, verifyPort), op("aie.objectfifo.release", 0, 0, 0, parsePort, verifyPort),
		op("aie.objectfifo.subview.access", 1, 1, 0, parseAccess, nil),
		op("aie.shim_dma_allocation", any, 0, 0, parseAllocation, nil),
		holds(op("aie.runtime_sequence", 0, 0, 1, parseSequence, nil), mlir.NoTerminator),
	}})
	mlir.RegisterDialect(&mlir.Dialect{Name: "aiex", Ops: []mlir.OpDef{
		holds(op("aiex.runtime_sequence", 0, 0, 1, parseSequence, nil), mlir.NoTerminator),
		op("aiex.npu.dma_memcpy_nd", 1, 0, 0, parseCopy, verifyCopy), op("aiex.npu.dma_wait", 0, 0, 0, parseEnd, nil),
	}, Unknown: func(name string) *mlir.OpDef {
		return &mlir.OpDef{Name: name, Operands: any, Results: any, Regions: any}
	}})
}

// set appends an attribute.
func set(op *mlir.Operation, name string, a mlir.Attribute) {
	op.Attrs = append(op.Attrs, mlir.Named{Name: name, Value: a})
}

func number(n int) mlir.Attribute { return mlir.IntegerAttr{Value: int64(n), Type: mlir.I32} }

func intOf(op *mlir.Operation, name string) (int, bool) {
	a, ok := op.Attrs.Get(name).(mlir.IntegerAttr)
	return int(a.Value), ok
}
