package report

import (
	"bufio"
	"fmt"
	"html"
	"io"
)

// kernelColors tell kernels apart, also for most who see colours differently (Okabe and Ito, "Color Universal Design",
// 2008).
var kernelColors = []string{"#0072b2", "#e69f00", "#009e73", "#cc79a7", "#56b4e9", "#d55e00", "#8a8a00", "#7f7f7f"}

// pictureIntervals bounds the intervals of a kernel in a picture of the timeline.
const pictureIntervals = 120

// WriteTimeline draws the timeline as an SVG picture: a line for the host, each core and each channel of mem tiles and
// of interface tiles, with a colour for each kernel, over microseconds. [Report.Timeline] says what is there. An error
// is one of w.
func (r *Report) WriteTimeline(w io.Writer) error {
	const left, width, line, top, bottom = 210.0, 760.0, 11.0, 58.0, 34.0
	tracks := r.Timeline(pictureIntervals)
	end := 0.0
	for _, t := range tracks {
		for _, s := range t.Slices {
			end = max(end, s.Start+s.Length)
		}
	}
	b := bufio.NewWriter(w)
	height := top + float64(line*float64(len(tracks))) + bottom
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %g %g" font-family="sans-serif" font-size="9">`+"\n", left+width+34, height)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="#ffffff"/><text x="10" y="20" font-size="14">%s: %d kernels in %s</text>`+"\n",
		html.EscapeString(r.Name), len(r.Kernels), Duration(end))
	x := 10.0
	for i := range r.Kernels {
		name := r.Kernels[i].Name
		if x > left+width-80 {
			fmt.Fprintf(b, `<text x="%g" y="40">and %d more</text>`+"\n", x, len(r.Kernels)-i)
			break
		}
		fmt.Fprintf(b, `<rect x="%g" y="32" width="9" height="9" fill="%s"/><text x="%g" y="40">%s</text>`+"\n", x, kernelColors[i%len(kernelColors)],
			x+12, html.EscapeString(name))
		x += 24 + float64(5.5*float64(len(name)))
	}
	at := func(seconds float64) float64 { return left + width*seconds/max(end, 1e-12) }
	for i := range 11 {
		seconds := end * float64(i) / 10
		fmt.Fprintf(b, `<path d="M%.1f %g V%g" stroke="#dddddd"/><text x="%.1f" y="%g" text-anchor="middle">%.0f us</text>`+"\n", at(seconds), top-4,
			height-bottom+4, at(seconds), height-bottom+16, seconds*1e6)
	}
	group := ""
	for i, t := range tracks {
		y := top + float64(line*float64(i))
		if t.Group != group {
			group = t.Group
			fmt.Fprintf(b, `<path d="M10 %g H%g" stroke="#999999"/><text x="10" y="%g" font-weight="bold">%s</text>`+"\n", y-0.5, left+width, y+8.5,
				html.EscapeString(group))
		}
		fmt.Fprintf(b, `<text x="%g" y="%g" text-anchor="end">%s</text>`+"\n", left-6, y+8.5, html.EscapeString(t.Name))
		most := 0.0 // watts
		for _, s := range t.Slices {
			watts, _ := s.Args["watts"].(float64)
			most = max(most, watts)
		}
		for _, s := range t.Slices {
			high := line - 2
			if watts, ok := s.Args["watts"].(float64); ok {
				high *= watts / most
			}
			color := kernelColors[s.Kernel%len(kernelColors)]
			if s.Name == notDrawn {
				color = "#eeeeee"
			}
			fmt.Fprintf(b, `<rect x="%.2f" y="%g" width="%.2f" height="%.3g" fill="%s"/>`+"\n", at(s.Start), y+float64(line-1-high),
				max(0.3, width*s.Length/max(end, 1e-12)), high, color)
		}
		if most > 0 {
			fmt.Fprintf(b, `<text x="%g" y="%g">%.2g W</text>`+"\n", left+width+2, y+8.5, most)
		}
	}
	fmt.Fprintf(b, "</svg>\n")
	return b.Flush()
}
