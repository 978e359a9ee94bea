package timing_test

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/machine/machinetest"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/timing"
	"github.com/go-acap/acap/device/acap/workload"
)

// free is an npu1 on which nothing takes time: each test makes one thing slow.
func free(t *testing.T) *machine.Machine {
	m := machinetest.Preset(t, "npu1")
	m.DDR.Pitch, m.DDR.Burst, m.DDR.Chips = nil, nil, machine.Chips{}
	m.Constants(func(name string, c *machine.Constant) {
		switch c.Unit {
		case "B/cycle", "op/cycle", "MAC/cycle", "B/s":
			c.Value = 1e30
		case "cycle", "cycle/element", "cycle/row", "cycle/score", "s", "op/value":
			c.Value = 0
		}
	})
	for name, s := range m.Compute.Styles {
		s.Efficiency.Value, s.Call.Value, s.Set = 1, 1e-8, 0 // a core that takes no time at all is none
		m.Compute.Styles[name] = s
	}
	return m
}

// limit is one thing that takes time, and the cycles that it takes of a core or of the memory.
type limit struct {
	name   string
	slow   func(m *machine.Machine)
	cycles float64
}

func requireLimits(t *testing.T, w *workload.Kernel, g mapping.Mapping, limits []limit) {
	t.Helper()
	m := free(t)
	e, err := timing.Estimate(m, w, g)
	require.NoError(t, err)
	require.Less(t, e.Cycles, 1e-3, "nothing takes time: %v", g)
	for _, l := range limits {
		m = free(t)
		l.slow(m)
		e, err = timing.Estimate(m, w, g)
		require.NoError(t, err)
		require.InEpsilon(t, l.cycles, e.Cycles, 1e-6, "%s: %v of %v, %d bytes read", l.name, g, w.Contraction, e.ReadL3)
	}
}

func style(set func(s *machine.Style)) func(m *machine.Machine) {
	return func(m *machine.Machine) {
		s := m.Compute.Styles["vector"]
		set(&s)
		m.Compute.Styles["vector"] = s
	}
}

func routine(name string, set func(r *machine.Routine)) func(m *machine.Machine) {
	return func(m *machine.Machine) {
		r := m.Compute.Routines[name]
		set(&r)
		m.Compute.Routines[name] = r
	}
}

// steps counts the turns of a loop over an extent.
func steps(extent, step int) (n int) {
	for i := 0; i < extent; i += step {
		n++
	}
	return n
}

