package nest

import (
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
	"github.com/go-acap/acap/kernel/x86/asm"
)

// A row kernel reads a row from memory in its first stage, works on it in the cache,
// and writes a row in its last. If it computes functions, its second stage has time to
// fetch the next row and the lines that the last will write. If not, memory is what it
// waits for, and reads and writes that are under way at once slow each other down: the
// second stage fetches the next row, and the last, while it stores, the lines of the next
// row's results. What were fetched that early of a long row would be gone again: there
// the stages that read and write fetch a page ahead.

// A pointwise kernel reads more than the loads in flight can fetch in time if the
// arithmetic between them fills the window of the processor, whose own prefetching ends
// with every page. So it fetches a page ahead.

// pageBytes is the distance; farBytes the traffic from which on it is worth its while,
// what the second level of caches holds at most; nearBytes the longest row of which all
// that a kernel reads and writes fits the first level.
const (
	pageBytes = 4 << 10
	farBytes  = 2 << 20
	nearBytes = 8 << 10
)

// pageAhead returns what a pointwise kernel prefetches.
func (g *generator) pageAhead() (out []coming) {
	if g.traffic() <= farBytes {
		return nil
	}
	for i, a := range g.Nest.Access {
		if q := g.ports[i]; q.lane == 1 && !a.Write && !slices.Contains(g.gathered, i) {
			out = append(out, coming{port: q, offset: pageBytes})
		}
	}
	return out
}

// coming is a port that is fetched ahead.
type coming struct {
	port   *port
	offset int // bytes from the current point
	write  bool
}

// comingPorts returns what stage s prefetches while it takes rows at a time: nothing
// unless several stages run over the inner loops.
func (g *generator) comingPorts(s *stage, rows int) []coming {
	var full []int
	for i := range g.stages {
		if !g.stages[i].once {
			full = append(full, i)
		}
	}
	if len(full) < 2 || g.Row < 0 || len(g.Seq) > 0 {
		return nil
	}
	first, second, last := full[0], full[1], full[len(full)-1]
	var out []coming
	for p := range g.Nest.Access {
		q := g.ports[p]
		row := q.strides[g.Row] * q.size()
		if q.lane != 1 || row == 0 {
			continue
		}
		offset, reader, lead, writer := rows*row, second, rows*row, last
		switch {
		case g.busy():
			lead, writer = 0, second
		case g.Extent(g.Lane)*q.size() > nearBytes:
			offset, reader, lead = pageBytes, first, pageBytes
		}
		if s == g.stages[reader] && g.uses(first, kernel.Load, p) {
			out = append(out, coming{q, offset, false})
		}
		if s == g.stages[writer] && g.uses(last, kernel.Store, p) {
			out = append(out, coming{q, lead, true})
		}
	}
	return out
}

func (g *generator) uses(stage int, op kernel.Op, port int) bool {
	for _, i := range g.Nest.Stages[stage].Body {
		if i.Op == op && i.Port == port {
			return true
		}
	}
	return false
}

// prefetch emits the prefetches that go with one vector.
func (g *generator) prefetch() {
	e := g.e
	for _, c := range g.ahead {
		newLine := e.unroll*e.lanes*c.port.size()%schedule.CacheLine == 0
		if !newLine || e.tail > 0 || int(int32(c.offset)) != c.offset {
			continue
		}
		m := e.contiguous(c.port).Plus(c.offset)
		if c.write {
			e.a.Emit(asm.PREFETCHW, m)
		} else {
			e.a.Emit(asm.PREFETCHT0, m)
		}
	}
}
