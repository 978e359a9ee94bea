package vector

import (
	"slices"
)

// transfer is a value that has to get into a register.
type transfer struct {
	of   Value // from its register, or from memory if it has none
	to   int
	vals *file
}

// loop allocates a loop and its body.
func (a *allocator) loop(i *Instr) {
	a.lock(i.Init)
	end := a.fetch(i.Args[0])
	var moves []transfer
	for n, v := range i.Init {
		p := i.Params[n]
		f := a.file(p)
		if a.values[v].reg >= 0 && a.next(v, a.at+1) >= never && count(i.Init, v) == 1 && v != i.Args[0] {
			r := a.values[v].reg
			a.free(v)
			a.own(p, r)
			f.lock(r)
			continue
		}
		r := a.take(f)
		f.lock(r)
		a.own(p, r)
		moves = append(moves, transfer{v, r, f})
	}
	a.transfers(moves)
	for _, v := range i.Init {
		if a.next(v, a.at+1) >= never {
			a.free(v)
		}
	}
	counter := a.take(&a.files[Words])
	a.own(i.Counter, counter)
	a.unlock()
	a.bring(i)
	params := make([]int, len(i.Params))
	for n, p := range i.Params {
		params[n] = a.values[p].reg
	}
	a.emit(Step{Kind: Enter, Instr: i, Of: -1, Result: counter, Source: a.one(end), Vector: params})
	live := make([]Value, 0, 48) // in registers when a turn begins, and needed in it
	for n := range a.files {
		f := &a.files[n]
		for _, r := range f.all {
			if v := f.owner[r]; v >= 0 {
				live = append(live, v)
			}
		}
	}
	head := make([]int, len(live))
	for n, v := range live {
		head[n] = a.values[v].reg
	}
	a.block(i.Body)
	a.at++
	a.close(i, live, head)
	a.emit(Step{Kind: Repeat, Instr: i, Of: -1, Result: counter, Source: a.one(end), Vector: params})
	a.free(i.Counter)
	for n, p := range i.Params {
		r := a.values[p].reg
		a.free(p)
		if a.next(i.Results[n], a.at+1) < never {
			a.own(i.Results[n], r)
		}
	}
	for _, v := range live {
		if a.next(v, a.at+1) >= never {
			a.free(v)
		}
	}
}

// bring puts what a loop reads into registers that are free, the busiest first.
func (a *allocator) bring(i *Instr) {
	list := slices.DeleteFunc(slices.Clone(a.reads[i]), func(v Value) bool { return a.values[v].reg >= 0 })
	slices.SortStableFunc(list, func(v, w Value) int { return len(a.values[w].uses) - len(a.values[v].uses) })
	for n := range a.files {
		f := &a.files[n]
		left := len(f.all) - f.owned() - f.room
		for _, v := range list {
			if a.file(v) != f || left <= 0 {
				continue
			}
			left--
			r := a.take(f)
			a.emit(a.reload(v, r))
			a.own(v, r)
		}
	}
}

// close brings values to where they were when the turn began, and what is yielded to the registers of parameters.
// What the loop does not read may have gone to memory, and stays there.
func (a *allocator) close(i *Instr, live []Value, head []int) {
	var moves []transfer
	stays := make([]bool, len(live))
	for n, v := range live {
		of := v
		if k := slices.Index(i.Params, v); k >= 0 {
			of = i.Body.Yield[k]
		} else if a.next(v, a.at) != a.at {
			stays[n] = a.values[v].reg == head[n]
			continue
		}
		stays[n] = true
		if a.values[of].reg != head[n] {
			moves = append(moves, transfer{of, head[n], a.file(v)})
		}
	}
	a.transfers(moves)
	for n := range a.files {
		f := &a.files[n]
		for _, v := range f.owner {
			if v >= 0 {
				a.values[v].reg = -1
			}
		}
		f.clear()
	}
	for n, v := range live {
		if stays[n] {
			a.own(v, head[n])
		}
	}
}

// transfers emits moves that happen at once. Scratch register -1 breaks cycles.
func (a *allocator) transfers(list []transfer) {
	var fetched []transfer
	for _, m := range list {
		if a.values[m.of].reg < 0 {
			fetched = append(fetched, m)
		}
	}
	moves := slices.DeleteFunc(slices.Clone(list), func(m transfer) bool { return a.values[m.of].reg < 0 })
	from := make([]int, len(moves))
	for n, m := range moves {
		from[n] = a.values[m.of].reg
	}
	for len(moves) > 0 {
		done := false
		for n, m := range moves {
			blocked := false
			for k, other := range moves {
				blocked = blocked || k != n && other.vals == m.vals && from[k] == m.to
			}
			if blocked {
				continue
			}
			if from[n] != m.to {
				a.emit(Step{Kind: Move, Of: m.of, Result: m.to, Source: a.one(from[n])})
			}
			moves, from = slices.Delete(moves, n, n+1), slices.Delete(from, n, n+1)
			done = true
			break
		}
		if !done { // all are in cycles
			a.emit(Step{Kind: Move, Of: moves[0].of, Result: -1, Source: a.one(from[0])})
			for k := range from {
				if k > 0 && moves[k].vals == moves[0].vals && from[k] == from[0] {
					from[k] = -1
				}
			}
			from[0] = -1
		}
	}
	for _, m := range fetched {
		a.emit(a.reload(m.of, m.to))
	}
}
