package report

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"unicode/utf8"

	"github.com/go-acap/acap/device/acap/program"
)

// drawable returns an error for an array that has more tiles than a picture of all tiles shows.
func (r *Report) drawable() error {
	const most = 1 << 18
	if n := r.Machine.Grid.Cols * r.Machine.Grid.Rows(); n > most {
		return fmt.Errorf("%s has %d tiles, and at most %d are drawn; timelines, traces and tables are written of any array", r.Machine.Name, n, most)
	}
	return nil
}

// WriteSVG draws the array as a heat map: every tile with its busy share, from
// white over yellow to red. An error is one of w.
func (r *Report) WriteSVG(w io.Writer) error {
	if err := r.drawable(); err != nil {
		return err
	}
	h := r.Heat()
	g := &r.Machine.Grid
	const cell, gap, left, top = 44, 4, 84, 48
	t := r.Total()
	title := fmt.Sprintf("%s: %d kernels, %s", r.Name, t.Kernels, Duration(t.Seconds))
	const subtitle = "busy share of the tiles while the array works, percent"
	// Characters of the title are at most 9 units wide, of the line below it 7.
	width := max(left+g.Cols*(cell+gap), 12+9*utf8.RuneCountInString(title), 12+7*len(subtitle)) + 20
	height := top + g.Rows()*(cell+gap) + 40
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="system-ui, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(b, `<text x="12" y="22" font-size="14" font-weight="600">%s</text>`+"\n", escape(title))
	fmt.Fprintf(b, `<text x="12" y="38" fill="#666">%s</text>`+"\n", subtitle)
	for row := range g.Rows() {
		y := top + (g.Rows()-1-row)*(cell+gap)
		kind := r.Machine.KindAt(program.Coord{Row: row})
		fmt.Fprintf(b, `<text x="12" y="%d" fill="#444">%s %d</text>`+"\n", y+cell/2+4, kind, row)
		for col := range g.Cols {
			at := program.Coord{Col: col, Row: row}
			v, used := h.Share[at]
			x := left + col*(cell+gap)
			fill, stroke := color(v), "#bbb"
			if !used {
				fill = "#f4f4f4"
			}
			if slices.Contains(g.Dead, at) {
				fill, stroke = "#888", "#444"
			}
			fmt.Fprintf(b, `<g><title>%s (%d, %d): %s</title><rect x="%d" y="%d" width="%d" height="%d" rx="4" `+
				`fill="%s" stroke="%s"/>`, kind, col, row, percent(v), x, y, cell, cell, fill, stroke)
			if used {
				fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">%.0f</text>`, x+cell/2, y+cell/2+4, 100*v)
			}
			b.WriteString("</g>\n")
		}
	}
	for col := range g.Cols {
		fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#888">%d</text>`+"\n",
			left+col*(cell+gap)+cell/2, top+g.Rows()*(cell+gap)+14, col)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// color goes from white over yellow and orange to red.
func color(v float64) string {
	stops := [][3]float64{{255, 255, 255}, {255, 237, 160}, {253, 141, 60}, {189, 0, 38}}
	v = float64(min(max(v, 0), 1) * float64(len(stops)-1))
	i := min(int(v), len(stops)-2)
	f := v - float64(i)
	var c [3]int
	for k := range c {
		c[k] = int(float64(stops[i][k]*(1-f)) + float64(stops[i+1][k]*f) + 0.5)
	}
	return fmt.Sprintf("#%02x%02x%02x", c[0], c[1], c[2])
}
