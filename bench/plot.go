package main

import (
	"fmt"
	"image/color"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"
)

// plotRatios draws a bar per case: the best peer's time over ours, above 1 being
// faster than it. The format follows the file's name.
func plotRatios(ratios []ratio, path string) error {
	if len(ratios) == 0 {
		return fmt.Errorf("-plot needs ratios: run with -peers")
	}
	p := plot.New()
	p.Title.Text = fmt.Sprintf("best peer's time over acap's, geometric mean %.2f", mean(ratios))
	p.Y.Label.Text = "ratio"
	values := make(plotter.Values, len(ratios))
	names := make([]string, len(ratios))
	for i, r := range ratios {
		values[i] = r.value
		names[i] = fmt.Sprintf("%s/%d", r.name, r.threads)
	}
	bars, err := plotter.NewBarChart(values, vg.Points(10))
	if err != nil {
		return err
	}
	bars.Color = color.RGBA{60, 110, 180, 255}
	line, err := plotter.NewLine(plotter.XYs{{X: -0.5, Y: 1}, {X: float64(len(ratios)) - 0.5, Y: 1}})
	if err != nil {
		return err
	}
	p.Add(bars, line)
	p.NominalX(names...)
	p.X.Tick.Label.Rotation = 1.2
	p.X.Tick.Label.XAlign = -1
	return p.Save(vg.Points(float64(16*len(ratios)+80)), vg.Points(320), path)
}

func mean(ratios []ratio) float64 {
	values := make([]float64, len(ratios))
	for i, r := range ratios {
		values[i] = r.value
	}
	return geomean(values)
}
