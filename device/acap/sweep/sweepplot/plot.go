package sweepplot

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/font"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/device/acap/sweep"
)

// Plot draws the points, a colour for each machine, and the Pareto front. A cost that there is not is an error, and so
// is a file of another kind or one that cannot be written.
func Plot(points []*sweep.Point, title, cost, path string) error {
	label, of, err := sweep.Cost(cost)
	if err != nil {
		return err
	}
	p := plot.New()
	style(p)
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = label, "time, ms"
	grid := plotter.NewGrid()
	pale := color.RGBA{225, 225, 225, 255}
	grid.Horizontal.Color, grid.Vertical.Color = pale, pale
	p.Add(grid)
	series := make(map[string]plotter.XYs)
	var order []string
	for _, q := range points {
		if q.Error != "" {
			continue
		}
		if series[q.Machine] == nil {
			order = append(order, q.Machine)
		}
		series[q.Machine] = append(series[q.Machine], plotter.XY{X: of(q), Y: q.Seconds * 1e3})
	}
	if len(order) == 0 {
		return fmt.Errorf("the model fits none of the machines")
	}
	var front plotter.XYs
	for _, q := range sweep.Front(points, of) {
		front = append(front, plotter.XY{X: of(q), Y: q.Seconds * 1e3})
	}
	line, err := plotter.NewLine(front)
	if err != nil {
		return err
	}
	line.Color, line.Width = color.RGBA{120, 120, 120, 255}, vg.Points(1.2)
	line.StepStyle = plotter.PostStep // a cost between two buys the time of the lower
	p.Add(line)
	p.Legend.Add("Pareto front ", line)
	for i, name := range order {
		dots, err := plotter.NewScatter(series[name])
		if err != nil {
			return err
		}
		dots.GlyphStyle = draw.GlyphStyle{Color: plotutil.Color(i), Radius: vg.Points(3.5),
			Shape: plotutil.Shape(i)}
		p.Add(dots)
		p.Legend.Add(name+" ", dots)
	}
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	margins(p)
	fitTitle(p, 17*vg.Centimeter)
	picture, err := p.WriterTo(18*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := picture.WriteTo(w)
		return err
	})
}

// margins leaves margin between the points and the edges, where glyphs would be cut.
func margins(p *plot.Plot) {
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		margin := 0.04 * (a.Max - a.Min)
		if margin == 0 {
			margin = max(0.04*a.Max, 1e-9)
		}
		a.Min, a.Max = a.Min-margin, a.Max+margin
	}
}

// fitTitle makes the title as small as it must be to fit a width, and cuts its start where
// that would be too small to read.
func fitTitle(p *plot.Plot, width vg.Length) {
	style := &p.Title.TextStyle
	for style.Font.Size > 8 && style.Width(p.Title.Text) > width {
		style.Font.Size--
	}
	for text := []rune(p.Title.Text); style.Width(p.Title.Text) > width && len(text) > 1; {
		text = text[1:]
		p.Title.Text = "…" + string(text)
	}
}

// style sets fonts, colours and margins of a plot.
func style(p *plot.Plot) {
	sans := font.Font{Typeface: "Liberation", Variant: "Sans"}
	p.Title.TextStyle.Font = font.From(sans, 14)
	p.Title.Padding = vg.Points(8)
	for _, a := range []*plot.Axis{&p.X, &p.Y} {
		a.Label.TextStyle.Font, a.Label.Padding = font.From(sans, 12), vg.Points(6)
		a.Tick.Label.Font = font.From(sans, 10)
		a.Padding = vg.Points(6)
	}
	p.Legend.TextStyle.Font = font.From(sans, 11)
	p.Legend.Top, p.Legend.Padding, p.Legend.ThumbnailWidth = true, vg.Points(3), vg.Points(24)
	p.Legend.XOffs, p.Legend.YOffs = -vg.Points(6), -vg.Points(6)
}
