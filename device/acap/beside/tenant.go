package beside

import (
	"fmt"
	"math"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/report"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
)

// tenant is a model that runs again and again.
type tenant struct {
	phases []phase
	alone  float64 // seconds of a run with all of the memory
	used   float64 // while the memory moves its bytes
	bytes  float64

	at     int
	left   float64 // seconds of the phase, with all of the memory
	slower float64
	runs   int
	ended  float64 // when the last of them did
}

// phase is a part of a run: a rest of the memory, or the array's work of a launch.
type phase struct {
	seconds float64
	use     float64 // of the memory's time while the phase lasts, 0 to 1
	launch  *schedule.Launch
	machine *machine.Machine
	known   map[float64]float64 // how much longer it takes with a share of the memory's rate
}

// newTenant returns the phases of a run.
func newTenant(d *machine.DDR, r *report.Report) (*tenant, error) {
	if err := r.Err(); err != nil {
		return nil, err
	}
	t := &tenant{}
	programs := report.Programs(r.Kernels)
	for i := range programs {
		p := &programs[i]
		if i == 0 {
			p.Written = r.Written
		}
		host, launches := p.Costs(r.Machine)
		t.rest(host.Seconds())
		for j, c := range launches {
			l := &p.Launches[j]
			t.rest(c.Launch())
			turns := float64(p.Turns.All())
			read, written := turns*float64(l.Timing.ReadL3), turns*float64(l.Timing.WriteL3)
			busy := max(read/d.Read.Value, written/d.Write.Value, d.Both(read, written))
			t.bytes += read + written
			if c.Work() <= 0 {
				continue
			}
			use := min(1, busy/c.Work())
			t.used += use * c.Work()
			t.phases = append(t.phases, phase{seconds: c.Work(), use: use, launch: l, machine: r.Machine, known: map[float64]float64{}})
		}
	}
	for i := range t.phases {
		t.alone += t.phases[i].seconds
	}
	if t.alone == 0 {
		return nil, fmt.Errorf("a run on %s takes no time", r.Machine.Name)
	}
	t.left = t.phases[0].seconds
	return t, nil
}

// rest adds seconds in which the memory does nothing for the model.
func (t *tenant) rest(seconds float64) {
	if seconds <= 0 {
		return
	}
	if n := len(t.phases); n > 0 && t.phases[n-1].launch == nil {
		t.phases[n-1].seconds += seconds
		return
	}
	t.phases = append(t.phases, phase{seconds: seconds})
}

// wants is the share of the memory that the model would use now if it had the memory alone.
func (t *tenant) wants() float64 { return t.phases[t.at].use }

// advance lets time pass, up to the end of the phase at most.
func (t *tenant) advance(step, now float64) {
	if t.left -= step / t.slower; t.left > 1e-12*t.phases[t.at].seconds {
		return
	}
	if t.at++; t.at == len(t.phases) {
		t.at = 0
		t.runs, t.ended = t.runs+1, now
	}
	t.left = t.phases[t.at].seconds
}

// slowed returns how many times as long the phase takes with a share of the memory's rate that is less than it uses.
func (p *phase) slowed(share float64) float64 {
	const grid = 256
	share = math.Ceil(share*grid) / grid
	if f, ok := p.known[share]; ok {
		return f
	}
	f := p.use / share // bytes alone
	m := *p.machine
	for _, c := range []*machine.Constant{&m.DDR.Read, &m.DDR.Write, &m.DDR.Total} {
		c.Value *= share
	}
	l := p.launch
	if t, err := timing.Estimate(&m, l.Kernel, l.Mapping); err == nil {
		f = max(f, (t.Seconds-t.Launch)/(l.Timing.Seconds-l.Timing.Launch))
	}
	f = max(1, f)
	p.known[share] = f
	return f
}
