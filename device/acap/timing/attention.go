package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// attention times the fused kernel: Heads heads at once, each over a group of
// columns of which every one holds a tile of queries; the rows of a column
// split the keys and merge their partial results along the cascade. A value
// dimension wider than TK is worked on in slices, each with its own pass over
// the scores.
func (e *estimate) attention(a *workload.Attention) error {
	m, g := e.machine, e.mapping
	if min(g.Tile, g.TK, g.Heads, g.Cascade) < 1 || g.Cols < g.Heads {
		return e.error("mapping %v has an empty tile", g)
	}
	if e.macRate <= 0 {
		return e.error("no multiply for %v", a.DType)
	}
	style, ok := m.Compute.Styles[g.Style]
	if !ok {
		return e.error("no kernel style %q", g.Style)
	}
	tilesQ := g.Cols / g.Heads * (g.Rows / g.Cascade)
	slices := ceil(a.DV, g.TK)
	blocksQ := ceil(a.Sq, tilesQ*g.Tile)
	e.Rounds = blocksQ * ceil(a.Batch*a.Heads, g.Heads) * slices
	e.Steps = ceil(a.Sk, g.TK*g.Cascade)

	routine := m.Compute.Routines["attention"]
	scores := float64(g.Tile) * float64(g.TK)
	macs := scores * (float64(a.D) + float64(a.DV)/float64(slices))
	chunk, calls := g.Chunks(a.D)
	cycles := macs/(e.macRate*style.Efficiency.Value) + float64(calls+1)*(style.Call.Value+scores*style.Update.Value) +
		scores*routine.Element.Value
	if a.Mask != nil {
		cycles += scores * e.bodyCycles(&workload.Mix{Simple: 1})
	}
	e.inner = cycles / m.Clock.Value * visible(a, e.Steps, int64(tilesQ*g.Tile), int64(g.TK))
	e.Step.Core = e.inner

	size := float64(a.DType.Size())
	each, tiles := g.MaskObjects(a)
	keys := float64(g.TK*(a.D+each*tiles*chunk)) * size
	values := float64(g.TK) * float64(a.DV) / float64(slices) * size
	cascade := float64(g.Cascade * g.Heads)
	setup := m.Stream.BDSetup.Value
	e.Step.Stream = (max(keys, values)/m.Core.ChannelRate.Value + setup) / m.Clock.Value
	e.Step.DDR = e.ddr((keys+values)*cascade, 0)
	e.Step.Shim = e.shim((keys+values)*cascade, 0)

	// A core waits for what the buffers on the way do not hold: with one buffer for
	// every tile, else for those of a mask that come after its keys.
	wait := e.Step.Stream
	if g.Depth >= 2 {
		object := float64(g.TK*chunk) * size
		one := max((object/m.Core.ChannelRate.Value+setup)/m.Clock.Value, e.ddr(object*cascade, 0))
		wait = float64(max(0, each*tiles-g.Depth)) * one
	}
	pace, _ := e.Step.Max()
	e.Steady = float64(e.Rounds*e.Steps) * max(pace, e.Step.Core+wait)

	// Each round loads queries, merges partial results and stores a block.
	e.Launch += routine.Load.Value
	e.Output = float64(e.Rounds) *
		max(routine.Call.Value/m.Clock.Value, AttentionRound(m, a, &g))
	e.Fill = e.Step.Stream + e.Step.DDR
	e.Drain = e.Step.Stream

	kv := int64((keys + values) * cascade)
	q := int64(tilesQ*g.Heads) * int64(g.Tile) * int64(a.D) * int64(a.DType.Size())
	e.ReadL3 = e.Rounds * (e.Steps*kv + q)
	e.WriteL3 = e.write
	e.L2 = 2 * (e.ReadL3 + e.WriteL3)
	e.L1 = e.Rounds*(e.Steps*kv*int64(tilesQ)+q*int64(g.Cascade)) + e.WriteL3
	return nil
}

// AttentionRound returns the seconds of one round outside its steps: the queries
// of all columns of a head pass by, the stages merge one after the other, the
// first keys and values arrive, the results leave.
func AttentionRound(m *machine.Machine, a *workload.Attention, g *mapping.Mapping) float64 {
	size := float64(a.DType.Size())
	rate := m.Core.ChannelRate.Value
	slice := float64(min(g.TK, a.DV))
	queries := float64(g.Cols/g.Heads*g.Tile*a.D) * size
	keys := float64(g.TK)*(float64(a.D)+slice)*size + queries
	partial := float64(g.Tile) * (slice + 2) * float64(a.Acc.Size())
	merges := 2 * float64(g.Cascade-1) * partial / max(1, m.Compute.CascadeBytes.Value)
	result := float64(g.Tile) * slice * size
	// The queries stream into the cores while the rest still comes from memory.
	arrive := max(keys*float64(g.Heads*g.Cascade)/m.DDR.Read.Value, queries/rate/m.Clock.Value)
	leave := result * float64(g.Cols) / m.DDR.Write.Value
	return arrive + leave + (merges+2*result/rate)/m.Clock.Value
}

// visible returns the share of the steps that compute: under a causal mask a
// core skips key tiles that lie wholly in the future, but a round lasts as long
// as its busiest stage, the one with the earliest keys.
func visible(a *workload.Attention, steps, block, tile int64) float64 {
	if !a.Causal {
		return 1
	}
	blocks := ceil64(int64(a.Sq), block)
	// Block i sees keys up to (i+1)·block; the first stage holds steps·tile keys.
	// Sum the visible steps over blocks without a loop.
	full := min(blocks, ceil64(steps*tile, block)-1) // first block that sees all of it
	sum := float64(full) * float64((full+1)*block) / float64(tile) / 2
	sum += float64(blocks-full) * float64(steps)
	return min(1, sum/(float64(blocks)*float64(steps)))
}
