package recording_test

import (
	"bytes"
	"math/rand/v2"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/recording"
)

// TestFrames decodes frames by hand, from the table of mlir-aie's reader: the timer, one event with 4, 10 and 18 bits
// of cycles, several events with as many, a repetition of each kind, and silence.
func TestFrames(t *testing.T) {
	// Header of core (col 1, row 2), packet 3: 1<<21 | 2<<16 | 3, which has 4 bits, so that the parity bit is set.
	text := strings.Join([]string{"80220003",
		"f0000000", "00000102", // timer 0x102
		"13fefefe", // event 1 after 3 cycles: cycle 4
		"8d01ff00", // event 3 after 257: cycle 262; then silence of 2^18: 262406; event 0 after 0: 262407
		"c0321234", // events 0 and 1 after 2: 262410; event 1 after 2: 262413; event 3 after 4: 262418
		"e2fefefe", // twice more with the same 4 cycles: 262423, 262428
		"a80100fe", // event 2 after 0x100: 262685
		"80220003", "d0050ad8", "05d40508", "00fefefe", "fefefefe", "fefefefe", "fefefefe", "fefefefe", "00000000"}, "\n")
	r, err := recording.ReadPackets(strings.NewReader(text))
	require.NoError(t, err)
	require.Len(t, r.Tiles, 1)
	tile := r.Tiles[0]
	require.Equal(t, []any{1, 2, recording.Core, 3, int64(0x102)}, []any{tile.Col, tile.Row, tile.Kind, tile.ID, tile.Start})
	at := func(list ...int64) (spans []recording.Span) {
		for _, v := range list {
			spans = append(spans, recording.Span{From: v, To: v + 1})
		}
		return spans
	}
	// d0 05 0a: events 0 with 0x10a idle cycles: 262952; repeated 5 times: each 267 later; d4 05 08 00: event 0 after
	// 0x10800 cycles.
	last := int64(262952 + 5*267)
	require.Equal(t, at(262407, 262410, 262952, 262952+267, 262952+2*267, 262952+3*267, 262952+4*267, last, last+1+0x10800), tile.Events[0])
	require.Equal(t, at(4, 262410, 262413), tile.Events[1])
	require.Equal(t, at(262685), tile.Events[2])
	require.Equal(t, at(262, 262418, 262423, 262428), tile.Events[3])
}

// TestRoundTrip: what is written is read as it was, for spans of every length and distance.
func TestRoundTrip(t *testing.T) {
	random := rand.New(rand.NewPCG(4, 4))
	want := &recording.Recording{}
	for i := range 3 {
		tile := &recording.Tile{Col: i, Row: i + 1, Kind: recording.Kind(i), ID: 7 * i, Start: 1 << (20 * i)}
		for s := range recording.Slots {
			at := int64(1)
			for range random.IntN(20) {
				at += 1 << random.IntN(20)
				to := at + 1<<random.IntN(12)
				tile.Events[s] = append(tile.Events[s], recording.Span{From: at, To: to})
				at = to
			}
		}
		want.Tiles = append(want.Tiles, tile)
	}
	var text bytes.Buffer
	require.NoError(t, want.WritePackets(&text))
	got, err := recording.ReadPackets(&text)
	require.NoError(t, err)
	require.Equal(t, want, got)
}

func TestPacketsRefuse(t *testing.T) {
	for text, want := range map[string]string{
		"":                                  "nothing was recorded",
		"00000000\n00000000":                "nothing was recorded",
		"xyz":                               "line 1",
		"00220003":                          "is no header of a packet", // even parity
		"\n" + strings.Repeat("0", 100_000): "line 2 is longer than 65536 bytes",
		"80220003\ne1000000":                "repeats a frame, and there is none before",
		"80220003\nfefefefe\n":              "",
	} {
		_, err := recording.ReadPackets(strings.NewReader(text))
		if want == "" {
			require.NoError(t, err)
			continue
		}
		require.ErrorContains(t, err, want, text)
	}
}

