package aie

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// kind is a sort of tile, with the limits that mlir-aie's model of the second generation has for it.
type kind struct {
	name        string
	locks       int // numbers of locks
	descriptors int
	size        int // of a dimension
	stride      int // in words of 32 bits
	dims        int
}

var (
	core = kind{"core", 16, 16, 255, 1 << 13, 3}
	mem  = kind{"mem tile", 64, 48, 1023, 1 << 17, 4}
	shim = kind{"interface tile", 16, 16, 1023, 1 << 20, 4}
)

// device is the array of a module: columns, and rows of mem tiles behind the interface tiles.
type device struct{ cols, rows, mems int }

func deviceOf(op *mlir.Operation) (device, bool) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		name, ok := p.Attrs.Get("device").(mlir.StringAttr)
		if p.Name != "aie.device" || !ok {
			continue
		}
		switch text := string(name); {
		case strings.HasPrefix(text, "npu1"):
			return device{columns(text, "npu1", 4), 6, 1}, true
		case strings.HasPrefix(text, "npu2"):
			return device{columns(text, "npu2", 8), 6, 1}, true
		case text == "xcve2802":
			return device{38, 11, 2}, true
		case text == "xcve2302":
			return device{17, 4, 1}, true
		}
	}
	return device{}, false
}

// columns reads npu1_2col.
func columns(text, name string, all int) int {
	n := all
	fmt.Sscanf(strings.TrimPrefix(text, name), "_%dcol", &n)
	return n
}

func verifyTile(op *mlir.Operation) error {
	col, _ := intOf(op, "col")
	row, _ := intOf(op, "row")
	if d, ok := deviceOf(op); ok && (col < 0 || col >= d.cols || row < 0 || row >= d.rows) {
		return fmt.Errorf("is in column %d and row %d of %d and %d", col, row, d.cols, d.rows)
	}
	return nil
}

// kindOf is the sort of the tile of a value, if the device is known here.
func kindOf(v *mlir.Value) (kind, bool) {
	if v == nil || v.Def == nil || v.Def.Name != "aie.tile" {
		return kind{}, false
	}
	d, ok := deviceOf(v.Def)
	row, placed := intOf(v.Def, "row")
	switch {
	case !ok || !placed:
		return kind{}, false
	case row == 0:
		return shim, true
	case row <= d.mems:
		return mem, true
	}
	return core, true
}

func verifyLock(op *mlir.Operation) error {
	id, given := intOf(op, "lockID")
	if k, ok := kindOf(op.Operands[0]); ok && given && (id < 0 || id >= k.locks) {
		return fmt.Errorf("has the number %d, and a %s has locks 0 to %d", id, k.name, k.locks-1)
	}
	if init, ok := intOf(op, "init"); ok && (init < 0 || init > 63) {
		return fmt.Errorf("begins with %d, and locks hold 0 to 63", init)
	}
	return nil
}

func verifyUseLock(op *mlir.Operation) error {
	action, _ := op.Attrs.Get("action").(mlir.StringAttr)
	if !slices.Contains([]string{"Acquire", "AcquireGreaterEqual", "Release"}, string(action)) {
		return fmt.Errorf("the action %s is none of Acquire, AcquireGreaterEqual, Release", action)
	}
	_, given := intOf(op, "value")
	if n := len(op.Operands); n < 1 || n > 2 || given == (n == 2) {
		return fmt.Errorf("needs a lock and one value")
	}
	return nil
}

// dmaOf is the sort of the tile whose descriptors an operation is among.
func dmaOf(op *mlir.Operation) (kind, bool) {
	for p := op.Parent(); p != nil; p = p.Parent() {
		switch p.Name {
		case "aie.mem":
			return core, true
		case "aie.memtile_dma":
			return mem, true
		case "aie.shim_dma":
			return shim, true
		}
	}
	return kind{}, false
}

func verifyStart(op *mlir.Operation) error {
	channels := map[string]int{core.name: 2, mem.name: 6, shim.name: 2}
	if n, _ := intOf(op, "channelIndex"); n < 0 {
		return fmt.Errorf("starts channel %d", n)
	} else if k, ok := dmaOf(op); ok && n >= channels[k.name] {
		return fmt.Errorf("starts channel %d, and a %s has 0 to %d each way", n, k.name, channels[k.name]-1)
	}
	return nil
}

