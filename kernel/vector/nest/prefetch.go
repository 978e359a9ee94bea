package nest

import (
	"slices"

	"github.com/go-acap/acap/kernel"
	"github.com/go-acap/acap/kernel/schedule"
)

// A row kernel reads a row from memory in its first stage, works on the row in the cache, and writes a row in its last
// stage. If the kernel computes functions, its second stage has time to fetch the next row and the lines that the last
// stage will write; where vectors are so long that this time is missing, the last stage fetches the next row. If the
// kernel computes none, it waits for memory, and simultaneous reads and writes slow each other down: the second stage
// fetches the next row, and the last stage, while it stores, the lines of the next row's results. The lines of a long
// row, fetched so early, would be evicted before their use: there the stages that read and write fetch a page ahead.
// Lines from beyond the caches take so long that fetches of rows hold up other loads: there the processor alone reads
// ahead, and the last stage fetches the lines that its stores wait for in order.

// A pointwise kernel that computes functions reads more than the loads in flight can fetch in time: the arithmetic
// between the loads fills the window of the processor, whose own prefetching ends with every page. So the kernel fetches
// a page ahead. With less arithmetic the window holds enough loads, and prefetches take the place of some of them.

// pageBytes is the distance. farBytes is the least traffic for which fetching ahead pays: as much as the second-level
// cache holds. nearBytes is the longest row for which everything that a kernel reads and writes fits into the first-level cache.
const (
	pageBytes = 4 << 10
	farBytes  = 2 << 20
	nearBytes = 8 << 10
	lineBytes = schedule.CacheLine
)

// coming is a port that is fetched ahead.
type coming struct {
	port   int
	offset int // bytes from the place
	write  bool
}

// pageAhead returns what a pointwise kernel fetches ahead.
func (g *generator) pageAhead() (list []coming) {
	if len(g.Nest.Inner) > 0 || g.Traffic() <= farBytes || !g.busy() {
		return nil
	}
	for i := range g.Nest.Access {
		if p := g.ports[i]; p.strides[g.Lane] == 1 && p.still && !g.gathers(i) {
			list = append(list, coming{port: i, offset: pageBytes})
		}
	}
	return list
}

// nextRows returns what a stage fetches ahead while it takes a number of rows at a time: nothing unless several stages
// run over the inner loops.
func (g *generator) nextRows(number, rows int) (list []coming) {
	var stages []int
	for i := range g.Nest.Stages {
		if !g.Nest.Stages[i].Once {
			stages = append(stages, i)
		}
	}
	if len(stages) < 2 || g.Row < 0 || len(g.Seq) > 0 {
		return nil
	}
	first, second, last := stages[0], stages[1], stages[len(stages)-1]
	for i := range g.Nest.Access {
		p := g.ports[i]
		row := p.strides[g.Row] * p.size()
		if p.strides[g.Lane] != 1 || row == 0 || rows*row > reach {
			continue
		}
		offset, reader, lead, writer := rows*row, second, rows*row, last
		switch {
		case g.busy():
			lead, writer = 0, second
			if !g.outlasts(second) {
				reader = last
			}
		case g.Nest.Extent(g.Lane)*p.size() > nearBytes:
			offset, reader, lead = pageBytes, first, pageBytes
		case g.Traffic() > g.backend.LastLevel()*3/4: // what is less stays in the cache for the next run
			reader, lead = -1, 0
		}
		if number == reader && uses(g.Nest.Stages[first].Body, kernel.Load, i) {
			list = append(list, coming{i, offset, false})
		}
		if number == writer && uses(g.Nest.Stages[last].Body, kernel.Store, i) {
			list = append(list, coming{i, lead, true})
		}
	}
	return list
}

// lineCost is how long a core waits for a line of memory that it reads or writes, in additions: two begin in a cycle, and
// memory gives a core 8 bytes in a cycle.
const lineCost = 16

// outlasts reports whether a stage computes for longer than memory takes for the lines that the kernel reads and writes
// meanwhile.
func (g *generator) outlasts(stage int) bool {
	cost := 0
	for _, i := range g.Nest.Stages[stage].Body {
		cost += i.Op.Cost()
	}
	memory := 0
	for i := range g.Nest.Access {
		if p := g.ports[i]; p.strides[g.Lane] == 1 && p.strides[g.Row] != 0 {
			memory += lineCost * g.Lanes * p.size() / lineBytes
		}
	}
	return cost >= memory
}

func uses(body kernel.Body, op kernel.Op, port int) bool {
	return slices.ContainsFunc(body, func(i kernel.Instr) bool { return i.Op == op && i.Port == port })
}

// prefetch writes the prefetches that go with one vector of a turn.
func (g *generator) prefetch(list []coming, at *place, copy int) {
	if at.count > 0 {
		return
	}
	for _, c := range list {
		p := g.ports[c.port]
		if bytes := copy * g.Lanes * p.size(); bytes%lineBytes == 0 {
			fetch := g.b.PrefetchNear
			if c.write {
				fetch = g.b.PrefetchWrite
			}
			fetch(at.at[c.port], bytes+c.offset)
		}
	}
}
