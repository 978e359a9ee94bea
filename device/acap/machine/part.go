package machine

import (
	"fmt"
	"slices"
	"strings"
)

// Part is something that costs time where data move. A machine has it until [Machine.Without] leaves it out.
type Part uint8

// The parts.
const (
	Refresh    Part = iota // the memory outside rests while it is refreshed
	Pages                  // short runs, pages opened for them, rows that fall on the same banks or channels
	Contention             // interface tiles share the memory outside, and what refreshes take of it
	Hops                   // switches between tiles pass data on after some cycles
	Routes                 // streams that pass one switch share its ports
	Banks                  // a core waits for a bank of its memory that a channel uses
	parts
)

// PartNames lists the names of all parts.
func PartNames() []string { return partNames[:] }

// Parts lists all parts.
func Parts() []Part {
	list := make([]Part, parts)
	for i := range list {
		list[i] = Part(i)
	}
	return list
}

var partNames = [...]string{"refresh", "pages", "contention", "hops", "routes", "banks"}

// String returns the name that [ParsePart] reads.
func (p Part) String() string {
	if p >= parts {
		return fmt.Sprintf("Part(%d)", uint8(p))
	}
	return partNames[p]
}

// MarshalText returns the name, which is also the form in JSON. The error is always nil.
func (p Part) MarshalText() ([]byte, error) { return []byte(p.String()), nil }

// ParsePart returns the part of a name. Another name is an error.
func ParsePart(name string) (Part, error) {
	if i := slices.Index(partNames[:], name); i >= 0 {
		return Part(i), nil
	}
	return 0, fmt.Errorf("machine: no part %q, want %s", name, strings.Join(partNames[:], ", "))
}

// Without returns the machine with some parts left out, which take no time then. The rates of the memory
// outside were measured with all of them: without refresh they are as much higher as it took. So were kernels of
// cores, which are as much faster without what they waited for banks.
func (m *Machine) Without(leave ...Part) *Machine {
	n := *m
	d := &n.DDR
	if slices.Contains(leave, Refresh) || slices.Contains(leave, Contention) {
		share := d.Chips.refreshed()
		for _, c := range []*Constant{&d.Read, &d.Write, &d.Total} {
			c.Value /= share
		}
		d.Chips.Refresh.Value = 0
	}
	if slices.Contains(leave, Pages) {
		d.Burst, d.Pitch = nil, nil
		d.Chips.Cycle.Value, d.Chips.Four.Value, d.Chips.Burst.Value = 0, 0, 1
		d.Chips.Interleave.Value = 0
	}
	if slices.Contains(leave, Contention) {
		all := float64(float64(max(1, len(m.Grid.ShimDMA))) * d.PerShim.Value)
		d.Read.Value, d.Write.Value, d.Total.Value = max(all, d.Read.Value), max(all, d.Write.Value), max(2*all, d.Total.Value)
	}
	if slices.Contains(leave, Hops) {
		n.Stream.Hop.Value = 0
	}
	if slices.Contains(leave, Routes) {
		n.Core.Switch, n.Mem.Switch, n.Shim.Switch = Switch{}, Switch{}, Switch{}
	}
	if slices.Contains(leave, Banks) {
		n.Compute.FreeBanks = true
	}
	return &n
}
