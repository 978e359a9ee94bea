package sweepplot

import (
	"path/filepath"
	"strings"
	"testing"

	"gonum.org/v1/plot"
	"gonum.org/v1/plot/vg"

	"github.com/go-acap/acap/device/acap/sweep"
)

// TestPlotFits draws a plot whose title is long and whose points lie at its edges.
func TestPlotFits(t *testing.T) {
	p := plot.New()
	style(p)
	p.Title.Text = strings.Repeat("a/long/path/", 20) + "model.pt: time against cores"
	p.X.Min, p.X.Max, p.Y.Min, p.Y.Max = 4, 16, 1, 1
	const width = 16 * vg.Centimeter
	fitTitle(p, width)
	if w := p.Title.TextStyle.Width(p.Title.Text); w > width {
		t.Errorf("the title is %v wide, the picture %v", w, width)
	}
	if !strings.HasSuffix(p.Title.Text, "model.pt: time against cores") {
		t.Errorf("the title says %q", p.Title.Text)
	}
	margins(p)
	if p.X.Min >= 4 || p.X.Max <= 16 || p.Y.Min >= 1 || p.Y.Max <= 1 {
		t.Errorf("axes from %g to %g and %g to %g leave no margin", p.X.Min, p.X.Max, p.Y.Min, p.Y.Max)
	}
	points := []*sweep.Point{{Machine: "a", Cores: 4, Seconds: 1}, {Machine: "a", Cores: 16, Seconds: 0.5}}
	if err := Plot(points, "two", "cores", filepath.Join(t.TempDir(), "plot.png")); err != nil {
		t.Error(err)
	}
}
