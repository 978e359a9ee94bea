package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// Usage is the largest use of memory, locks and the like in a tile of one kind.
type Usage struct {
	Tiles                      int
	Memory, Locks, Descriptors int // of the fullest tile, each for itself
}

// Used returns the use of the tiles of a lowered program, by kind.
func Used(p *program.Program) map[machine.TileKind]Usage {
	p.Lower()
	type tile struct{ memory, locks, descriptors int }
	tiles := make(map[program.Coord]*tile)
	at := func(c program.Coord) *tile {
		if tiles[c] == nil {
			tiles[c] = new(tile)
		}
		return tiles[c]
	}
	for i := range p.Buffers {
		b := &p.Buffers[i]
		at(b.Tile).memory += b.Object.Bytes()
	}
	for _, l := range p.Locks {
		at(l.Tile).locks++
	}
	for i := range p.DMAs {
		at(p.DMAs[i].Tile).descriptors += len(p.DMAs[i].Descriptors)
	}
	out := make(map[machine.TileKind]Usage)
	for c, t := range tiles {
		if r := p.Machine.TileAt(c); r != nil {
			t.memory += r.Stack.Int()
		}
		kind := p.Machine.KindAt(c)
		u := out[kind]
		u.Tiles++
		u.Memory, u.Locks = max(u.Memory, t.memory), max(u.Locks, t.locks)
		u.Descriptors = max(u.Descriptors, t.descriptors)
		out[kind] = u
	}
	return out
}

func (k *Kernel) resources() []string {
	if k.Problem != "" || k.Choice == nil {
		return nil
	}
	cells := []string{k.Name, fmt.Sprint(k.Timing.Cores)}
	p, err := k.Choice.Program()
	if err != nil {
		return append(cells, "-", "-", "-", "-", "-", "-", k.Layout)
	}
	used, m := Used(p), k.Choice.Machine
	add := func(kind machine.TileKind, t *machine.Tile) {
		u := used[kind]
		if u.Tiles == 0 {
			cells = append(cells, "-", "-", "-")
			return
		}
		cells = append(cells, fmt.Sprintf("%s/%s", plain(u.Memory), plain(t.Memory.Int())),
			fmt.Sprintf("%d/%d", u.Locks, t.Locks.Int()),
			fmt.Sprintf("%d/%d", u.Descriptors, t.Descriptors.Int()))
	}
	add(machine.CoreTile, &m.Core)
	add(machine.MemTile, &m.Mem)
	return append(cells, k.Layout)
}

// plain writes bytes in KiB.
func plain(n int) string {
	return strings.TrimSuffix(fmt.Sprintf("%.1f", float64(n)/1024), ".0") + "K"
}