// TestCalls: a call is from a begin to the next end; the first begin of two and calls without an end do not count.
func TestCalls(t *testing.T) {
	spans := func(list ...int64) (out []recording.Span) {
		for _, v := range list {
			out = append(out, recording.Span{From: v, To: v + 1})
		}
		return out
	}
	tile := &recording.Tile{Col: 2, Row: 3}
	tile.Events[0], tile.Events[1] = spans(10, 20, 25, 40), spans(5, 20, 30)
	other := &recording.Tile{Kind: recording.MemTile}
	calls, err := (&recording.Recording{Tiles: []*recording.Tile{tile, other}}).Calls(recording.DefaultEvents)
	require.NoError(t, err)
	require.Equal(t, []recording.Calls{{Col: 2, Row: 3, Spans: []recording.Span{{From: 10, To: 20}, {From: 20, To: 30}}}}, calls)
	_, err = new(recording.Recording).Calls([recording.Slots]string{"A"})
	require.ErrorContains(t, err, "INSTR_EVENT_0")
}

const dump = `$date today $end $version x $end
$timescale 10 ns $end
$scope module top $end $scope module tile_3_4 $end $var wire 1 ! busy $end $var reg 8 " state [7:0] $end $var real 64 # load $end $upscope $end $upscope $end
$enddefinitions $end
$dumpvars 0! bx " r0.5 # $end
#5 1! b101 "
#7
0!
#9 1! #12 0!
`

func TestVCD(t *testing.T) {
	d, err := recording.ReadVCD(strings.NewReader(dump))
	require.NoError(t, err)
	require.Equal(t, 1e-8, d.Tick)
	require.Equal(t, "top.tile_3_4.busy", d.Signals[0].Name)
	require.Equal(t, []recording.Change{{At: 0, Value: 0}, {At: 5, Value: 5}}, d.Signals[1].Changes)
	calls, err := d.Calls(regexp.MustCompile(`tile_(\d+)_(\d+)\.busy`), 1e9)
	require.NoError(t, err)
	require.Equal(t, []recording.Calls{{Col: 3, Row: 4, Spans: []recording.Span{{From: 50, To: 70}, {From: 90, To: 120}}}}, calls)
	_, err = d.Calls(recording.OwnCores, 1e9)
	require.ErrorContains(t, err, "none of 3 signals")
	for text, want := range map[string]string{
		"":                            "no $enddefinitions",
		"$timescale 3 ns $end":        "a time scale",
		"$enddefinitions $end #4 #2":  "a time",
		"$enddefinitions $end 1%":     "no variable",
		"$enddefinitions $end hello":  "no change of a value",
		"$var wire x ! a $end":        `"x" bits wide`,
		"hello":                       "in the definitions",
		"$enddefinitions $end #4 b01": "without a variable",
	} {
		_, err := recording.ReadVCD(strings.NewReader(text))
		require.ErrorContains(t, err, want, text)
	}
}

// TestVCDRoundTrip: calls that touch remain two.
func TestVCDRoundTrip(t *testing.T) {
	tile := &recording.Tile{Col: 1, Row: 2}
	tile.Events[0] = []recording.Span{{From: 10, To: 11}, {From: 20, To: 21}}
	tile.Events[1] = []recording.Span{{From: 20, To: 21}, {From: 33, To: 34}}
	tile.Events[recording.Slots-1] = []recording.Span{{From: 33, To: 50}}
	r := &recording.Recording{Tiles: []*recording.Tile{tile}}
	var text bytes.Buffer
	require.NoError(t, r.WriteVCD(&text, 1.8e9))
	d, err := recording.ReadVCD(&text)
	require.NoError(t, err)
	got, err := d.Calls(recording.OwnCores, 1.8e9)
	require.NoError(t, err)
	want, err := r.Calls(recording.DefaultEvents)
	require.NoError(t, err)
	require.Equal(t, want, got)
	require.Equal(t, []recording.Span{{From: 10, To: 20}, {From: 20, To: 33}}, got[0].Spans)
}

// TestNumberOfCalls: a table says why a comparison means little, where a core has another number of calls than in the
// simulation, as in a dump without the stretches that repeat.
func TestNumberOfCalls(t *testing.T) {
	const note = "calls of a kernel differ in number"
	for recorded, noted := range map[int]bool{640: false, 304: true, 0: false} {
		c := &recording.Comparison{Kernels: []recording.Kernel{{Name: "k", Cores: 32, Calls: 640, RecordedCalls: recorded}}}
		require.Equal(t, noted, strings.Contains(c.String(), note), recorded)
	}
}
