package machine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/machine"
)

// TestChannels: rows lie on as many channels as a walk through their bytes finds, which counts what each channel moves:
// the one with the most sets the pace.
func TestChannels(t *testing.T) {
	m, err := machine.Preset("vek280+hbm2e")
	require.NoError(t, err)
	r := rand.New(rand.NewPCG(1, 32))
	d := &m.DDR
	d.Read.Value = d.Chips.Bus.Value               // the array is as fast as all channels
	d.Chips.Cycle.Value, d.Chips.Four.Value = 0, 0 // pages cost nothing
	d.Chips.Burst.Value, d.Chips.Refresh.Value, d.Page.Value = 1, 0, 0
	narrow := 0
	for range 300 {
		own, channels := 64<<r.IntN(4), 1<<r.IntN(6)
		d.Chips.Interleave.Value, d.Chips.Channels.Value = float64(own), float64(channels)
		apart := own * (1 + r.IntN(4*channels))
		if r.IntN(2) == 0 { // rows a multiple of all channels apart
			apart = own * channels * (1 + r.IntN(3))
		}
		bytes := own/2 + r.IntN(apart)
		if bytes >= apart {
			bytes = apart / 2
		}
		rows := own * channels // of which every start is met
		load := make([]int, channels)
		for row := range rows {
			for at := row * apart; at < row*apart+bytes; {
				next := min((at/own+1)*own, row*apart+bytes)
				load[at/own%channels] += next - at
				at = next
			}
		}
		most := 0
		for _, n := range load {
			most = max(most, n)
		}
		want := float64(rows*bytes) / float64(channels*most)
		got := d.RowsShare(rows, bytes, apart)
		require.InEpsilon(t, want, got, 1e-9, "%d channels of %d bytes, rows of %d every %d", channels, own, bytes, apart)
		if got < 0.5 {
			narrow++
		}
		require.Equal(t, 1.0, m.Without(machine.Pages).DDR.RowsShare(rows, bytes, apart))
	}
	require.Greater(t, narrow, 30, "rows that lie on few channels were among them")
}

// TestOutside: a memory is told behind a +, in JSON too, and what is none is refused.
func TestOutside(t *testing.T) {
	plain, err := machine.Preset("vek280")
	require.NoError(t, err)
	for _, name := range machine.Outsides() {
		m, err := machine.Preset("vek280+" + name)
		require.NoError(t, err)
		require.NoError(t, m.Check())
		require.Equal(t, "vek280+"+name, m.Name)
		require.Equal(t, plain.Grid, m.Grid)
		require.NotEqual(t, plain.DDR, m.DDR)
		text := fmt.Sprintf(`{"base": "vek280+%s", "name": "mine", "ddr": {"chips": {"interleave": {"value": 4096}}}}`, name)
		mine, err := machine.Read(strings.NewReader(text))
		require.NoError(t, err)
		require.Equal(t, 4096, mine.DDR.Chips.Interleave.Int())
		require.Equal(t, m.DDR.Chips.Channels, mine.DDR.Chips.Channels)
	}
	for name, problem := range map[string]string{"vek280+x": `no memory "x" for vek280`, "x+hbm2e": `no machine "x"`, "systolic+hbm2e": "no machine",
		"npu1+hbm2e+hbm2e": `no memory "hbm2e+hbm2e"`} {
		_, err := machine.Preset(name)
		require.ErrorContains(t, err, problem, name)
	}
	_, err = machine.Read(strings.NewReader(`{"base": "vek280+hbm2e", "ddr": {"chips": {"interleave": {"value": -1}}}}`))
	require.ErrorContains(t, err, "ddr.chips.interleave")
}