// verifyDescriptor checks a descriptor against what its tile's have.
func verifyDescriptor(op *mlir.Operation) error {
	if len(op.Operands) == 0 {
		return fmt.Errorf("needs a buffer")
	}
	k, ok := dmaOf(op)
	if !ok {
		return nil
	}
	sizes, _ := mlir.IntList(op.Attrs.Get("sizes"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	if len(sizes) != len(strides) {
		return fmt.Errorf("has %d sizes and %d strides", len(sizes), len(strides))
	}
	if len(sizes) > k.dims {
		return fmt.Errorf("has %d dimensions, and descriptors of a %s have up to %d", len(sizes), k.name, k.dims)
	}
	if id, given := intOf(op, "bd_id"); given && (id < 0 || id >= k.descriptors) {
		return fmt.Errorf("has the number %d, and a %s has descriptors 0 to %d", id, k.name, k.descriptors-1)
	}
	m, _ := op.Operands[0].Type.(mlir.MemRefType)
	bits := max(mlir.BitWidth(m.Elem), 1)
	for i, n := range sizes {
		last := i == len(sizes)-1
		words := n
		if last {
			words = n * bits / 32
		}
		switch s := strides[i]; {
		case n == mlir.DynamicStride || s == mlir.DynamicStride:
		case n <= 0:
			return fmt.Errorf("dimension %d has the size %d", i, n)
		case n > 1 && s <= 0:
			return fmt.Errorf("dimension %d has the stride %d", i, s)
		case last && strides[i] == 1 && len(sizes) == 1: // all of it is one piece
		case words > k.size:
			return fmt.Errorf("dimension %d has the size %d, and up to %d words are counted on a %s", i, n, k.size, k.name)
		case s*bits/32 > k.stride:
			return fmt.Errorf("dimension %d has the stride %d, and up to %d words are stepped on a %s", i, s, k.stride, k.name)
		}
	}
	return inside(op, m, sizes, strides)
}

// inside checks that a transfer stays in its buffer.
func inside(op *mlir.Operation, m mlir.MemRefType, sizes, strides []int) error {
	total := 1
	for _, n := range m.Shape {
		if n < 0 {
			return nil
		}
		total *= n
	}
	offset, _ := intOf(op, "offset")
	length, given := intOf(op, "len")
	end := offset + length
	if len(sizes) > 0 {
		end = offset + 1
		for i, n := range sizes {
			if n == mlir.DynamicStride || strides[i] == mlir.DynamicStride {
				return nil
			}
			end += (n - 1) * strides[i]
		}
	} else if !given {
		return nil
	}
	if end > total {
		return fmt.Errorf("reaches element %d of %d of %s", end-1, total, m)
	}
	return nil
}

func verifyFIFO(op *mlir.Operation) error {
	a, _ := op.Attrs.Get("elemType").(mlir.TypeAttr)
	o, ok := a.Type.(mlir.OpaqueType)
	if !ok || o.Dialect != "aie" || !strings.HasPrefix(o.Text, "objectfifo<") {
		return fmt.Errorf("is of type !aie.objectfifo<…>, not %v", a.Type)
	}
	if len(op.Operands) < 2 {
		return fmt.Errorf("needs a tile that produces and one that consumes")
	}
	if n, ok := intOf(op, "elemNumber"); ok && n < 1 {
		return fmt.Errorf("holds %d objects", n)
	}
	return nil
}

func verifyPort(op *mlir.Operation) error {
	port, _ := op.Attrs.Get("port").(mlir.StringAttr)
	if port != "Produce" && port != "Consume" {
		return fmt.Errorf("the port %s is neither Produce nor Consume", port)
	}
	if n, _ := intOf(op, "size"); n < 1 {
		return fmt.Errorf("takes %d objects", n)
	}
	return nil
}

// verifyCopy checks a transfer of the host: sizes of four dimensions, of which all but the outermost, which repeats,
// are within what a descriptor of an interface tile counts.
func verifyCopy(op *mlir.Operation) error {
	sizes, _ := mlir.IntList(op.Attrs.Get("sizes"))
	strides, _ := mlir.IntList(op.Attrs.Get("strides"))
	if len(sizes) != 4 || len(strides) != 4 {
		return fmt.Errorf("needs four sizes and strides, not %d and %d", len(sizes), len(strides))
	}
	if sizes[0] < 1 || sizes[0] > 64 {
		return fmt.Errorf("repeats %d times, and up to 64 are counted", sizes[0])
	}
	m, _ := op.Operands[0].Type.(mlir.MemRefType)
	bits := max(mlir.BitWidth(m.Elem), 1)
	linear := sizes[1] == 1 && sizes[2] == 1 && strides[3] == 1
	for i := 1; i < 4; i++ {
		n := sizes[i]
		if i == 3 {
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
