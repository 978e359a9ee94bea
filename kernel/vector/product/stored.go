package product

import (
	"fmt"
	"runtime"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/blocks"
)

// stored is a product whose B is stored in blocks. A unit is a panel of columns: it decodes them and makes a panel of their
// values. The rows of A become panels in a first phase, which rounds them if they are to be rounded.
type stored struct {
	k              *kernel.Contraction
	t              *tile
	sums           kernel.Access
	machine        *vector.Machine
	decoder        *blocks.Decoder
	columns        [2]*panels // of whole panels and of the last one, from decoded values
	a              *panels    // nil if rows are rounded
	rounders       [2]*blocks.Rounder
	batches        int
	aBatch, bBatch bool
	colPanels      int
}

// compileStored makes code of a product with B in stored blocks.
func compileStored(c *kernel.Contraction, sums kernel.Access, t vector.Backend) (_ kernel.Code, err error) {
	tl, _, panel, err := newTile(dtype.F32, dtype.F32, dtype.F32, c.K, Dots{})
	if err != nil {
		return nil, err
	}
	if c.Rounded && c.A.DType == dtype.F64 {
		return nil, fmt.Errorf("%w: rows of f64 that are to be rounded", kernel.ErrUnsupported)
	}
	tl.depth, tl.lastRows, tl.lastCols = c.K, c.M%tl.rows, c.N%tl.cols
	tl.place(c, sums)
	s := &stored{k: c, t: tl, sums: sums, colPanels: (c.N + tl.cols - 1) / tl.cols}
	s.batches, s.aBatch, s.bBatch = batches(c)
	defer func() {
		if err != nil {
			s.Close()
		}
	}()
	for i, lines := range []int{tl.cols, tl.lastCols} {
		values := kernel.Port{DType: panel, Len: lines * c.K}
		side := &side{port: values, line: c.K, deep: 1, lines: lines, depth: c.K, width: lines, group: 1, to: panel}
		if lines > 0 {
			if s.columns[i], err = newPanels(side, nil, t); err != nil {
				return nil, err
			}
		}
	}
	if c.Rounded {
		for i, lines := range []int{tl.rows, tl.lastRows} {
			if lines > 0 {
				if s.rounders[i], err = blocks.NewRounder(c.A.DType, c.A.Col*c.A.DType.Size(), c.K, lines*panel.Size(), t); err != nil {
					return nil, err
				}
			}
		}
	} else if s.a, err = rowPanels(c, tl, 1, panel, s.aBatch, t); err != nil {
		return nil, err
	}
	if s.decoder, err = blocks.NewDecoder(c.B.Format, c.K, t); err != nil {
		return nil, err
	}
	if s.machine, err = t.Build(tl.program, words, wordFault); err != nil {
		return nil, err
	}
	return s, nil
}

// Units implements [kernel.Code].
func (s *stored) Units() int { return s.batches * s.colPanels }

// UnitNanos implements [kernel.Code].
func (s *stored) UnitNanos() float64 {
	return float64(s.t.cols*s.k.K) * (1 + 2*float64(s.k.M)/flopsPerNano)
}

// callBytes is the memory of call blocks and of copies. Behind it lie decoded columns, and their panel.
func (s *stored) callBytes() int {
	n := max(s.machine.BlockBytes(), s.decoder.Scratch())
	for _, p := range append(s.columns[:], s.a) {
		if p != nil {
			n = max(n, p.scratch())
		}
	}
	for _, r := range s.rounders {
		if r != nil {
			n = max(n, r.Scratch())
		}
	}
	return (n + 63) &^ 63
}

func (s *stored) columnBytes() int { return s.t.cols * s.k.K * s.t.element }

// Scratch implements [kernel.Code].
func (s *stored) Scratch() int { return s.callBytes() + 2*s.columnBytes() }

// Listing implements [kernel.Code].
func (s *stored) Listing() string {
	return fmt.Sprintf("tile %d x %d, depth %d, of decoded blocks\n%s%s", s.t.rows, s.t.cols, s.t.depth, s.machine.Listing(), s.decoder.Listing())
}

// Close implements [kernel.Code].
func (s *stored) Close() {
	for _, p := range append(s.columns[:], s.a) {
		if p != nil {
			p.close()
		}
	}
	for _, r := range s.rounders {
		if r != nil {
			r.Close()
		}
	}
	if s.decoder != nil {
		s.decoder.Close()
	}
	if s.machine != nil {
		s.machine.Close()
	}
}

func (s *stored) copies() int {
	if s.aBatch {
		return s.batches
	}
	return 1
}

func (s *stored) entryBytes() int { return s.k.M * s.k.K * s.t.element }

// Shared implements [kernel.Prologue].
func (s *stored) Shared() int { return s.copies() * s.entryBytes() }

// PrologueUnits implements [kernel.Prologue]. A unit of rows that are rounded is one of them.
func (s *stored) PrologueUnits() int {
	if s.a != nil {
		return s.a.units()
	}
	return s.copies() * s.k.M
}

// RunPrologue implements [kernel.Prologue].
func (s *stored) RunPrologue(args *kernel.Args, lo, hi int) {
	to := args.Ptr[len(args.Ptr)-1]
	if s.a != nil {
		s.a.run(args.Ptr[0], to, args.Scratch, lo, hi)
		return
	}
	a := &s.k.A
	for u := lo; u < hi; u++ {
		entry, row := u/s.k.M, u%s.k.M
		from := unsafe.Add(args.Ptr[0], (a.EntryAt(s.k.Batch, entry)+row*a.Row)*a.DType.Size())
		first := row / s.t.rows * s.t.rows
		r := s.rounders[0]
		if first+s.t.rows > s.k.M {
			r = s.rounders[1]
		}
		r.Round(args.Scratch, from, unsafe.Add(to, entry*s.entryBytes()+(first*s.k.K+row-first)*s.t.element))
	}
}

// Run implements [kernel.Code].
func (s *stored) Run(args *kernel.Args, lo, hi int) {
	values := unsafe.Add(args.Scratch, s.callBytes())
	panel := unsafe.Add(values, s.columnBytes())
	for u := lo; u < hi; u++ {
		entry, first := u/s.colPanels, u%s.colPanels*s.t.cols
		columns := min(s.t.cols, s.k.N-first)
		b := s.k.B.EntryAt(s.k.Batch, entry)
		for i := range columns {
			s.decoder.Decode(args.Scratch, unsafe.Add(args.Ptr[1], b+(first+i)*s.k.B.Col), unsafe.Add(values, i*s.k.K*s.t.element))
		}
		full := uintptr(1)
		p := s.columns[0]
		if columns < s.t.cols {
			full, p = 0, s.columns[1]
		}
		p.run(values, panel, args.Scratch, 0, p.units())
		block := unsafe.Slice((*uintptr)(args.Scratch), words)
		block[wordA] = uintptr(args.Ptr[len(args.Ptr)-1]) + uintptr(min(entry, s.copies()-1)*s.entryBytes())
		block[wordB] = uintptr(panel)
		at := s.sums.EntryAt(s.k.Batch, entry) + first*s.sums.Outer[len(s.k.Batch)+1]
		block[wordC] = uintptr(unsafe.Add(args.Ptr[2], at*s.k.Acc.Size()))
		block[wordRows], block[wordLastRows] = whole(0, (s.k.M+s.t.rows-1)/s.t.rows, s.k.M, s.t.rows)
		block[wordColumns], block[wordLastColumns] = full, 1-full
		s.machine.Call(args.Scratch)
	}
	runtime.KeepAlive(args.Ptr)
}
