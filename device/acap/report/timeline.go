package report

import (
	"cmp"
	"fmt"
	"slices"

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
	Sample        int     // of a pipeline, from 0 on
	Start, Length float64 // seconds from the start of the run
	Args          map[string]any
}

// notDrawn names what follows the last interval of a core that is there.
const notDrawn = "not drawn"

// The groups of tracks.
const (
	groupProgram = iota // host, kernels
	groupCores
	groupMem
	groupShim
	groupPower
)

// groupNames are the titles of the groups.
func (r *Report) groupNames() []string {
	return []string{r.Name, "cores", "mem tiles", "memory outside", "power (estimate)"}
}

// Timeline returns the tracks of a run: the kernels one after the other, stage by stage in a pipeline, the watts
// ([Report.Power]), and every core, every sending channel of mem tiles and every channel of interface tiles, as the
// event engine saw them. Of each kernel it has at most the given intervals, behind which cores are "not drawn";
// stretches that repeat are one. Samples that pass a pipeline after those are drawn with their kernels alone: see
// [Report.Drawn].
func (r *Report) Timeline(intervals int) []*Track {
	t := &timeline{names: r.groupNames(), of: make(map[[2]int]*Track)}
	call, launch, begin := r.starts()
	shifts := r.shifts()
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			t.kernel(k, i, [3]float64{call[i], launch[i], begin[i]}, shifts[k], intervals)
		}
	}
	for _, track := range t.tracks { // samples of a pipeline are kernel by kernel
		slices.SortStableFunc(track.Slices, func(a, b Slice) int { return cmp.Compare(a.Start, b.Start) })
	}
	if len(t.tracks) == 0 {
		return nil
	}
	programs := slices.IndexFunc(t.tracks, func(x *Track) bool { return x.group != groupProgram })
	if programs < 0 {
		programs = len(t.tracks)
	}
	return slices.Insert(t.tracks, programs, r.powerTrack())
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

// kernel adds the slices of one kernel: a call of the host, its launch and the array's work start at these seconds, and
// the latter two so much later with every sample.
func (t *timeline) kernel(k *Kernel, number int, starts [3]float64, shifts []float64, intervals int) {
	const each = 3 // tracks of the host and of each stage
	m, first, stage, begin := &k.Timing, 0, "", starts[2]
	if k.Stage != nil {
		first, stage = each*k.Stage.Number, fmt.Sprintf(", stage %d", k.Stage.Number)
	}
	host, kernels, repeats := t.track(groupProgram, first, "host"+stage), t.track(groupProgram, first+1, "kernels"+stage), first+2
	for n, later := range shifts {
		args := map[string]any{"mapping": k.Layout, "where": k.Where, "cores": m.Cores, "cycles": m.Cycles,
			"mac_per_cycle": m.MACsPerCycle, "of_peak": m.PeakShare, "bound": k.Bound,
			"read_bytes": m.ReadL3, "write_bytes": m.WriteL3}
		if k.Stage != nil {
			args["sample"] = n
		}
		start := starts[min(n, 1)] + later // one call for all samples
		host.add(Slice{Name: "launch", Kernel: number, Sample: n, Start: start, Length: max(0, begin+later-start)})
		kernels.add(Slice{Name: k.Name, Kernel: number, Sample: n, Start: begin + later, Length: k.Array(), Args: args})
	}
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
	for n, later := range shifts[:detailed(len(shifts), len(e.Intervals), intervals)] {
		drawn := map[*Track]float64{} // cores, to their last interval
		for _, i := range e.Intervals {
			s := Slice{Name: i.Name, Kernel: number, Sample: n, Start: begin + later + float64(i.Start*cycle),
				Length: (i.End - i.Start) * cycle}
			switch i.Activity {
			case event.Repeat:
				s.Name = fmt.Sprintf("%d periods", i.Periods)
				t.track(groupProgram, repeats, "repeats"+stage).add(s)
			case event.Transfer:
				s.Name = Bytes(i.Bytes)
				t.channel(k, p, i.Channel).add(s)
			default:
				c := k.place(p.Cores[i.Core].Tile)
				if i.Activity == event.Stall {
					s.Name = "wait " + i.Name
				}
				core := t.track(groupCores, c.Row*1000+c.Col, fmt.Sprintf("core (%d, %d)", c.Col, c.Row))
				core.add(s)
				drawn[core] = max(drawn[core], s.Start+s.Length)
			}
		}
		if end := begin + later + k.Array(); e.Truncated {
			for core, from := range drawn {
				if from < end {
					core.add(Slice{Name: notDrawn, Kernel: number, Sample: n, Start: from, Length: end - from})
				}
			}
		}
	}
}

// channel returns the track of a transfer: the track of its source, or of its sink if the sink is an interface tile.
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
