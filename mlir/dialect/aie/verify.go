package aie

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

func verifyTile(op *mlir.Operation) error {
	col, _ := intOf(op, "col")
	row, _ := intOf(op, "row")
	if d, ok := deviceOf(op); ok && (col < 0 || col >= d.cols || row < 0 || row >= d.rows) {
		return fmt.Errorf("is in column %d and row %d of an array of %d columns and %d rows", col, row, d.cols, d.rows)
	}
	return nil
}

func verifyLogicalTile(op *mlir.Operation) error {
	name, _ := op.Attrs.Get("tile_type").(mlir.StringAttr)
	if !slices.Contains([]string{"CoreTile", "MemTile", "ShimNOCTile", "ShimPLTile"}, string(name)) {
		return fmt.Errorf("has no sort of tile %s", name)
	}
	return nil
}

func verifyBuffer(op *mlir.Operation) error {
	if k, ok := kindOf(op.Operands[0]); ok && k == shim {
		return fmt.Errorf("is on an interface tile, which has no memory; memory outside is aie.external_buffer")
	}
	if _, ok := op.Result().Type.(mlir.MemRefType); !ok {
		return fmt.Errorf("is memory, not %s", op.Result().Type)
	}
	return nil
}

func verifyLock(op *mlir.Operation) error {
	if op.Operands[0].Def == nil || op.Operands[0].Def.Results[0].Type == nil {
		return fmt.Errorf("needs a tile")
	}
	id, given := intOf(op, "lockID")
	if k, ok := kindOf(op.Operands[0]); ok && given && (id < 0 || id >= k.locks) {
		return fmt.Errorf("has the number %d, and a %s has locks 0 to %d", id, k.name, k.locks-1)
	}
	if init, ok := intOf(op, "init"); ok && (init < 0 || init > 63) {
		return fmt.Errorf("begins with %d, and locks hold 0 to 63", init)
	}
	return nil
}

// verifyUseLock checks the action, the value, and from where a lock is used.
func verifyUseLock(op *mlir.Operation) error {
	action, _ := op.Attrs.Get("action").(mlir.StringAttr)
	if !slices.Contains([]string{"Acquire", "AcquireGreaterEqual", "Release"}, string(action)) {
		return fmt.Errorf("the action %s is none of Acquire, AcquireGreaterEqual, Release", action)
	}
	value, given := intOf(op, "value")
	if n := len(op.Operands); n < 1 || n > 2 || given && n == 2 {
		return fmt.Errorf("needs a lock and at most one value")
	}
	lock := op.Operands[0].Def
	if lock != nil && lock.Name != "aie.lock" && strings.HasPrefix(lock.Name, "aie.") {
		return fmt.Errorf("needs a lock, not a result of %s", lock.Name)
	}
	d, known := deviceOf(op)
	switch {
	case known && d.first && action == "AcquireGreaterEqual":
		return fmt.Errorf("asks for a value or more of a lock of one bit")
	case known && d.first && given && value != 0 && value != 1:
		return fmt.Errorf("has the value %d, and locks of this array hold 0 and 1", value)
	case given && (value < 0 || value > 63):
		return fmt.Errorf("has the value %d, and locks hold 0 to 63", value)
	}
	holder := holderOf(op)
	if holder == nil {
		return fmt.Errorf("stands in no core and no DMA, so that nothing says whose lock it is")
	}
	if dma(holder) && len(op.Operands) == 2 {
		if c := op.Operands[1].Def; c != nil && c.Name != "arith.constant" {
			return fmt.Errorf("has a value in a descriptor that is no constant")
		}
	}
	return nil
}

// holderOf is the core, the DMA or the chain in which an operation stands, or nil.
func holderOf(op *mlir.Operation) *mlir.Operation {
	for p := op.Parent(); p != nil; p = p.Parent() {
		switch p.Name {
		case "aie.core", "aie.mem", "aie.memtile_dma", "aie.shim_dma", "aie.bd_chain", "aiex.dma_configure_task",
			"aiex.dma_configure_task_for", "func.func":
			return p
		}
	}
	return nil
}

// dma reports whether an operation configures a DMA.
func dma(op *mlir.Operation) bool { return op.Name != "aie.core" && op.Name != "func.func" }

// verifyCore checks the tile and the stack.
func verifyCore(op *mlir.Operation) error {
	if k, ok := kindOf(op.Operands[0]); ok && k != core {
		return fmt.Errorf("is on a %s", k.name)
	}
	if n, ok := intOf(op, "stack_size"); ok && (n < 0 || n%32 != 0) {
		return fmt.Errorf("has a stack of %d bytes, which must be a multiple of 32", n)
	}
	if op.Attrs.Get("elf_file") != nil && op.Body() != nil && len(op.Body().Ops) > 1 {
		return fmt.Errorf("names an elf_file and has a program as well")
	}
	return nil
}
