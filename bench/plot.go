package main

import (
	"errors"
	"fmt"
	"image/color"
	"path/filepath"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

var (
	faster = color.RGBA{60, 110, 180, 255}
	slower = color.RGBA{200, 90, 60, 255}
)

// checkPlot refuses, before anything is measured, a plot that could not be written.
func checkPlot(path string, withPeers bool) error {
	switch suffix := filepath.Ext(path); {
	case path == "":
		return nil
	case suffix != ".svg" && suffix != ".png":
		return fmt.Errorf("-plot %q: the file must end in .svg or .png", path)
	case !withPeers:
		return errors.New("-plot draws ratios: it needs -peers")
	}
	return nil
}

// plotRatios draws a bar per cell on a logarithmic axis: the best peer's time over
// ours, up from 1 where we are faster and down where the peer is. The format
// follows the file's name.
func plotRatios(ratios []ratio, path string) error {
	if len(ratios) == 0 {
		return errors.New("-plot: no peer has any of these cases")
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("best peer's time over acap's, geometric mean %.2f", mean(ratios))
	p.Y.Scale, p.Y.Tick.Marker = plot.LogScale{}, plot.LogTicks{Prec: -1}
	names := make([]string, len(ratios))
	for i, r := range ratios {
		names[i] = fmt.Sprintf("%s, %d thr, %s", r.name, r.threads, r.peer)
		bar, err := ratioBar(float64(i), r.value)
		if err != nil {
			return err
		}
		p.Add(bar)
	}
	last := float64(len(ratios)) - 0.5
	line, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: 1}, {X: last, Y: 1}})
	if err != nil {
		return err
	}
	p.Add(line, plotter.NewGrid())
	p.NominalX(names...)
	p.Y.Min, p.Y.Max = min(p.Y.Min, 0.5), max(p.Y.Max, 2)
	p.X.Tick.Label.Rotation = 1.2
	p.X.Tick.Label.XAlign = -1
	return p.Save(vg.Points(max(480, float64(16*len(ratios)+80))), vg.Points(400), path)
}

// ratioBar is a bar from 1 to value.
func ratioBar(x, value float64) (*plotter.Polygon, error) {
	const half = 0.35
	bar, err := plotter.NewPolygon(plotter.XYs{{X: x - half, Y: 1}, {X: x + half, Y: 1},
		{X: x + half, Y: value}, {X: x - half, Y: value}})
	if err != nil {
		return nil, err
	}
	bar.Color = faster
	if value < 1 {
		bar.Color = slower
	}
	bar.LineStyle.Width = 0
	return bar, nil
}

func mean(ratios []ratio) float64 {
	values := make([]float64, len(ratios))
	for i, r := range ratios {
		values[i] = r.value
	}
	return geomean(values)
}
