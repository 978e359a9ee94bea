package timing_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

func requireNear(t *testing.T, want, have float64, what string) {
	t.Helper()
	require.InEpsilon(t, want, have, 1e-9, what)
}

// TestDeal: members take turns on streams, and what is sent once has the last one to itself.
func TestDeal(t *testing.T) {
	for _, c := range []struct {
		members  string // o for one that comes with every tile, k for one that is kept
		channels int
		want     [][]int // nil where it cannot be
	}{
		{"ooo", 2, [][]int{{0, 2}, {1}}},
		{"ooo", 5, [][]int{{0}, {1}, {2}}},
		{"ook", 3, [][]int{{0}, {1}, {2}}},
		{"oko", 2, [][]int{{0, 2}, {1}}},
		{"kook", 3, [][]int{{1}, {2}, {0, 3}}},
		{"ok", 1, nil},
		{"kk", 2, [][]int{{0, 1}}},
		{"k", 1, [][]int{{0}}},
		{"", 2, [][]int{}},
	} {
		var members []timing.Member
		for i, kind := range c.members {
			m := timing.Member{Number: i}
			if kind == 'k' {
				m.Length = 8
			}
			members = append(members, m)
		}
		streams, ok := timing.Deal(members, c.channels)
		require.Equal(t, c.want != nil, ok, c.members)
		have := [][]int{}
		for _, s := range streams {
			var numbers []int
			for _, m := range s {
				numbers = append(numbers, m.Number)
			}
			have = append(have, numbers)
		}
		if ok {
			require.Equal(t, c.want, have, c.members)
		}
	}
}

// TestMembers: how each array of rows and of points travels, and what it takes.
func TestMembers(t *testing.T) {
	const rows, cols = 40, 8
	m := machinetest.Preset(t, "npu1")
	walk := &workload.Walk{Outer: []workload.Loop{{Size: rows, Stride: 3}}, Inner: []workload.Loop{{Size: 3, Stride: 1}}}
	stream := func(elements int64) workload.Stream { return workload.Stream{DType: dtype.BF16, Elements: elements} }
	table := func(length int) workload.Stream {
		return workload.Stream{DType: dtype.BF16, Elements: rows * cols, Table: length, Reads: 1, Rounds: 1}
	}
	most := m.Core.Memory.Int() * 3 / 4 / dtype.BF16.Size()
	walked := stream(rows * 3)
	walked.Walk = walk
	type member struct {
		each, length      int
		broadcast, passes bool
		bytes             int // of a tile of 4
	}
	for _, c := range []struct {
		name   string
		points bool
		in     workload.Stream
		want   *member
	}{
		{"rows", false, stream(rows * cols), &member{each: cols, bytes: 4 * cols * 2}},
		{"a row of parameters", false, stream(cols), &member{each: 1, length: cols, bytes: cols * 2}},
		{"a number for every row", false, stream(rows), &member{each: 2, bytes: 4 * 4}}, // a word for each
		{"two numbers for every row", false, stream(2 * rows), &member{each: 2, bytes: 4 * 2 * 2}},
		{"fewer than there are rows", false, stream(cols + 1), &member{each: 1, broadcast: true, bytes: 4 * 2}},
		{"one number", false, stream(1), nil},
		{"an order of its own", false, walked, &member{each: 3, bytes: 4 * 3 * 4}},
		{"the longest table that is kept", false, table(most), &member{each: cols, length: most, bytes: 2 * most}},
		{"a longer table", false, table(most + 1), &member{each: cols, passes: true, bytes: 4 * cols * 2}},
		{"points", true, stream(rows), &member{each: 1, bytes: 4 * 2}},
		{"fewer than there are points", true, stream(cols), &member{each: 1, broadcast: true, bytes: 4 * 2}},
		{"one number for all points", true, stream(1), nil},
	} {
		w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: rows, Cols: cols,
			DType: dtype.BF16, Passes: 1, In: []workload.Stream{c.in}, Out: []workload.Stream{stream(rows * cols)}}}
		if c.points {
			w = &workload.Kernel{Name: "points", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: rows,
				DType: dtype.BF16, In: []workload.Stream{c.in}, Out: []workload.Stream{stream(rows)}}}
		}
		in, out := timing.Members(m, w)
		require.Len(t, out, 1)
		if c.want == nil {
			require.Empty(t, in, c.name)
			continue
		}
		require.Len(t, in, 1, c.name)
		n := in[0]
		require.Equal(t, *c.want, member{n.Each, n.Length, n.Broadcast, n.Passes, n.Bytes(4)}, c.name)
	}
	require.False(t, timing.KeepsTables(&machine.Machine{Core: m.Core}, []workload.Stream{table(8), stream(rows)}), "one channel for both")
	once := table(8)
	once.Elements = 1
	require.True(t, timing.KeepsTables(&machine.Machine{Core: m.Core}, []workload.Stream{once, stream(1)}), "a number needs no channel")
}

