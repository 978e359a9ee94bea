package nest

import (
	"github.com/go-acap/acap/device/kernel"
	"github.com/go-acap/acap/device/kernel/x86/asm"
)

// A row kernel reads a row from memory in its first stage, works on it in the
// cache, and writes a row in its last. The second stage has time to fetch what
// the others will wait for: the next row of the inputs, and the lines of the
// outputs for writing.

// A pointwise kernel reads more than the loads in flight can fetch in time if the
// arithmetic between them fills the window of the processor, whose own prefetching ends
// with every page. So it fetches a page ahead.

// pageBytes is the distance; farBytes the traffic from which on it is worth its while,
// what the second level of caches holds at most.
const (
	pageBytes = 4 << 10
	farBytes  = 2 << 20
)

// pageAhead returns what a pointwise kernel prefetches.
func (g *generator) pageAhead() (out []coming) {
	if g.traffic() <= farBytes {
		return nil
	}
	for i, a := range g.n.Access {
		if q := g.ports[i]; q.lane == 1 && !a.Write {
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

// comingPorts returns what stage s prefetches: nothing unless it is the second
// stage over the inner loops.
func (g *generator) comingPorts(s *stage, rows int) []coming {
	var full []int
	for i := range g.stages {
		if !g.stages[i].once {
			full = append(full, i)
		}
	}
	if len(full) < 2 || g.stages[full[1]] != s || g.row < 0 || len(g.seq) > 0 {
		return nil
	}
	var out []coming
	for p := range g.n.Access {
		q := g.ports[p]
		if q.lane != 1 {
			continue
		}
		if g.uses(full[0], kernel.Load, p) && q.strides[g.row] != 0 {
			out = append(out, coming{q, rows * q.strides[g.row] * q.size(), false})
		}
		for _, i := range full[1:] {
			if g.uses(i, kernel.Store, p) {
				out = append(out, coming{q, 0, true})
				break
			}
		}
	}
	return out
}

func (g *generator) uses(stage int, op kernel.Op, port int) bool {
	for _, i := range g.n.Stages[stage].Body {
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
		newLine := e.unroll*e.lanes*c.port.size()%cacheLine == 0
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
