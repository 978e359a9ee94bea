package machine

import (
	"fmt"
	"slices"
)

// Columns returns a machine of some neighbouring columns of the array, for work that runs beside the work of the other
// columns. It has the tiles of these columns alone. Of the rate of the memory outside, and of the power that the array
// takes at rest, it has the share of its interface tiles: the parts of an array together get no more than the array
// has. It is an error when none of the columns has an interface tile.
func (m *Machine) Columns(first, count int) (*Machine, error) {
	g := &m.Grid
	if first < 0 || count < 1 || first+count > g.Cols {
		return nil, fmt.Errorf("machine %s has %d columns: no %d from column %d on", m.Name, g.Cols, count, first)
	}
	part := *m
	inside := func(col int) bool { return col >= first && col < first+count }
	part.Grid.Cols, part.Grid.ShimDMA, part.Grid.Dead = count, nil, nil
	for _, c := range g.ShimDMA {
		if inside(c) {
			part.Grid.ShimDMA = append(part.Grid.ShimDMA, c-first)
		}
	}
	for _, c := range g.Dead {
		if inside(c.Col) {
			part.Grid.Dead = append(part.Grid.Dead, Coord{Col: c.Col - first, Row: c.Row})
		}
	}
	if len(part.Grid.ShimDMA) == 0 {
		return nil, fmt.Errorf("machine %s: columns %d to %d have no interface tile", m.Name, first, first+count-1)
	}
	share := float64(len(part.Grid.ShimDMA)) / float64(len(g.ShimDMA))
	for _, c := range []*Constant{&part.DDR.Read, &part.DDR.Write, &part.DDR.Total, &part.Staging, &part.Energy.Static} {
		c.Value *= share
	}
	if count < g.Cols {
		part.Name = fmt.Sprintf("%s, %d of %d columns", m.Name, count, g.Cols)
	}
	return &part, nil
}

// Parted divides the array into parts from left to right, with equally many interface tiles each. It returns the first
// column of each part, and after the last part the number of columns; nil if the interface tiles cannot be shared so.
func (g *Grid) Parted(parts int) (first []int) {
	shims := slices.Sorted(slices.Values(g.ShimDMA))
	if parts < 1 || len(shims) == 0 || len(shims)%parts != 0 {
		return nil
	}
	each := len(shims) / parts
	first = []int{0}
	for i := each; i < len(shims); i += each {
		first = append(first, (shims[i-1]+shims[i]+1)/2)
	}
	return append(first, g.Cols)
}
