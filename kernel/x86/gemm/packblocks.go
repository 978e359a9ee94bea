package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/blocks"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// blockPacker packs panels of a B that is stored in blocks of a packed format: the values of a few blocks of each column
// become rows of f32, which are transposed.
type blockPacker struct {
	*plan
	rows  blocks.Rows
	mover transpose.Mover
	tail  transpose.Mover // of the last blocks
	depth int             // values of a column that are read at once
}

// blockDepth is about how many values of a column are read at once, so that they stay in the first-level cache.
const blockDepth = 256

func (p *plan) blockDepth() int { return min(p.k, blockDepth) }

// blockScratch returns the bytes that the packer needs beside its panels.
func (p *plan) blockScratch() int {
	if !p.b.Stored() {
		return 0
	}
	return round64(p.width()*p.blockDepth()*4) + round64(blocks.ScratchBytes)
}

func newBlockPacker(p *plan, a *asm.Assembler) *blockPacker {
	k := &blockPacker{plan: p, depth: p.blockDepth()}
	k.rows = blocks.Rows{Format: p.b.Format, Column: p.b.Col, Row: 4 * k.depth}
	k.rows.Emit(a)
	k.mover = transpose.Mover{Lines: p.n % p.width(), Length: 4 * k.depth, Cell: 4, SrcStride: 4 * k.depth,
		DstStride: p.packedRow()}
	k.mover.Emit(a, p.features)
	if rest := p.k % k.depth; rest > 0 {
		k.tail = k.mover
		k.tail.Length = 4 * rest
		k.tail.Emit(a, p.features)
	}
	return k
}

// pack implements panelPacker. dst is the scratch memory of a unit.
func (k *blockPacker) pack(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	values := unsafe.Add(dst, round64(k.perUnit*k.panel))
	scratch := unsafe.Add(values, round64(k.width()*k.depth*4))
	for i := range count {
		column := (first + i) * k.width()
		columns := min(k.width(), k.n-column)
		for at := 0; at < k.k; at += k.depth {
			n, mover := min(k.depth, k.k-at), &k.mover
			if n < k.depth {
				mover = &k.tail
			}
			from := unsafe.Add(src, column*k.b.Col+at/k.b.Format.Block()*k.b.Row)
			k.rows.Write(code, from, values, scratch, columns, n/k.b.Format.Block())
			mover.Move(code, uintptr(values), uintptr(dst)+uintptr(i*k.panel+at*k.packedRow()), columns)
		}
	}
}
