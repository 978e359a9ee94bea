package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// Power is the watts of a stretch of a run, an estimate: of a kernel on the array, or between kernels.
type Power struct {
	Start   float64 `json:"start_seconds"`
	Length  float64 `json:"length_seconds"`
	Watts   float64 `json:"watts"`       // with the memory outside
	Array   float64 `json:"array_watts"` // without it
	Kernels []int   `json:"kernels"`     // at work: numbers in [Report.Kernels]
}

// Power returns the watts over a run, stretch by stretch. A kernel takes its energy evenly while the array works on it;
// before, between and after kernels the array is at rest. The stages of a pipeline take theirs at once.
func (r *Report) Power() []Power {
	if r.Machine == nil {
		return nil
	}
	type edge struct {
		at     float64
		kernel int
		begins bool
	}
	_, _, begin := r.starts()
	shifts := r.shifts()
	var edges []edge
	for i := range r.Kernels {
		if k := &r.Kernels[i]; k.Problem == "" && !k.Once {
			for _, later := range shifts[k] {
				edges = append(edges, edge{begin[i] + later, i, true}, edge{begin[i] + later + k.Array(), i, false})
			}
		}
	}
	slices.SortStableFunc(edges, func(a, b edge) int { return cmp.Compare(a.at, b.at) })
	edges = append(edges, edge{at: max(r.Total().Seconds, 0)})
	var out []Power
	at := []int{}
	rest, now := r.Machine.Energy.Static.Value, 0.0
	for _, e := range edges {
		if e.at > now {
			p := Power{Start: now, Length: e.at - now, Watts: rest, Array: rest, Kernels: slices.Clone(at)}
			for _, i := range at {
				k := &r.Kernels[i]
				kept := float64(rest * k.Timing.Seconds)
				p.Array += (k.Timing.Energy.Array() - kept) / k.Array()
				p.Watts += (k.Timing.Joules - kept) / k.Array()
			}
			out, now = append(out, p), e.at
		}
		if e.begins {
			at = append(at, e.kernel)
		} else if i := slices.Index(at, e.kernel); i >= 0 {
			at = slices.Delete(at, i, i+1)
		}
	}
	return out
}

// energyLine says what takes the energy, and at how many watts.
func (r *Report) energyLine() string {
	t := r.Total()
	if t.Seconds == 0 || t.Joules == 0 {
		return ""
	}
	most := 0.0
	for _, p := range r.Power() {
		most = max(most, p.Watts)
	}
	e := &t.Energy
	var parts []string
	for _, p := range []struct {
		name   string
		joules float64
	}{{"compute", e.Compute}, {"memories of tiles", e.Memories}, {"network", e.Network}, {"memory outside", e.Outside},
		{"array at rest", e.Rest}} {
		parts = append(parts, fmt.Sprintf("%s in %s", percent(p.joules/t.Joules), p.name))
	}
	return fmt.Sprintf("energy: about %s = %s; on average %.2g W, of which the array takes %.2g W; at most %.2g W (estimate)\n",
		Energy(t.Joules), strings.Join(parts, ", "), t.Joules/t.Seconds, e.Array()/t.Seconds, most)
}

// powerTrack is the watts over a run as a track.
func (r *Report) powerTrack() *Track {
	t := &Track{Group: r.groupNames()[groupPower], Name: "watts", group: groupPower}
	last := 0 // at rest the array waits for the next kernel, or has ended the last
	power := r.Power()
	for i := len(power) - 1; i >= 0; i-- {
		p := &power[i]
		if len(p.Kernels) > 0 {
			last = p.Kernels[0]
		} else if i > 0 && i == len(power)-1 && len(power[i-1].Kernels) > 0 {
			last = power[i-1].Kernels[0]
		}
		t.add(Slice{Name: fmt.Sprintf("%.3g W", p.Watts), Start: p.Start, Length: p.Length, Kernel: last,
			Args: map[string]any{"watts": p.Watts, "array_watts": p.Array}})
	}
	slices.Reverse(t.Slices)
	return t
}
