package machine_test

import (
	"testing"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestMatrices issues the tasks of a whole batch at once where a set is a matrix.
func TestMatrices(t *testing.T) {
	rows, few := machine.Style{}, machine.Style{Set: 2}
	for _, c := range []struct {
		s                     *machine.Style
		batch, m, n, matrices int
	}{{&rows, 12, 1, 5, 12}, {&rows, 12, 5, 1, 12}, {&rows, 12, 2, 2, 1}, {&few, 7, 2, 2, 7}, {&few, 7, 4, 1, 1}} {
		if n := c.s.Matrices(c.batch, c.m, c.n); n != c.matrices {
			t.Errorf("%d matrices of %d x %d blocks: %d in a set, want %d", c.batch, c.m, c.n, n, c.matrices)
		}
	}
}

// TestSetOf divides blocks into sets.
func TestSetOf(t *testing.T) {
	for _, c := range []struct{ set, m, n, wantM, wantN int }{
		{0, 6, 5, 1, 5}, // a row of blocks
		{0, 6, 1, 6, 1}, // or a column of them, where there is no other
		{1, 6, 5, 1, 1},
		{2, 6, 5, 2, 1}, // only what divides
		{4, 6, 8, 3, 4},
		{4, 7, 70, 1, 2},
		{4, 3, 1, 3, 1},
	} {
		s := machine.Style{Set: c.set}
		if m, n := s.SetOf(c.m, c.n); m != c.wantM || n != c.wantN {
			t.Errorf("sets up to %d of %d x %d blocks: %d x %d, want %d x %d", c.set, c.m, c.n, m, n,
				c.wantM, c.wantN)
		}
	}
}

func TestRowsShare(t *testing.T) {
	share := func(v float64) machine.Constant { return machine.Constant{Value: v} }
	d := machine.DDR{Page: share(2048), Burst: []machine.Burst{{Bytes: 1024, Share: share(1)},
		{Bytes: 0, Share: share(0.5)}}}
	for _, c := range []struct {
		rows, bytes, apart int
		want               float64
	}{
		{64, 256, 4096, 0.5}, // a page each
		{64, 1024, 4096, 1},
		{64, 256, 2048, 1},  // of one page
		{64, 256, 256, 1},   // one run
		{2, 256, 256, 0.5},  // a short one
		{64, 8192, 4096, 1}, // more than a row is all of it
	} {
		if got := d.RowsShare(c.rows, c.bytes, c.apart); got != c.want {
			t.Errorf("%d rows of %d bytes, %d apart: %g, want %g", c.rows, c.bytes, c.apart, got, c.want)
		}
	}
}

func TestPitchShare(t *testing.T) {
	d := machine.DDR{Pitch: []machine.Pitch{{Bytes: 4096, Rows: 512, Share: machine.Constant{Value: 0.5}}}}
	for _, c := range []struct {
		rows, apart int
		want        float64
	}{{512, 4096, 1}, {513, 4096, 0.5}, {4096, 2048, 1}, {4096, 8192, 1}} {
		if got := d.PitchShare(c.rows, c.apart); got != c.want {
			t.Errorf("%d rows %d bytes apart: %g, want %g", c.rows, c.apart, got, c.want)
		}
	}
}

// TestBy: a maker is named by a whole word of a text.
func TestBy(t *testing.T) {
	m, err := machine.Preset("npu1")
	if err != nil {
		t.Fatal(err)
	}
	maker := ""
	for _, s := range m.Compute.Styles {
		for _, name := range s.Makers {
			maker = max(maker, name)
		}
	}
	for text, want := range map[string]bool{maker: true, "by " + maker + ".": true, "x" + maker: false, maker + "2": false, "nobody": false,
		"x" + maker + " " + maker: true} {
		if _, named := m.By(text); named != want {
			t.Errorf("%q names a maker: %v, want %v", text, named, want)
		}
	}
}
