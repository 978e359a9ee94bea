package vector

import (
	"math/bits"
	"slices"
)

// transfer is a value that has to get into a register.
type transfer struct {
	of      Value // from its register, or from memory if it has none
	to      int
	file    File
	from    int // -1 for the scratch register
	reloads bool
	done    bool
}

// loop allocates a loop and its body.
func (a *allocator) loop(i *Instr) {
	for _, v := range i.Init { // which stay where they are
		if r := a.values[v].reg; r >= 0 {
			a.file(v).lock(int(r))
		}
	}
	end, counter := -1, -1
	if i.Times == 0 {
		end = a.fetch(i.Args[0])
	}
	reads := a.ranges[a.loops]
	a.loops++
	a.carry(i)
	if i.Times == 0 && !i.Rare {
		counter = a.take(&a.files[Words])
		a.own(i.Counter, counter)
	}
	a.unlock()
	a.prepare(i, a.reads[reads[0]:reads[1]])
	carried := int32(len(a.carried))
	for _, p := range i.Params {
		a.carried = append(a.carried, int8(a.values[p].reg))
	}
	begin := len(a.out.Steps)
	step := Step{Kind: Enter, Instr: i, Of: -1, Result: counter, source: from(end), carried: carried}
	if i.Times > 0 {
		step.Kind = Begin
	}
	a.emit(&step)
	a.release(i)
	if counter >= 0 {
		a.defines(i.Counter)
	}
	for _, p := range i.Params {
		a.defines(p)
	}
	first := len(a.live)
	for n := range a.files {
		f := &a.files[n]
		for owned := f.moveable(); owned != 0; owned &= owned - 1 {
			r := bits.TrailingZeros32(owned)
			a.live = append(a.live, liveValue{of: f.owner[r], reg: r})
		}
	}
	a.body(i, first, carried)
	if step.Kind = Repeat; i.Times > 0 {
		step.Kind = End
		a.copies(i, a.out.Steps[begin:])
	} else {
		a.free(i.Counter)
	}
	a.emit(&step)
	a.leave(i, a.live[first:])
	a.live = a.live[:first]
}

// carry brings what a loop begins with to the registers of its parameters. A value that ends gives its register.
func (a *allocator) carry(i *Instr) {
	moves := a.moves[:0]
	for n, v := range i.Init {
		p := i.Params[n]
		f := a.file(p)
		a.values[p].place = int32(n)
		if a.values[v].reg >= 0 && a.ends(v) && a.once(v) {
			r := int(a.values[v].reg)
			a.free(v)
			a.own(p, r)
			f.lock(r)
			continue
		}
		r := a.take(f)
		f.lock(r)
		a.own(p, r)
		moves = append(moves, transfer{of: v, to: r, file: a.values[p].file})
	}
	a.transfers(moves)
	for _, v := range i.Init {
		if a.ends(v) {
			a.free(v)
		}
	}
}

// prepare makes room for what a loop computes, and brings what the loop reads to registers that are left.
func (a *allocator) prepare(i *Instr, reads []Value) {
	need := 0
	if a.needsRoom(reads) {
		need = a.p.room().live(a.p, i.Body.Instrs)
	}
	a.makeRoom(need)
	a.bring(reads, need)
}

// leave gives the results of a loop the registers of its parameters, and frees what ends with the loop.
func (a *allocator) leave(i *Instr, live []liveValue) {
	for n, p := range i.Params {
		r := int(a.values[p].reg)
		a.free(p)
		a.defines(i.Results[n])
		if !a.ends(i.Results[n]) {
			a.own(i.Results[n], r)
		}
	}
	for _, v := range live {
		if a.ends(v.of) {
			a.free(v.of)
		}
	}
}

// needsRoom reports whether a constant is in a vector register, or what a loop reads is to get into one.
func (a *allocator) needsRoom(reads []Value) bool {
	for _, v := range reads {
		if s := &a.values[v]; s.reg < 0 && s.file == Vectors {
			return true
		}
	}
	f := &a.files[Vectors]
	for owned := f.moveable(); owned != 0; owned &= owned - 1 {
		if a.values[f.owner[bits.TrailingZeros32(owned)]].made > 0 {
			return true
		}
	}
	return false
}

