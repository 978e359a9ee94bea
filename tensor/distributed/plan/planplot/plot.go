package planplot

import (
	"fmt"
	"image/color"
	"io"
	"path/filepath"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/tensor/distributed/plan"
)

// Plot draws how long a step takes against the number of ranks, a line for each way to add up with
// overlap and a pale one without, and the step of one rank. No costs are an error, and so is a file of another kind or
// one that cannot be written.
func Plot(s plan.Step, costs []plan.Cost, title, path string) error {
	if len(costs) == 0 {
		return fmt.Errorf("planplot: no costs to draw")
	}
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "ranks", "step, ms"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	p.Legend.Top, p.Legend.Left = true, true
	overlap, after := map[string]plotter.XYs{}, map[string]plotter.XYs{}
	var order []string
	for _, c := range costs {
		if overlap[c.Reduction] == nil {
			order = append(order, c.Reduction)
		}
		overlap[c.Reduction] = append(overlap[c.Reduction], plotter.XY{X: float64(c.Ranks), Y: c.Overlap * 1e3})
		after[c.Reduction] = append(after[c.Reduction], plotter.XY{X: float64(c.Ranks), Y: c.After * 1e3})
	}
	alone := (s.Forward + s.Backward) * 1e3
	ends := plotter.XYs{{X: float64(costs[0].Ranks), Y: alone}, {X: float64(costs[len(costs)-1].Ranks), Y: alone}}
	draw := func(name string, points plotter.XYs, c color.Color, dashed bool) error {
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = c, vg.Points(1.5)
		if dashed {
			line.Dashes = []vg.Length{vg.Points(3), vg.Points(3)}
		}
		p.Add(line)
		p.Legend.Add(name, line)
		return nil
	}
	if err := draw("computing", ends, color.RGBA{120, 120, 120, 255}, false); err != nil {
		return err
	}
	for i, name := range order {
		if err := draw(name, overlap[name], plotutil.Color(i), false); err != nil {
			return err
		}
		if err := draw(name+", no overlap", after[name], plotutil.Color(i), true); err != nil {
			return err
		}
	}
	format := strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), ".")
	picture, err := p.WriterTo(18*vg.Centimeter, 12*vg.Centimeter, format)
	if err != nil {
		return fmt.Errorf("%s: %w", path, err)
	}
	return atomicfile.Write(path, func(w io.Writer) error {
		_, err := picture.WriteTo(w)
		return err
	})
}
