package gemm

import (
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/blocks"
	"github.com/go-acap/acap/kernel/vector/panel"
)

// blockPacker packs panels of a B that is stored in blocks of a packed format: the values of a few blocks of each
// column become rows of f32, which are transposed.
type blockPacker struct {
	*plan
	decoder *blocks.Decoder
	columns *panel.StridedCode
	depth   int // values of a column that are read at once, a multiple of a square's if there are more
}

// blockDepth is about how many values of a column are read at once, so that they stay in the first-level cache.
const blockDepth = 256

func (p *plan) blockDepth() int { return min(p.k, blockDepth) }

// newDecoder makes what writes the values of the blocks of a column.
func newDecoder(p *plan, to vector.Processor) (*blocks.Decoder, error) {
	f := p.features
	if f.Level == cpu.AVX512 {
		f.Level = cpu.AVX2
	}
	return blocks.NewDecoder(p.b.Format, p.k, p.blockDepth(), to.Backend(f))
}

// valueBytes is the memory of the values of the columns of a panel that are read at once.
func (p *plan) valueBytes() int { return kernel.Aligned(p.width() * p.blockDepth() * 4) }

func newBlockPacker(p *plan, d *blocks.Decoder, t vector.Backend) (k *blockPacker, err error) {
	k = &blockPacker{plan: p, decoder: d, depth: p.blockDepth()}
	k.columns, err = panel.Strided{Cells: panel.Cells{From: dtype.F32, To: dtype.F32, Group: 1}, Columns: true, Depth: p.k, Side: p.n,
		Deep: 1, Across: k.depth, Out: p.packedRow()}.Build(t)
	return k, err
}

// pack implements panelPacker. dst is the scratch memory of a unit.
func (k *blockPacker) pack(src, dst unsafe.Pointer, first, count int) {
	values := unsafe.Add(dst, kernel.Aligned(k.perUnit*k.panel))
	scratch := unsafe.Add(values, k.valueBytes())
	for i := range count {
		column := (first + i) * k.width()
		columns := min(k.width(), k.n-column)
		for at := 0; at < k.k; at += k.depth {
			depth := min(k.depth, k.k-at)
			from := unsafe.Add(src, column*k.b.Col+at/k.b.Format.Block()*k.b.Row)
			for c := range columns {
				k.decoder.Decode(scratch, unsafe.Add(from, c*k.b.Col), unsafe.Add(values, 4*c*k.depth), depth)
			}
			k.columns.Copy(values, unsafe.Add(dst, i*k.panel+at*k.packedRow()), depth, columns)
		}
	}
}