// TestOneLimitOfProducts makes one thing slow at a time: the whole product then takes what plain loops count of it.
func TestOneLimitOfProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 1))
	for i := range 40 {
		w := product(1+r.IntN(500), 1+r.IntN(500), 1+r.IntN(500), dtype.BF16)
		c := &w.Contraction
		c.Batch, c.Acc, c.Out = 1+r.IntN(3), dtype.F32, []dtype.DType{dtype.F32, dtype.BF16}[i%2]
		c.Epilogue.Ops = workload.Mix{Simple: float64(1 + r.IntN(3)), Divide: 1, Transcendental: 2, Serial: 3}
		g := square(8 << r.IntN(3))
		g.TM, g.TN, g.TK = g.TM*(1+r.IntN(2))+4, g.TN*(1+r.IntN(2))+8, g.TK*(1+r.IntN(2))
		if i%4 == 0 {
			g.PartsN, g.Cascade = 2, 2
		}
		g.FanOutA, g.FanOutB = r.IntN(3), r.IntN(3) // no work depends on it
		var blocks, calls, instructions float64     // of a core
		mm, kk, nn := machinetest.Preset(t, "npu1").ShapeOf("bf16")
		for range c.Batch * steps(c.M, g.PartsM*g.TM) * steps(c.N, g.PartsN*g.TN) {
			blocks++
			for range steps(c.K, g.TK*g.Cascade) {
				calls++
				instructions += float64(steps(g.TM, mm) * steps(g.TK, kk) * steps(g.TN, nn))
			}
		}
		elements := float64(g.TM * g.TN)
		macs := instructions * float64(mm*kk*nn)
		remains := steps(c.K, g.TK*g.Cascade) == 1 && steps(c.N, g.PartsN*g.TN) == 1 // B, in the cores
		shared := 1.0                                                                // blocks that a tile of B serves
		if remains {
			shared = float64(steps(c.M, g.PartsM*g.TM))
		}
		bigger := max(float64(g.TM), float64(g.TN)/shared) * float64(g.TK*2)
		widened := 0.0
		if c.Out == dtype.BF16 {
			widened = 1
		}
		limits := []limit{
			{"launch", func(m *machine.Machine) { m.Host.Launch.Value = 7e-6 }, 7000},
			{"calls", style(func(s *machine.Style) { s.Call.Value = 5 }), 5 * calls},
			{"updates", style(func(s *machine.Style) { s.Update.Value = 3 }), 3 * elements * calls},
			{"results that are narrower", style(func(s *machine.Style) { s.Update.Value, s.Widen.Value = 1, 2 }),
				(1 + 2*widened) * elements * calls},
			{"starts of blocks", style(func(s *machine.Style) { s.Block.Value = 3 }), 3 * elements * blocks},
			{"ends of blocks", style(func(s *machine.Style) { s.Convert.Value = 3 }), 3 * elements * blocks},
			{"products", func(m *machine.Machine) { m.Compute.MACs["bf16"] = machine.Constant{Value: 0.5} }, macs / 0.5},
			{"products of a style", func(m *machine.Machine) {
				m.Compute.MACs["bf16"] = machine.Constant{Value: 4}
				style(func(s *machine.Style) { s.Efficiency.Value = 0.25 })(m)
			}, macs},
			// Two by two tiles of the instruction are in registers: each tile of A is loaded for two of B.
			{"loads", func(m *machine.Machine) { m.Compute.LoadBytes.Value = 2 },
				instructions * float64(mm*kk+kk*nn) * 2 / 2 / 2},
			{"stores", func(m *machine.Machine) { m.Compute.StoreBytes.Value = 8 }, elements * 4 / 8 * calls},
			{"sums", func(m *machine.Machine) { m.Compute.CascadeBytes.Value = 8 },
				elements * 4 / 8 * float64(g.Cascade-1) * blocks},
			{"simple operations", func(m *machine.Machine) { m.Compute.Lanes["bf16"] = machine.Constant{Value: 0.5} },
				c.Epilogue.Ops.Simple * 2 * elements * blocks},
			{"divisions", routine("divide", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * elements * blocks},
			{"functions", routine("transcendental", func(r *machine.Routine) { r.Element.Value = 5 }), 2 * 5 * elements * blocks},
			{"scalars", routine("scalar", func(r *machine.Routine) { r.Element.Value = 5 }), 3 * 5 * elements * blocks},
		}
		if g.Cascade == 1 { // there is nothing to pass on
			limits = append(limits[:10], limits[11:]...)
		}
		requireLimits(t, w, g, limits)

		m := free(t)
		m.Core.ChannelRate.Value, m.Stream.BDSetup.Value = 4, 9
		e, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		require.InEpsilon(t, bigger/4+9, e.Step.Stream*m.Clock.Value, 1e-9)
		require.GreaterOrEqual(t, e.Cycles, bigger/4*calls)
		require.Equal(t, int64(calls), e.Rounds*e.Steps)

		// Reads and writes, by themselves and together: tiles and what is beyond the ends.
		read := calls * (float64(g.PartsM*g.TM) + float64(g.PartsN*g.TN)/shared) * float64(g.TK*g.Cascade) * 2
		write := blocks * elements * float64(g.PartsM*g.PartsN*c.Out.Size())
		requireLimits(t, w, g, []limit{
			{"reads", func(m *machine.Machine) { m.DDR.Read.Value = 1e9 }, read},
			{"writes", func(m *machine.Machine) { m.DDR.Write.Value = 1e9 }, write},
			{"bytes", func(m *machine.Machine) { m.DDR.Total.Value = 1e9 }, read + write},
			{"turns", func(m *machine.Machine) { m.DDR.Total.Value, m.DDR.Read.Value, m.DDR.Write.Value = 0, 1e9, 5e8 },
				read + 2*write},
		})
	}
}

