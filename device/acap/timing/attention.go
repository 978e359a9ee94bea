package timing

import (
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// attention times the fused kernel: Heads heads at once, each with as many cascades as the array has space for. Every
// cascade holds a tile of queries; its cores split the keys and merge their partial results. A value dimension wider
// than TN is worked on in slices, each with its own pass over the scores.
func (e *estimate) attention(a *workload.Attention) error {
	if err := e.attentionSteps(a); err != nil {
		return err
	}
	m := e.machine
	// The rest of the measured cost of a round; transfers take theirs.
	routine := m.Compute.Routines["attention"]
	round, steps := e.attentionRound(a)
	if rest := routine.Call.Value/m.Clock.Value - (round - steps); rest > 0 {
		e.Start = rest
		round, steps = e.attentionRound(a)
	}
	e.Steady = float64(e.Rounds) * steps
	e.Output = float64(e.Rounds) * (round - steps)
	return nil
}

// attentionSteps sets what a step takes, and how many there are.
func (e *estimate) attentionSteps(a *workload.Attention) error {
	m, g := e.machine, e.mapping
	if min(g.Tile, g.TK, g.TN, g.Heads, g.FanOut, g.Cascade) < 1 {
		return e.error("mapping %v has an empty tile", g)
	}
	if g.Rows%g.Cascade > 0 || g.QueryTiles() < 1 || (g.Rows > g.Cascade || g.FanOut > 1) && m.Grid.MemRows == 0 ||
		g.Heads%g.FanOut > 0 || g.FanOut > 1 && !g.MasksJoin(a) {
		return e.error("mapping %v has no place for its heads", g)
	}
	if e.macRate <= 0 {
		return e.error("no multiply for %v", a.DType)
	}
	style := e.styles[g.Style]
	if style == nil {
		return e.error("no kernel style %q", g.Style)
	}
	if !style.Takes(a.DType.String()) {
		return e.error("no kernels of style %s for %v", g.Style, a.DType)
	}
	tilesQ := g.QueryTiles()
	slices := ceil(a.DV, g.TN)
	blocksQ := ceil(a.Sq, tilesQ*g.Tile)
	e.Rounds = blocksQ * ceil(a.Batch*a.Heads, g.Heads) * slices
	e.Steps = ceil(a.Sk, g.TK*g.Cascade)

	scores := float64(g.Tile) * float64(g.TK)
	macs := scores * (float64(a.D) + float64(a.DV)/float64(slices))
	chunk, calls := g.Chunks(a.D)
	e.inner = (e.scoresCycles(style, scores, macs, calls+1) + float64(float64(calls+1)*style.Call.Value)) / m.Clock.Value
	if !g.Masked {
		e.inner *= visible(a, e.Steps, int64(tilesQ*g.Tile), int64(g.TK))
	}
	e.Step.Core = e.inner

	size := float64(a.DType.Size())
	each, tiles := g.MaskObjects(a)
	keys := float64(float64(g.TK*(a.D+each*tiles*chunk)) * size)
	values := float64(float64(g.TK) * float64(a.DV) / float64(slices) * size)
	cascade := float64(g.Cascade * g.Heads)
	setup := m.Stream.BDSetup.Value
	e.Step.Stream = (max(keys, values)/m.Core.ChannelRate.Value + setup) / m.Clock.Value
	e.Step.DDR = e.ddr((keys+values)*cascade/e.keysShare(), 0)
	e.Step.Shim = e.shim((keys+values)*cascade, 0)
	e.Launch += m.Compute.Routines["attention"].Load.Value
	return nil
}

// scoresCycles returns the cycles of a core for scores and multiply-accumulates (macs), where each score is updated in
// the given number of calls of the kernel.
func (o *Model) scoresCycles(style *machine.Style, scores, macs float64, calls int) float64 {
	a, m := &o.kernel.Attention, o.machine
	element := float64(float64(calls)*style.Update.Value) + m.Compute.Routines["attention"].Element.Value
	if a.Mask != nil {
		element += o.bodyCycles(&workload.Mix{Simple: 1})
	}
	return macs/(m.RateOf(style, a.DType.String(), o.macRate)*style.EfficiencyOf(a.DType.String())) + float64(scores*element)
}

// AttentionFloor returns a lower bound of the seconds of attention on a number of cores: the time for all scores that a
// causal mask does not hide, in two calls of the kernel each, with nothing between the calls. It is 0 where there is no
// estimate.
func (o *Model) AttentionFloor(style string, cores int) float64 {
	a, s := &o.kernel.Attention, o.styles[style]
	if s == nil || o.macRate <= 0 || !o.machine.Programmed() {
		return 0
	}
	scores := float64(a.Batch*a.Heads) * float64(a.Sq) * float64(a.Sk)
	if a.Causal {
		seen := float64(min(a.Sq, a.Sk))
		scores *= (1 - seen/float64(2*a.Sq)) * seen / float64(a.Sk)
	}
	cycles := o.scoresCycles(s, scores, scores*float64(a.D+a.DV), 2)
	return o.machine.Host.Launch.Value + cycles/float64(cores)/o.machine.Clock.Value
}

// attentionRound returns the seconds of one round, and the seconds of its steps: the queries of all cascades of a head
// pass by, the steps follow, the stages merge one after the other, the results leave. It sets the bytes that all rounds
// move.
func (e *estimate) attentionRound(a *workload.Attention) (round, steps float64) {
	m, g := e.machine, &e.mapping
	chunk, calls := g.Chunks(a.D)
	each, tiles := g.MaskObjects(a)
	queryTiles, above := g.QueryTiles(), g.Rows/g.Cascade
	cascades := g.Heads * queryTiles
	columns := ceilInt(cascades, above)
	slice, size := min(g.TN, a.DV), float64(a.DType.Size())
	queries := int64(queryTiles * int(ceil(g.Tile, g.TK)) * calls)
	in, out := e.deal(2*g.Heads/g.FanOut*g.Cascade, true), e.deal(columns, false)
	first, _, _ := m.Grid.At(g.Cols, g.Rows, g.Col, g.Row)
	for kind := range 2 { // keys, then values
		for h := 0; h < g.Heads; h += g.FanOut {
			column, _ := g.CascadeAt(h * queryTiles)
			for range g.Cascade {
				in.add(kind, first+column, true)
			}
		}
	}
	for column := range columns {
		out.add(0, first+column, true)
	}
	l := e.newLine()
	k := stream{bytes: size * float64(g.TK*chunk), cost: 1 / e.keysShare(), parts: g.FanOut, streams: g.Heads / g.FanOut * g.Cascade,
		depth: g.Depth, objects: queries + e.Steps*int64(calls+each*tiles)}
	v := k
	if mask := a.Mask; mask != nil {
		// A tile of it, of all heads that share a stream, is a task; if something fills it up this is one for each
		// head, as is the tile.
		tasks := 1
		if each*chunk*a.DType.Size() > mask.Rows(g.Tile)*mask.DType.Size() {
			tasks = 2 * g.FanOut
		}
		k.tasks = float64(1+tasks*tiles) / float64(calls+each*tiles)
	}
	v.bytes, v.objects = size*float64(g.TK*slice), e.Steps
	o := stream{bytes: size * float64(g.Tile*slice), parts: above, streams: columns, depth: 1, objects: 1}
	e.ReadL3 = e.Rounds * int64(float64(k.streams*k.parts)*(float64(k.bytes*float64(k.objects))+float64(v.bytes*float64(v.objects))))
	e.WriteL3 = e.Rounds * int64(float64(cascades)*o.bytes)
	e.L1 = e.ReadL3*int64(queryTiles) + e.WriteL3 // keys and values go to all cascades of a head
	e.L2 = 0
	e.stage(e.ReadL3 + e.WriteL3)
	ins := e.connect(l, true, in.leaders().busiest(k.load(), v.load()), k, v)
	keys, values := ins[0], ins[1]
	results := e.connect(l, false, out.leaders().busiest(load{all: 1}), o)[0]
	pass := func() { l.take(keys); l.give(keys) }
	l.repeat(queries, pass)
	l.claim(results)
	l.work(e.Start)
	begin := l.now
	part := e.Step.Core / float64(calls+1)
	l.repeat(e.Steps, func() {
		for range calls {
			l.take(keys)
			l.work(part)
			l.give(keys)
		}
		for range each * tiles {
			pass()
		}
		l.take(values)
		l.work(part)
		l.give(values)
	})
	steps = l.now - begin
	partial := float64(g.Tile*(slice+2)) * float64(a.Acc.Size())
	l.work(2 * float64(g.Cascade-1) * partial / max(1, m.Compute.CascadeBytes.Value) / m.Clock.Value)
	l.put(results)
	return l.end(), steps
}

// keysShare returns the share of the memory's rate that keys and values are read for at most.
func (e *estimate) keysShare() float64 {
	return e.machine.Compute.KeysShare(e.styles[e.mapping.Style], e.kernel.Attention.DType)
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
	sum := float64(float64(full) * float64((full+1)*block) / float64(tile) / 2)
	sum += float64(float64(blocks-full) * float64(steps))
	return min(1, sum/(float64(blocks)*float64(steps)))
}
