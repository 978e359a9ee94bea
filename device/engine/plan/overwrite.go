package plan

import (
	"slices"
)

// overwritable finds for each result the input in whose memory it may lie: nothing reads the input after the kernel that
// writes the result first, and this one reads every element before it writes there. It is -1 where there is none.
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

// Overwrites returns for each result the input whose memory it may have, or -1; nil if no result may have any. Of
// an input that is overwritten, the elements that the result has in common with it cost nothing.
func (p *Plan) Overwrites() []int { return p.overInputs }

func (p *Plan) overwritableBy(result int) int {
	is := func(n int, kind SlotKind, index int) bool {
		return p.Slots[n].Kind == kind && p.Slots[n].Index == index
	}
	for i, s := range p.Steps {
		out := slices.IndexFunc(s.Slots, func(n int) bool { return is(n, Result, result) })
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
			used := func(s *Step) bool {
				return slices.ContainsFunc(s.Slots, func(n int) bool { return is(n, Argument, index) })
			}
			if !slices.ContainsFunc(p.Steps[i+1:], used) && !slices.ContainsFunc(p.Steps, func(s *Step) bool { return s.Fixed && used(s) }) {
				return index
			}
		}
		return -1
	}
	return -1
}
