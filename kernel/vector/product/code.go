package product

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
)

// code is a compiled contraction. A unit is a block of the result.
type code struct {
	c       *kernel.Contraction
	t       *tile
	machine *vector.Machine
	a, b    *panels
	sums    kernel.Access
	batches int
	aBatch  bool // A differs between batch entries
	bBatch  bool

	rowPanels, colPanels int // all of them, also those with fewer lines
	rowStep, colStep     int // panels of a unit
	rowUnits, colUnits   int
	nanos                float64
}

// flopsPerNano is the rate that estimates of time suppose.
const flopsPerNano = 30

// The time of one unit that blocks aim at.
const unitNanos = 60e3

// Compile makes code of a contraction whose epilogue stores the sums as they are, or of one with few rows. Others are
// [kernel.ErrUnsupported].
func Compile(c *kernel.Contraction, t vector.Backend, dots Dots) (kernel.Code, error) {
	if n, _, _ := batches(c); c.M == 0 || c.N == 0 || c.K == 0 || n == 0 {
		return nil, kernel.ErrUnsupported
	}
	if !c.B.Stored() && readOnce(c) || c.Acc == dtype.I64 { // whose products no instruction of a tile makes
		return nest.Compile(asNest(c), t)
	}
	sums, ok := nest.RawSums(&c.Epilogue, c.Acc)
	if !ok {
		return nil, fmt.Errorf("%w: an epilogue", kernel.ErrUnsupported)
	}
	if c.B.Stored() {
		return compileStored(c, sums, t)
	}
	s, err := newProduct(c, sums, t, dots)
	if err != nil {
		return nil, err
	}
	if c.B.Const {
		return &constant{s}, nil
	}
	return &shared{s}, nil
}

func newProduct(c *kernel.Contraction, sums kernel.Access, t vector.Backend, dots Dots) (*code, error) {
	tile, group, panel, err := newTile(c.A.DType, c.B.DType, c.Acc, c.K, dots)
	if err != nil {
		return nil, err
	}
	tile.depth = (c.K + group - 1) / group
	tile.lastRows, tile.lastCols = c.M%tile.rows, c.N%tile.cols
	tile.place(c, sums)
	s := &code{c: c, t: tile, sums: sums}
	s.batches, s.aBatch, s.bBatch = batches(c)
	b := &side{port: c.B.Port, offset: c.B.Offset, line: c.B.Col, deep: c.B.Row, lines: c.N, depth: c.K, width: tile.cols, group: group, to: panel}
	toA := panel
	if panel == 0 { // each as it is
		toA, b.to = c.A.DType, c.B.DType
	}
	var bExtents []int
	if s.bBatch {
		bExtents, b.batch = c.Batch, c.B.Batch
	}
	if s.a, err = rowPanels(c, tile, group, toA, s.aBatch, t); err != nil {
		return nil, err
	}
	if s.b, err = newPanels(b, bExtents, t); err != nil {
		s.a.close()
		return nil, err
	}
	if s.machine, err = t.Build(tile.program, words, wordFault); err != nil {
		s.a.close()
		s.b.close()
		return nil, err
	}
	s.split()
	return s, nil
}

// rowPanels copies A into panels of the rows of a tile.
func rowPanels(c *kernel.Contraction, t *tile, group int, to dtype.DType, differs bool, b vector.Backend) (*panels, error) {
	a := &side{port: c.A.Port, offset: c.A.Offset, line: c.A.Row, deep: c.A.Col, lines: c.M, depth: c.K, width: t.rows, group: group, to: to}
	if !differs {
		return newPanels(a, nil, b)
	}
	a.batch = c.A.Batch
	return newPanels(a, c.Batch, b)
}

// batches returns the number of batch entries, and which operands differ between them.
func batches(c *kernel.Contraction) (n int, a, b bool) {
	n = 1
	for l, e := range c.Batch {
		n *= e
		a, b = a || c.A.Batch[l] != 0 && e > 1, b || c.B.Batch[l] != 0 && e > 1
	}
	return n, a, b
}

// place sets the distances of results.
func (t *tile) place(c *kernel.Contraction, sums kernel.Access) {
	n := len(c.Batch)
	t.row, t.col = sums.Outer[n]*c.Acc.Size(), sums.Outer[n+1]*c.Acc.Size()
}

// split divides the result into units: as many rows as make a unit worth its while with some panels of columns.
func (s *code) split() {
	s.rowPanels = (s.c.M + s.t.rows - 1) / s.t.rows
	s.colPanels = (s.c.N + s.t.cols - 1) / s.t.cols
	one := 2 * float64(s.t.rows*s.t.cols*s.c.K) / flopsPerNano
	s.rowStep = min(s.rowPanels, max(1, min(16, int(unitNanos/one))))
	s.colStep = min(s.colPanels, max(1, int(unitNanos/one/float64(s.rowStep))))
	s.rowUnits = (s.rowPanels + s.rowStep - 1) / s.rowStep
	s.colUnits = (s.colPanels + s.colStep - 1) / s.colStep
	s.nanos = one*float64(s.rowStep*s.colStep) + 50
}