// TestOneLimitOfPoints does the same for flat bodies: all cores take equal shares.
func TestOneLimitOfPoints(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for range 30 {
		n := 1000 + r.IntN(100_000)
		whole, scalar := workload.Stream{DType: dtype.BF16, Elements: int64(n)}, workload.Stream{DType: dtype.F32, Elements: 1}
		wide := workload.Stream{DType: dtype.F32, Elements: int64(n)}
		w := &workload.Kernel{Name: "points", Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: int64(n),
			DType: dtype.BF16, In: []workload.Stream{whole, scalar}, Out: []workload.Stream{wide},
			Ops: workload.Mix{Simple: 3, Divide: 2, Transcendental: 1, Serial: 4}}}
		g := mapping.Mapping{Kind: w.Kind, Cols: 1 + r.IntN(4), Rows: 1 + r.IntN(4), Tile: 8 + r.IntN(500), Depth: 2}
		each := float64(n) / float64(g.Cols*g.Rows)
		column := float64(n) / float64(g.Cols)
		calls := float64(steps(steps(n, g.Cols*g.Rows), g.Tile))
		moved := calls * float64(g.Cores()*g.Tile) // whole tiles
		read, write := 2*moved, 4*moved
		requireLimits(t, w, g, []limit{
			{"launch", func(m *machine.Machine) { m.Host.Launch.Value = 7e-6 }, 7000},
			{"elements", routine("element", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * each},
			{"simple operations", func(m *machine.Machine) { m.Compute.Lanes["bf16"] = machine.Constant{Value: 0.5} }, 3 * 2 * each},
			{"divisions", routine("divide", func(r *machine.Routine) { r.Element.Value = 5 }), 2 * 5 * each},
			{"functions", routine("transcendental", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * each},
			{"scalars", routine("scalar", func(r *machine.Routine) { r.Element.Value = 5 }), 4 * 5 * each},
			{"reads", func(m *machine.Machine) { m.DDR.Read.Value = 1e9 }, read},
			{"writes", func(m *machine.Machine) { m.DDR.Write.Value = 1e9 }, write},
			{"bytes", func(m *machine.Machine) { m.DDR.Total.Value = 1e9 }, read + write},
			{"hops", func(m *machine.Machine) { m.Stream.Hop.Value = 2 }, 2 * 2 * float64(1+1+4)},
		})
		w.Pointwise.Ops.Routine = "measured"
		requireLimits(t, w, g, []limit{
			{"measured elements", routine("measured", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * each},
			{"measured calls", routine("measured", func(r *machine.Routine) { r.Call.Value = 5 }), 5 * calls},
			{"measured loads", routine("measured", func(r *machine.Routine) { r.Load.Value = 5e-9 }), 5},
		})
		// The result is the wider; the channels of a core and of a column carry their shares of it.
		for _, c := range []struct {
			slow func(m *machine.Machine)
			want float64
		}{{func(m *machine.Machine) { m.Core.ChannelRate.Value = 4 }, each * 4 / 4},
			{func(m *machine.Machine) { m.Shim.ChannelRate.Value = 2 }, column * 4 / 2}} {
			m := free(t)
			c.slow(m)
			e, err := timing.Estimate(m, w, g)
			require.NoError(t, err)
			require.InEpsilon(t, c.want, max(e.Step.Stream, e.Step.Shim)*float64(e.Steps)*m.Clock.Value, 1e-6)
		}
	}
}

// TestOneLimitOfRows does the same for rows, as many on every core.
func TestOneLimitOfRows(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 3))
	for range 30 {
		rows, cols := 1+r.IntN(300), 2+r.IntN(300)
		all := workload.Stream{DType: dtype.BF16, Elements: int64(rows * cols)}
		w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: workload.Normalize{Rows: rows, Cols: cols,
			DType: dtype.BF16, Passes: 1 + r.IntN(3), In: []workload.Stream{all}, Out: []workload.Stream{all},
			Ops: workload.Mix{Simple: 3, Divide: 2}, RowOps: workload.Mix{Transcendental: 2}}}
		g := mapping.Mapping{Kind: w.Kind, Cols: 1 + r.IntN(4), Rows: 1 + r.IntN(4), Tile: 1 + r.IntN(5), Depth: 2}
		each := float64(steps(rows, g.Cols*g.Rows)) // rows of the busiest core
		elements := each * float64(cols)
		calls := float64(steps(int(each), g.Tile))
		limits := []limit{
			{"walks", routine("reduce", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * float64(w.Normalize.Passes) * elements},
			{"rows", routine("row", func(r *machine.Routine) { r.Row.Value = 5 }), 5 * each},
			{"simple operations", func(m *machine.Machine) { m.Compute.Lanes["bf16"] = machine.Constant{Value: 0.5} }, 3 * 2 * elements},
			{"divisions", routine("divide", func(r *machine.Routine) { r.Element.Value = 5 }), 2 * 5 * elements},
			{"functions of rows", routine("transcendental", func(r *machine.Routine) { r.Element.Value = 5 }), 2 * 5 * each},
		}
		requireLimits(t, w, g, limits)
		w.Normalize.Ops.Routine = "measured"
		requireLimits(t, w, g, []limit{
			{"measured elements", routine("measured", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * elements},
			{"measured rows", routine("measured", func(r *machine.Routine) { r.Row.Value = 5 }), 5 * each},
			{"measured calls", routine("measured", func(r *machine.Routine) { r.Call.Value = 5 }), 5 * calls},
			{"measured loads", routine("measured", func(r *machine.Routine) { r.Load.Value = 5e-9 }), 5},
		})
	}
}

// TestParameters: what every core receives once and keeps comes before the first step: a row for all rows, and a table
// that a core can keep, for each core.
func TestParameters(t *testing.T) {
	const rows, cols, table = 64, 100, 37
	all, row := workload.Stream{DType: dtype.BF16, Elements: rows * cols}, workload.Stream{DType: dtype.F32, Elements: cols}
	g := mapping.Mapping{Kind: workload.KindNormalize, Cols: 4, Rows: 2, Tile: 1, Depth: 2}
	n := workload.Normalize{Rows: rows, Cols: cols, DType: dtype.BF16, Passes: 1, In: []workload.Stream{all}, Out: []workload.Stream{all}}
	points := workload.Pointwise{Elements: rows * cols, DType: dtype.BF16, In: []workload.Stream{all}, Out: []workload.Stream{all}}
	normalize := func(in ...workload.Stream) *workload.Kernel {
		w := &workload.Kernel{Name: "rows", Kind: workload.KindNormalize, Normalize: n}
		w.Normalize.In = append([]workload.Stream{all}, in...)
		return w
	}
	pointwise := func(in ...workload.Stream) *workload.Kernel {
		w := &workload.Kernel{Name: "points", Kind: workload.KindPointwise, Pointwise: points}
		w.Pointwise.In = append([]workload.Stream{all}, in...)
		return w
	}
	number := workload.Stream{DType: dtype.F32, Elements: 1}
	kept := workload.Stream{DType: dtype.F32, Elements: 1, Table: table, Reads: 1, Rounds: 1}
	estimate := func(w *workload.Kernel, slow func(m *machine.Machine)) (fill, all float64) {
		m := free(t)
		slow(m)
		g.Kind = w.Kind
		e, err := timing.Estimate(m, w, g)
		require.NoError(t, err)
		return e.Fill * m.Clock.Value, (e.Fill + e.Steady + e.Output + e.Drain) * m.Clock.Value
	}
	// The memory moves them besides all else.
	for name, c := range map[string]struct {
		slow   func(m *machine.Machine)
		copies float64
	}{
		"reads":  {func(m *machine.Machine) { m.DDR.Read.Value = 1e9 }, 8},
		"all":    {func(m *machine.Machine) { m.DDR.Total.Value = 1e9 }, 8},
		"writes": {func(m *machine.Machine) { m.DDR.Write.Value = 1e9 }, 0},
	} {
		more := func(with, without *workload.Kernel) float64 {
			_, a := estimate(with, c.slow)
			_, b := estimate(without, c.slow)
			return a - b
		}
		require.InDelta(t, 4*cols*c.copies, more(normalize(row), normalize(number)), 1e-6, "%s: a row", name)
		require.InDelta(t, 4*table*c.copies, more(pointwise(kept), pointwise(number)), 1e-6, "%s: a table", name)
	}
	// Channels of their own bring them, for both cores of a column to the mem tile and then to each; they are larger
	// than the first tiles of what is shared.
	for name, c := range map[string]struct {
		slow   func(m *machine.Machine)
		copies float64
	}{
		"an interface tile": {func(m *machine.Machine) { m.Shim.ChannelRate.Value = 2 }, 2},
		"a mem tile":        {func(m *machine.Machine) { m.Mem.ChannelRate.Value = 2 }, 3},
		"a core":            {func(m *machine.Machine) { m.Core.ChannelRate.Value = 2 }, 1},
	} {
		first, _ := estimate(normalize(row), c.slow)
		require.InDelta(t, 4*cols*c.copies/2, first, 1e-6, "%s: a row", name)
		first, _ = estimate(pointwise(kept), c.slow)
		require.InDelta(t, 4*table*c.copies/2, first, 1e-6, "%s: a table", name)
	}
}

// TestOneLimitOfMoves: runs of less than four bytes waste the rest of a word, and runs of less than 64 the rest of
// an access.
func TestOneLimitOfMoves(t *testing.T) {
	for _, c := range []struct {
		d    dtype.DType
		run  int
		each float64 // bytes of the memory for one that is moved
	}{{dtype.BF16, 1, 32}, {dtype.BF16, 2, 16}, {dtype.I8, 1, 64}, {dtype.F32, 1, 16}, {dtype.F32, 16, 1}, {dtype.F32, 64, 1}} {
		const n = 4096
		w := &workload.Kernel{Name: "move", Kind: workload.KindMove, Move: workload.Move{Elements: n, DType: c.d,
			ReadRun: c.run, WriteRun: n}}
		g := mapping.Mapping{Kind: w.Kind, Cols: 2, Rows: 1, Tile: 64, Depth: 2}
		bytes := float64(n * c.d.Size())
		m := free(t)
		m.DDR.PerShim.Value = 1e9
		for _, g.Lanes = range []int{1, 2} {
			e, err := timing.Estimate(m, w, g)
			require.NoError(t, err)
			objects := float64(n / 64 / 2 / g.Lanes) // of a stream; the first object comes alone, and the last leaves alone
			require.InEpsilon(t, bytes/2*math.Max(1, 4/float64(c.run*c.d.Size()))*(objects+1)/objects, e.Cycles, 1e-6, c)
		}
		requireLimits(t, w, g, []limit{
			{"reads", func(m *machine.Machine) { m.DDR.Read.Value = 1e9 }, bytes * c.each},
			{"writes", func(m *machine.Machine) { m.DDR.Write.Value = 1e9 }, bytes},
			{"bytes", func(m *machine.Machine) { m.DDR.Total.Value = 1e9 }, bytes * (c.each + 1)},
			{"hops", func(m *machine.Machine) { m.Stream.Hop.Value = 2 }, 2 * 2 * float64(1+1+4)},
		})
	}
}

// TestOneLimitOfAttention does the same for tiles of scores, with and without a mask.
func TestOneLimitOfAttention(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 4))
	for i := range 30 {
		a := workload.Attention{Batch: 1 + r.IntN(2), Heads: 4, KVHeads: 4, Sq: 1 + r.IntN(300), Sk: 1 + r.IntN(300),
			D: 16 << r.IntN(3), DV: 16 << r.IntN(3), DType: dtype.BF16, Acc: dtype.F32}
		masked := 0.0
		if i%3 == 0 {
			masked = 1
			a.Mask = &workload.Mask{DType: dtype.BF16, Queries: a.Sq, Heads: []workload.Loop{{Size: a.Batch * a.Heads}}}
		}
		w := &workload.Kernel{Name: "attention", Kind: workload.KindAttention, Attention: a}
		g := mapping.Mapping{Kind: w.Kind, Cols: 4, Rows: 1 + r.IntN(4), Heads: 1 << r.IntN(3), Tile: 8 << r.IntN(3),
			TK: 16 << r.IntN(2), TN: 16 << r.IntN(3), FanOut: 1, Style: "vector", Depth: 2}
		g.Cascade = g.Rows
		if g.Heads > 1 && g.MasksJoin(&a) {
			g.FanOut += r.IntN(2)
		}
		columns := g.Cols / g.Heads
		var rounds, turns, scores, macs, calls float64 // of the busiest core
		slice := min(g.TN, a.DV)
		_, chunks := g.Chunks(a.D)
		for range steps(a.Sq, columns*g.Tile) * steps(a.Batch*a.Heads, g.Heads) * steps(a.DV, g.TN) {
			rounds++
			for range steps(a.Sk, g.TK*g.Cascade) {
				turns++
				scores += float64(g.Tile * g.TK)
				macs += float64(g.Tile * g.TK * (a.D + slice))
				calls += float64(chunks + 1) // pieces of the keys, then the values
			}
		}
		each := scores / turns
		limits := []limit{
			{"launch", func(m *machine.Machine) { m.Host.Launch.Value = 7e-6 }, 7000},
			{"load", routine("attention", func(r *machine.Routine) { r.Load.Value = 5e-6 }), 5000},
			{"rounds", routine("attention", func(r *machine.Routine) { r.Call.Value = 500 }), 500 * rounds},
			{"scores", routine("attention", func(r *machine.Routine) { r.Element.Value = 5 }), 5 * scores},
			{"products", func(m *machine.Machine) { m.Compute.MACs["bf16"] = machine.Constant{Value: 0.5} }, macs / 0.5},
			{"products of a style", func(m *machine.Machine) {
				m.Compute.MACs["bf16"] = machine.Constant{Value: 4}
				style(func(s *machine.Style) { s.Efficiency.Value = 0.25 })(m)
			}, macs},
			{"calls", style(func(s *machine.Style) { s.Call.Value = 5 }), 5 * calls},
			{"updates", style(func(s *machine.Style) { s.Update.Value = 3 }), 3 * calls * each},
			{"reads", func(m *machine.Machine) { m.DDR.Read.Value = 1e9 }, 0},
			{"writes", func(m *machine.Machine) { m.DDR.Write.Value = 1e9 },
				rounds * float64(g.Cols*g.Tile*slice*2)},
		}
		e, err := timing.Estimate(free(t), w, g)
		require.NoError(t, err)
		limits[8].cycles = float64(e.ReadL3) // which TestEvents counts
		if g.Cascade > 1 {
			limits = append(limits, limit{"sums", func(m *machine.Machine) { m.Compute.CascadeBytes.Value = 8 },
				rounds * 2 * float64((g.Cascade-1)*g.Tile*(slice+2)*4) / 8})
		}
		if masked > 0 {
			limits = append(limits, limit{"masks", func(m *machine.Machine) { m.Compute.Lanes["bf16"] = machine.Constant{Value: 0.5} }, 2 * scores})
		}
		requireLimits(t, w, g, limits)

		m := free(t)
		m.Core.ChannelRate.Value, m.Stream.BDSetup.Value = 4, 9
		objects, tiles := g.MaskObjects(&a)
		chunk, _ := g.Chunks(a.D)
		keys := g.TK * (a.D + objects*tiles*chunk) * 2
		e, err = timing.Estimate(m, w, g)
		require.NoError(t, err)
		require.InEpsilon(t, float64(max(keys, g.TK*slice*2))/4+9, e.Step.Stream*m.Clock.Value, 1e-9)
		m = free(t)
		m.DDR.Read.Value = 1e9
		e, err = timing.Estimate(m, w, g)
		require.NoError(t, err)
		require.InEpsilon(t, float64((keys+g.TK*slice*2)*g.Cascade*g.Heads), e.Step.DDR*m.Clock.Value, 1e-9)
		m = free(t)
		m.DDR.PerShim.Value = 1e9
		e, err = timing.Estimate(m, w, g)
		require.NoError(t, err)
		require.InEpsilon(t, float64((keys+g.TK*slice*2)*g.Cascade*g.Heads)/4, e.Step.Shim*m.Clock.Value, 1e-9, "by four columns")
	}
}
