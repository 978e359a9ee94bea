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
	decoders *decoders
	columns  *panel.StridedCode
	depth    int // values of a column that are read at once, a multiple of a square's if there are more
}

// blockDepth is about how many values of a column are read at once, so that they stay in the first-level cache.
const blockDepth = 256

func (p *plan) blockDepth() int { return min(p.k, blockDepth) }

// decoders write the values of the blocks of a column that are read at once, and of the last ones.
type decoders [2]*blocks.Decoder

func newDecoders(p *plan, to vector.Processor) (d *decoders, err error) {
	d = new(decoders)
	f := p.features
	if f.Level == cpu.AVX512 {
		f.Level = cpu.AVX2
	}
	for i, n := range []int{p.blockDepth(), p.k % p.blockDepth()} {
		if n == 0 {
			continue
		}
		if d[i], err = blocks.NewDecoder(p.b.Format, n, to.Backend(f)); err != nil {
			d.close()
			return nil, err
		}
	}
	return d, nil
}

// scratch is the memory that decoders need.
func (d *decoders) scratch() (n int) {
	if d == nil {
		return 0
	}
	for _, one := range d {
		if one != nil {
			n = max(n, kernel.Aligned(one.Scratch()))
		}
	}
	return n
}

func (d *decoders) listing() (s string) {
	if d != nil {
		for _, one := range d {
			if one != nil {
				s += one.Listing()
			}
		}
	}
	return s
}

func (d *decoders) close() {
	if d == nil {
		return
	}
	for _, one := range d {
		if one != nil {
			one.Close()
		}
	}
}

// valueBytes is the memory of the values of the columns of a panel that are read at once.
func (p *plan) valueBytes() int {
	if !p.b.Stored() {
		return 0
	}
	return kernel.Aligned(p.width() * p.blockDepth() * 4)
}

func newBlockPacker(p *plan, d *decoders, t vector.Backend) (k *blockPacker, err error) {
	k = &blockPacker{plan: p, decoders: d, depth: p.blockDepth()}
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
			decoder := k.decoders[0]
			if k.k-at < k.depth {
				decoder = k.decoders[1]
			}
			from := unsafe.Add(src, column*k.b.Col+at/k.b.Format.Block()*k.b.Row)
			for c := range columns {
				decoder.Decode(scratch, unsafe.Add(from, c*k.b.Col), unsafe.Add(values, 4*c*k.depth))
			}
			k.columns.Copy(values, unsafe.Add(dst, i*k.panel+at*k.packedRow()), min(k.depth, k.k-at), columns)
		}
	}
}
