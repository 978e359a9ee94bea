package trainplot

import (
	"fmt"
	"image/color"
	"io"
	"maps"
	"math"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/plotter"
	"gonum.org/v1/plot/vg"

	"github.com/go-acap/acap/base/atomicfile"
	"github.com/go-acap/acap/tensor/train"
)

// History keeps what a run said, for plots. The zero value is ready; [History.Observe] is
// a [train.Observer].
type History struct {
	mu     sync.Mutex
	curves map[string]plotter.XYs
}

// Observe keeps a record. The error is always nil.
func (h *History) Observe(r train.Record) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.curves == nil {
		h.curves = map[string]plotter.XYs{}
	}
	for name, v := range r.Values {
		if !math.IsNaN(v) && !math.IsInf(v, 0) {
			h.curves[name] = append(h.curves[name], plotter.XY{X: float64(r.Step), Y: v})
		}
	}
	return nil
}

// Values returns the numbers of a value, step after step.
func (h *History) Values(name string) []float64 {
	h.mu.Lock()
	defer h.mu.Unlock()
	var list []float64
	for _, p := range h.curves[name] {
		list = append(list, p.Y)
	}
	return list
}

// curveColors tell curves apart, also for most who see colours differently (Okabe and Ito,
// "Color Universal Design", 2008).
var curveColors = []color.Color{color.RGBA{0, 0x72, 0xb2, 255}, color.RGBA{0xd5, 0x5e, 0, 255}, color.RGBA{0, 0x9e, 0x73, 255},
	color.RGBA{0xcc, 0x79, 0xa7, 255}, color.RGBA{0xe6, 0x9f, 0, 255}, color.RGBA{0x56, 0xb4, 0xe9, 255}}

// Write draws the values over the steps in a format that gonum/plot knows, such as "svg" or
// "png". An unknown format is an error, and so is a history without records.
func (h *History) Write(w io.Writer, format string) error {
	p := plot.New()
	p.X.Label.Text = "steps"
	p.Legend.Top = true
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.curves) == 0 {
		return fmt.Errorf("trainplot: nothing to draw yet")
	}
	for i, name := range slices.Sorted(maps.Keys(h.curves)) {
		line, err := plotter.NewLine(h.curves[name])
		if err != nil {
			return err
		}
		line.Color = curveColors[i%len(curveColors)]
		p.Add(line)
		p.Legend.Add(name, line)
	}
	drawing, err := p.WriterTo(16*vg.Centimeter, 10*vg.Centimeter, format)
	if err != nil {
		return err
	}
	_, err = drawing.WriteTo(w)
	return err
}

// WriteFile draws to a file, whose name says in which format: .svg, .png, .pdf. Errors are those of [History.Write] and
// of the file.
func (h *History) WriteFile(path string) error {
	return atomicfile.Write(path, func(w io.Writer) error {
		return h.Write(w, strings.TrimPrefix(strings.ToLower(filepath.Ext(path)), "."))
	})
}

// Plot returns an observer that keeps records and draws them to a file after each epoch.
func Plot(path string) train.Observer {
	var h History
	return func(r train.Record) error {
		if err := h.Observe(r); err != nil || !r.EndOfEpoch {
			return err
		}
		return h.WriteFile(path)
	}
}

// SimpleRender implements the display protocol of Go notebook kernels: the plot.
func (h *History) SimpleRender() map[string]any {
	var b strings.Builder
	if err := h.Write(&b, "svg"); err != nil {
		return map[string]any{"text/plain": err.Error()}
	}
	return map[string]any{"text/plain": "a plot of the run", "image/svg+xml": b.String()}
}
