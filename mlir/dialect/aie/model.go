package aie

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// kind is a sort of tile, with the limits that mlir-aie's model of the second generation has for it.
type kind struct {
	name        string
	locks       int // numbers of locks
	descriptors int
	channels    int // each way
	size        int // of a dimension
	stride      int // in words of 32 bits
	dims        int
}

var (
	core = kind{"core", 16, 16, 2, 255, 1 << 13, 3}
	mem  = kind{"mem tile", 64, 48, 6, 1023, 1 << 17, 4}
	shim = kind{"interface tile", 16, 16, 2, 1023, 1 << 20, 4}
)

// device is the array of a module: columns, rows, and rows of mem tiles behind the interface tiles. Interface tiles
// reach memory in the columns noc, or everywhere if none are named. The first generation has locks of one bit.
type device struct {
	cols, rows, mems int
	first            bool
	noc              []int
}

var devices = map[string]device{
	"xcvc1902": {cols: 50, rows: 9, first: true, noc: []int{2, 3, 6, 7, 10, 11, 18, 19, 26, 27, 34, 35, 42, 43, 46, 47}},
	"xcve2302": {cols: 17, rows: 4, mems: 1, noc: []int{2, 3, 6, 7, 10, 11}},
	"xcve2802": {cols: 38, rows: 11, mems: 2, noc: []int{2, 3, 6, 7, 14, 15, 22, 23, 30, 31, 34, 35}},
}

// deviceNamed is the array of a name such as npu2 or npu1_2col.
func deviceNamed(text string) (device, bool) {
	if d, ok := devices[text]; ok {
		return d, true
	}
	for name, all := range map[string]int{"npu1": 4, "npu2": 8, "npu": 4} {
		rest, ok := strings.CutPrefix(text, name)
		n := 0
		switch _, err := fmt.Sscanf(rest, "_%dcol", &n); {
		case !ok:
		case rest == "":
			return device{cols: all, rows: 6, mems: 1}, true
		case err == nil && rest == fmt.Sprintf("_%dcol", n) && n >= 1 && n <= all:
			return device{cols: n, rows: 6, mems: 1}, true
		}
	}
	return device{}, false
}

func deviceOf(op *mlir.Operation) (device, bool) {
	for p := op; p != nil; p = p.Parent() {
		if name, ok := p.Attrs.Get("device").(mlir.StringAttr); ok && p.Name == "aie.device" {
			return deviceNamed(string(name))
		}
	}
	return device{}, false
}

// place is a column and a row.
type place struct{ col, row int }

// placeOf is where a tile stands, if that is said.
func placeOf(v *mlir.Value) (place, bool) {
	if v == nil || v.Def == nil || v.Def.Name != "aie.tile" && v.Def.Name != "aie.logical_tile" {
		return place{}, false
	}
	col, a := intOf(v.Def, "col")
	row, b := intOf(v.Def, "row")
	return place{col, row}, a && b
}

// kindOf is the sort of the tile of a value, if the device is known here.
func kindOf(v *mlir.Value) (kind, bool) {
	if v != nil && v.Def != nil && v.Def.Name == "aie.logical_tile" {
		name, _ := v.Def.Attrs.Get("tile_type").(mlir.StringAttr)
		k, ok := map[string]kind{"CoreTile": core, "MemTile": mem, "ShimNOCTile": shim, "ShimPLTile": shim}[string(name)]
		return k, ok
	}
	at, placed := placeOf(v)
	if !placed {
		return kind{}, false
	}
	d, ok := deviceOf(v.Def)
	switch {
	case !ok:
		return kind{}, false
	case at.row == 0:
		return shim, true
	case at.row <= d.mems:
		return mem, true
	}
	return core, true
}

// near reports whether the core at a reaches the memory of the tile at b: its own, those north and south, and one
// beside, which changes from row to row in the first generation.
func (d device) near(a, b place) bool {
	if a == b || a.col == b.col && (a.row-b.row == 1 || b.row-a.row == 1) && b.row > d.mems {
		return true
	}
	side := -1
	if d.first && a.row%2 == 1 {
		side = 1
	}
	return a.row == b.row && b.col == a.col+side
}

func (d device) beside(a, b place) bool {
	return a.row == b.row && a.col-b.col >= -1 && a.col-b.col <= 1
}
