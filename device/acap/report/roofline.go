package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"
)

// WriteRoofline draws the kernels of a run under the machine's roofs, on logarithmic axes:
// operations per byte that must move, and operations per second while the array works on the
// kernel. The flat roofs are the peaks of the kernels' own types, the slope is the memory at its best, with a dashed one
// for the kernels whose reads and writes it serves worst. A circle's area grows with the kernel's time; those that
// take most of it have their names.
func (r *Report) WriteRoofline(w io.Writer) error {
	const left, right, top, bottom, wide, high = 84, 24, 60, 60, 640, 400
	points := r.Roofline()
	x, y := axis{1e-1, 1e1}, axis{1e9, 1e12}
	best, worst := 0.0, math.Inf(1) // bytes per second
	for _, p := range points {
		best, worst = max(best, p.Memory), min(worst, p.Memory)
	}
	for _, p := range points {
		x.cover(p.Intensity)
		x.cover(2 * p.Peak / worst) // where a roof is flat
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
	fmt.Fprintf(b, `<text x="12" y="40" fill="#666">operations per second while the array works</text>`+"\n")
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle" fill="#666">operations per byte that comes from outside or goes there</text>`+
		"\n", left+wide/2, top+high+42)
	for v := x.low; v <= x.high*1.01; v *= 10 {
		fmt.Fprintf(b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#eee"/>`, px(v), top, px(v), top+high)
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#666">%g</text>`+"\n", px(v), top+high+18, v)
	}
	for v := y.low; v <= y.high*1.01; v *= 10 {
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#eee"/>`, left, py(v), left+wide, py(v))
		fmt.Fprintf(b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%s</text>`+"\n", left-8, py(v)+4, Rate(v, 1))
	}
	slope := func(memory float64, style, anchor string, dx, dy float64) {
		highest := 0.0
		for _, p := range points {
			if p.Memory == memory || memory == best {
				highest = max(highest, p.Peak)
			}
		}
		from, ridge := max(x.low, y.low/memory), min(highest/memory, x.high)
		fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f" fill="none" stroke="#444" stroke-width="1.5"%s/>`+"\n",
			px(from), py(from*memory), px(ridge), py(ridge*memory), style)
		middle := math.Sqrt(from * ridge)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#444" text-anchor="%s">%s/s</text>`+"\n", px(middle)+dx,
			py(middle*memory)+dy, anchor, Bytes(int64(memory)))
	}
	if len(points) > 0 {
		slope(best, "", "end", -6, 0)
	}
	if worst < best/1.01 {
		slope(worst, ` stroke-dasharray="5 4"`, "start", 6, 12)
	}
	drawn := make(map[string]bool)
	for _, p := range points {
		name := fmt.Sprintf("%s, %s", p.Arithmetic, Rate(p.Peak, 1))
		if drawn[name] {
			continue
		}
		drawn[name] = true
		fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f" fill="none" stroke="#444" stroke-width="1.5"/>`+"\n",
			px(p.Peak/best), py(p.Peak), px(x.high), py(p.Peak))
		fmt.Fprintf(b, `<text x="%d" y="%.1f" fill="#444" text-anchor="end">%s</text>`+"\n", left+wide-4, py(p.Peak)-5, escape(name))
	}
	for _, p := range points {
		fmt.Fprintf(b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#fd8d3c" fill-opacity="0.6" stroke="#bd0026">`+
			`<title>%s: %s, %s of its roof, bound by %s</title></circle>`+"\n", px(p.Intensity), py(p.Rate),
			p.radius(), escape(r.Kernels[p.Kernel].Name), Rate(p.Rate, 1), percent(p.Of()),
			r.Kernels[p.Kernel].Bound)
	}
	const named = 8
	slices.SortStableFunc(points, func(a, b RoofPoint) int { return cmp.Compare(b.Share, a.Share) })
	var taken [][2]float64 // where names begin
	for _, p := range points[:min(named, len(points))] {
		name := r.Kernels[p.Kernel].Name
		at := [2]float64{px(p.Intensity) + p.radius() + 3, py(p.Rate) + 4}
		near := func(other [2]float64) bool {
			return math.Abs(at[0]-other[0]) < float64(7*len(name)) && math.Abs(at[1]-other[1]) < 12
		}
		if slices.ContainsFunc(taken, near) {
			continue // the circle's own title says it
		}
		taken = append(taken, at)
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" font-size="10" fill="#bd0026">%s</text>`+"\n", at[0], at[1], escape(name))
	}
	b.WriteString("</svg>\n")
	return b.Flush()
}

// arithmetic says whose peak is the kernel's roof.
func (k *Kernel) arithmetic() string {
	a, b := k.Work.Types()
	text := a.String()
	if a != b {
		text += " by " + b.String()
	}
	if k.Timing.MACs > 0 {
		return text + " products"
	}
	return text + " lanes"
}

// RoofPoint is a kernel under the machine's roofs.
type RoofPoint struct {
	Kernel    int     `json:"kernel"`    // in [Report.Kernels]
	Intensity float64 `json:"intensity"` // operations per byte that must move
	Rate      float64 `json:"rate"`      // operations per second while the array works on it
	Peak      float64 `json:"peak"`      // operations per second of its types
	Memory    float64 `json:"memory"`    // bytes per second
	Share     float64 `json:"share"`     // of the array's time
	// Arithmetic says whose peak it is: types, and products or lanes.
	Arithmetic string `json:"arithmetic"`
}

// radius is that of the kernel's circle.
func (p *RoofPoint) radius() float64 { return 3 + float64(12*math.Sqrt(p.Share)) }

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
			Peak: t.OpsPerSecond / t.PeakShare, Memory: t.Memory, Share: k.weight(r.Machine) * array / whole,
			Arithmetic: k.arithmetic()})
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
