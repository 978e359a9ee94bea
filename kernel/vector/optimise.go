package vector

// Optimise moves what does not depend on a loop out of it, and drops what nothing needs.
func (p *Program) Optimise() {
	h := &hoisting{depth: make([]int, len(p.kinds))}
	p.Body.Instrs = h.block(p.Body, 0)
	p.prune()
}

// hoisting knows in how many loops each value is defined.
type hoisting struct {
	depth []int
	floor int        // where what is moved stays at least
	out   [][]*Instr // of each depth, what has moved there
}

// block returns the instructions that stay in a block at a depth.
func (h *hoisting) block(b *Block, depth int) []*Instr {
	h.out = append(h.out[:depth], nil)
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
		i.Body.Instrs = h.block(i.Body, depth+1)
		h.floor = floor
		h.out = h.out[:depth+1]
		h.out[depth] = append(h.out[depth], i)
		for _, v := range i.Results {
			h.depth[v] = depth
		}
	}
	return h.out[depth]
}

// prune drops instructions whose results nothing needs.
func (p *Program) prune() {
	used := make([]bool, len(p.kinds))
	keep(p.Body, used)
}

func keep(b *Block, used []bool) {
	for _, v := range b.Yield {
		used[v] = true
	}
	first := len(b.Instrs) // of those that stay, which move to the end
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
		first--
		b.Instrs[first] = i
	}
	b.Instrs = b.Instrs[first:]
}

// addresses reports whether the first operand is an address that may have an index.
func (o Op) addresses() bool {
	return o == Load || o == Store || o == Prefetch || o == WordLoad || o == WordStore || o == WordGrow
}

// Index has accesses add up their addresses, for processors that do. What else needs the sum leaves it as it is.
func (p *Program) Index() {
	sums := make([]*Instr, len(p.kinds))
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
	var room []Value // for operands
	p.Each(func(i *Instr) {
		if !i.Op.addresses() || i.Scale != 0 {
			return
		}
		if s := sums[i.Args[0]]; s != nil {
			if n := len(i.Args) + 1; cap(room)-len(room) < n {
				room = make([]Value, 0, 64)
			}
			first := len(room)
			room = append(append(append(room, s.Args[0]), i.Args[1:]...), s.Args[1])
			i.Args = room[first:len(room):len(room)]
			i.Scale = 1 << s.Imm
		}
	})
	p.prune()
}
