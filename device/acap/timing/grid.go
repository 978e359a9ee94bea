package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
)

// grid is all of a mapping that the places of a product's streams depend on.
type grid struct{ cols, rows, right, above, partsM, partsN, cascade, fanOutA, fanOutB, resident, in, out int }

// gridPorts is how the streams of the products on a grid of cores share interface tiles.
type gridPorts struct {
	grid
	into, from leaders
}

// ports returns the ports of a mapping's grid. A search tries many tiles on a grid in a row, so the last result is
// kept.
func (o *Model) ports(g *mapping.Mapping) *gridPorts {
	fanOutA, fanOutB := g.FanOuts()
	of := grid{g.Cols, g.Rows, g.Col, g.Row, g.PartsM, g.PartsN, g.Cascade, fanOutA, fanOutB, g.Resident, g.In.Row, g.Out.Row}
	if last := o.last.Load(); last != nil && last.grid == of {
		return last
	}
	p := o.dealGrid(g)
	p.grid = of
	o.last.Store(p)
	return p
}

// Joined returns the streams of a product's output tiles through mem tiles, and how many tiles travel as one: all tiles
// of a column of cores, or equal parts of them where a mem tile has no channels for all.
func Joined(m *machine.Machine, g *mapping.Mapping) (streams, tiles int) {
	columns, each := g.PartsN, g.PartsM
	switch {
	case g.Stacked():
		columns, each = g.Cols, g.Rows
	case g.Across(m.Grid.VerticalCascade):
		columns, each = each, columns
	}
	for tiles = min(each, max(1, m.Mem.In.Int())); each%tiles != 0; tiles-- {
	}
	return columns * (each / tiles), tiles
}

// dealGrid deals the streams in the order in which package program does.
func (o *Model) dealGrid(g *mapping.Mapping) *gridPorts {
	grid := &o.machine.Grid
	first, above, _ := grid.At(g.Cols, g.Rows, g.Col, g.Row)
	leftwards := func(row int) bool { return grid.CoreRow(above+row)%2 == 1 }
	column := func(m, n, k int) int {
		col, _ := g.Place(m, n, k, grid.VerticalCascade, leftwards)
		return first + col
	}
	across, columns := g.Across(grid.VerticalCascade), g.PartsN
	switch {
	case g.Stacked():
		columns = g.Cols
	case across:
		columns = g.PartsM
	}
	streams := g.PartsM * g.PartsN
	if grid.MemRows > 0 {
		streams, _ = Joined(o.machine, g)
	}
	fanOutA, fanOutB := g.FanOuts()
	brought := g.PartsN / fanOutB // streams of B
	if g.Resident > 0 {
		brought = 0
	}
	strips := g.PartsM / fanOutA // streams of A
	if g.In.Row > 0 {
		strips = 0
	}
	if g.Out.Row > 0 {
		streams = 0
	}
	into, from := o.deal((strips+brought)*g.Cascade, true), o.deal(streams, false)
	for i := range strips * g.Cascade {
		stage := i % g.Cascade
		into.add(operandA, column(i/g.Cascade*fanOutA, 0, stage), stage == g.Cascade-1)
	}
	for i := range brought * g.Cascade {
		stage := i % g.Cascade
		into.add(operandB, column(0, i/g.Cascade*fanOutB, stage), stage == g.Cascade-1)
	}
	for i := range streams {
		switch at := i * columns / streams; {
		case g.Stacked():
			from.add(0, column(at*g.Rows, 0, 0), true)
		case across:
			from.add(0, column(at, 0, g.Cascade-1), true)
		default:
			from.add(0, column(0, at, g.Cascade-1), true)
		}
	}
	return &gridPorts{into: into.leaders(), from: from.leaders()}
}
