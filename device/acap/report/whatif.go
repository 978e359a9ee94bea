package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
)

// WhatIf is the program on a machine that differs in one respect, mapped anew.
type WhatIf struct {
	Change  string  `json:"change"`
	Seconds float64 `json:"seconds"` // of the whole program
	Speedup float64 `json:"speedup"` // over the machine as it is
}

// WhatIfs maps and times the program on machines that differ in one respect
// each. A change that leaves a kernel without a mapping is left out.
func (r *Report) WhatIfs() []WhatIf {
	var out []WhatIf
	before := r.Total().Seconds
	if before == 0 || r.Machine == nil {
		return nil
	}
	for _, c := range r.Machine.Architecture().Changes() {
		m := *r.Machine
		m.Grid.ShimDMA = append([]int(nil), m.Grid.ShimDMA...)
		c.Apply(&m)
		if len(m.Grid.ShimDMA) == 0 && m.Programmed() {
			continue
		}
		if after, ok := r.retime(&m); ok {
			out = append(out, WhatIf{c.Name, after, before / after})
		}
	}
	return out
}

// retime returns what the program takes on another machine: with the mappings that it has, or
// with new ones, whichever is less.
func (r *Report) retime(m *machine.Machine) (float64, bool) {
	kept, ok := r.kept(m)
	if anew, fits := r.anew(m); fits && (!ok || anew < kept) {
		return anew, true
	}
	return kept, ok
}

// kept times the mappings that the kernels have on another machine; false where one has no place.
func (r *Report) kept(m *machine.Machine) (float64, bool) {
	if !m.Programmed() || m.Grid.Cols != r.Machine.Grid.Cols {
		return 0, false
	}
	type mapped struct {
		work    string
		mapping mapping.Mapping
		stage   *Stage
	}
	known := make(map[mapped]timing.Timing)
	other := Report{Machine: m, Written: r.Written, Kernels: slices.Clone(r.Kernels), Pipeline: r.Pipeline}
	for i := range other.Kernels {
		k := &other.Kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		key := mapped{k.Work.Key(), k.Mapping, k.Stage}
		t, ok := known[key]
		if !ok {
			on, err := k.part(m), error(nil)
			if on == nil {
				return 0, false
			}
			if t, err = timing.Estimate(on, k.Work, k.Mapping); err != nil {
				return 0, false
			}
			known[key] = t
		}
		k.Timing = t
	}
	return other.Total().Seconds, true
}

// mostAnew is the kernels that are mapped anew for a what-if, those that take most of the time: the others keep their
// mappings where these have a place.
const mostAnew = 16

// Distinct counts the kernels of a run that differ.
func (r *Report) Distinct() int { return len(r.taking()) }

// taking returns the seconds of a run that kernels take which differ, by their keys.
func (r *Report) taking() map[string]float64 {
	seconds := make(map[string]float64)
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			seconds[k.Work.Key()] += float64(float64(k.Runs()) * k.Timing.Seconds)
		}
	}
	return seconds
}

// longest returns the keys of the distinct kernels that are worth to be mapped anew, and whether those are all.
func (r *Report) longest() (map[string]bool, bool) {
	seconds := r.taking()
	keys := slices.SortedFunc(maps.Keys(seconds), func(a, b string) int {
		return cmp.Or(cmp.Compare(seconds[b], seconds[a]), cmp.Compare(a, b))
	})
	out := make(map[string]bool)
	for _, key := range keys[:min(mostAnew, len(keys))] {
		out[key] = true
	}
	return out, len(keys) <= mostAnew
}

// anew maps the kernels that take most of the time onto another machine. The kernels are independent, so
// they run in parallel, and those that are alike once. Then it finds them places, if they are few.
func (r *Report) anew(m *machine.Machine) (float64, bool) {
	worth, all := r.longest()
	sameGrid := m.Programmed() && m.Grid.Cols == r.Machine.Grid.Cols
	choices := make([]*mapper.Choice, len(r.Kernels))
	type mapped struct {
		work  string
		stage *Stage
	}
	first := make(map[mapped]int)
	same := make([]int, len(r.Kernels))
	var wait sync.WaitGroup
	for i := range r.Kernels {
		k := &r.Kernels[i]
		same[i] = i
		if k.Problem != "" || k.Once {
			continue
		}
		on := k.part(m)
		if on == nil {
			return 0, false
		}
		key := mapped{k.Work.Key(), k.Stage}
		if j, ok := first[key]; ok {
			same[i] = j
			continue
		}
		first[key] = i
		wait.Add(1)
		go func() {
			defer wait.Done()
			if sameGrid && !worth[k.Work.Key()] {
				if t, err := timing.Estimate(on, k.Work, k.Mapping); err == nil {
					choices[i] = &mapper.Choice{Mapping: k.Mapping, Timing: t}
					return
				}
			}
			if c, err := mapper.Map(on, k.Work); err == nil {
				choices[i] = c
			}
		}()
	}
	wait.Wait()
	other := Report{Machine: m, Written: r.Written, Kernels: slices.Clone(r.Kernels), Pipeline: r.Pipeline}
	for i := range other.Kernels {
		k := &other.Kernels[i]
		if k.Problem != "" || k.Once {
			continue
		}
		c := choices[same[i]]
		if c == nil {
			return 0, false
		}
		k.Mapping, k.Timing, k.Resident = c.Mapping, c.Timing, nil
	}
	if all {
		other.Place()
	}
	return other.Total().Seconds, true
}

func (r *Report) whatIfs(b *strings.Builder) {
	list := r.WhatIfs()
	if len(list) == 0 {
		return
	}
	title := "what if, mapped and timed anew"
	if _, all := r.longest(); !all {
		title = fmt.Sprintf("what if, all timed anew, the %d kernels that take longest mapped anew", mostAnew)
	}
	fmt.Fprintf(b, "\n%s\n", title)
	for _, w := range list {
		fmt.Fprintf(b, "  %-28s%-9s %.2fx\n", w.Change, Duration(w.Seconds), w.Speedup)
	}
}
