package fault

import (
	"reflect"
	"testing"

	"github.com/go-acap/acap/device/acap/event"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/program"
)

func TestParseFaults(t *testing.T) {
	b, err := Parse([]string{"dead:1,2", "declared:0,3", "drop:1,1,in,2,5", "flip:2,2,77"})
	if err != nil {
		t.Fatal(err)
	}
	want := []event.Fault{{Kind: event.DeadTile, Tile: program.Coord{Col: 1, Row: 2}},
		{Kind: event.DropDMA, Tile: program.Coord{Col: 1, Row: 1}, Dir: program.S2MM, Channel: 2, After: 5},
		{Kind: event.FlipBit, Tile: program.Coord{Col: 2, Row: 2}, Bit: 77}}
	if !reflect.DeepEqual(b.Injected, want) || !reflect.DeepEqual(b.Declared, []machine.Coord{{Col: 0, Row: 3}}) || !b.Flips {
		t.Errorf("%+v", b)
	}
	for _, text := range []string{"", "dead", "dead:1", "melt:1,2", "drop:1,1,up,0,0", "slow:1,-2", "slow:1,0", "slow:1,0.5", "dead:1,nan", "dead:1.5,2"} {
		if _, err := Parse([]string{text}); err == nil {
			t.Errorf("%q: no error", text)
		}
	}
}
