package aie

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// verifyCopy checks a transfer of the host: it has four dimensions. A descriptor of an interface tile must be able to
// count all of them except the outermost, which repeats.
func verifyCopy(op *mlir.Operation) error {
	sizes, _ := mlir.IntList(op.Attrs.Get("sizes"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	if len(sizes) != 4 || len(strides) != 4 {
		return fmt.Errorf("needs four sizes and strides, not %d and %d", len(sizes), len(strides))
	}
	if sizes[0] != mlir.DynamicStride && (sizes[0] < 1 || sizes[0] > 64) {
		return fmt.Errorf("repeats %d times, and up to 64 are counted", sizes[0])
	}
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs memory")
	}
	m, _ := op.Operands[0].Type.(mlir.MemRefType)
	bits := max(mlir.BitWidth(m.Elem), 1)
	offsets, _ := mlir.IntList(op.Attrs.Get("offsets"))
	at := 0
	for i, n := range offsets {
		if i < 4 && n != mlir.DynamicStride && strides[i] != mlir.DynamicStride {
			at += n * max(strides[i], 1)
		}
	}
	if bits < 32 && at*bits%32 != 0 {
		return fmt.Errorf("begins at element %d of %d bits, which is no whole word of 32", at, bits)
	}
	for i, n := range sizes {
		switch s := strides[i]; {
		case n == mlir.DynamicStride || s == mlir.DynamicStride || i == 3 && s == 1:
		case n > 1 && (s < 0 || s == 0 && i > 0):
			return fmt.Errorf("dimension %d has the stride %d, and only the outermost repeats", i, s)
		case n > 1 && s*bits%32 != 0:
			return fmt.Errorf("dimension %d has the stride %d of elements of %d bits, no whole words of 32", i, s, bits)
		}
	}
	linear := sizes[1] == 1 && sizes[2] == 1 && strides[3] == 1
	for i := 1; i < 4; i++ {
		n := sizes[i]
		if n == mlir.DynamicStride || strides[i] == mlir.DynamicStride {
			continue
		}
		if i == 3 {
			if n > 1 && n*bits%32 != 0 && strides[i] == 1 {
				return fmt.Errorf("moves runs of %d elements of %d bits, which are no whole words of 32", n, bits)
			}
			n = n * bits / 32
		}
		if sizes[i] < 1 || n > shim.size && !linear && i > 1 {
			return fmt.Errorf("dimension %d has the size %d, and up to %d words are counted", i, sizes[i], shim.size)
		}
		if sizes[i] > 1 && strides[i]*bits/32 > shim.stride {
			return fmt.Errorf("dimension %d has the stride %d, and up to %d words are stepped", i, strides[i], shim.stride)
		}
	}
	return nil
}

// verifyTask checks the channel of a chain that the host configures, and that it has descriptors.
func verifyTask(op *mlir.Operation) error {
	found := false
	op.Walk(func(inner *mlir.Operation) {
		found = found || inner.Name == "aie.dma_bd" || inner.Name == "aie.dma_start" || inner.Name == "aiex.dma_start_bd_chain"
	})
	if !found {
		return fmt.Errorf("has no descriptor")
	}
	if op.Name == "aiex.dma_configure_task" {
		n, _ := intOf(op, "channelIndex")
		if k, ok := kindOf(op.Operands[0]); ok && (n < 0 || n >= k.channels) {
			return fmt.Errorf("configures channel %d, and a %s has 0 to %d each way", n, k.name, k.channels-1)
		}
	}
	for _, b := range op.Regions[0].Blocks {
		if err := descriptorBlock(b); err != nil {
			return err
		}
	}
	return nil
}

// verifyOfTask checks that an operation is about a task.
func verifyOfTask(op *mlir.Operation) error {
	if d := op.Operands[0].Def; d != nil && d.Name != "aiex.dma_configure_task" && d.Name != "aiex.dma_configure_task_for" &&
		d.Name != "aiex.dma_start_bd_chain" && d.Name != "aiex.dma_start_bd_chain_for" && d.Parent() != nil &&
		(d.Name == "aie.tile" || d.Name == "aie.lock" || d.Name == "arith.constant") {
		return fmt.Errorf("needs a task, not a result of %s", d.Name)
	}
	return nil
}

func verifySetLock(op *mlir.Operation) error {
	if n, given := intOf(op, "value"); given && (n < 0 || n > 63) {
		return fmt.Errorf("sets %d, and locks hold 0 to 63", n)
	}
	if len(op.Operands) == 0 || op.Operands[0].Def != nil && op.Operands[0].Def.Name != "aie.lock" {
		return fmt.Errorf("needs a lock")
	}
	return nil
}
