package aie

import (
	"fmt"

	"github.com/go-acap/acap/mlir"
)

// verifyDevice checks what single operations do not see: names of arrays, locks and descriptors with one number, DMAs
// and cores that a tile has twice, and memory that cores use and do not reach.
func verifyDevice(op *mlir.Operation) error {
	name, _ := op.Attrs.Get("device").(mlir.StringAttr)
	d, ok := deviceNamed(string(name))
	if !ok {
		return fmt.Errorf("is of an array %q that is not known: npu1, npu2 (with _1col and so on), xcvc1902, xcve2302 or xcve2802", string(name))
	}
	held := map[string]bool{}
	var wrong error
	refuse := func(inner *mlir.Operation, format string, args ...any) {
		if wrong == nil {
			wrong = fmt.Errorf("holds at %s %s", inner.Loc, fmt.Sprintf(format, args...))
		}
	}
	op.Walk(func(inner *mlir.Operation) {
		switch inner.Name {
		case "aie.core", "aie.mem", "aie.memtile_dma", "aie.shim_dma", "aie.switchbox", "aie.shim_mux":
			at, placed := placeOf(inner.Operands[0])
			if key := fmt.Sprint(inner.Name, at); placed && held[key] {
				refuse(inner, "a second %s of one tile", inner.Name)
			} else {
				held[key] = true
			}
			if inner.Name == "aie.core" && placed {
				coreReaches(inner, d, at, refuse)
			}
		case "aie.lock":
			at, placed := placeOf(inner.Operands[0])
			n, given := intOf(inner, "lockID")
			if key := fmt.Sprint("lock", at, n); placed && given && held[key] {
				refuse(inner, "a second lock %d of one tile", n)
			} else if given {
				held[key] = true
			}
		}
	})
	return wrong
}

// coreReaches checks that a core uses the memory and the locks of its own tile and of those beside it.
func coreReaches(op *mlir.Operation, d device, at place, refuse func(*mlir.Operation, string, ...any)) {
	op.Walk(func(inner *mlir.Operation) {
		for _, v := range inner.Operands {
			if v.Def == nil || v.Def.Name != "aie.buffer" && v.Def.Name != "aie.lock" || len(v.Def.Operands) == 0 {
				continue
			}
			if there, ok := placeOf(v.Def.Operands[0]); ok && !d.near(at, there) {
				refuse(inner, "a use of %s in column %d and row %d, which the core in column %d and row %d does not reach",
					v.Def.Name, there.col, there.row, at.col, at.row)
			}
		}
	})
}
