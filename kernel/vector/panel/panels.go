package panel

import "github.com/go-acap/acap/kernel/vector"

// Panels copies a matrix whose rows are contiguous to panels. The cells of a step of a panel stand side by side.
type Panels struct {
	Cells
	Depth   int // elements of the sum
	Row     int // bytes from a row to the next
	Vectors int // of the cells of a step
	Columns int // of the last panel if that is not full, 0 if it is
	Panel   int // bytes from a panel to the next
	Head    int // bytes of a panel before its cells
}

// rowsAtOnce is how many rows are copied before the next panel's turn, while as many are fetched: about as many lines as
// a core fetches at once, and few enough for the ways of one set of the first-level cache, on which rows of some lengths
// fall.
const rowsAtOnce = 4

// Reach is the distance from an address that copies of a matrix need at most.
func (p Panels) Reach() int { return 2 * (rowsAtOnce + 1) * p.Row }

// The words of the call block.
const (
	panelsFrom = iota
	panelsTo
	panelsCount
	panelsVectors // whole ones of a step of each
	panelsTail    // 1 if a part of a vector follows
	panelsTurns   // of the rows that are copied at once
	panelsPart    // 1 if a part of a cell follows
	panelsWords
)

// PanelsCode is code of [Panels].
type PanelsCode struct {
	code
	Panels
	lanes int
}

// Build makes the code.
func (p Panels) Build(t vector.Backend) (*PanelsCode, error) {
	lanes := p.lanes(t)
	c, err := build(t, func() *vector.Program { return p.program(lanes) }, panelsWords)
	return &PanelsCode{c, p, lanes}, err
}

// Copy copies full panels, and the last one if it is asked for, of the columns from an address on.
func (c *PanelsCode) Copy(from, to uintptr, full int, last bool) {
	if full > 0 {
		c.copy(from, to, full, c.Vectors, 0)
	}
	if last {
		columns := full * c.Vectors * c.lanes
		c.copy(from+uintptr(columns*c.From.Size()), to+uintptr(full*c.Panel), 1, c.Columns/c.lanes, min(1, c.Columns%c.lanes))
	}
}

// copy copies panels of a number of whole vectors. The last rows of whole cells that are copied at once are some of
// those before too if the depth is no multiple of them.
func (c *PanelsCode) copy(from, to uintptr, panels, vectors, tail int) {
	rows, part := c.rows(), min(1, c.Depth%c.Group)
	call := func(row, turns, part int) {
		to := to + uintptr(c.Head+row/c.Group*c.step(c.lanes))
		c.call(from+uintptr(row*c.Row), to, uintptr(panels), uintptr(vectors), uintptr(tail), uintptr(turns), uintptr(part))
	}
	whole := c.Depth - c.Depth%c.Group
	if rows > 0 && whole%rows > 0 {
		call(0, whole/rows, 0)
		call(whole-rows, 1, part)
		return
	}
	call(0, whole/max(rows, 1), part)
}

// rows is how many rows are copied at once, 0 if there is no whole cell.
func (p Panels) rows() int { return min(max(rowsAtOnce, p.Group), p.Depth) / p.Group * p.Group }

// step is the bytes of a step of a panel.
func (p Panels) step(lanes int) int { return p.Vectors * lanes * p.Bytes() }

func (p Panels) program(lanes int) *vector.Program {
	b := vector.NewBuilder("panels", lanes)
	at, rows := []vector.Val{b.Arg(panelsFrom), b.Arg(panelsTo)}, p.rows()
	counts := counts{panels: b.Arg(panelsCount), vectors: b.Arg(panelsVectors)}
	if p.Columns%lanes > 0 {
		counts.tail = b.Arg(panelsTail)
	}
	if rows > 0 {
		at = b.Loop(b.Arg(panelsTurns), 1, at, func(_ vector.Val, at []vector.Val) []vector.Val {
			p.copy(b, counts, at, rows)
			return []vector.Val{b.Offset(at[0], rows*p.Row), b.Offset(at[1], rows/p.Group*p.step(lanes))}
		})
	}
	if part := p.Depth % p.Group; part > 0 {
		b.When(b.Arg(panelsPart), func() { p.copy(b, counts, at, part) })
	}
	return b.Program()
}

// counts are words of the call block.
type counts struct{ panels, vectors, tail vector.Val }

// copy writes the copy of the next rows of all panels.
func (p Panels) copy(b *vector.Builder, n counts, at []vector.Val, rows int) {
	from, to := b.Lanes()*p.From.Size(), b.Lanes()*p.Bytes() // bytes of a vector's elements
	b.Loop(n.panels, 1, at, func(_ vector.Val, panel []vector.Val) []vector.Val {
		p.fetch(b, panel[0], rows)
		rest := b.Loop(n.vectors, 1, panel, func(_ vector.Val, at []vector.Val) []vector.Val {
			p.vector(b, at, rows, 0)
			return []vector.Val{b.Offset(at[0], from), b.Offset(at[1], to)}
		})
		if tail := p.Columns % b.Lanes(); tail > 0 {
			b.When(n.tail, func() { p.vector(b, rest, rows, tail) })
		}
		return []vector.Val{b.Offset(panel[0], p.Vectors*from), b.Offset(panel[1], p.Panel)}
	})
}

// fetch fetches the rows after the next: they lie on other pages, where the processor does not look.
func (p Panels) fetch(b *vector.Builder, from vector.Val, rows int) {
	for i := range rows {
		for at := 0; at < p.Vectors*b.Lanes()*p.From.Size(); at += 64 {
			b.PrefetchNear(from, (i+rowsAtOnce)*p.Row+at)
		}
	}
}

// vector writes the copy of a vector of each step of some rows: of count cells, 0 for all.
func (p Panels) vector(b *vector.Builder, at []vector.Val, rows, count int) {
	for row := 0; row < rows; row += p.Group {
		v := p.across(b, at[0], row*p.Row, p.Row, min(p.Group, rows-row), count)
		b.Store(v, at[1], vector.Access{Offset: row / p.Group * p.step(b.Lanes())})
	}
}
