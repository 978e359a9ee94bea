package schedule

import (
	"unsafe"

	"github.com/go-acap/acap/kernel"
)

// unitNanos is the time of one unit, and of one call, that plans aim at.
const unitNanos = 25e3

// Points is the number of points of some loops.
func (p *Loops) Points(loops []int) int {
	n := 1
	for _, l := range loops {
		n *= p.Nest.Extent(l)
	}
	return n
}

// callNanos estimates the shortest call: one point of all loops that calls can be divided by.
func (p *Loops) callNanos() float64 {
	nanos := p.pointNanos() * float64(p.Points(p.Fold))
	if p.LaneOuter {
		nanos *= float64(min(p.Nest.Extent(p.Lane), p.Lanes))
	}
	return nanos
}

// Units divides the work of a nest into units: a unit is a range of rows and, of outer points in lanes, a range of these.
type Units struct {
	loops   *Loops
	rest    int // points of the loops that Go iterates
	rows    int // extent of the row loop
	rowStep int // rows of one unit
	rowUnit int // units along the rows
	lane    int // extent of the lane loop in a call; 0 if it is an inner loop
	laneSz  int // lanes of one unit
	laneN   int // units along the lanes
	nanos   float64
	first   []int // bytes from each access's operand to the first point
}

// Units divides the work. Whoever changes p.Unroll does so before.
func (p *Loops) Units() Units {
	c := Units{loops: p, rest: p.Points(p.Rest), rows: 1, laneN: 1}
	if p.Row >= 0 {
		c.rows = p.Nest.Extent(p.Row)
	}
	point := p.pointNanos() * float64(p.Points(p.Fold))
	row := point
	if p.LaneOuter {
		c.lane = p.Nest.Extent(p.Lane)
		c.laneSz = c.lane
		row *= float64(c.lane)
		if step := p.Unroll * p.Lanes; row > 2*unitNanos && c.lane > step {
			n := int(unitNanos / point)
			c.laneSz = max(1, n/step) * step
			c.laneN = (c.lane + c.laneSz - 1) / c.laneSz
			row = point * float64(c.laneSz)
		}
	}
	c.rowStep = max(1, min(c.rows, int(unitNanos/row)))
	c.rowUnit = (c.rows + c.rowStep - 1) / c.rowStep
	c.nanos = row*float64(c.rowStep) + 20
	for i := range p.Nest.Access {
		a := &p.Nest.Access[i]
		c.first = append(c.first, a.Offset*a.DType.Size())
	}
	return c
}

// Count is the number of units.
func (c *Units) Count() int { return c.rest * c.rowUnit * c.laneN }

// Nanos estimates the time of one unit.
func (c *Units) Nanos() float64 { return c.nanos }

// Enter sets up the call of a unit: the addresses of the accesses at its first point, and the index there of the loops
// that are not in the code as a whole. It returns how many rows the unit has, and how many outer points lie along the
// lanes; 0 if they run along an inner loop.
func (c *Units) Enter(args *kernel.Args, unit int, addresses, index []uintptr) (rows, points int) {
	p, lane, row := c.loops, 0, 0
	for i, bytes := range c.first {
		addresses[i] = uintptr(unsafe.Add(args.Ptr[i], bytes))
	}
	for _, l := range p.Rest {
		index[l] = 0
	}
	if unit > 0 { // the only unit of a small kernel takes no longer than these divisions
		lane, unit = unit%c.laneN*c.laneSz, unit/c.laneN
		row, unit = unit%c.rowUnit*c.rowStep, unit/c.rowUnit
		for _, l := range p.Rest {
			index[l], unit = uintptr(unit%p.Nest.Outer[l]), unit/p.Nest.Outer[l]
		}
		for i := range p.Nest.Access {
			addresses[i] += uintptr(p.elements(i, lane, row, index) * p.Nest.Access[i].DType.Size())
		}
	}
	if p.Row >= 0 {
		index[p.Row] = uintptr(row)
	}
	if p.LaneOuter {
		index[p.Lane] = uintptr(lane)
		points = min(c.laneSz, c.lane-lane)
	}
	return min(c.rowStep, c.rows-row), points
}

// elements is how many elements of an access a point of the loops lies behind the first.
func (p *Loops) elements(access, lane, row int, index []uintptr) (n int) {
	strides := p.Nest.Access[access].Outer
	if p.LaneOuter {
		n += lane * strides[p.Lane]
	}
	if p.Row >= 0 {
		n += row * strides[p.Row]
	}
	for _, l := range p.Rest {
		n += int(index[l]) * strides[l]
	}
	return n
}
