package report

import (
	"encoding/json"
	"fmt"
	"io"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// slice is one entry of the Chrome trace format, which Perfetto opens. Times are
// microseconds.
type slice struct {
	Name string         `json:"name"`
	Cat  string         `json:"cat,omitempty"`
	Ph   string         `json:"ph"`
	Ts   float64        `json:"ts"`
	Dur  float64        `json:"dur,omitempty"`
	Pid  int            `json:"pid"`
	Tid  int            `json:"tid"`
	Args map[string]any `json:"args,omitempty"`
}

// The groups of tracks.
const (
	groupProgram = iota // host, kernels
	groupCores
	groupMem
	groupShim
)

// timeline collects the tracks of a trace.
type timeline struct {
	slices []slice
	tracks map[[2]int]bool
}

// WriteTrace writes the program as a Chrome trace: the kernels one after the
// other, with a track for every core, every sending channel of mem tiles and
// every channel of interface tiles, as the event engine saw them. Of each kernel
// the first 20000 intervals are there; stretches that repeat are one slice.
func (r *Report) WriteTrace(w io.Writer) error {
	t := &timeline{tracks: make(map[[2]int]bool)}
	for i, name := range []string{r.Name, "cores", "mem tiles", "memory outside"} {
		t.slices = append(t.slices, slice{Name: "process_name", Ph: "M", Pid: i,
			Args: map[string]any{"name": name}})
	}
	launch, begin := r.starts()
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			t.kernel(k, launch[i]*1e6, begin[i]*1e6)
		}
	}
	return json.NewEncoder(w).Encode(map[string]any{"traceEvents": t.slices, "displayTimeUnit": "ns"})
}

func (t *timeline) track(group, id int, name string) {
	if key := [2]int{group, id}; !t.tracks[key] {
		t.tracks[key] = true
		t.slices = append(t.slices, slice{Name: "thread_name", Ph: "M", Pid: group, Tid: id,
			Args: map[string]any{"name": name}})
	}
}

func (t *timeline) add(group, id int, what string, from, length float64, args map[string]any) {
	t.slices = append(t.slices, slice{Name: what, Cat: "acap", Ph: "X", Ts: from, Dur: length,
		Pid: group, Tid: id, Args: args})
}

// kernel adds the slices of one kernel: its launch starts at a microsecond, the array's work at
// another.
func (t *timeline) kernel(k *Kernel, start, begin float64) {
	const host, kernels = 0, 1
	t.track(groupProgram, host, "host")
	t.track(groupProgram, kernels, "kernels")
	m := &k.Timing
	t.add(groupProgram, host, "launch", start, max(0, begin-start), nil)
	t.add(groupProgram, kernels, k.Name, begin, (m.Seconds-m.Launch)*1e6, map[string]any{
		"mapping": k.Layout, "where": k.Where, "cores": m.Cores, "cycles": m.Cycles,
		"mac_per_cycle": m.MACsPerCycle, "of_peak": m.PeakShare, "bound": k.Bound,
		"read_bytes": m.ReadL3, "write_bytes": m.WriteL3})
	if k.Choice == nil {
		return
	}
	e, err := k.Events(event.Options{Intervals: intervals})
	if err != nil {
		return
	}
	p, err := k.Choice.Program()
	if err != nil {
		return
	}
	p.Lower()
	scale := 1e6 / p.Machine.Clock.Value
	for _, i := range e.Intervals {
		from, length := begin+i.Start*scale, (i.End-i.Start)*scale
		switch i.Activity {
		case event.Repeat:
			t.track(groupProgram, kernels+1, "repeats")
			t.add(groupProgram, kernels+1, fmt.Sprintf("%d periods", i.Periods), from, length, nil)
		case event.Transfer:
			t.transfer(p, &i, from, length)
		default:
			c := p.Cores[i.Core].Tile
			id := c.Row*1000 + c.Col
			t.track(groupCores, id, fmt.Sprintf("core (%d, %d)", c.Col, c.Row))
			name := i.Name
			if i.Activity == event.Stall {
				name = "wait " + name
			}
			t.add(groupCores, id, name, from, length, nil)
		}
	}
}

// transfer puts a transfer on the track of its source, or of its sink when that
// is an interface tile.
func (t *timeline) transfer(p *program.Program, i *event.Interval, from, length float64) {
	d := &p.DMAs[i.Channel]
	for _, f := range p.Flows {
		if f.From.Tile == d.Tile && f.From.Channel == d.Channel && f.To.Tile.Row == 0 {
			for j := range p.DMAs {
				if to := &p.DMAs[j]; to.Tile == f.To.Tile && to.Channel == f.To.Channel &&
					to.Dir == program.S2MM {
					d = to
				}
			}
		}
	}
	group := groupMem
	switch p.Machine.KindAt(d.Tile) {
	case machine.ShimTile:
		group = groupShim
	case machine.CoreTile:
		group = groupCores
	}
	id := (d.Tile.Row*1000+d.Tile.Col)*100 + 1e6 + int(d.Dir)*50 + d.Channel
	t.track(group, id, fmt.Sprintf("(%d, %d) %s %d", d.Tile.Col, d.Tile.Row, d.Dir, d.Channel))
	t.add(group, id, Bytes(i.Bytes), from, length, nil)
}
