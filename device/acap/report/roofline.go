package report

import (
	"bufio"
	"fmt"
	"io"
	"math"
	"unicode/utf8"
)

// WriteRoofline draws the kernels of a run under the machine's roofs, on logarithmic axes:
// operations per byte that must move, and operations per second while the array works on the
// kernel. The roofs are those of the kernels' own types and of the memory; a circle's area
// grows with the kernel's time.
func (r *Report) WriteRoofline(w io.Writer) error {
	const left, right, top, bottom, wide, high = 84, 24, 60, 44, 640, 400
	points := r.Roofline()
	x, y := axis{1e-1, 1e1}, axis{1e9, 1e12}
	for _, p := range points {
		x.cover(p.Intensity)
		y.cover(p.Rate)
		y.cover(p.Peak)
	}
	px := func(v float64) float64 { return left + float64(wide*x.at(v)) }
	py := func(v float64) float64 { return top + float64(high*(1-y.at(v))) }
	t := r.Total()
	title := fmt.Sprintf("%s: %d kernels, %s", r.Name, t.Kernels, Duration(t.Seconds))
	width := max(left+wide+right, 24+9*utf8.RuneCountInString(title))
	b := bufio.NewWriter(w)
	fmt.Fprintf(b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="system-ui, sans-serif" font-size="12">`+"\n", width, top+high+bottom, width, top+high+bottom)
	fmt.Fprintf(b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(b, `<text x="12" y="22" font-size="14" font-weight="600">%s</text>`+"\n", escape(title))
	fmt.Fprintf(b, `<text x="12" y="40" fill="#666">operations per second against operations per byte</text>`+"\n")
	for v := x.low; v <= x.high*1.01; v *= 10 {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#eee"/>`, px(v), top, px(v), top+high)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#666">%g</text>`+"\n", px(v), top+high+18, v)
	}
	for v := y.low; v <= y.high*1.01; v *= 10 {
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#eee"/>`, left, py(v), left+wide, py(v))
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%s</text>`+"\n", left-8, py(v)+4, Rate(v, 1))
	}
	drawn := make(map[float64]bool)
	for _, p := range points { // a roof for every peak
		if drawn[p.Peak] || p.Peak <= 0 || p.Memory <= 0 {
			continue
		}
		drawn[p.Peak] = true
		ridge := min(max(p.Peak/p.Memory, x.low), x.high)
		from := max(x.low, y.low/p.Memory)
		fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f L%.1f %.1f" fill="none" stroke="#444" stroke-width="1.5"/>`+"\n",
			px(from), py(from*p.Memory), px(ridge), py(min(p.Peak, ridge*p.Memory)), px(x.high), py(p.Peak))
	}
	for _, p := range points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#fd8d3c" fill-opacity="0.6" stroke="#bd0026">`+
			`<title>%s: %s, %s of its roof, bound by %s</title></circle>`+"\n", px(p.Intensity), py(p.Rate),
			3+float64(12*math.Sqrt(p.Share)), escape(r.Kernels[p.Kernel].Name), Rate(p.Rate, 1), percent(p.Of()),
			r.Kernels[p.Kernel].Bound)
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// RoofPoint is a kernel under the machine's roofs.
type RoofPoint struct {
	Kernel    int     `json:"kernel"`    // in [Report.Kernels]
	Intensity float64 `json:"intensity"` // operations per byte that must move
	Rate      float64 `json:"rate"`      // operations per second while the array works on it
	Peak      float64 `json:"peak"`      // operations per second of its types
	Memory    float64 `json:"memory"`    // bytes per second
	Share     float64 `json:"share"`     // of the array's time
}

// Of is the share of its roof that the kernel reaches.
func (p *RoofPoint) Of() float64 { return p.Rate / min(p.Peak, p.Intensity*p.Memory) }

// Roofline returns the kernels of a run that compute.
func (r *Report) Roofline() []RoofPoint {
	var out []RoofPoint
	whole := 0.0 // of the array's time
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			whole += float64(k.weight(r.Machine) * k.Array())
		}
	}
	for i := range r.Kernels {
		k := &r.Kernels[i]
		t := &k.Timing
		array := k.Array()
		if k.Problem != "" || k.Once || t.Intensity <= 0 || t.PeakShare <= 0 || array <= 0 {
			continue
		}
		out = append(out, RoofPoint{Kernel: i, Intensity: t.Intensity, Rate: k.Work.Ops() / array,
			Peak: t.OpsPerSecond / t.PeakShare, Memory: t.Memory, Share: k.weight(r.Machine) * array / whole})
	}
	return out
}

// axis is a logarithmic axis of whole decades.
type axis struct{ low, high float64 }

// cover widens the axis to a value.
func (a *axis) cover(v float64) {
	for v < a.low && a.low > 1e-6 {
		a.low /= 10
	}
	for v > a.high && a.high < 1e18 {
		a.high *= 10
	}
}

// at returns where a value lies, 0 to 1.
func (a *axis) at(v float64) float64 {
	v = min(max(v, a.low), a.high)
	return math.Log(v/a.low) / math.Log(a.high/a.low)
}
