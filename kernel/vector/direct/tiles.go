package direct

import (
	"slices"
	"strings"
)

// tiles are the register tiles of one shape. They differ in which columns that they read lie outside the image.
type tiles struct {
	rows, cols int // pixels
	channels   int // that exist in the panel
	kinds      []string
	borders    []string
}

// A kind of tiles is text with "1" for each column of pixels and filter column that lies outside the image. A border
// says which kinds lack a part of the image: text with "1" for each such kind.

// run is a number of equal tiles side by side.
type run struct {
	q, tiles    int // first column, number of tiles
	shape, kind int
}

// listTiles lists the tiles that occur: low is 1 for the last strip if that has fewer rows, last for the last panel if
// that has fewer channels.
func (p *plan) listTiles() {
	for low := range 2 {
		for last := range 2 {
			t := tiles{rows: p.tileP, channels: min(p.width(), p.perGroup)}
			if low == 1 {
				t.rows = p.P % p.tileP
			}
			if last == 1 {
				t.channels = p.perGroup % p.width()
			}
			if t.rows > 0 && t.channels > 0 {
				p.runs[low][last] = p.strip(t)
			}
		}
	}
	for _, t := range p.shapes {
		t.listBorders()
	}
}

// strip returns the runs of tiles of a row.
func (p *plan) strip(t tiles) (runs []run) {
	for q, n := 0, 0; q < p.Q; q += n * p.tileQ {
		t.cols = min(p.tileQ, p.Q-q)
		var outside string
		outside, n = p.outside(q, t.cols), p.alike(q, t.cols)
		shape := slices.IndexFunc(p.shapes, func(s *tiles) bool {
			return s.rows == t.rows && s.cols == t.cols && s.channels == t.channels
		})
		if shape < 0 {
			shape = len(p.shapes)
			made := t
			p.shapes = append(p.shapes, &made)
		}
		s := p.shapes[shape]
		kind := slices.Index(s.kinds, outside)
		if kind < 0 {
			kind = len(s.kinds)
			s.kinds = append(s.kinds, outside)
		}
		if last := len(runs) - 1; last >= 0 && runs[last].shape == shape && runs[last].kind == kind {
			runs[last].tiles += n
			continue
		}
		runs = append(runs, run{q, n, shape, kind})
	}
	return runs
}

// listBorders lists the borders.
func (t *tiles) listBorders() {
	for i := range t.kinds[0] {
		if b := t.border(i); strings.Contains(b, "0") && strings.Contains(b, "1") && !slices.Contains(t.borders, b) {
			t.borders = append(t.borders, b)
		}
	}
}

// border returns which kinds have place i of their texts outside the image.
func (t *tiles) border(i int) string {
	b := make([]byte, len(t.kinds))
	for n, kind := range t.kinds {
		b[n] = kind[i]
	}
	return string(b)
}

// inside returns the border in which a column of pixels meets a filter column, -1 if the image always has it; ok is false
// if it never has.
func (w *writer) inside(col, tap int) (border int, ok bool) {
	b := w.border(col*w.taps + tap)
	return slices.Index(w.borders, b), strings.Contains(b, "0")
}

// outside says which filter columns fall outside the image for columns q to q+cols-1.
func (p *plan) outside(q, cols int) string {
	b := make([]byte, 0, cols*p.taps)
	for i := range cols {
		for s := range p.taps {
			x := (q+i)*p.Stride[1] + s*p.Dilation[1] - p.Pad[1]
			if !p.wholeColumns() && (x < 0 || x >= p.W) {
				b = append(b, '1')
			} else {
				b = append(b, '0')
			}
		}
	}
	return string(b)
}

// alike returns how many tiles from the tile of columns q to q+cols-1 on surely leave out the same filter columns:
// tiles wholly before the image, wholly inside or wholly after it.
func (p *plan) alike(q, cols int) int {
	first := q*p.Stride[1] - p.Pad[1]
	last := first + (cols-1)*p.Stride[1] + (p.S-1)*p.Dilation[1]
	full, step := (p.Q-q)/p.tileQ, p.tileQ*p.Stride[1]
	n := 1
	switch {
	case p.wholeColumns() || first >= p.W:
		n = full
	case last < 0:
		n = min(full, (-1-last)/step+1)
	case first >= 0 && last < p.W:
		n = min(full, (p.W-1-last)/step+1)
	}
	return max(n, 1) // the last may be narrower than the others
}
