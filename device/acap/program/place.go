package program

import (
	"slices"
	"strconv"

	"github.com/go-acap/acap/device/acap/machine"
)

func indexed(name, infix string, i int) string { return name + infix + strconv.Itoa(i) }

var aligned = machine.Aligned

// place gives every buffer an address: see [machine.Tile.Place].
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
		ids, t := byTile[c], p.Machine.TileAt(c)
		switch {
		case t == nil: // Verify names it
		case slices.ContainsFunc(ids, func(id int) bool { return p.Buffers[id].Fixed }):
			p.placeBeside(t, ids)
		default:
			p.put(t, ids, t.Place(p.sizes(ids)))
		}
	}
}

// sizes returns the bytes of buffers.
func (p *Program) sizes(ids []int) (sizes []int) {
	for _, id := range ids {
		sizes = append(sizes, p.Buffers[id].Object.Bytes())
	}
	return sizes
}

// put notes addresses and banks of buffers.
func (p *Program) put(t *machine.Tile, ids, at []int) {
	for i, id := range ids {
		p.Buffers[id].Address, p.Buffers[id].Bank = at[i], at[i]/t.BankSize()
	}
}

// placeBeside packs buffers into the largest gap between the buffers at given addresses.
func (p *Program) placeBeside(t *machine.Tile, ids []int) {
	fixed := func(id int) bool { return p.Buffers[id].Fixed }
	var retained, others []int
	for _, id := range ids {
		if fixed(id) {
			retained = append(retained, id)
		} else {
			others = append(others, id)
		}
	}
	slices.SortFunc(retained, func(a, b int) int { return p.Buffers[a].Address - p.Buffers[b].Address })
	at, end, space := 0, t.Stack.Int(), 0
	for i := range len(retained) + 1 {
		next := t.Memory.Int()
		if i < len(retained) {
			next = p.Buffers[retained[i]].Address
		}
		if next-end > space {
			at, space = end, next-end
		}
		if i < len(retained) {
			b := &p.Buffers[retained[i]]
			b.Bank = b.Address / t.BankSize()
			end = aligned(b.Address + b.Object.Bytes())
		}
	}
	p.put(t, others, t.Pack(p.sizes(others), at))
}
