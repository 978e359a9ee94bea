package epilogue

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/cpu"
	"github.com/go-acap/acap/kernel/vector"
	"github.com/go-acap/acap/kernel/vector/nest"
	"github.com/go-acap/acap/kernel/x86/asm"
	"github.com/go-acap/acap/kernel/x86/emit"
)

// An Epilogue is checked and ready to be emitted.
type Epilogue struct {
	Ports []Port

	of                           *kernel.Epilogue
	firstPort, rowLoop, laneLoop int
	acc                          dtype.DType // of the accumulators
	features                     cpu.Features
	writes                       *nest.Epilogue // nil before the first tile
}

// Port is an operand of the epilogue as a tile sees it.
type Port struct {
	DType     dtype.DType
	Write     bool
	Row, Lane int // strides in elements
}

// MaxPorts is the number of operands that fit the registers.
const MaxPorts = 7

// New checks that e can run on accumulators of type acc, whose rows and lanes are the kernel's
// loops rowLoop and laneLoop; firstPort is the kernel's number of the epilogue's first port. It
// needs up to temps vector registers.
func New(e *kernel.Epilogue, firstPort, rowLoop, laneLoop int, acc dtype.DType, f cpu.Features,
	temps int) (*Epilogue, error) {
	out := &Epilogue{of: e, firstPort: firstPort, rowLoop: rowLoop, laneLoop: laneLoop, acc: acc, features: f}
	switch {
	case len(e.Access) > MaxPorts:
		return nil, fmt.Errorf("epilogue: %d operands, at most %d fit", len(e.Access), MaxPorts)
	case !nest.FitsEpilogue(e, acc.Size()):
		return nil, fmt.Errorf("epilogue: more than a few simple operations")
	}
	for i, a := range e.Access {
		p := Port{a.DType, a.Write, a.Outer[rowLoop], a.Outer[laneLoop]}
		if err := p.check(); err != nil {
			return nil, fmt.Errorf("epilogue: port %d: %w", firstPort+i, err)
		}
		out.Ports = append(out.Ports, p)
	}
	for _, i := range e.Body {
		if (i.Op == kernel.Load || i.Op == kernel.Store) && (i.Port < firstPort || i.Port-firstPort >= len(e.Access)) {
			return nil, fmt.Errorf("epilogue: port %d belongs to the product", i.Port)
		}
	}
	if err := out.rehearse(temps); err != nil {
		return nil, fmt.Errorf("epilogue: %w", err)
	}
	return out, nil
}

func (p *Port) check() error {
	switch {
	case p.Write && p.Lane != 1:
		return fmt.Errorf("a store with lane stride %d", p.Lane)
	case p.Lane != 0 && p.Lane != 1:
		return fmt.Errorf("a load with lane stride %d", p.Lane)
	case p.Row < 0 || p.Row > math.MaxInt32/(64*p.DType.Size()):
		return fmt.Errorf("row stride %d", p.Row)
	}
	return nil
}

// Tile is a block of accumulators in registers.
type Tile struct {
	Rows, Vecs int
	Tail       int                        // elements in the last vector of a row; 0 means all
	Acc        func(row, vec int) asm.Reg // may be overwritten
	Temps      []asm.Reg                  // free vector registers, as many as New was told
	Pointers   []asm.Reg                  // general registers: the address of each port at the tile's origin
}

// Emit emits the epilogue for all vectors of t. With AVX-512, mask register [emit.Tail] is that of the tail. One
// goroutine at a time emits.
func (e *Epilogue) Emit(a *asm.Assembler, t *Tile) {
	if err := e.emit(a, t); err != nil {
		panic("BUG: epilogue: " + err.Error())
	}
}

// emit emits it, or only tells whether registers suffice if there is no assembler.
func (e *Epilogue) emit(a *asm.Assembler, t *Tile) error {
	if e.writes == nil {
		e.writes = nest.NewEpilogue(e.of, e.firstPort, e.laneLoop, e.features.BF16)
	}
	r := &emit.Registers{Free: t.Temps, Words: t.Pointers, Tail: t.Tail}
	whole := t.Vecs
	if t.Tail > 0 {
		whole--
	}
	lanes, at := t.Acc(0, 0).Bytes()/e.acc.Size(), make([]vector.Val, len(e.Ports))
	kind, _ := vector.Element(e.acc)
	for _, of := range []struct{ first, end, count int }{{0, whole, 0}, {whole, t.Vecs, t.Tail}} {
		if of.first == of.end {
			continue
		}
		err := emit.Inline(a, e.features, r, lanes, e.places(t, lanes, of.first, of.end), func(b *vector.Builder) {
			for i := range at {
				at[i] = b.Arg(i)
			}
			e.writes.In(b).Write(b.Given(kind), at, e.rowLoop, 0, of.count)
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// places are those of some vectors of each row of a tile.
func (e *Epilogue) places(t *Tile, lanes, first, end int) []emit.Place {
	list := make([]emit.Place, 0, t.Rows*(end-first))
	offsets := make([]int, 0, cap(list)*len(e.Ports))
	for row := range t.Rows {
		for vec := first; vec < end; vec++ {
			for _, p := range e.Ports {
				offsets = append(offsets, (row*p.Row+vec*lanes*p.Lane)*p.DType.Size())
			}
			list = append(list, emit.Place{Given: t.Acc(row, vec), Offsets: offsets[len(offsets)-len(e.Ports):]})
		}
	}
	return list
}

// rehearse returns an error unless so many registers beside an accumulator suffice.
func (e *Epilogue) rehearse(temps int) error {
	bytes := e.features.Level.VectorBytes()
	t := &Tile{Rows: 1, Vecs: 1, Tail: bytes/e.acc.Size() - 1, Acc: func(int, int) asm.Reg { return asm.Vec(bytes, 0) }}
	for i := 1; i <= min(temps, e.features.Level.VectorRegisters()-1); i++ {
		t.Temps = append(t.Temps, asm.Vec(bytes, i))
	}
	for range e.Ports {
		t.Pointers = append(t.Pointers, asm.RBX)
	}
	return e.emit(nil, t)
}
