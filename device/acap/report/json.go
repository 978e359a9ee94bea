package report

import (
	"cmp"
	"encoding/json"
	"slices"

	"github.com/go-acap/acap/device/acap/machine"
)

// MarshalJSON writes everything that [Report.String] prints. Times are seconds,
// sizes bytes, shares fractions; the energy is an estimate. The error is one of package json.
func (r *Report) MarshalJSON() ([]byte, error) {
	r.Simulate()
	out := record{Machine: r.Name, Verdict: r.Verdict(), Total: r.Total(), Kernels: []kernelRecord{},
		Fallbacks: r.Fallbacks, PartCosts: r.PartCosts(), WhatIfs: r.WhatIfs(), Tiles: r.Heat().records(),
		Residency: r.residencyRecords(), Pipeline: r.Pipeline, Power: r.Power()}
	if s := r.Sparsity(); s.Skipped+s.Kept > 0 {
		out.Sparsity = &s
	}
	for i, adds := range r.Adds() {
		k := r.Kernels[i].record()
		k.LaunchSeconds, k.ArraySeconds = adds.Launch(), adds.Work()
		out.Kernels = append(out.Kernels, k)
	}
	return json.Marshal(out)
}

type record struct {
	Machine   string            `json:"machine"`
	Verdict   string            `json:"verdict"`
	Total     Total             `json:"total"`
	Kernels   []kernelRecord    `json:"kernels"`
	Fallbacks map[string]int    `json:"fallbacks,omitempty"`
	PartCosts []PartCost        `json:"part_costs,omitempty"`
	WhatIfs   []WhatIf          `json:"what_if,omitempty"`
	Tiles     []tileRecord      `json:"tiles,omitempty"`
	Residency []residencyRecord `json:"residency,omitempty"` // weights in mem tiles
	Sparsity  *Sparsity         `json:"sparsity,omitempty"`
	Pipeline  *Pipeline         `json:"pipeline,omitempty"`
	Power     []Power           `json:"power_estimate,omitempty"` // over the run
}

type kernelRecord struct {
	*Kernel
	LaunchSeconds float64                `json:"launch_seconds"`          // that it adds to a run for the start of its launch
	ArraySeconds  float64                `json:"array_seconds"`           // and for the array's work
	EventSeconds  float64                `json:"event_seconds,omitempty"` // by the event engine
	Used          map[string]usageRecord `json:"used,omitempty"`          // by kind of tile
	Fit           int                    `json:"mappings_fit,omitempty"`
	Pruned        int                    `json:"mappings_pruned,omitempty"`
	RunnersUp     []runnerRecord         `json:"runners_up,omitempty"`
	Rejected      []rejectionRecord      `json:"rejected,omitempty"`
}

// usageRecord is how much the fullest tile of a kind holds, and how much it can hold.
type usageRecord struct {
	Tiles         int `json:"tiles"`
	Memory        int `json:"memory"`
	MemoryOf      int `json:"memory_available"`
	Locks         int `json:"locks"`
	LocksOf       int `json:"locks_available"`
	Descriptors   int `json:"descriptors"`
	DescriptorsOf int `json:"descriptors_available"`
}

type runnerRecord struct {
	Mapping string  `json:"mapping"`
	Seconds float64 `json:"seconds"`
}

type rejectionRecord struct {
	Reason  string `json:"reason"`
	Count   int    `json:"count"`
	Example string `json:"example"`
	Detail  string `json:"detail"`
}

type tileRecord struct {
	machine.Coord
	Kind string  `json:"kind"`
	Busy float64 `json:"busy_share"`
}

func (k *Kernel) record() kernelRecord {
	out := kernelRecord{Kernel: k}
	if k.Problem != "" || k.Choice == nil {
		return out
	}
	if e, err := k.Event(); err == nil && e != nil {
		out.EventSeconds = e.Seconds
	}
	if p, err := k.Choice.Program(); err == nil {
		out.Used = make(map[string]usageRecord)
		for kind, u := range Used(p) {
			t := k.Choice.Machine.TileOf(kind)
			out.Used[kind.String()] = usageRecord{u.Tiles, u.Memory, t.Memory.Int(), u.Locks, t.Locks.Int(),
				u.Descriptors, t.Descriptors.Int()}
		}
	}
	out.Fit, out.Pruned = k.Choice.Legal, k.Choice.Pruned
	for _, c := range k.Choice.Runners {
		out.RunnersUp = append(out.RunnersUp, runnerRecord{c.Mapping.String(), c.Seconds})
	}
	for _, x := range k.Choice.Rejected {
		out.Rejected = append(out.Rejected, rejectionRecord{x.Reason, x.Count, x.Example.String(), x.Detail})
	}
	return out
}

// records lists the tiles that are used, by column and row.
func (h Heat) records() []tileRecord {
	var out []tileRecord
	for c, busy := range h.Share {
		out = append(out, tileRecord{c, h.Machine.KindAt(c).String(), busy})
	}
	slices.SortFunc(out, func(x, y tileRecord) int {
		return cmp.Or(cmp.Compare(x.Col, y.Col), cmp.Compare(x.Row, y.Row))
	})
	return out
}
