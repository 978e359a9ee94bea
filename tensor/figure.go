package tensor

import (
	"fmt"
	"io"
	"math"
	"os"
	"slices"
	"strings"

	"github.com/go-acap/acap/base/atomicfile"
)

// Figure is a drawing, which notebooks show.
type Figure struct{ svg, text string }

// The size of a figure and of its margins, in pixels.
const (
	figureWidth, figureHeight = 480, 300
	marginLeft, marginBelow   = 56, 28
	marginRight, marginAbove  = 12, 12
)

// lineColors tell lines apart, also for most who see colours differently (Okabe and Ito,
// "Color Universal Design", 2008).
var lineColors = []string{"#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9"}

// Plot draws tensors of one dimension as lines, each element over its index. Elements that
// are not finite leave gaps. It is a barrier, and panics with a [*ShapeError] if there is
// nothing to draw.
func Plot(lines ...*Tensor) Figure {
	var all [][]float64
	for _, t := range lines {
		if t.Dim() > 1 {
			raise(&ShapeError{Op: "plot", Detail: fmt.Sprintf("a line has one dimension, not %d", t.Dim())})
		}
		all = append(all, t.magnitudes())
	}
	longest := 0
	var finite []float64
	for _, l := range all {
		longest = max(longest, len(l))
		for _, v := range l {
			if !math.IsNaN(v) && !math.IsInf(v, 0) {
				finite = append(finite, v)
			}
		}
	}
	if len(finite) == 0 {
		raise(&ShapeError{Op: "plot", Detail: "there are no finite elements"})
	}
	f := newFrame(0, float64(max(longest-1, 1)), slices.Min(finite), slices.Max(finite))
	for i, l := range all {
		f.line(l, lineColors[i%len(lineColors)])
	}
	return Figure{f.done(), fmt.Sprintf("%d lines of up to %d elements, from %.4g to %.4g", len(all), longest, f.low, f.high)}
}

// Histogram draws how many elements of a tensor lie in each of bins parts of their range;
// elements that are not finite are left out. It is a barrier, and panics with a
// [*ShapeError] if there is nothing to draw.
func Histogram(t *Tensor, bins int) Figure {
	var finite []float64
	for _, v := range t.magnitudes() {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			finite = append(finite, v)
		}
	}
	if len(finite) == 0 || bins < 1 || bins > 1<<12 {
		raise(&ShapeError{Op: "histogram", Detail: fmt.Sprintf("%d finite elements in %d bins", len(finite), bins)})
	}
	c := counts(finite, bins)
	low, high := slices.Min(finite), slices.Max(finite)
	f := newFrame(low, high, 0, float64(slices.Max(c)))
	for i, n := range c {
		f.bar(float64(i)/float64(bins), float64(i+1)/float64(bins), float64(n))
	}
	return Figure{f.done(), fmt.Sprintf("%.4g %s %.4g", low, blocks(c), high)}
}

// SVG returns the drawing. Notebooks call it.
func (f Figure) SVG() string { return f.svg }

// String says in one line what is drawn.
func (f Figure) String() string { return f.text }

// SimpleRender implements the display protocol of Go notebook kernels: the line and the drawing.
func (f Figure) SimpleRender() map[string]any {
	return map[string]any{"text/plain": f.text, "image/svg+xml": f.svg}
}

// WriteFile writes the drawing to an .svg file, which it creates or replaces whole. A file of another name is an error,
// and so is one that cannot be written.
func (f Figure) WriteFile(path string) error {
	if !strings.HasSuffix(strings.ToLower(path), ".svg") {
		return &os.PathError{Op: "write", Path: path, Err: fmt.Errorf("figures are .svg files")}
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := io.WriteString(w, f.svg)
		return err
	})
}

// frame draws within axes.
type frame struct {
	out                    strings.Builder
	first, last, low, high float64
}

func newFrame(first, last, low, high float64) *frame {
	f := &frame{first: first, last: last, low: low, high: high}
	fmt.Fprintf(&f.out, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="11">`+"\n",
		figureWidth, figureHeight, figureWidth, figureHeight)
	fmt.Fprintf(&f.out, `<rect width="%d" height="%d" fill="white"/>`+"\n", figureWidth, figureHeight)
	for i := range 5 {
		share := float64(i) / 4
		x, y := f.across(share), f.up(share)
		fmt.Fprintf(&f.out, `<path d="M%d %.1fH%d" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.4g</text>`+"\n",
			marginLeft, y, figureWidth-marginRight, marginLeft-6, y+4, low+(high-low)*share)
		fmt.Fprintf(&f.out, `<text x="%.1f" y="%d" text-anchor="middle">%.4g</text>`+"\n", x, figureHeight-8, first+(last-first)*share)
	}
	return f
}

// across and up place a share of the axes.
func (f *frame) across(share float64) float64 {
	return marginLeft + share*(figureWidth-marginLeft-marginRight)
}

func (f *frame) up(share float64) float64 {
	return figureHeight - marginBelow - share*(figureHeight-marginBelow-marginAbove)
}

// height is the share of a value.
func (f *frame) height(v float64) float64 {
	if f.high == f.low {
		return 0.5
	}
	return (v/2 - f.low/2) / (f.high/2 - f.low/2)
}

func (f *frame) line(values []float64, color string) {
	f.out.WriteString(`<path fill="none" stroke="` + color + `" stroke-width="1.5" d="`)
	move := "M"
	for i, v := range values {
		if math.IsNaN(v) || math.IsInf(v, 0) {
			move = "M"
			continue
		}
		fmt.Fprintf(&f.out, "%s%.1f %.1f", move, f.across(float64(i)/f.last), f.up(f.height(v)))
		move = "L"
	}
	f.out.WriteString("\"/>\n")
}

func (f *frame) bar(from, to, count float64) {
	top := f.up(f.height(count))
	fmt.Fprintf(&f.out, `<rect x="%.1f" y="%.1f" width="%.1f" height="%.1f" fill="%s"/>`+"\n", f.across(from), top,
		max(f.across(to)-f.across(from)-1, 0.5), f.up(0)-top, lineColors[0])
}

func (f *frame) done() string { return f.out.String() + "</svg>\n" }
