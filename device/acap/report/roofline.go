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

// WriteRoofline draws the kernels of a run under the machine's roofs, on logarithmic axes: operations per byte that
// must move, and operations per second while the array works on the kernel. The flat roofs are the peaks of the
// kernels' own types, the slope is the memory at its best, with a dashed one for the kernels whose reads and writes it
// serves worst. A circle's area grows with the kernel's time; those that take most of it have their names. An error is
// one of w.
func (r *Report) WriteRoofline(w io.Writer) error {
	b := bufio.NewWriter(w)
	p := &rooflinePicture{b: b, report: r, points: r.Roofline(), x: axis{1e-1, 1e1}, y: axis{1e9, 1e12}, worst: math.Inf(1)}
	for _, k := range p.points {
		p.best, p.worst = max(p.best, k.Memory), min(p.worst, k.Memory)
	}
	for _, k := range p.points {
		p.x.cover(k.Intensity)
		p.x.cover(2 * k.Peak / p.worst) // where a roof is flat
		p.y.cover(k.Rate)
		p.y.cover(k.Peak)
	}
	p.frame()
	if len(p.points) > 0 {
		p.slope(p.best, "", "end", -6, 0)
	}
	if p.worst < p.best/1.01 {
		p.slope(p.worst, ` stroke-dasharray="5 4"`, "start", 6, 12)
	}
	p.roofs()
	p.circles()
	p.names()
	b.WriteString("</svg>\n")
	return b.Flush()
}

// rooflinePicture is a roofline while its parts are drawn.
type rooflinePicture struct {
	b           *bufio.Writer
	report      *Report
	points      []RoofPoint
	x, y        axis
	best, worst float64 // what memory gives, in bytes per second
}

// The margins of a roofline and the size of the area between them, in pixels.
const roofLeft, roofRight, roofTop, roofBottom, roofWide, roofHigh = 84, 24, 60, 60, 640, 400

func (p *rooflinePicture) px(v float64) float64 { return roofLeft + float64(roofWide*p.x.at(v)) }
func (p *rooflinePicture) py(v float64) float64 { return roofTop + float64(roofHigh*(1-p.y.at(v))) }

// frame draws the title, the axes and a line for each power of ten.
func (p *rooflinePicture) frame() {
	t := p.report.Total()
	title := fmt.Sprintf("%s: %d kernels, %s", p.report.Name, t.Kernels, Duration(t.Seconds))
	width, height := max(roofLeft+roofWide+roofRight, 24+9*utf8.RuneCountInString(title)), roofTop+roofHigh+roofBottom
	fmt.Fprintf(p.b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" `+
		`font-family="system-ui, sans-serif" font-size="12">`+"\n", width, height, width, height)
	fmt.Fprintf(p.b, `<rect width="100%%" height="100%%" fill="#fff"/>`+"\n")
	fmt.Fprintf(p.b, `<text x="12" y="22" font-size="14" font-weight="600">%s</text>`+"\n", escape(title))
	fmt.Fprintf(p.b, `<text x="12" y="40" fill="#666">operations per second while the array works</text>`+"\n")
	fmt.Fprintf(p.b, `<text x="%d" y="%d" text-anchor="middle" fill="#666">operations per byte that comes from outside or goes there</text>`+
		"\n", roofLeft+roofWide/2, roofTop+roofHigh+42)
	for v := p.x.low; v <= p.x.high*1.01; v *= 10 {
		fmt.Fprintf(p.b, `<line x1="%.1f" y1="%d" x2="%.1f" y2="%d" stroke="#eee"/>`, p.px(v), roofTop, p.px(v), roofTop+roofHigh)
		fmt.Fprintf(p.b, `<text x="%.1f" y="%d" text-anchor="middle" fill="#666">%g</text>`+"\n", p.px(v), roofTop+roofHigh+18, v)
	}
	for v := p.y.low; v <= p.y.high*1.01; v *= 10 {
		fmt.Fprintf(p.b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#eee"/>`, roofLeft, p.py(v), roofLeft+roofWide, p.py(v))
		fmt.Fprintf(p.b, `<text x="%d" y="%.1f" text-anchor="end" fill="#666">%s</text>`+"\n", roofLeft-8, p.py(v)+4, Rate(v, 1))
	}
}

// slope draws the roof of a memory, in bytes per second, with its text dx and dy pixels from its middle.
func (p *rooflinePicture) slope(memory float64, style, anchor string, dx, dy float64) {
	highest := 0.0
	for _, k := range p.points {
		if k.Memory == memory || memory == p.best {
			highest = max(highest, k.Peak)
		}
	}
	from, ridge := max(p.x.low, p.y.low/memory), min(highest/memory, p.x.high)
	fmt.Fprintf(p.b, `<path d="M%.1f %.1f L%.1f %.1f" fill="none" stroke="#444" stroke-width="1.5"%s/>`+"\n",
		p.px(from), p.py(from*memory), p.px(ridge), p.py(ridge*memory), style)
	middle := math.Sqrt(from * ridge)
	fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" fill="#444" text-anchor="%s">%s/s</text>`+"\n", p.px(middle)+dx,
		p.py(middle*memory)+dy, anchor, Bytes(int64(memory)))
}