// TestLanes: streams are as many as both ends have channels or as the mapping says, less one for a table that passes
// by.
func TestLanes(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	channels := func(coreIn, coreOut, shimIn, shimOut float64) {
		m.Core.In.Value, m.Core.Out.Value, m.Shim.In.Value, m.Shim.Out.Value = coreIn, coreOut, shimIn, shimOut
	}
	passes, other := timing.Member{Passes: true}, timing.Member{}
	for _, c := range []struct {
		channels [4]float64
		lanes    int
		members  []timing.Member
		want     [2]int
	}{
		{[4]float64{2, 3, 4, 5}, 0, []timing.Member{other}, [2]int{2, 3}},
		{[4]float64{5, 4, 3, 2}, 0, []timing.Member{other}, [2]int{2, 3}},
		{[4]float64{4, 2, 2, 4}, 1, []timing.Member{other}, [2]int{1, 2}},
		{[4]float64{2, 2, 2, 2}, 3, []timing.Member{other}, [2]int{2, 2}},
		{[4]float64{2, 2, 2, 2}, 0, []timing.Member{other, passes, passes}, [2]int{1, 2}},
		{[4]float64{2, 2, 2, 2}, 0, []timing.Member{passes}, [2]int{2, 2}},
	} {
		channels(c.channels[0], c.channels[1], c.channels[2], c.channels[3])
		into, from := timing.Lanes(m, &mapping.Mapping{Lanes: c.lanes}, c.members)
		require.Equal(t, c.want, [2]int{into, from}, "%+v", c)
	}
}

// TestMove: a rearrangement moves its bytes, words of four at least, at the share of the memory's rate that its runs
// get, and with a descriptor for each run where the places are computed.
func TestMove(t *testing.T) {
	m := runner()
	m.Stream.BDSetup.Value = 3
	m.DDR.Burst = []machine.Burst{{Bytes: 64, Share: machine.Constant{Value: 0.5}}, {Bytes: 0, Share: machine.Constant{Value: 0.25}}}
	m.DDR.Chips = machine.Chips{}
	shim := min(2*4*m.Clock.Value, m.DDR.PerShim.Value)
	for _, c := range []struct {
		read, write         int // elements of two bytes in a run
		waste               float64
		readShare, outShare float64
	}{
		{1, 64, 2, 0.5 * 2 / 64, 0.5},
		{64, 1, 2, 0.5, 0.5 * 2 / 64},
		{2, 2, 1, 0.5 * 4 / 64, 0.5 * 4 / 64},
		{16, 32, 1, 0.5 * 32 / 64, 0.5},
	} {
		for _, indexed := range []bool{false, true} {
			w := &workload.Kernel{Name: "move", Kind: workload.KindMove, Move: workload.Move{DType: dtype.BF16, Elements: 4096,
				ReadRun: c.read, WriteRun: c.write, Indexed: indexed}}
			e, err := timing.Estimate(m, w, mapping.Mapping{Kind: workload.KindMove, Cols: 1, Rows: 1, Lanes: 2, Tile: 2048})
			require.NoError(t, err)
			requireNear(t, 8192*c.waste/shim, e.Step.Shim, "interface tiles")
			read, write := 8192/c.readShare, 8192/c.outShare
			requireNear(t, max(read/m.DDR.Read.Value, write/m.DDR.Write.Value, m.DDR.Both(read, write)), e.Step.DDR, "memory")
			calls := 0.0
			if indexed {
				calls = 4096 / float64(c.read) * 3
			}
			require.InDelta(t, calls, e.Step.Core*m.Clock.Value, 1e-6)
			require.Equal(t, [4]int64{w.ReadBytes(), w.WriteBytes(), w.ReadBytes() + w.WriteBytes(), 0}, [4]int64{e.ReadL3, e.WriteL3, e.L2, e.L1})
			require.Zero(t, e.Cores)
		}
	}
}

