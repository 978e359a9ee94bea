package vector

import "math"

// Optimise moves what does not depend on a loop out of it, and drops what nothing needs.
func (p *Program) Optimise() {
	p.hoist()
	p.prune()
}

// hoist moves what does not depend on a loop out of it.
func (p *Program) hoist() {
	m := p.room()
	m.depth = longer(m.depth, len(p.kinds))
	for _, v := range p.variables {
		m.depth[v] = math.MaxInt32
	}
	h := &hoisting{memory: m, depth: m.depth, variable: p.Variable, out: m.outside[:0]}
	h.block(p.Body, 0)
	m.outside = h.out[:0]
}

// hoisting knows in how many loops each value is defined.
type hoisting struct {
	*memory
	depth    []int32
	variable func(Value) bool
	floor    int32      // where what is moved stays at least
	out      [][]*Instr // of each depth, what has moved there
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
			at = min(at, depth) // what reads a variable stays
			switch {
			case i.Def < 0:
			case h.variable(i.Def):
				at = depth
			default:
				h.depth[i.Def] = at
			}
			h.out[at] = append(h.out[at], i)
			continue
		}
		if i.Counter >= 0 {
			h.depth[i.Counter] = depth + 1
		}
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
	for _, v := range p.variables {
		m.used[v] = true
	}
	keep(p.Body, m.used)
}

// keep keeps the instructions of a block whose results something behind them needs.
func keep(b *Block, used []bool) {
	for _, v := range b.Yield {
		used[v] = true
	}
	first := len(b.Instrs)
	for n := first - 1; n >= 0; n-- {
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
		first--
		b.Instrs[first] = i
	}
	if first > 0 {
		b.Instrs = b.Instrs[:copy(b.Instrs, b.Instrs[first:])]
	}
}

// addresses reports whether the first operand is an address that may have an index.
func (o Op) addresses() bool {
	return o == Load || o == Store || o == StoreStream || o == Prefetch || o == PrefetchNear || o == PrefetchWrite || o == WordLoad || o == WordStore || o == WordGrow
}

// displaces reports whether the first operand is an address to which the immediate number is added.
func (o Op) displaces() bool { return o.addresses() || o == LoadSplat }

// takes reports whether an access can have a sum as its address. Only processors whose accesses add addresses up have sums
// of two of them.
func (i *Instr) takes(s *Instr) bool {
	if s.Op == WordIndex {
		return i.Op.addresses() && i.Scale == 0
	}
	to := i.Imm + s.Imm
	return (i.Op.displaces() || i.Op == LoadStrided) && int64(int32(to)) == to
}

// Index moves sums of addresses into the accesses, for processors whose accesses add addresses up. A sum remains if
// anything besides addresses uses the sum.
func (p *Program) Index() {
	m := p.room()
	m.sums, m.left = longer(m.sums, len(p.kinds)), 0
	clear(m.sums)
	if m.findSums(p.Body); m.left > 0 {
		m.index(p.Body)
	}
}

// findSums notes the sums of a block that only addresses need.
func (m *memory) findSums(b *Block) {
	sums := m.sums
	for _, i := range b.Instrs {
		args := i.Args
		if len(args) > 0 && sums[args[0]] != nil && i.takes(sums[args[0]]) {
			args = args[1:]
		}
		m.forget(args)
		switch i.Op {
		case WordIndex, WordAddImm:
			sums[i.Def] = i
			m.left++
		case Loop:
			m.forget(i.Init)
			m.findSums(i.Body)
			m.forget(i.Body.Yield)
		}
	}
}

func (m *memory) forget(list []Value) {
	for _, v := range list {
		if m.sums[v] != nil {
			m.sums[v] = nil
			m.left--
		}
	}
}

// index moves sums into the accesses of a block.
func (m *memory) index(b *Block) {
	left := b.Instrs[:0]
	for _, i := range b.Instrs {
		if i.Def >= 0 && m.sums[i.Def] == i {
			continue
		}
		if i.Op == Loop {
			m.index(i.Body)
		} else if len(i.Args) > 0 && m.sums[i.Args[0]] != nil {
			m.move(m.sums[i.Args[0]], i)
		}
		left = append(left, i)
	}
	b.Instrs = left
}

// move moves a sum into an access.
func (m *memory) move(s, i *Instr) {
	list := m.values.list(len(i.Args) + len(s.Args) - 1)
	copy(list, s.Args[:1])
	copy(list[1:], i.Args[1:])
	if s.Op == WordIndex {
		list[len(i.Args)], i.Scale = s.Args[1], 1<<s.Imm
	} else {
		i.Imm += s.Imm
	}
	i.Args = list
}
