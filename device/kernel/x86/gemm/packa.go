package gemm

import (
	"encoding/binary"
	"unsafe"

	"github.com/go-acap/acap/device/kernel/x86/asm"
	"github.com/go-acap/acap/device/kernel/x86/exec"
)

// copier copies rows of A, converted to the type that the code reads, rowBytes apart and filled up
// with zeros to whole steps.
type copier struct {
	*plan
	columns    bool          // columns of A are contiguous: transpose
	transposer [2]transposer // for whole units and the last
}

func newCopier(p *plan, a *asm.Assembler) *copier {
	c := &copier{plan: p}
	es := p.arith.a.Size()
	if p.a.Row == 1 && p.a.Col > 0 && p.a.Col*es*17 < 1<<31 && p.a.DType == p.arith.a && es >= 4 {
		c.columns = true
		for i, rows := range [2]int{min(rowsPerUnit, p.m), p.m % rowsPerUnit} {
			c.transposer[i] = transposer{
				lines: p.k, length: rows * es, cell: es, srcStride: p.a.Col * es,
				dstStride: p.rowBytes(),
			}
			c.transposer[i].emit(a, p.features)
		}
	}
	return c
}

// rowsPerUnit is the number of rows that a unit of the first phase copies.
const rowsPerUnit = 64

// copy copies count rows from row first on; src is the first element of a batch entry, dst the
// packed form's first row.
func (c *copier) copy(code *exec.Code, src, dst unsafe.Pointer, first, count int) {
	if c.columns {
		last := 0
		if count < rowsPerUnit {
			last = 1
		}
		from := uintptr(src) + uintptr(first*c.a.DType.Size())
		c.transposer[last].move(code, from, uintptr(dst)+uintptr(first*c.rowBytes()), c.k)
		return
	}
	es := c.a.DType.Size()
	bytes := c.steps * c.arith.group * c.arith.a.Size()
	read := c.arith.a
	if c.arith.shiftedA {
		read = c.a.DType // shifted below
	}
	move := Converter(c.a.DType, read)
	for i := first; i < first+count; i++ {
		row := unsafe.Slice((*byte)(unsafe.Add(dst, i*c.rowBytes())), bytes)
		from := unsafe.Add(src, i*c.a.Row*es)
		if c.a.Col == 1 && c.a.DType == read {
			copy(row, unsafe.Slice((*byte)(from), c.k*es))
		} else {
			for k := range c.k {
				move(unsafe.Pointer(&row[k*c.arith.a.Size()]), unsafe.Add(from, k*c.a.Col*es))
			}
		}
		clear(row[c.k*c.arith.a.Size():])
		if c.arith.shiftedA {
			shift(row)
		}
	}
}

// shift adds 128 to every byte.
func shift(row []byte) {
	for len(row) >= 8 {
		x := binary.LittleEndian.Uint64(row)
		binary.LittleEndian.PutUint64(row, x^0x8080808080808080)
		row = row[8:]
	}
	for i := range row {
		row[i] ^= 0x80
	}
}
