package fault

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/go-acap/acap/cmd/acap/commandline"
	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

// Faults is what the -fault flags say: tiles that are declared dead, and faults
// that the mapper does not know of.
type Faults struct {
	Declared []machine.Coord
	Injected []event.Fault
	Flips    bool
}

// Parse reads the values of -fault.
func Parse(list []string) (*Faults, error) {
	b := new(Faults)
	for _, text := range list {
		if err := b.parse(text); err != nil {
			return nil, commandline.Errorf("-fault %s: %w", text, err)
		}
	}
	return b, nil
}

func (b *Faults) parse(text string) error {
	kind, rest, _ := strings.Cut(text, ":")
	words := strings.Split(rest, ",")
	need, ok := map[string]int{"dead": 2, "declared": 2, "slow": 2, "drop": 5, "stall": 5, "flip": 3}[kind]
	if !ok {
		return fmt.Errorf("no fault %q; there are dead, declared, slow, drop, stall and flip", kind)
	}
	if len(words) != need {
		return fmt.Errorf("want %d values", need)
	}
	var v [5]float64
	f := event.Fault{}
	for i, w := range words {
		if i == 2 && (kind == "drop" || kind == "stall") {
			switch w {
			case "in":
				f.Dir = program.S2MM
			case "out":
				f.Dir = program.MM2S
			default:
				return fmt.Errorf("%q is no direction; there are in and out", w)
			}
			continue
		}
		n, err := strconv.ParseFloat(w, 64)
		if err != nil || !(n >= 0 && n < 1e12) {
			return fmt.Errorf("%q is no number from 0 to 1e12", w)
		}
		if n != math.Trunc(n) && !(kind == "slow" && i == 1) {
			return fmt.Errorf("%q is no whole number", w)
		}
		v[i] = n
	}
	f.Tile = program.Coord{Col: int(v[0]), Row: int(v[1])}
	f.Channel = int(v[3])
	switch kind {
	case "declared":
		b.Declared = append(b.Declared, f.Tile)
		return nil
	case "dead":
		f.Kind = event.DeadTile
	case "slow":
		if v[1] < 1 {
			return fmt.Errorf("a slow column takes %s times as long; want 1 or more", words[1])
		}
		f.Kind, f.Tile.Row, f.Factor = event.SlowColumn, 0, v[1]
	case "drop":
		f.Kind, f.After = event.DropDMA, int64(v[4])
	case "stall":
		f.Kind, f.Cycles = event.StallDMA, v[4]
	case "flip":
		f.Kind, f.Bit = event.FlipBit, int64(v[2])
		b.Flips = true
	}
	b.Injected = append(b.Injected, f)
	return nil
}

// Check refuses faults of tiles and channels that the machine does not have.
func (b *Faults) Check(m *machine.Machine) error {
	for _, f := range b.Injected {
		kind := m.KindAt(f.Tile)
		if kind == machine.NoTile {
			return commandline.Errorf("-fault: %s has no tile (%d, %d): it has %d columns and %d rows", m.Name,
				f.Tile.Col, f.Tile.Row, m.Grid.Cols, m.Grid.Rows())
		}
		if f.Kind != event.DropDMA && f.Kind != event.StallDMA {
			continue
		}
		t := m.TileAt(f.Tile)
		channels := t.Out.Int()
		if f.Dir == program.S2MM {
			channels = t.In.Int()
		}
		if f.Channel >= channels {
			return commandline.Errorf("-fault: the %v at (%d, %d) has %d %v channels, no channel %d", kind,
				f.Tile.Col, f.Tile.Row, channels, f.Dir, f.Channel)
		}
	}
	return nil
}
