package report

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// Track is a row of a timeline: the host, the kernels, a core, or a channel.
type Track struct {
	Group  string
	Name   string
	Slices []Slice

	group, id int
}

// Slice is a stretch of time on a track.
type Slice struct {
	Name          string
	Kernel        int     // in [Report.Kernels]
	Start, Length float64 // seconds from the start of the run
	Args          map[string]any
}

// The groups of tracks.
const (
	groupProgram = iota // host, kernels
	groupCores
	groupMem
	groupShim
)

// groupNames are the titles of the groups.
func (r *Report) groupNames() []string {
	return []string{r.Name, "cores", "mem tiles", "memory outside"}
}

// Timeline returns the tracks of a run: the kernels one after the other, and every core, every
// sending channel of mem tiles and every channel of interface tiles, as the event engine saw
// them; of a pipeline the first sample. Of each kernel at most so many intervals are there; stretches that repeat are one.
func (r *Report) Timeline(intervals int) []*Track {
	t := &timeline{names: r.groupNames(), of: make(map[[2]int]*Track)}
	launch, begin := r.starts()
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			t.kernel(k, i, launch[i], begin[i], intervals)
		}
	}
	return t.tracks
}

// timeline collects the tracks of a run.
type timeline struct {
	names  []string
	tracks []*Track
	of     map[[2]int]*Track
}

func (t *timeline) track(group, id int, name string) *Track {
	key := [2]int{group, id}
	if t.of[key] == nil {
		t.of[key] = &Track{Group: t.names[group], Name: name, group: group, id: id}
		t.tracks = append(t.tracks, t.of[key])
	}
	return t.of[key]
}

func (t *Track) add(s Slice) { t.Slices = append(t.Slices, s) }

// kernel adds the slices of one kernel: its launch starts at one second, the array's work at
// another.
func (t *timeline) kernel(k *Kernel, number int, start, begin float64, intervals int) {
	const host, kernels = 0, 1
	m := &k.Timing
	t.track(groupProgram, host, "host").add(Slice{Name: "launch", Kernel: number, Start: start, Length: max(0, begin-start)})
	t.track(groupProgram, kernels, "kernels").add(Slice{Name: k.Name, Kernel: number, Start: begin, Length: k.Array(),
		Args: map[string]any{"mapping": k.Layout, "where": k.Where, "cores": m.Cores, "cycles": m.Cycles,
			"mac_per_cycle": m.MACsPerCycle, "of_peak": m.PeakShare, "bound": k.Bound,
			"read_bytes": m.ReadL3, "write_bytes": m.WriteL3}})
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
	cycle := 1 / p.Machine.Clock.Value
	for _, i := range e.Intervals {
		s := Slice{Name: i.Name, Kernel: number, Start: begin + float64(i.Start*cycle), Length: (i.End - i.Start) * cycle}
		switch i.Activity {
		case event.Repeat:
			s.Name = fmt.Sprintf("%d periods", i.Periods)
			t.track(groupProgram, kernels+1, "repeats").add(s)
		case event.Transfer:
			s.Name = Bytes(i.Bytes)
			t.channel(k, p, i.Channel).add(s)
		default:
			c := k.place(p.Cores[i.Core].Tile)
			if i.Activity == event.Stall {
				s.Name = "wait " + i.Name
			}
			t.track(groupCores, c.Row*1000+c.Col, fmt.Sprintf("core (%d, %d)", c.Col, c.Row)).add(s)
		}
	}
}

// channel returns the track of a transfer: that of its source, or of its sink when that is an
// interface tile.
func (t *timeline) channel(k *Kernel, p *program.Program, source int) *Track {
	d := &p.DMAs[source]
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
	at := k.place(d.Tile)
	id := (at.Row*1000+at.Col)*100 + 1e6 + int(d.Dir)*50 + d.Channel
	return t.track(group, id, fmt.Sprintf("(%d, %d) %s %d", at.Col, at.Row, d.Dir, d.Channel))
}
