package schedule_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// launchOf is a launch of a kernel on cols by rows cores that takes some microseconds there.
func launchOf(m *machine.Machine, code string, cols, rows int, us float64) schedule.Launch {
	launch := m.Host.Launch.Value
	return schedule.Launch{Kernel: &workload.Kernel{Kind: workload.KindPointwise}, Code: code,
		Mapping: mapping.Mapping{Cols: cols, Rows: rows},
		Timing:  &timing.Timing{Seconds: launch + us*1e-6, Launch: launch, Cores: cols * rows}}
}

// proportional runs kernels on any number of cores, half as many take twice as long, but for
// places that it forbids.
type proportional struct {
	machine   *machine.Machine
	forbidden func(g mapping.Mapping) bool
}

func (o proportional) Legal(l *schedule.Launch) bool {
	return o.forbidden == nil || !o.forbidden(l.Mapping)
}

func (o proportional) Narrow(l *schedule.Launch, cols, rows int) (mapping.Mapping, *timing.Timing) {
	t := *l.Timing
	array := (t.Seconds - t.Launch) * float64(l.Mapping.Cores()) / float64(cols*rows)
	t.Cores, t.Seconds = cols*rows, t.Launch+array
	return mapping.Mapping{Cols: cols, Rows: rows}, &t
}

// layers repeats launches.
func layers(n int, launches ...schedule.Launch) schedule.Program {
	p := schedule.Program{Prefetched: true}
	for range n {
		p.Launches = append(p.Launches, launches...)
	}
	return p
}

// TestPlaceBeside puts kernels that need half of the rows above each other where all of them
// together have more code than a core holds: no core is ever loaded again.
func TestPlaceBeside(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	p := layers(5, launchOf(m, "norm", 8, 2, 10), launchOf(m, "qkv", 8, 4, 200), launchOf(m, "attention", 8, 2, 300),
		launchOf(m, "up", 8, 4, 300), launchOf(m, "down", 8, 4, 300))
	before := p.Cost(m)
	require.Positive(t, before.Switch)
	saved := p.Place(m, proportional{machine: m})
	after := p.Cost(m)
	require.InDelta(t, before.Seconds()-after.Seconds(), saved, 1e-12)
	require.Positive(t, saved)
	for _, cores := range p.Loads(m) {
		require.Zero(t, cores)
	}
	norm, attention := p.Launches[0].Mapping, p.Launches[2].Mapping
	require.Equal(t, 2, norm.Rows, "that there is space for all was enough")
	require.NotEqual(t, norm.Row, attention.Row)
	for i := range p.Launches {
		require.Equal(t, p.Launches[i%5].Mapping, p.Launches[i].Mapping, "one code has one place")
	}
	require.Zero(t, p.Place(m, proportional{machine: m}), "there is nothing left to save")
}

// TestPlaceNarrow gives kernels of little work fewer cores when each needs a load of them.
func TestPlaceNarrow(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	p := layers(3, launchOf(m, "a", 8, 4, 300), launchOf(m, "b", 8, 4, 300), launchOf(m, "c", 8, 4, 300),
		launchOf(m, "d", 8, 4, 300), launchOf(m, "small", 8, 4, 0.5))
	before := p.Cost(m).Seconds()
	saved := p.Place(m, proportional{machine: m})
	require.Positive(t, saved)
	require.InDelta(t, before-saved, p.Cost(m).Seconds(), 1e-12)
	require.Less(t, p.Launches[4].Mapping.Cores(), 32)
	require.Equal(t, 32, p.Launches[0].Mapping.Cores(), "long kernels keep theirs")
}

// TestPlaceWiden leaves no row idle beside a kernel that was narrowed by half.
func TestPlaceWiden(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	p := layers(6, launchOf(m, "norm", 8, 1, 300), launchOf(m, "qkv", 8, 4, 50), launchOf(m, "attention", 8, 4, 3000),
		launchOf(m, "up", 8, 4, 3000), launchOf(m, "down", 8, 4, 3000))
	p.Place(m, proportional{machine: m})
	norm, qkv := p.Launches[0].Mapping, p.Launches[1].Mapping
	require.Equal(t, m.Grid.CoreRows, norm.Rows+qkv.Rows)
	require.True(t, norm.Row < qkv.Row || norm.Row >= qkv.Row+qkv.Rows, "norm %v, qkv %v", norm, qkv)
	for _, cores := range p.Loads(m) {
		require.Zero(t, cores)
	}
}