// makeRoom takes constants out of vector registers, the least busy first, until need of them are free or hold no
// constant: a turn would have to bring back at its end what it pushes out.
func (a *allocator) makeRoom(need int) {
	f := &a.files[Vectors]
	for f.owned() > len(f.all)-need {
		least := Value(-1)
		for _, r := range f.all {
			if v := f.owner[r]; v >= 0 && a.values[v].made > 0 && (least < 0 || a.values[v].busy < a.values[least].busy) {
				least = v
			}
		}
		if least < 0 {
			return
		}
		a.free(least)
	}
}

// bring puts what a loop reads into registers that are free, the busiest first, and leaves need vector registers for
// what the loop computes. It changes the list.
func (a *allocator) bring(list []Value, need int) {
	list = slices.DeleteFunc(list, func(v Value) bool { return a.values[v].reg >= 0 })
	if len(list) == 0 {
		return
	}
	slices.SortStableFunc(list, func(v, w Value) int { return int(a.values[w].busy - a.values[v].busy) })
	for n := range a.files {
		f := &a.files[n]
		room := f.room
		if File(n) == Vectors {
			room = max(room, need)
		}
		left := len(f.all) - f.owned() - room
		for _, v := range list {
			if a.file(v) != f || left <= 0 {
				continue
			}
			left--
			r := a.take(f)
			a.reload(v, r)
			a.own(v, r)
		}
	}
}

// close brings values to where they were when the turn began, and what is yielded to the registers of parameters.
// A value that the loop does not read may have gone to memory, and stays there.
func (a *allocator) close(i *Instr, live []liveValue) {
	moves, params := a.moves[:0], i.Params
	for n := range live {
		v := &live[n]
		s, of := &a.values[v.of], v.of
		if k := int(s.place); k < len(params) && params[k] == v.of {
			of = i.Body.Yield[k]
		} else if a.next(v.of, a.at) != a.at {
			v.stays = int(s.reg) == v.reg
			continue
		}
		v.stays, v.read = true, of == v.of
		if int(a.values[of].reg) != v.reg {
			moves = append(moves, transfer{of: of, to: v.reg, file: s.file})
		}
	}
	a.transfers(moves)
	for n := range a.files {
		f := &a.files[n]
		for owned := f.moveable(); owned != 0; owned &= owned - 1 {
			r := bits.TrailingZeros32(owned)
			a.values[f.owner[r]].reg = -1
			f.drop(r)
		}
	}
	for _, v := range live {
		if v.stays {
			a.own(v.of, v.reg)
		}
	}
}

// transfers emits moves that happen at once. Scratch register -1 breaks cycles.
func (a *allocator) transfers(moves []transfer) {
	a.moves = moves             // whose memory is used again
	var readers [files][32]int8 // how many moves are left that read a register
	left := 0                   // of moves between registers
	for n := range moves {
		m := &moves[n]
		if m.from = int(a.values[m.of].reg); m.from < 0 {
			m.reloads = true
			continue
		}
		readers[m.file][m.from]++
		left++
	}
	for left > 0 {
		ready, first := -1, -1
		for n := range moves {
			m := &moves[n]
			if m.reloads || m.done {
				continue
			}
			if first < 0 {
				first = n
			}
			if others := readers[m.file][m.to]; others == 0 || others == 1 && m.from == m.to {
				ready = n
				break
			}
		}
		if ready < 0 { // all are in cycles
			m := moves[first]
			a.emit(&Step{Kind: Move, Of: m.of, Result: -1, source: from(m.from)})
			for n := range moves {
				if k := &moves[n]; !k.reloads && !k.done && k.file == m.file && k.from == m.from {
					k.from = -1
				}
			}
			readers[m.file][m.from] = 0
			continue
		}
		m := &moves[ready]
		if m.from != m.to {
			a.emit(&Step{Kind: Move, Of: m.of, Result: m.to, source: from(m.from)})
		}
		if m.from >= 0 {
			readers[m.file][m.from]--
		}
		m.done = true
		left--
	}
	for _, m := range moves {
		if m.reloads {
			a.reload(m.of, m.to)
		}
	}
}
