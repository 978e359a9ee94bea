package explorer

import (
	"cmp"
	"context"
	"errors"
	"math"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
	"github.com/go-acap/acap/device/acap/report"
)

// Floor is the array's floor plan with what runs where: the part "array".
type Floor struct {
	Columns int           `json:"columns"`
	Rows    []string      `json:"rows"` // the kind of tile, from the bottom
	Dead    [][2]int      `json:"dead,omitempty"`
	Tiles   []Tile        `json:"tiles"`   // of the whole run
	Kernels []FloorKernel `json:"kernels"` // of each kernel
}

// Tile is a tile that is used and the share of the time in which it is busy: of cores, in
// kernel calls; of others, their busiest channel.
type Tile struct {
	Column int     `json:"column"`
	Row    int     `json:"row"`
	Busy   float64 `json:"busy"`
}

// FloorKernel is a kernel on the array.
type FloorKernel struct {
	Kernel  int     `json:"kernel"` // in Compiled.Kernels
	Tiles   []Tile  `json:"tiles"`
	Seconds float64 `json:"seconds"` // of the array's work, by the event engine
	// Used is the use of the fullest tile of each kind.
	Used    []TileUse `json:"used,omitempty"`
	Problem string    `json:"problem,omitempty"` // why there is no program
}

// TileUse is the use of the fullest tile of a kind.
type TileUse struct {
	Kind     string `json:"kind"`
	Tiles    int    `json:"tiles"`
	Memory   int    `json:"memory"` // bytes
	MemoryOf int    `json:"memory_of"`
	Locks    int    `json:"locks"`
	LocksOf  int    `json:"locks_of"`
}

var errNoArray = errors.New("the device is no array")

// arrayReport returns the array's report, and for each of its kernels the index of the program's kernel.
func (e *Explorer) arrayReport(ctx context.Context) (*report.Report, []int, error) {
	p, err := e.programOf(ctx)
	if err != nil {
		return nil, nil, err
	}
	r, err := e.report(ctx)
	if err != nil {
		return nil, nil, err
	}
	if r == nil {
		return nil, nil, errNoArray
	}
	return r, p.numbers(r), nil
}

func (e *Explorer) arrayPart(ctx context.Context, _ string) (any, error) {
	r, of, err := e.arrayReport(ctx)
	if err != nil {
		return nil, err
	}
	r.Simulate()
	g := &r.Machine.Grid
	f := &Floor{Columns: g.Cols, Tiles: tiles(r.Heat().Share), Kernels: []FloorKernel{}}
	for row := range g.Rows() {
		f.Rows = append(f.Rows, r.Machine.KindAt(program.Coord{Row: row}).String())
	}
	for _, d := range g.Dead {
		f.Dead = append(f.Dead, [2]int{d.Col, d.Row})
	}
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Choice != nil {
			f.Kernels = append(f.Kernels, floorKernel(r, k, of[i]))
		}
	}
	return f, nil
}

func floorKernel(r *report.Report, k *report.Kernel, number int) FloorKernel {
	out := FloorKernel{Kernel: number, Tiles: []Tile{}}
	one := report.Report{Machine: r.Machine, Name: r.Name, Kernels: []report.Kernel{*k}}
	event, err := k.Event()
	if err != nil || event == nil {
		out.Problem = "the kernel has no program"
		if err != nil {
			out.Problem = err.Error()
		}
		return out
	}
	out.Seconds, out.Tiles = event.Seconds-k.Timing.Launch, tiles(one.Heat().Share)
	p, err := k.Choice.Program()
	if err != nil {
		return out
	}
	for kind, u := range report.Used(p) {
		t := r.Machine.TileOf(kind)
		out.Used = append(out.Used, TileUse{kind.String(), u.Tiles, u.Memory, t.Memory.Int(), u.Locks, t.Locks.Int()})
	}
	slices.SortFunc(out.Used, func(a, b TileUse) int { return cmp.Compare(a.Kind, b.Kind) })
	return out
}

// tiles lists shares by column and row.
func tiles(share map[machine.Coord]float64) []Tile {
	list := []Tile{}
	for c, busy := range share {
		list = append(list, Tile{c.Col, c.Row, rounded(busy, 1e4)})
	}
	slices.SortFunc(list, func(a, b Tile) int { return cmp.Or(cmp.Compare(a.Column, b.Column), cmp.Compare(a.Row, b.Row)) })
	return list
}

// rounded rounds v to a multiple of 1/parts.
func rounded(v, parts float64) float64 { return math.Round(v*parts) / parts }

// Timeline says what happens when on the array: the part "timeline".
type Timeline struct {
	Seconds float64  `json:"seconds"`
	Names   []string `json:"names"` // of slices
	Tracks  []Track  `json:"tracks"`
	Cut     int      `json:"cut,omitempty"`   // the intervals of each kernel that are there at most
	Drawn   string   `json:"drawn,omitempty"` // what is there of a pipeline
}

// Track is a row of the timeline. Slices are start and length in microseconds, kernel and number
// of the name.
type Track struct {
	Group  string       `json:"group"`
	Name   string       `json:"name"`
	Slices [][4]float64 `json:"slices"`
}

// mostIntervals bounds the intervals of a timeline, and eachIntervals the intervals of a kernel.
const mostIntervals, eachIntervals = 20000, 600

func (e *Explorer) timelinePart(ctx context.Context, _ string) (any, error) {
	r, of, err := e.arrayReport(ctx)
	if err != nil {
		return nil, err
	}
	t := &Timeline{Seconds: r.Total().Seconds, Names: []string{}, Tracks: []Track{},
		Cut: min(eachIntervals, max(20, mostIntervals/max(1, len(r.Kernels))))}
	t.Drawn = r.Drawn(t.Cut)
	known := map[string]int{}
	for _, track := range r.Timeline(t.Cut) {
		out := Track{Group: track.Group, Name: track.Name, Slices: [][4]float64{}}
		for _, s := range track.Slices {
			if _, ok := known[s.Name]; !ok {
				known[s.Name] = len(t.Names)
				t.Names = append(t.Names, s.Name)
			}
			out.Slices = append(out.Slices, [4]float64{rounded(s.Start*1e6, 1e4), rounded(s.Length*1e6, 1e4),
				float64(of[s.Kernel]), float64(known[s.Name])})
		}
		t.Tracks = append(t.Tracks, out)
	}
	return t, nil
}
