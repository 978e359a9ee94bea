package program

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// Verify checks the program against the limits of its machine and returns all violations. Before lowering only objects
// are checked: places, the balance of every FIFO, and the neighbours that a cascade needs. After lowering Verify also
// checks that the host reaches the end of its steps: no step waits for the full queue of a channel that only a later
// step drains. Package deadlock explains why a host does not reach the end. The violations are joined in one error;
// without one it is nil.
func (p *Program) Verify() error {
	v := &verifier{p: p, m: p.Machine}
	v.places()
	if len(v.errs) == 0 {
		v.balance()
		v.tasks()
	}
	if p.Lowered && len(v.errs) == 0 {
		v.limits()
	}
	if p.Lowered && len(v.errs) == 0 {
		v.queues()
	}
	return errors.Join(v.errs...)
}

// VerifyTiles checks what a lowered program takes of its tiles, and the transfers of the host one by one. The host's
// steps may be cut short, so that neither the balance of FIFOs nor the queues of channels are checked. The violations
// are joined in one error; without one it is nil.
func (p *Program) VerifyTiles() error {
	v := &verifier{p: p, m: p.Machine}
	if v.places(); len(v.errs) == 0 {
		v.tasks()
		v.limits()
	}
	return errors.Join(v.errs...)
}

// limits checks what a lowered program takes of its tiles.
func (v *verifier) limits() {
	v.memory()
	v.locks()
	v.channels()
	v.descriptors()
}

type verifier struct {
	p    *Program
	m    *machine.Machine
	errs []error
}

// most bounds the violations that one verification collects.
const most = 20

func (v *verifier) fail(format string, args ...any) {
	if len(v.errs) < most {
		v.errs = append(v.errs, fmt.Errorf("program %s: "+format,
			append([]any{v.p.Name}, args...)...))
	}
}

func name(c Coord) string { return fmt.Sprintf("tile (%d, %d)", c.Col, c.Row) }

// places checks that everything is on a tile that can hold it.
func (v *verifier) places() {
	dead := make(map[Coord]bool)
	for _, d := range v.m.Grid.Dead {
		dead[d] = true
	}
	seen := make(map[Coord]bool)
	for _, c := range v.p.Cores {
		if v.m.KindAt(c.Tile) != machine.CoreTile {
			v.fail("%s is no core", name(c.Tile))
		}
		if dead[c.Tile] {
			v.fail("%s is declared dead", name(c.Tile))
		}
		if seen[c.Tile] {
			v.fail("%s has two programs", name(c.Tile))
		}
		seen[c.Tile] = true
	}
	for i := range v.p.FIFOs {
		f := &v.p.FIFOs[i]
		if len(f.Consumers) == 0 || f.Depth < 1 {
			v.fail("FIFO %s has %d consumers and depth %d", f.Name, len(f.Consumers), f.Depth)
		}
		for _, c := range append([]Coord{f.Producer}, f.Consumers...) {
			if v.m.KindAt(c) == machine.NoTile {
				v.fail("FIFO %s ends at %s outside the grid", f.Name, name(c))
			}
		}
		if f.Cascade && (len(f.Consumers) != 1 || !v.cascades(f.Producer, f.Consumers[0])) {
			v.fail("FIFO %s: no cascade from %s to %v", f.Name, name(f.Producer), f.Consumers)
		}
	}
}

// cascades reports whether the accumulator link of a leads to b: with vertical
// links to the core below or the one to the east; else along the row, east on
// even rows and west on odd ones.
func (v *verifier) cascades(a, b Coord) bool {
	if v.m.Grid.VerticalCascade {
		return b == Coord{Col: a.Col, Row: a.Row - 1} || b == Coord{Col: a.Col + 1, Row: a.Row}
	}
	step := 1
	if a.Row%2 != 0 {
		step = -1
	}
	return b == Coord{Col: a.Col + step, Row: a.Row}
}

// memory checks the capacity of every tile and names its buffers when they
// exceed it.
func (v *verifier) memory() {
	used := make(map[Coord]int)
	names := make(map[Coord][]string)
	for _, b := range v.p.Buffers {
		end := b.Address + b.Object.Bytes()
		used[b.Tile] = max(used[b.Tile], end)
		names[b.Tile] = append(names[b.Tile], fmt.Sprintf("%s %d", b.Name, b.Object.Bytes()))
	}
	for _, c := range inOrder(used) {
		if t, n := v.m.TileAt(c), used[c]; n > t.Memory.Int() {
			v.fail("%s needs %d of %d bytes: stack %d, %s", name(c), n, t.Memory.Int(),
				t.Stack.Int(), strings.Join(names[c], ", "))
		}
	}
	v.overlaps()
}

