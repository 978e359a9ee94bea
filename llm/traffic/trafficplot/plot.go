package trafficplot

import (
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/plotutil"
	"gonum.org/v1/plot/vg"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/llm"
	"github.com/go-acap/acap/llm/traffic"
)

// Plot draws which share of the first tokens, of the tokens after others and of the answers came within which time, in
// a file .svg or .png. Traffic without an answered request is an error, and so is a file of another kind or one that
// cannot be written.
func Plot(t *llm.Traffic, title, path string) error {
	p := plot.New()
	p.Title.Text = title
	p.X.Label.Text, p.Y.Label.Text = "ms", "share, %"
	p.X.Scale, p.X.Tick.Marker = plot.LogScale{}, plot.LogTicks{}
	p.Y.Min, p.Y.Max = 0, 100
	p.Legend.Left, p.Legend.Top = true, true
	first, between, whole := traffic.Times(t)
	drawn := 0
	for i, l := range []struct {
		name  string
		times []float64
	}{{"first token", first}, {"between tokens", between}, {"whole answer", whole}} {
		points := shares(l.times)
		if len(points) == 0 {
			continue
		}
		line, err := plotter.NewLine(points)
		if err != nil {
			return err
		}
		line.Color, line.Width = plotutil.Color(i), vg.Points(1.5)
		p.Add(line)
		p.Legend.Add(l.name, line)
		drawn++
	}
	if drawn == 0 {
		return fmt.Errorf("trafficplot: no request was answered")
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

// shares are times with the share, in hundredths, of those that are no longer: 500 points at most. A time of none has
// no place on the axis.
func shares(times []float64) (points plotter.XYs) {
	times = slices.DeleteFunc(times, func(t float64) bool { return t <= 0 })
	slices.Sort(times)
	step := max(1, len(times)/500)
	for i := 0; i < len(times); i += step {
		points = append(points, plotter.XY{X: times[i] * 1e3, Y: 100 * float64(i+1) / float64(len(times))})
	}
	if n := len(times); n > 0 {
		points = append(points, plotter.XY{X: times[n-1] * 1e3, Y: 100})
	}
	return points
}