// TestCast: a style that converts its output outside of the kernel costs what the wide output costs, a launch more, and
// the slowest of what reads it, writes it and converts it.
func TestCast(t *testing.T) {
	type slow struct{ ddr, shim, cast float64 }
	for what, by := range map[string]slow{"memory": {1e-6, 1, 1}, "interface tiles": {1, 1e-6, 1}, "cores": {1, 1, 1e6}} {
		m := runner()
		m.DDR.Read.Value, m.DDR.Write.Value = 1e9*by.ddr, 2e9*by.ddr
		m.DDR.PerShim.Value = 3e9 * by.shim
		m.Compute.Routines["cast"] = machine.Routine{Element: machine.Constant{Value: 2 * by.cast}}
		g := mapping.Mapping{Kind: workload.KindContraction, Cols: 1, Rows: 1, TM: 32, TN: 32, TK: 32, PartsM: 1, PartsN: 1,
			Cascade: 1, StageM: 1, StageN: 1, Style: "linalg", OutDepth: 2, Depth: 2}
		w := product(64, 32, 96, dtype.I8)
		w.Contraction.Batch, w.Contraction.Acc, w.Contraction.Out = 2, dtype.I32, dtype.I32
		wide, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		style := m.Compute.Styles["linalg"]
		style.Cast.Value = 1e-3
		m.Compute.Styles["linalg"] = style
		w.Contraction.Out = dtype.I8
		e, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		const n = 2 * 64 * 96
		ddr := max(4*n/m.DDR.Read.Value, n/m.DDR.Write.Value, m.DDR.Both(4*n, n))
		shim := max(4*n/min(8*m.Clock.Value, m.DDR.PerShim.Value), n/min(8*m.Clock.Value, m.DDR.PerShim.Value))
		requireNear(t, max(ddr, shim, n*2*by.cast/m.Clock.Value), e.Output-wide.Output, what)
		requireNear(t, 1e-3, e.Launch-wide.Launch, what)
		require.EqualValues(t, 4*n, e.ReadL3-wide.ReadL3, what)
		require.EqualValues(t, n, e.WriteL3-wide.WriteL3, what)
		require.EqualValues(t, 2*5*n, e.L2-wide.L2, what)
	}
}

// TestResidentProduct: what lies in mem tiles from the start leaves them as often as what comes from outside, and does
// not enter.
func TestResidentProduct(t *testing.T) {
	m, w := machinetest.Preset(t, "npu2"), product(512, 512, 512, dtype.BF16)
	for _, stage := range []int{1, 2} {
		g := square(32)
		g.Style, g.StageM, g.StageN = "external", stage, stage
		plain, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		g.Resident = 1
		resident, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		b := int64(512 * 512 * 2 * 4 / stage) // once for every row of blocks, or for those that are staged together
		require.Equal(t, b, plain.ReadL3-resident.ReadL3)
		require.Equal(t, plain.WriteL3, resident.WriteL3)
		require.Equal(t, plain.L1, resident.L1)
		require.Equal(t, 2*plain.ReadL3-plain.L2, 2*(resident.ReadL3+b)-resident.L2-b)
		require.LessOrEqual(t, resident.Seconds, plain.Seconds)
		// The roof is for the bytes that have to come from outside or to go there.
		const matrix = 512 * 512 * 2 // bytes
		requireNear(t, 2*512*512*512/float64(3*matrix), plain.Intensity, "operations per byte")
		requireNear(t, 2*512*512*512/float64(2*matrix), resident.Intensity, "operations per byte, with B in mem tiles")
		seconds := max(matrix/m.DDR.Read.Value, matrix/m.DDR.Write.Value, m.DDR.Both(matrix, matrix))
		requireNear(t, 2*matrix/seconds, resident.Memory, "bytes per second")
	}
}

