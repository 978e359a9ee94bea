package program

import (
	"slices"
	"strconv"
)

func indexed(name, infix string, i int) string { return name + infix + strconv.Itoa(i) }

// alignment of buffers in bytes: a vector load.
const alignment = 32

// place gives every buffer an address. Buffers of a tile go to its banks in
// turn, the largest first, so that the two halves of a double buffer lie in
// different banks; if that leaves one without room, all are packed.
func (p *Program) place() {
	byTile := make(map[Coord][]int)
	var order []Coord
	for i, b := range p.Buffers {
		if byTile[b.Tile] == nil {
			order = append(order, b.Tile)
		}
		byTile[b.Tile] = append(byTile[b.Tile], i)
	}
	for _, c := range order {
		ids := byTile[c]
		if slices.ContainsFunc(ids, func(id int) bool { return p.Buffers[id].Fixed }) {
			p.placeBeside(c, ids)
			continue
		}
		slices.SortStableFunc(ids, func(a, b int) int {
			return p.Buffers[b].Object.Bytes() - p.Buffers[a].Object.Bytes()
		})
		t := p.Machine.TileAt(c)
		if t == nil {
			continue // Verify names it
		}
		size, banks, stack := t.Memory.Int(), max(1, t.Banks.Int()), t.Stack.Int()
		if !p.placeBanks(ids, size/banks, banks, stack) {
			p.placePacked(ids, size/banks, stack)
		}
	}
}

// placeBanks fills the emptiest bank that has room; a buffer never crosses into
// the next bank.
func (p *Program) placeBanks(ids []int, bank, banks, stack int) bool {
	used := make([]int, banks)
	used[0] = aligned(stack)
	for _, id := range ids {
		b := &p.Buffers[id]
		best := -1
		for i := range used {
			if used[i]+b.Object.Bytes() <= bank && (best < 0 || used[i] < used[best]) {
				best = i
			}
		}
		if best < 0 {
			return false
		}
		b.Bank, b.Address = best, best*bank+used[best]
		used[best] = aligned(used[best] + b.Object.Bytes())
	}
	return true
}

// placeBeside packs buffers into the largest gap beside those of given addresses.
func (p *Program) placeBeside(c Coord, ids []int) {
	t := p.Machine.TileAt(c)
	if t == nil {
		return
	}
	fixed := func(id int) bool { return p.Buffers[id].Fixed }
	var shelves, others []int
	for _, id := range ids {
		if fixed(id) {
			shelves = append(shelves, id)
		} else {
			others = append(others, id)
		}
	}
	slices.SortFunc(shelves, func(a, b int) int { return p.Buffers[a].Address - p.Buffers[b].Address })
	at, end, room := 0, t.Stack.Int(), 0
	for i := range len(shelves) + 1 {
		next := t.Memory.Int()
		if i < len(shelves) {
			next = p.Buffers[shelves[i]].Address
		}
		if next-end > room {
			at, room = end, next-end
		}
		if i < len(shelves) {
			b := &p.Buffers[shelves[i]]
			b.Bank = b.Address / max(1, t.Memory.Int()/max(1, t.Banks.Int()))
			end = aligned(b.Address + b.Object.Bytes())
		}
	}
	p.placePacked(others, t.Memory.Int()/max(1, t.Banks.Int()), at)
}

func (p *Program) placePacked(ids []int, bank, from int) {
	at := aligned(from)
	for _, id := range ids {
		b := &p.Buffers[id]
		b.Address, b.Bank = at, at/max(1, bank)
		at = aligned(at + b.Object.Bytes())
	}
}

func aligned(n int) int { return (n + alignment - 1) / alignment * alignment }
