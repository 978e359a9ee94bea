package plan

import (
	"slices"
)

// overwritable finds for each result the input in whose memory it may lie: no step reads an element of the input after
// a step has written another value there. It is -1 where there is none.
func (p *Plan) overwritable() []int {
	list := make([]int, len(p.Results))
	some := false
	taken := map[int]bool{}
	for r := range list {
		list[r] = -1
		if in := p.overwritableBy(r); in >= 0 && !taken[in] {
			list[r], taken[in], some = in, true, true
		}
	}
	if !some {
		return nil
	}
	return list
}

// Overwrites returns for each result the input whose memory the result may have, or -1; nil if no result may have any.
// Elements that the result has in common with an overwritten input cost nothing.
func (p *Plan) Overwrites() []int { return p.overInputs }

func (p *Plan) overwritableBy(result int) int {
	for i, s := range p.Steps {
		out := slices.IndexFunc(s.Slots, func(n int) bool { return p.is(n, Result, result) })
		if out < 0 {
			continue
		}
		if s.Kernel == nil || s.Fixed || count(s.Slots, s.Slots[out]) > 1 {
			return -1
		}
		for in, n := range s.Slots[:len(s.Kernel.Ports())] {
			index := p.Slots[n].Index
			if p.Slots[n].Kind != Argument || slices.Contains(p.Consts, index) || p.Args[index].Bytes != p.Results[result].Bytes ||
				count(s.Slots, n) > 1 || !mayOverwrite(s.Kernel, in, out) {
				continue
			}
			if p.readBefore(i, index, result) {
				return index
			}
		}
		return -1
	}
	return -1
}

// is reports whether slot n is the input or the result of a number.
func (p *Plan) is(n int, kind SlotKind, index int) bool {
	return p.Slots[n].Kind == kind && p.Slots[n].Index == index
}

// readBefore reports whether all steps behind the first one that writes a result read an input before it changes in the
// memory of both: a copy changes nothing there, and the step that changes a part first may read the part.
func (p *Plan) readBefore(first, input, result int) bool {
	changed := !p.Steps[first].Copies
	for i, s := range p.Steps {
		in := slices.IndexFunc(s.Slots, func(n int) bool { return p.is(n, Argument, input) })
		out := slices.IndexFunc(s.Slots, func(n int) bool { return p.is(n, Result, result) })
		switch {
		case in >= 0 && s.Fixed:
			return false
		case i <= first:
			continue
		case in >= 0 && (changed || out >= 0 && !s.updates(in, out)):
			return false
		}
		changed = changed || out >= 0
	}
	return true
}

// updates reports whether the step reads each element of the memory of port in before it writes the element as one of
// port out, and has no other port in either memory.
func (s *Step) updates(in, out int) bool {
	return s.Kernel != nil && count(s.Slots, s.Slots[in]) == 1 && count(s.Slots, s.Slots[out]) == 1 && mayOverwrite(s.Kernel, in, out)
}