// inOrder returns the tiles that use something, column by column, so that a program always has the same error.
func inOrder(used map[Coord]int) []Coord {
	return slices.SortedFunc(maps.Keys(used), func(a, b Coord) int { return cmp.Or(a.Col-b.Col, a.Row-b.Row) })
}

// overlaps checks that no buffer overlaps a retained array.
func (v *verifier) overlaps() {
	for i := range v.p.Buffers {
		s := &v.p.Buffers[i]
		for j := range v.p.Buffers {
			b := &v.p.Buffers[j]
			if s.Fixed && j != i && b.Tile == s.Tile && b.Address < s.Address+s.Object.Bytes() &&
				s.Address < b.Address+b.Object.Bytes() {
				v.fail("%s has no space: %s of %d bytes at %d and %s of %d at %d overlap", name(s.Tile), s.Name,
					s.Object.Bytes(), s.Address, b.Name, b.Object.Bytes(), b.Address)
			}
		}
	}
}

func (v *verifier) locks() {
	count := make(map[Coord]int)
	for _, l := range v.p.Locks {
		count[l.Tile]++
		t := v.m.TileAt(l.Tile)
		if l.Init < 0 || l.Init > t.LockMax.Int() {
			v.fail("lock %s starts at %d of at most %d", l.Name, l.Init, t.LockMax.Int())
		}
	}
	for _, c := range inOrder(count) {
		if most := v.m.TileAt(c).Locks.Int(); count[c] > most {
			v.fail("%s needs %d of %d locks", name(c), count[c], most)
		}
	}
}

func (v *verifier) channels() {
	for _, d := range v.p.DMAs {
		t := v.m.TileAt(d.Tile)
		limit := t.Out.Int()
		if d.Dir == S2MM {
			limit = t.In.Int()
		}
		if most := max(1, t.Repeat.Int()); d.Passes > most {
			v.fail("%s runs the chain of %s channel %d %d times, a task at most %d", name(d.Tile), d.Dir, d.Channel,
				d.Passes, most)
		}
		if d.Channel >= limit {
			v.fail("%s needs %s channel %d of %d", name(d.Tile), d.Dir, d.Channel, limit)
		}
	}
}

// descriptors checks the number and the fields of the buffer descriptors.
func (v *verifier) descriptors() {
	for _, d := range v.p.DMAs {
		t := v.m.TileAt(d.Tile)
		for _, b := range d.Descriptors {
			if b.Length < 1 || b.Acquire.Lock >= len(v.p.Locks) || b.Release.Lock >= len(v.p.Locks) ||
				b.Next >= len(d.Descriptors) {
				v.fail("descriptor %d of %s moves %d elements between locks %d and %d, then goes on at %d",
					b.ID, name(d.Tile), b.Length, b.Acquire.Lock, b.Release.Lock, b.Next)
			}
			if b.ID >= t.Descriptors.Int() {
				v.fail("%s needs descriptor %d of %d", name(d.Tile), b.ID, t.Descriptors.Int())
			}
			buffer := &v.p.Buffers[b.Buffer]
			size := buffer.Object.DType.Size()
			if buffer.Tile != d.Tile {
				v.fail("%s uses buffer %s of %s", name(d.Tile), buffer.Name, name(buffer.Tile))
			}
			if b.Offset < 0 || b.Offset+reach(b.Dims, b.Length) > buffer.Object.Elements() {
				v.fail("descriptor %d of %s leaves buffer %s", b.ID, name(d.Tile), buffer.Name)
			}
			if err := Fits(t, b.Dims, b.Length, size); err != nil {
				v.fail("descriptor %d of %s: %v", b.ID, name(d.Tile), err)
			}
		}
	}
}

// reach is the number of elements from the first to the last that is touched.
func reach(dims []Dim, length int) int {
	if len(dims) == 0 {
		return length
	}
	n := 1
	for _, d := range dims {
		n += (d.Size - 1) * d.Stride
	}
	return n
}