// TestPlaceComplement gives a small kernel the columns that another leaves free, so that none is narrowed
// that works long.
func TestPlaceComplement(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	p := layers(6, launchOf(m, "qkv", 8, 4, 100), launchOf(m, "attention", 6, 4, 200), launchOf(m, "up", 8, 4, 140),
		launchOf(m, "down", 8, 4, 140), launchOf(m, "norm", 8, 2, 5))
	p.Place(m, proportional{machine: m})
	for _, l := range p.Launches[:4] {
		if l.Code != "attention" {
			require.Equal(t, 32, l.Mapping.Cores(), l.Code)
		}
	}
	require.Equal(t, 2, p.Launches[4].Mapping.Cols)
	for _, cores := range p.Loads(m) {
		require.Zero(t, cores)
	}
}

// TestPlaceLegal keeps kernels away from where they cannot run.
func TestPlaceLegal(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	upper := func(g mapping.Mapping) bool { return g.Row > 0 }
	p := layers(5, launchOf(m, "a", 8, 2, 10), launchOf(m, "b", 8, 2, 10), launchOf(m, "c", 8, 2, 10),
		launchOf(m, "d", 8, 2, 10), launchOf(m, "e", 8, 2, 10))
	p.Place(m, proportional{m, upper})
	for _, l := range p.Launches {
		require.Zero(t, l.Mapping.Row)
	}
	fixed := layers(5, launchOf(m, "a", 2, 4, 10), launchOf(m, "b", 2, 4, 10), launchOf(m, "c", 2, 4, 10),
		launchOf(m, "d", 2, 4, 10), launchOf(m, "e", 2, 4, 10), launchOf(m, "f", 2, 4, 10))
	for i := range fixed.Launches {
		if l := &fixed.Launches[i]; l.Code == "a" {
			l.Mapping.Col, l.Mapping.Resident = 2, 1
		}
	}
	require.Positive(t, fixed.Place(m, proportional{machine: m}))
	for _, l := range fixed.Launches {
		if l.Code == "a" {
			require.Equal(t, 2, l.Mapping.Col, "its weights lie there")
		}
	}
	dead := *m
	dead.Grid.Dead = []machine.Coord{{Col: 1, Row: dead.Grid.CoreRow(1)}}
	p = layers(5, launchOf(&dead, "a", 4, 2, 10), launchOf(&dead, "b", 4, 2, 10), launchOf(&dead, "c", 4, 2, 10),
		launchOf(&dead, "d", 4, 2, 10), launchOf(&dead, "e", 4, 2, 10))
	p.Place(&dead, proportional{machine: &dead})
	for _, l := range p.Launches {
		g := l.Mapping
		_, _, ok := dead.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
		require.True(t, ok, "%v", g)
	}
}

// TestPlaceEmptied has weights leave the mem tiles where they keep their kernel on cores that are loaded again and
// again for others, and only there: a run takes no longer than if no weights had remained.
func TestPlaceEmptied(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	program := func(resident int) *schedule.Program {
		p := layers(3, launchOf(m, "attention", 8, 4, 300), launchOf(m, "qkv", 8, 4, 0.5), launchOf(m, "out", 8, 4, 0.5),
			launchOf(m, "up", 8, 4, 0.5), launchOf(m, "down", 8, 4, 0.5))
		for i := range p.Launches {
			if l := &p.Launches[i]; l.Code != "attention" {
				l.Mapping.Resident = resident
			}
		}
		return &p
	}
	with, without := program(1), program(0)
	before := with.Cost(m).Seconds()
	saved := with.Place(m, proportional{machine: m})
	without.Place(m, proportional{machine: m})
	require.Positive(t, saved)
	require.InDelta(t, before-saved, with.Cost(m).Seconds(), 1e-12)
	require.LessOrEqual(t, with.Cost(m).Seconds(), without.Cost(m).Seconds()+1e-9)

	few := layers(3, launchOf(m, "qkv", 8, 4, 0.5), launchOf(m, "out", 8, 4, 0.5))
	for i := range few.Launches {
		few.Launches[i].Mapping.Resident = 1
	}
	few.Place(m, proportional{machine: m})
	for _, l := range few.Launches {
		require.Equal(t, 1, l.Mapping.Resident, "nothing is loaded twice")
	}
}

// TestLoadsByCore counts the cores that a launch finds without its code, not the launches.
func TestLoadsByCore(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	one := *m
	one.Compute.Code.Value = m.Core.Program.Value // of one kernel
	p := layers(2, launchOf(m, "wide", 8, 4, 10), launchOf(m, "small", 1, 1, 10))
	require.Equal(t, []int{1, 1, 1, 1}, p.Loads(&one), "cores of the wide kernel alone keep its code")
}
