package calibrate

import (
	"fmt"
	"math"
	"path"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
)

// Constant is a number of a machine that may move between bounds.
type Constant struct {
	Names     []string         `json:"names"` // paths in the machine's JSON; several move together
	Unit      string           `json:"unit,omitempty"`
	Evidence  machine.Evidence `json:"evidence"`
	Before    float64          `json:"before"`
	After     float64          `json:"after"`
	Low, High float64
	// Rows is the number of rows whose times move by at least a hundredth of the constant's relative move, and Lines
	// are the lines of the rows that move most.
	Rows  int   `json:"rows"`
	Lines []int `json:"lines,omitempty"`
	// Loose says why the constant remained as it was; empty if rows fix it.
	Loose string `json:"loose,omitempty"`
}

// Name is the first of its names, with the number of the others.
func (c *Constant) Name() string {
	if n := len(c.Names); n > 1 {
		return fmt.Sprintf("%s and %d more", c.Names[0], n-1)
	}
	return c.Names[0]
}

// reach is by what factor constants move at most, by their evidence.
var reach = map[machine.Evidence]float64{machine.Fitted: 2, machine.Assumed: 4, "": 4}

// fixed are parts of a machine that no time depends on, or that describe what is outside of the rows' reach.
var fixed = []string{"energy.*", "ddr.chips.*", "modes.*", "staging", "ddr.page", "compute.code", "compute.macs.*", "compute.lanes.*", "clock"}

// Constants lists the constants of a machine that may move: those that match one of some patterns, or all that are
// fitted or assumed if there are none. Patterns are paths, with * for any part of a name.
func Constants(m *machine.Machine, patterns ...string) []Constant {
	var out []Constant
	known := make(map[key]int)
	m.Constants(func(name string, c *machine.Constant) {
		if c.Value <= 0 || !chosen(name, c, patterns) {
			return
		}
		k := key{leaf(name), *c}
		if i, ok := known[k]; ok && strings.HasPrefix(name, "compute.") {
			out[i].Names = append(out[i].Names, name)
			return
		}
		factor := reach[c.Evidence]
		if c.Evidence == machine.Datasheet {
			factor = reach[machine.Fitted]
		}
		known[k] = len(out)
		high := c.Value * factor
		if share(name) {
			high = min(high, 1)
		}
		out = append(out, Constant{Names: []string{name}, Unit: c.Unit, Evidence: c.Evidence, Before: c.Value, After: c.Value,
			Low: c.Value / factor, High: high})
	})
	return joined(m, out)
}

// key identifies a number: constants with one key are the same number.
type key struct {
	leaf string
	machine.Constant
}

func leaf(name string) string { return name[strings.LastIndex(name, ".")+1:] }

// share reports whether a constant is a share of something.
func share(name string) bool {
	switch l := leaf(name); {
	case l == "efficiency", l == "share", strings.Contains(name, ".types."):
		return true
	case l == "read":
		return strings.Contains(name, "styles")
	}
	return false
}

// chosen reports whether a constant may move.
func chosen(name string, c *machine.Constant, patterns []string) bool {
	if len(patterns) == 0 {
		return c.Evidence != machine.Datasheet && !matches(name, fixed)
	}
	return matches(name, patterns)
}

func matches(name string, patterns []string) bool {
	for _, p := range patterns {
		if ok, _ := path.Match(p, name); ok || strings.HasSuffix(p, ".*") && strings.HasPrefix(name, strings.TrimSuffix(p, "*")) {
			return true
		}
	}
	return false
}

// joined lets the rates of the memory outside move together where they are the same, or one is the sum of the others.
func joined(m *machine.Machine, all []Constant) []Constant {
	d := &m.DDR
	same := d.Read.Value == d.Write.Value && d.Total.Value == d.Read.Value+d.Write.Value
	if !same {
		return all
	}
	var out []Constant
	read := -1
	for _, c := range all {
		switch c.Names[0] {
		case "ddr.write", "ddr.total":
			if read >= 0 {
				out[read].Names = append(out[read].Names, c.Names...)
				continue
			}
		case "ddr.read":
			read = len(out)
		}
		out = append(out, c)
	}
	return out
}

// with returns the machine with each constant multiplied by a factor.
func with(m *machine.Machine, constants []Constant, factors []float64) *machine.Machine {
	out := clone(m)
	at := make(map[string]float64)
	for i, c := range constants {
		for _, name := range c.Names {
			at[name] = factors[i]
		}
	}
	out.Constants(func(name string, c *machine.Constant) {
		if f, ok := at[name]; ok {
			c.Value *= f
		}
	})
	return out
}

// clone copies what the constants of a machine are in.
func clone(m *machine.Machine) *machine.Machine {
	out := *m
	c := &out.Compute
	copyMap(&c.MACs)
	copyMap(&c.Convert)
	copyMap(&c.Lanes)
	copyMap(&c.Routines)
	copyMap(&c.Styles)
	for name, s := range c.Styles {
		copyMap(&s.Types)
		c.Styles[name] = s
	}
	copyMap(&out.Host.Dispatch)
	copyMap(&out.Modes)
	copyMap(&out.Energy.MAC)
	out.DDR.Burst = append([]machine.Burst(nil), m.DDR.Burst...)
	out.DDR.Pitch = append([]machine.Pitch(nil), m.DDR.Pitch...)
	return &out
}

func copyMap[V any](m *map[string]V) {
	if *m == nil {
		return
	}
	out := make(map[string]V, len(*m))
	for k, v := range *m {
		out[k] = v
	}
	*m = out
}

// clamp returns the factor within the bounds of a constant.
func (c *Constant) clamp(factor float64) float64 {
	return math.Min(c.High/c.Before, math.Max(c.Low/c.Before, factor))
}
