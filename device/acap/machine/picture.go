package machine

import (
	"fmt"
	"strings"
)

// Picture draws the array with text, the top row first: C a core, x a dead
// core, M a mem tile, D an interface tile with a DMA, and - one without. A
// systolic array of more than 64 cells in a direction is drawn with gaps.
func (m *Machine) Picture() string {
	var b strings.Builder
	cols, colGap := sample(m.Grid.Cols)
	rows, rowGap := sample(m.Grid.Rows())
	for m.Architecture().row(m, rows[0]) == "" {
		rows = rows[1:]
	}
	for i := len(rows) - 1; i >= 0; i-- {
		fmt.Fprintf(&b, "%5d  ", rows[i])
		for j, c := range cols {
			if j == colGap {
				b.WriteString(" …")
			}
			b.WriteString(" " + m.letter(Coord{c, rows[i]}))
		}
		fmt.Fprintf(&b, "   %s\n", m.Architecture().row(m, rows[i]))
		if rowGap > 0 && rows[i] == rows[len(rows)-1]-7 {
			b.WriteString("       …\n")
		}
	}
	return b.String()
}

// sample returns the indices to draw and where the gap is, −1 for none.
func sample(n int) ([]int, int) {
	const most, side = 64, 8
	var s []int
	if n <= most {
		for i := range n {
			s = append(s, i)
		}
		return s, -1
	}
	for i := range side {
		s = append(s, i)
	}
	for i := n - side; i < n; i++ {
		s = append(s, i)
	}
	return s, side
}

func (m *Machine) letter(c Coord) string {
	switch m.KindAt(c) {
	case CoreTile:
		for _, d := range m.Grid.Dead {
			if d == c {
				return "x"
			}
		}
		return "C"
	case MemTile:
		return "M"
	}
	for _, d := range m.Grid.ShimDMA {
		if d == c.Col {
			return "D"
		}
	}
	return "-"
}
