package tensor

import (
	"fmt"
	"slices"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// packed checks tensor.pack, linalg.pack and their inverses. The packed side has the extents of the other one divided
// by the tiles, in the order of outer_dims_perm, and the tiles behind them. A tile that does not divide its extent
// needs a padding value, and tensor.pack of LLVM 19 may have more tiles than there are.
func packed(op *mlir.Operation) error {
	plain, tiled := op.Operands[0], op.Operands[1]
	isPack := strings.HasSuffix(op.Name, ".pack")
	if !isPack {
		plain, tiled = tiled, plain
	}
	from, _ := plain.Type.(mlir.TensorType)
	to, _ := tiled.Type.(mlir.TensorType)
	at, _ := mlir.IntList(op.Attrs.Get("inner_dims_pos"))
	sizes, _ := mlir.IntList(op.Attrs.Get("static_inner_tiles"))
	order, _ := mlir.IntList(op.Attrs.Get("outer_dims_perm"))
	rank := len(from.Shape)
	switch {
	case from.Shape == nil || to.Shape == nil:
		return nil
	case !distinct(at, rank):
		return fmt.Errorf("inner_dims_pos %v does not name dimensions of %s once each", at, from)
	case len(order) > 0 && (len(order) != rank || !distinct(order, rank)):
		return fmt.Errorf("outer_dims_perm %v is no permutation of the %d dimensions of %s", order, rank, from)
	case len(sizes) != len(at):
		return fmt.Errorf("%d tiles for %d dimensions", len(sizes), len(at))
	case len(to.Shape) != rank+len(at):
		return fmt.Errorf("%s has %d dimensions, want %d and a tile for %d of them", to, len(to.Shape), rank, len(at))
	}
	padding := 0
	if isPack {
		if segments, _ := mlir.IntList(op.Attrs.Get("operandSegmentSizes")); len(segments) > 2 {
			padding = segments[2]
		}
		if padding > 0 && !mlir.SameType(op.Operands[2].Type, from.Elem) {
			return fmt.Errorf("a padding value of type %s for elements of type %s", op.Operands[2].Type, from.Elem)
		}
	}
	outer := slices.Clone(from.Shape)
	for i, d := range at {
		n, tile := from.Shape[d], sizes[i]
		if inner := to.Shape[rank+i]; tile == 0 || max(tile, mlir.Dynamic) != max(inner, mlir.Dynamic) {
			return fmt.Errorf("tile %d of %s has not the extent of inner_tiles", i, to)
		}
		if outer[d] = mlir.Dynamic; n >= 0 && tile > 0 {
			if isPack && padding == 0 && n%tile != 0 {
				return fmt.Errorf("tiles of %d do not divide the extent %d of dimension %d; give a padding_value", tile, n, d)
			}
			outer[d] = (n + tile - 1) / tile
		}
	}
	for i := range outer {
		d := i
		if len(order) > 0 {
			d = order[i]
		}
		want, n := outer[d], from.Shape[d]
		if have := to.Shape[i]; isPack && padding == 0 && want < 0 && have > 0 && n >= 0 && n%have != 0 {
			return fmt.Errorf("%d tiles do not divide the extent %d of dimension %d; give a padding_value", have, n, d)
		}
		if have := to.Shape[i]; have >= 0 && want >= 0 && have != want && !(strings.HasPrefix(op.Name, "tensor.") && have > want) {
			return fmt.Errorf("dimension %d of %s is %d, want %d", i, to, have, want)
		}
	}
	return nil
}

// distinct reports whether numbers name dimensions of a rank, each at most once.
func distinct(list []int, rank int) bool {
	seen := map[int]bool{}
	for _, n := range list {
		if n < 0 || n >= rank || seen[n] {
			return false
		}
		seen[n] = true
	}
	return true
}