// TestLoads: where loading operands takes longest, a call takes the bytes of their cells, each value once for two by
// two tiles of the matrix instruction, and what it costs to pack values that do not come packed.
func TestLoads(t *testing.T) {
	m := machinetest.Preset(t, "npu2")
	m.Compute.LoadBytes.Value = 1e-3
	packed := workload.Operand{DType: dtype.BF16, Format: dtype.BFP16}
	rounded := workload.Operand{DType: dtype.BF16, Rounded: dtype.BFP16}
	plain := workload.Operand{DType: dtype.BF16}
	for _, c := range []struct {
		a, b   workload.Operand
		in     string
		loaded workload.Operand
		packs  int // operands
	}{
		{plain, plain, "bf16", plain, 0},
		{packed, packed, dtype.BFP16.String(), packed, 0},
		{rounded, packed, dtype.BFP16.String(), packed, 1},
		{rounded, rounded, dtype.BFP16.String(), packed, 2},
	} {
		w := product(256, 256, 256, dtype.BF16)
		w.Contraction.A, w.Contraction.B, w.Contraction.Acc = c.a, c.b, dtype.F32
		require.Equal(t, c.in, timing.Multiplied(m, &w.Contraction))
		mm, _, nn := m.ShapeOf(c.in)
		k, other, bytes := c.loaded.Cell()
		lanes, _ := m.LaneRate(dtype.BF16)
		for name, style := range m.Compute.Styles {
			if !style.Takes(c.in) || style.Vector {
				continue
			}
			g := square(32)
			g.Style = name
			e, err := timing.Estimate(m, w, g)
			require.NoError(t, err)
			cycles := 32 * 32 * 32 * float64(bytes) / float64(k*other) * (1/float64(2*nn) + 1/float64(2*mm)) / 1e-3
			cycles += float64(c.packs) * 32 * 32 * m.Compute.Convert[dtype.BFP16.String()].Value / lanes
			cycles += style.Call.Value + 32*32*(style.Update.Value+style.Widen.Value)
			if style.Stored { // sums of f32 are loaded and stored
				cycles += 32 * 32 * 4 * (1/1e-3 + 1/m.Compute.StoreBytes.Value)
			}
			requireNear(t, cycles, e.Step.Core*m.Clock.Value, c.in+" "+name)
		}
	}
}

// TestGather: a core looks for every place that it reads in every piece of a table that passes by, in each round.
func TestGather(t *testing.T) {
	m := machinetest.Preset(t, "npu1")
	const table, reads, rounds = 200_000, 5, 2
	pieces := float64((table + timing.TablePiece(m)/2 - 1) / (timing.TablePiece(m) / 2))
	scalar := m.Compute.Routines["scalar"].Element.Value
	stream := func(elements int64) workload.Stream { return workload.Stream{DType: dtype.BF16, Elements: elements} }
	lookup := func(elements int64) workload.Stream {
		return workload.Stream{DType: dtype.BF16, Elements: elements, Table: table, Reads: reads, Rounds: rounds}
	}
	rows := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: 4, Cols: 40_960, DType: dtype.BF16,
		Passes: 1, In: []workload.Stream{stream(4 * 40_960), lookup(4 * 40_960)}, Out: []workload.Stream{stream(4 * 40_960)}, Ops: workload.Mix{Simple: 1}}}
	points := &workload.Kernel{Name: "points", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 4096, DType: dtype.BF16,
		In: []workload.Stream{stream(4096), lookup(4096)}, Out: []workload.Stream{stream(4096)}, Ops: workload.Mix{Simple: 1}}}
	for _, c := range []struct {
		w     *workload.Kernel
		g     mapping.Mapping
		units float64
	}{
		{rows, mapping.Mapping{Kind: workload.KindNormalize, Cols: 1, Rows: 1, Tile: 1, TK: 4096, Depth: 2}, 1},
		{points, mapping.Mapping{Kind: workload.KindPointwise, Cols: 1, Rows: 1, Tile: 1024, Depth: 2}, 1024},
		{points, mapping.Mapping{Kind: workload.KindPointwise, Cols: 2, Rows: 2, Tile: 512, Depth: 2}, 512},
	} {
		e, err := timing.Estimate(m, c.w, c.g)
		require.NoError(t, err)
		requireNear(t, rounds*pieces*reads*c.units*scalar, e.Gather*m.Clock.Value, c.w.Name)
	}
}
