package vector

import "slices"

// Optimise moves what does not depend on a loop out of it, and drops what nothing needs.
func (p *Program) Optimise() {
	m := p.room()
	m.depth = longer(m.depth, len(p.kinds))
	h := &hoisting{memory: m, depth: m.depth, out: m.outside[:0]}
	h.block(p.Body, 0)
	m.outside = h.out[:0]
	p.prune()
}

// hoisting knows in how many loops each value is defined.
type hoisting struct {
	*memory
	depth []int32
	floor int32      // where what is moved stays at least
	out   [][]*Instr // of each depth, what has moved there
}

// block takes the instructions of a block at a depth that do not stay there out of it.
func (h *hoisting) block(b *Block, depth int32) {
	h.out = append(h.out[:depth], h.list())
	for _, i := range b.Instrs {
		if i.Op != Loop {
			at := depth
			if ops[i.Op].pure || i.Still {
				at = h.floor
				for _, a := range i.Args {
					at = max(at, h.depth[a])
				}
			}
			if i.Def >= 0 {
				h.depth[i.Def] = at
			}
			h.out[at] = append(h.out[at], i)
			continue
		}
		h.depth[i.Counter] = depth + 1
		for _, v := range i.Params {
			h.depth[v] = depth + 1
		}
		floor := h.floor
		if i.Rare {
			h.floor = depth + 1
		}
		h.block(i.Body, depth+1)
		h.floor = floor
		h.out[depth] = append(h.out[depth], i)
		for _, v := range i.Results {
			h.depth[v] = depth
		}
	}
	h.giveList(b.Instrs)
	b.Instrs = h.out[depth]
}

// prune drops instructions whose results nothing needs.
func (p *Program) prune() {
	m := p.room()
	m.used = longer(m.used, len(p.kinds))
	clear(m.used)
	keep(p.Body, m.used)
}

func keep(b *Block, used []bool) {
	for _, v := range b.Yield {
		used[v] = true
	}
	for n := len(b.Instrs) - 1; n >= 0; n-- {
		i := b.Instrs[n]
		if i.Op == Loop {
			keep(i.Body, used)
			for _, v := range i.Init {
				used[v] = true
			}
		} else if i.Def >= 0 && !used[i.Def] {
			continue
		}
		for _, v := range i.Args {
			used[v] = true
		}
	}
	b.Instrs = slices.DeleteFunc(b.Instrs, func(i *Instr) bool { return i.Def >= 0 && !used[i.Def] })
}

// addresses reports whether the first operand is an address that may have an index.
func (o Op) addresses() bool {
	return o == Load || o == Store || o == Prefetch || o == PrefetchNear || o == WordLoad || o == WordStore || o == WordGrow
}

// Index has accesses add up their addresses, for processors that do. What else needs the sum leaves it as it is.
func (p *Program) Index() {
	m := p.room()
	m.sums = longer(m.sums, len(p.kinds))
	sums := m.sums
	clear(sums)
	p.Each(func(i *Instr) {
		if i.Op == WordIndex {
			sums[i.Def] = i
		}
		for n, v := range i.Args {
			if n > 0 || !i.Op.addresses() || i.Scale != 0 {
				sums[v] = nil
			}
		}
		if i.Op == Loop {
			for _, v := range i.Init {
				sums[v] = nil
			}
			for _, v := range i.Body.Yield {
				sums[v] = nil
			}
		}
	})
	p.Each(func(i *Instr) {
		if !i.Op.addresses() || i.Scale != 0 {
			return
		}
		if s := sums[i.Args[0]]; s != nil {
			list := m.values.list(len(i.Args) + 1)
			list[0], list[len(i.Args)] = s.Args[0], s.Args[1]
			copy(list[1:], i.Args[1:])
			i.Args, i.Scale = list, 1<<s.Imm
		}
	})
	p.prune()
}
