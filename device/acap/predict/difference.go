package predict

import (
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// explained is how far from a measurement a time may be that explains it.
const explained = 1.25

// variant is a way in which a row may have been measured that it does not tell.
type variant struct {
	name    string
	machine *machine.Machine
	style   string // of kernels, "" for that of the prediction
}

// variants lists clocks, ways to start kernels and styles of kernels that differ from a prediction's.
func variants(m *machine.Machine, s *subject) []variant {
	var out []variant
	add := func(name string, with *machine.Machine, err error) {
		if err == nil {
			out = append(out, variant{name: name, machine: with})
		}
	}
	for _, mode := range slices.Sorted(maps.Keys(m.Modes)) {
		with, err := machine.Setting{Mode: mode}.Of(m)
		add("in -mode "+mode, with, err)
	}
	for _, way := range m.Dispatches() {
		with, err := m.Dispatched(way)
		add("with -dispatch "+way, with, err)
	}
	if s.kernel.Kind == workload.KindContraction {
		for _, style := range mapper.Styles(m, &s.kernel) {
			out = append(out, variant{"by kernels of style " + style, m, style})
		}
	}
	return out
}

// difference explains a row that is far from its prediction. It names a clock, a way to start kernels or a style of
// kernels with which the predicted time is about the measured time. If there is none, it says how fast the kernel was,
// or how much time was added to it.
func (p *Prediction) difference(m *machine.Machine, row *Row, s *subject) string {
	best, name := math.Log(explained), ""
	for _, v := range variants(m, s) {
		with := *s
		if v.style != "" {
			with.mapping.Style = v.style
		}
		t, err := timing.Estimate(v.machine, &with.kernel, with.mapping)
		if err != nil {
			continue
		}
		other := *p
		if other.Predicted, err = row.quantity(v.machine, &with, &t); err != nil {
			continue
		}
		if off := math.Abs(math.Log(other.Times())); off < best {
			best, name = off, v.name
		}
	}
	if name != "" {
		return "about as long as it takes " + name
	}
	t, err := timing.Estimate(m, &s.kernel, s.mapping)
	if err != nil {
		return "bound by " + p.Bound
	}
	seconds := float64(t.Seconds * p.Times())
	rate := float64(s.kernel.Bytes()) / seconds
	work := float64(s.kernel.MACs()) / seconds / m.Clock.Value / float64(s.mapping.Cores())
	switch {
	case p.Times() < 1 && rate > m.DDR.Read.Value:
		return fmt.Sprintf("its matrices would come at %.3g GB/s, where this machine reads at %.3g", rate/1e9, m.DDR.Read.Value/1e9)
	case p.Times() < 1 && p.Bound == "host":
		return fmt.Sprintf("its host starts kernels in less than %.3g ms, see -dispatch", 1e3*t.Launch)
	case p.Times() < 1 && work == 0:
		return fmt.Sprintf("its kernel, its clock or its memory is faster; bound by %s in this mapping", p.Bound)
	case p.Times() < 1:
		return fmt.Sprintf("%.3g multiply-accumulates a cycle and core, where these kernels reach %.3g, bound by %s in this mapping", work, work*p.Times(), p.Bound)
	case p.Bound == "host" || work == 0:
		return fmt.Sprintf("%.3g ms more than this kernel and its start take, spent in its host's program or in another kernel", 1e3*(seconds-t.Seconds))
	}
	return fmt.Sprintf("%.3g multiply-accumulates a cycle and core, where these kernels reach %.3g", work, work*p.Times())
}
