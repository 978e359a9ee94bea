package vector

import "math/bits"

// repeated is a body that stands in the code several times.
type repeated struct {
	of      *Instr
	loop    int
	live    [2]int // of the kept values, those when a turn begins
	carried int32
	taken   [files]uint32 // registers that the body changes
}

// repeat returns what is known of a body.
func (a *allocator) repeat(of *Instr) *repeated {
	n := len(a.repeats) - 1
	for a.repeats[n].of != of {
		n--
	}
	return &a.repeats[n]
}

// body allocates the body of a loop, and keeps what is to be known of one that stands in the code.
func (a *allocator) body(i *Instr, first int, carried int32) {
	var before [files]uint32
	for n := range a.files {
		before[n], a.files[n].taken = a.files[n].taken, 0
	}
	a.block(i.Body)
	a.at++
	live := a.live[first:]
	a.close(i, live)
	if i.Times > 0 {
		r, from := a.repeat(i), len(a.kept)
		a.kept = append(a.kept, live...)
		r.live, r.carried = [2]int{from, len(a.kept)}, carried
		for n := range a.files {
			r.taken[n] = a.files[n].taken
		}
	}
	for n := range a.files {
		a.files[n].taken |= before[n]
	}
}

// again allocates turns of a body that has its registers: what the body carries and reads goes where the first turn has
// found it, and what is in a register that the body changes goes to memory.
func (a *allocator) again(i *Instr) {
	r := a.repeat(i.Again)
	a.loops++
	live, params := a.kept[r.live[0]:r.live[1]], r.of.Params
	changed := r.taken
	moves := a.moves[:0]
	for _, v := range live {
		s := &a.values[v.of]
		of := v.of
		if k := int(s.place); k < len(params) && params[k] == v.of {
			of = i.Init[k]
		} else if !v.read {
			continue
		}
		changed[s.file] |= 1 << v.reg
		if int(a.values[of].reg) != v.reg {
			moves = append(moves, transfer{of: of, to: v.reg, file: s.file})
		}
	}
	a.transfers(moves)
	for _, v := range live {
		if v.read {
			a.free(v.of)
		}
	}
	for n := range a.files {
		f := &a.files[n]
		for owned := f.moveable() & changed[n]; owned != 0; owned &= owned - 1 {
			v := f.owner[bits.TrailingZeros32(owned)]
			if !a.ends(v) {
				a.remember(v)
			}
			a.free(v)
		}
	}
	a.emit(&Step{Kind: Again, Instr: i, Of: -1, carried: r.carried})
	a.at++
	for _, v := range i.Init {
		if a.ends(v) {
			a.free(v)
		}
	}
	for _, v := range live {
		if v.read && !a.ends(v.of) {
			a.own(v.of, v.reg)
		}
	}
	for n, v := range i.Results {
		a.defines(v)
		if !a.ends(v) {
			a.own(v, int(a.carried[int(r.carried)+n]))
		}
	}
}
