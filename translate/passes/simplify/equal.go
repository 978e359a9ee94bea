package simplify

import (
	"encoding/binary"
	"hash/maphash"

	"github.com/go-acap/acap/mlir"
)

// hash mixes the name, operands, attributes and result types of op. Of regions it
// takes the names inside only.
func (c *merger) hash(op *mlir.Operation) uint64 {
	var h maphash.Hash
	h.SetSeed(c.seed)
	h.WriteString(op.Name)
	var word [8]byte
	for _, v := range op.Operands {
		binary.LittleEndian.PutUint64(word[:], c.number(v))
		h.Write(word[:])
	}
	for _, r := range op.Results {
		h.WriteString(r.Type.String())
	}
	sum := h.Sum64()
	for _, n := range op.Attrs { // in any order
		sum += c.hashAttr(n)
	}
	if len(op.Regions) > 0 {
		op.Walk(func(inner *mlir.Operation) {
			sum = sum*31 + maphash.String(c.seed, inner.Name)
		})
	}
	return sum
}

func (c *merger) hashAttr(n mlir.Named) uint64 {
	h := maphash.String(c.seed, n.Name)
	switch a := n.Value.(type) {
	case mlir.DenseAttr:
		return h ^ maphash.Bytes(c.seed, a.Data)
	case mlir.ResourceAttr:
		return h ^ maphash.Bytes(c.seed, a.Data)
	default:
		return h ^ maphash.String(c.seed, n.Value.String())
	}
}

// sameOperation reports whether a and b compute the same. Inside holds which values
// of a's regions correspond to which of b's.
func sameOperation(a, b *mlir.Operation, inside map[*mlir.Value]*mlir.Value) bool {
	if a.Name != b.Name || len(a.Operands) != len(b.Operands) ||
		len(a.Results) != len(b.Results) || len(a.Regions) != len(b.Regions) ||
		len(a.Successors)+len(b.Successors) > 0 || !mlir.SameAttrs(a.Attrs, b.Attrs) {
		return false
	}
	for i, v := range a.Operands {
		if to, ok := inside[v]; ok {
			v = to
		}
		if v != b.Operands[i] {
			return false
		}
	}
	for i, r := range a.Results {
		if !mlir.SameType(r.Type, b.Results[i].Type) {
			return false
		}
		inside[r] = b.Results[i]
	}
	for i := range a.Regions {
		if !sameRegion(a.Regions[i], b.Regions[i], inside) {
			return false
		}
	}
	return true
}

// sameRegion compares regions of at most one block; others count as different.
func sameRegion(a, b *mlir.Region, inside map[*mlir.Value]*mlir.Value) bool {
	if len(a.Blocks) != len(b.Blocks) || len(a.Blocks) > 1 {
		return false
	}
	if len(a.Blocks) == 0 {
		return true
	}
	x, y := a.Blocks[0], b.Blocks[0]
	if len(x.Args) != len(y.Args) || len(x.Ops) != len(y.Ops) {
		return false
	}
	for i, v := range x.Args {
		if !mlir.SameType(v.Type, y.Args[i].Type) {
			return false
		}
		inside[v] = y.Args[i]
	}
	for i := range x.Ops {
		if !sameOperation(x.Ops[i], y.Ops[i], inside) {
			return false
		}
	}
	return true
}
