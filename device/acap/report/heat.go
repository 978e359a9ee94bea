package report

import (
	"fmt"
	"strings"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// Heat is the busy share of every tile while the array works: of cores, the time
// in kernel calls; of mem tiles and interface tiles, the time of their busiest channel.
type Heat struct {
	Machine *machine.Machine
	Share   map[program.Coord]float64
}

// Heat adds up the simulated kernels; the launches of the host do not count.
func (r *Report) Heat() Heat {
	r.Simulate()
	h := Heat{Machine: r.Machine, Share: make(map[program.Coord]float64)}
	active := 0.0
	type channel struct {
		tile    program.Coord
		dir     program.Direction
		channel int
	}
	busy := make(map[channel]float64)
	for i := range r.Kernels {
		k := &r.Kernels[i]
		e, err := k.Event()
		if err != nil || e == nil {
			continue
		}
		n := float64(k.Runs())
		if k.Stage == nil {
			active += float64(n * (e.Cycles - float64((e.Launch+e.Restart)*r.Machine.Clock.Value)))
		}
		for _, c := range e.Cores {
			h.Share[k.place(c.Tile)] += float64(n * c.Busy)
		}
		for _, c := range e.Channels {
			busy[channel{k.place(c.Tile), c.Dir, c.Channel}] += float64(n * c.Busy)
		}
	}
	if p := r.stages(); p != nil {
		c := p.Cost(r.Machine)
		active = (c.Seconds() - c.Host()) * r.Machine.Clock.Value
	}
	for c, v := range busy {
		if r.Machine.KindAt(c.tile) != machine.CoreTile {
			h.Share[c.tile] = max(h.Share[c.tile], v)
		}
	}
	for c := range h.Share {
		h.Share[c] = min(1, h.Share[c]/max(active, 1))
	}
	return h
}

// heat prints the map with text: percent where there is space, tenths otherwise.
func (r *Report) heat(b *strings.Builder) {
	h := r.Heat()
	if len(h.Share) == 0 {
		return
	}
	unit := "percent"
	if h.Machine.Grid.Cols > exact {
		unit = "tenths"
	}
	fmt.Fprintf(b, "\nbusy share of the tiles while the array works, %s, top row first; a point is not used\n", unit)
	b.WriteString(h.String())
}

// exact is the columns whose shares are printed as percent.
const exact = 16

// String draws the array, the top row first: percent, or tenths of wide arrays.
func (h Heat) String() string {
	var b strings.Builder
	g := &h.Machine.Grid
	for row := g.Rows() - 1; row >= 0; row-- {
		kind := h.Machine.KindAt(program.Coord{Row: row})
		fmt.Fprintf(&b, "  %-9s", kind)
		for col := range g.Cols {
			v, used := h.Share[program.Coord{Col: col, Row: row}]
			switch {
			case g.Cols <= exact && used:
				fmt.Fprintf(&b, " %3.0f", 100*v)
			case g.Cols <= exact:
				b.WriteString("   .")
			case used:
				b.WriteByte("0123456789"[min(9, int(10*v))])
			default:
				b.WriteByte('.')
			}
		}
		b.WriteByte('\n')
	}
	return b.String()
}