// roofs draws the peak of each arithmetic once.
func (p *rooflinePicture) roofs() {
	drawn := make(map[string]bool)
	for _, k := range p.points {
		name := fmt.Sprintf("%s, %s", k.Arithmetic, Rate(k.Peak, 1))
		if drawn[name] {
			continue
		}
		drawn[name] = true
		fmt.Fprintf(p.b, `<path d="M%.1f %.1f L%.1f %.1f" fill="none" stroke="#444" stroke-width="1.5"/>`+"\n",
			p.px(k.Peak/p.best), p.py(k.Peak), p.px(p.x.high), p.py(k.Peak))
		fmt.Fprintf(p.b, `<text x="%d" y="%.1f" fill="#444" text-anchor="end">%s</text>`+"\n", roofLeft+roofWide-4, p.py(k.Peak)-5, escape(name))
	}
}

// circles draws the kernels.
func (p *rooflinePicture) circles() {
	for _, k := range p.points {
		kernel := p.report.Kernels[k.Kernel]
		fmt.Fprintf(p.b, `<circle cx="%.1f" cy="%.1f" r="%.1f" fill="#fd8d3c" fill-opacity="0.6" stroke="#bd0026">`+
			`<title>%s: %s, %s of its roof, bound by %s</title></circle>`+"\n", p.px(k.Intensity), p.py(k.Rate),
			k.radius(), escape(kernel.Name), Rate(k.Rate, 1), percent(k.Of()), kernel.Bound)
	}
}

// names writes the names of the eight kernels that take most of the time, but for those that would lie on another name.
func (p *rooflinePicture) names() {
	points := slices.SortedStableFunc(slices.Values(p.points), func(a, b RoofPoint) int { return cmp.Compare(b.Share, a.Share) })
	var taken [][2]float64 // where names begin
	for _, k := range points[:min(8, len(points))] {
		name := p.report.Kernels[k.Kernel].Name
		at := [2]float64{p.px(k.Intensity) + k.radius() + 3, p.py(k.Rate) + 4}
		near := func(other [2]float64) bool {
			return math.Abs(at[0]-other[0]) < float64(7*len(name)) && math.Abs(at[1]-other[1]) < 12
		}
		if slices.ContainsFunc(taken, near) {
			continue // the circle's own title says the name
		}
		taken = append(taken, at)
		fmt.Fprintf(p.b, `<text x="%.1f" y="%.1f" font-size="10" fill="#bd0026">%s</text>`+"\n", at[0], at[1], escape(name))
	}
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

// radius returns the radius of the kernel's circle, in pixels.
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
