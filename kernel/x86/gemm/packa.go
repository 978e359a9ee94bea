package gemm

import (
	"encoding/binary"
	"math"
	"unsafe"

	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/exec"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/panel"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/transpose"
)

// copier copies rows of A, converted to the type that the code reads, rowBytes apart and filled up
// with zeros to whole steps.
type copier struct {
	*plan
	columns    bool               // columns of A are contiguous: transpose
	transposer [2]transpose.Mover // for whole units and the last
	rows       *panel.RowsCode    // of rows that are contiguous and of another type, otherwise nil
}

func newCopier(p *plan, a *asm.Assembler, parts vector.Backend) (c *copier, err error) {
	c = &copier{plan: p}
	es := p.arith.a.Size()
	if p.a.columnsLie() && p.a.DType == p.arith.a && es >= 4 {
		c.columns = true
		for i, rows := range [2]int{min(rowsPerUnit, p.m), p.m % rowsPerUnit} {
			c.transposer[i] = transpose.Mover{
				Lines: p.k, Length: rows * es, Cell: es, SrcStride: p.a.Col * es,
				DstStride: p.rowBytes(),
			}
			c.transposer[i].Emit(a, p.features)
		}
	}
	w := widening{p.a.DType, p.arith.a, p.features}
	if p.a.columnsLie() && p.a.DType != p.arith.a && p.arith.group == 1 && w.possible() && w.endsInside(p.m) {
		c.columns = true
		for i, rows := range [2]int{min(rowsPerUnit, p.m), p.m % rowsPerUnit} {
			c.transposer[i] = w.mover(p.k, rows, p.a.Col)
			c.transposer[i].DstStride = p.rowBytes()
			c.transposer[i].Emit(a, p.features)
		}
	}
	if p.a.columnsLie() && p.arith.pairs() && es > p.a.DType.Size() && w.possible() && p.features.Level == cpu.AVX2 && pairsEndInside(p.m) {
		c.columns = true
		for i, rows := range [2]int{min(rowsPerUnit, p.m), p.m % rowsPerUnit} {
			c.transposer[i] = w.pairMover(p.k/2, rows, p.a.Col, p.rowBytes())
			c.transposer[i].Emit(a, p.features)
		}
	}
	cells := panel.Cells{From: p.a.DType, To: p.arith.a, Group: p.arith.group}
	size := p.a.DType.Size()
	if p.a.Col == 1 && p.a.DType != p.arith.a && !p.arith.shiftedA && cells.Possible() && max(p.a.Row, -p.a.Row) < math.MaxInt32/size {
		c.rows, err = panel.Rows{Cells: cells, Depth: p.k, Row: p.a.Row * size, Out: p.rowBytes()}.Build(parts)
	}
	return c, err
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
		c.transposer[last].Move(code, from, uintptr(dst)+uintptr(first*c.rowBytes()), c.k/c.arith.group)
		if rest := c.k % c.arith.group; rest > 0 {
			c.copyLast(src, dst, first, count, rest)
		}
		return
	}
	es := c.a.DType.Size()
	if c.rows != nil {
		c.rows.Copy(uintptr(src)+uintptr(first*c.a.Row*es), uintptr(dst)+uintptr(first*c.rowBytes()), count)
		return
	}
	bytes := c.steps * c.arith.group * c.arith.a.Size()
	for i := first; i < first+count; i++ {
		row := unsafe.Slice((*byte)(unsafe.Add(dst, i*c.rowBytes())), bytes)
		c.copyRow(row, unsafe.Add(src, i*c.a.Row*es))
		clear(row[c.k*c.arith.a.Size():])
		if c.arith.shiftedA {
			shift(row)
		}
	}
}

// copyLast copies the last columns of rows, which do not fill a step, and fills it up with zeros.
func (c *copier) copyLast(src, dst unsafe.Pointer, first, count, columns int) {
	move := Converter(c.a.DType, c.arith.a)
	es, to, k := c.a.DType.Size(), c.arith.a.Size(), c.k-columns
	for i := first; i < first+count; i++ {
		step := unsafe.Slice((*byte)(unsafe.Add(dst, i*c.rowBytes()+k*to)), c.arith.group*to)
		clear(step)
		for j := range columns {
			move(unsafe.Pointer(&step[j*to]), unsafe.Add(src, (i*c.a.Row+(k+j)*c.a.Col)*es))
		}
	}
}

// copyRow copies or converts one row.
func (c *copier) copyRow(row []byte, src unsafe.Pointer) {
	from, to := c.a.DType, c.arith.a
	if c.arith.shiftedA {
		to = from // shifted later
	}
	if c.a.Col == 1 && from == to {
		copy(row, unsafe.Slice((*byte)(src), c.k*from.Size()))
		return
	}
	move := Converter(from, to)
	for k := range c.k {
		move(unsafe.Pointer(&row[k*to.Size()]), unsafe.Add(src, k*c.a.Col*from.Size()))
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