// Units implements [kernel.Code].
func (s *code) Units() int { return s.batches * s.rowUnits * s.colUnits }

// UnitNanos implements [kernel.Code].
func (s *code) UnitNanos() float64 { return s.nanos }

// Scratch implements [kernel.Code].
func (s *code) Scratch() int { return max(s.machine.BlockBytes(), s.a.scratch(), s.b.scratch()) }

// Listing implements [kernel.Code].
func (s *code) Listing() string {
	return fmt.Sprintf("tile %d x %d, depth %d\n%s", s.t.rows, s.t.cols, s.t.depth, s.machine.Listing())
}

// Close implements [kernel.Code].
func (s *code) Close() {
	s.machine.Close()
	s.a.close()
	s.b.close()
}

// run does units on panels.
func (s *code) run(args *kernel.Args, a, b unsafe.Pointer, lo, hi int) {
	block := unsafe.Slice((*uintptr)(args.Scratch), words)
	acc := s.c.Acc.Size()
	panelBytes := s.t.depth * s.t.element
	for u := lo; u < hi; u++ {
		col := u % s.colUnits * s.colStep
		row := u / s.colUnits % s.rowUnits * s.rowStep
		batch := u / s.colUnits / s.rowUnits
		aAt, bAt := row*s.t.rows*panelBytes, col*s.t.cols*panelBytes
		if s.aBatch {
			aAt += batch * s.c.M * panelBytes
		}
		if s.bBatch {
			bAt += batch * s.c.N * panelBytes
		}
		at := s.sums.EntryAt(s.c.Batch, batch) + row*s.t.rows*s.sums.Outer[len(s.c.Batch)] + col*s.t.cols*s.sums.Outer[len(s.c.Batch)+1]
		block[wordA], block[wordB] = uintptr(unsafe.Add(a, aAt)), uintptr(unsafe.Add(b, bAt))
		block[wordC] = uintptr(unsafe.Add(args.Ptr[2], at*acc))
		block[wordRows], block[wordLastRows] = whole(row, s.rowStep, s.c.M, s.t.rows)
		block[wordColumns], block[wordLastColumns] = whole(col, s.colStep, s.c.N, s.t.cols)
		s.machine.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr)
}

// whole returns how many of the panels from first on have all lines, and 1 if another one with fewer follows.
func whole(first, count, lines, width int) (panels, last uintptr) {
	end := min(first+count, (lines+width-1)/width)
	full := min(end, lines/width)
	if end > full {
		last = 1
	}
	return uintptr(full - first), last
}

// constant is a product whose B is packed once. Its A is packed by a first phase.
type constant struct{ *code }

// PackedBytes implements [kernel.Packer].
func (c *constant) PackedBytes(port int) int {
	if port != 1 {
		return 0
	}
	return c.b.bytes
}

// PackedForm implements [kernel.Former].
func (c *constant) PackedForm(port int) string {
	if port != 1 {
		return ""
	}
	return c.b.form
}

// Pack implements [kernel.Packer].
func (c *constant) Pack(_ int, dst, src unsafe.Pointer) {
	scratch := make([]byte, c.b.scratch()+64)
	p := unsafe.Pointer(&scratch[0])
	c.b.run(src, dst, unsafe.Add(p, -int(uintptr(p))&63), 0, c.b.units())
}

// Shared implements [kernel.Prologue].
func (c *constant) Shared() int { return c.a.bytes }

// PrologueUnits implements [kernel.Prologue].
func (c *constant) PrologueUnits() int { return c.a.units() }

// RunPrologue implements [kernel.Prologue].
func (c *constant) RunPrologue(args *kernel.Args, lo, hi int) {
	c.a.run(args.Ptr[0], args.Ptr[len(args.Ptr)-1], args.Scratch, lo, hi)
}

// Run implements [kernel.Code].
func (c *constant) Run(args *kernel.Args, lo, hi int) {
	c.run(args, args.Ptr[len(args.Ptr)-1], args.Packed[1], lo, hi)
}

// shared is a product whose operands a first phase packs.
type shared struct{ *code }

func (c *shared) bytesA() int { return (c.a.bytes + 63) &^ 63 }

// Shared implements [kernel.Prologue].
func (c *shared) Shared() int { return c.bytesA() + c.b.bytes }

// PrologueUnits implements [kernel.Prologue].
func (c *shared) PrologueUnits() int { return c.a.units() + c.b.units() }

// RunPrologue implements [kernel.Prologue].
func (c *shared) RunPrologue(args *kernel.Args, lo, hi int) {
	to := args.Ptr[len(args.Ptr)-1]
	c.a.run(args.Ptr[0], to, args.Scratch, lo, hi)
	c.b.run(args.Ptr[1], unsafe.Add(to, c.bytesA()), args.Scratch, lo-c.a.units(), hi-c.a.units())
}

// Run implements [kernel.Code].
func (c *shared) Run(args *kernel.Args, lo, hi int) {
	a := args.Ptr[len(args.Ptr)-1]
	c.run(args, a, unsafe.Add(a, c.bytesA()), lo, hi)
}
