package aie

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/mlir/assembly"
)

// registers are operations of the host that write registers, reset parts of the array, wait, and share descriptors.
// Texts before 2026 have numbers as attributes where newer ones have values.
var registers = []assembly.Op{
	written("sync", 6), written("write32", 2), written("maskwrite32", 3), written("maskpoll", 3),
	{Name: "aiex.npu.address_patch", Operands: "arg_plus?, addr_val?",
		Format: "(`(` $arg_plus^ `:` type($arg_plus) `)`)? (`addr` $addr_val^ `:` type($addr_val))? attr-dict"},
	{Name: "aiex.npu.blockwrite_values", Operands: "address, values*",
		Format: "`(` $address `:` type($address) `)` `values` $values attr-dict `:` type($values)"},
	{Name: "aiex.npu.assert_bd_field", Operands: "value", Attrs: "max: i32", Format: "`(` $value `)` attr-dict `:` type($value)"},
	{Name: "aiex.npu.assert_bd_divisible", Operands: "value", Attrs: "divisor: i32, allow_unit: unit",
		Format: "`(` $value `)` attr-dict `:` type($value)"},
	{Name: "aiex.npu.require", Operands: "holds", Attrs: "message: str", Format: "`(` $holds `)` attr-dict `:` type($holds)"},
	{Name: "aiex.npu.write_config", Attrs: "device: sym", Format: "$device attr-dict"},
	{Name: "aiex.npu.update_from_scratchpad", Attrs: "func: enum(mul|incr|decr) = incr, state_table_idx: any, address: any",
		Format: "(`<` $func^ `>`)? attr-dict"},
	{Name: "aiex.read_scratchpad_parameter", Results: "value", Attrs: "parameter: sym", Format: "$parameter `:` type($value) attr-dict"},
	{Name: "aiex.dma_bd_pool_pop", Results: "bd_id", Attrs: pool, Format: pooled + "attr-dict `:` type($bd_id)"},
	{Name: "aiex.dma_bd_pool_push", Operands: "bd_id", Attrs: pool, Format: pooled + "`bd_id` $bd_id attr-dict `:` type($bd_id)"},
	{Name: "aiex.core_reset", Operands: "tile: index", Format: "`(` $tile `)` attr-dict", Verify: verifyReset},
	{Name: "aiex.buffer_clear", Operands: "tile: index", Attrs: "address: i32(0..), length: i32(1..)",
		Format: "`(` $tile `,` $address `,` $length `)` attr-dict", Verify: verifyReset},
	{Name: "aiex.dma_channel_reset", Operands: "tile: index", Attrs: "direction: enum(S2MM|MM2S), channel: i32(0..)",
		Format: "`(` $tile `,` $direction `,` $channel `)` attr-dict", Verify: verifyReset},
	{Name: "aiex.dma_channel_reset_for", Attrs: "objfifo: sym", Format: "`(` $objfifo `)` attr-dict"},
}

const (
	pool   = "column: i32(0..), row: i32(0..), channel: i32?, first: i32?, end: i32?"
	pooled = "`(` $column `,` $row (`,` $channel^)? `)` (`partition` `[` $first^ `,` $end `)`)? "
)

// written is an operation on n numbers, all of them values or all of them attributes.
func written(name string, n int) assembly.Op {
	return assembly.Op{Name: "aiex.npu." + name, Operands: "numbers*",
		Format: "(`(` $numbers^ `)`)? attr-dict (`:` type($numbers)^)?", Verify: func(op *mlir.Operation) error {
			if got := len(op.Operands); got != 0 && got != n {
				return fmt.Errorf("has %d values, not %d", got, n)
			}
			return nil
		}}
}

// verifyReset checks that a tile has what is reset: a core, memory, or the channel of a DMA.
func verifyReset(op *mlir.Operation) error {
	k, known := kindOf(op.Operands[0])
	n, _ := intOf(op, "channel")
	switch {
	case !known:
	case op.Name == "aiex.core_reset" && k != core:
		return fmt.Errorf("is on the wrong tile: a %s has no core", k.name)
	case k == shim:
		return fmt.Errorf("is on the wrong tile: a %s has nothing of the kind", k.name)
	case op.Name == "aiex.dma_channel_reset" && n >= k.channels:
		return fmt.Errorf("resets channel %d, and a %s has 0 to %d each way", n, k.name, k.channels-1)
	}
	return nil
}
