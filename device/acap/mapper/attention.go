package mapper

import (
	"slices"
	"sort"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// attention enumerates the fused kernel: the heads at once, and cascades of rows over the keys, as many for every head
// as there is space for.
func (s *search) attention(a *workload.Attention) {
	l := newLimits(s.machine)
	even := append(halves(s.cols, s.full), inParts(a.Batch*a.Heads, s.cols)...)
	for _, style := range s.attentionStyles() {
		for _, shape := range s.fitting() {
			if !s.machine.Grid.VerticalCascade && shape[1] > 1 {
				continue // stages are placed above each other
			}
			if cols := shape[0]; l.memRows > 0 && cols > l.shimCols && cols%l.shimCols > 0 && !slices.Contains(even, cols) {
				continue // interface tiles have unequal numbers of results
			}
			if s.hopeless(s.model.AttentionFloor(style, shape[0]*shape[1])) {
				s.pruned++
				continue
			}
			g := mapping.Mapping{Kind: workload.KindAttention, Cols: shape[0], Rows: shape[1], Style: style, Depth: 2}
			for g.Cascade = shape[1]; g.Cascade >= 1; g.Cascade-- {
				if g.Rows%g.Cascade != 0 || g.Cascade < g.Rows && l.memRows == 0 {
					continue
				}
				s.heads(g, a, &l)
			}
		}
	}
}

// heads tries how many heads are worked on at once, for each number of groups the least, and on how many streams they
// come: as many as there are channels for.
func (s *search) heads(g mapping.Mapping, a *workload.Attention, l *limits) {
	all := a.Batch * a.Heads
	for groups := 1; groups <= all; groups++ {
		if g.Heads == up(all, groups) {
			continue
		}
		if g.Heads = up(all, groups); g.Heads*g.Cascade > g.Cores() {
			continue
		}
		for g.FanOut = 1; g.FanOut <= g.Heads; g.FanOut++ {
			if g.Heads%g.FanOut != 0 {
				continue
			}
			r, need, limit := l.headChannels(&g)
			if need <= limit {
				s.attentionTiles(g, a, l)
				break
			}
			s.reject(&g, r, need, limit)
			if l.memRows == 0 || a.KVHeads != a.Heads {
				break // nothing parts them, or they do not come in step
			}
		}
	}
}

// headChannels checks the DMA channels: keys and values reach every stage of heads that share a stream as two streams,
// results of a column leave as one.
func (l *limits) headChannels(g *mapping.Mapping) (reason, int, int) {
	above := g.Rows / g.Cascade
	columns := up(g.Heads*g.QueryTiles(), above)
	interfaces := min(columns, l.shimCols)
	in, out := up(2*g.Heads/g.FanOut*g.Cascade, interfaces), up(columns, interfaces)
	switch {
	case in > l.shimOut:
		return shimChannels, in, l.shimOut
	case out > l.shimIn:
		return shimChannels, out, l.shimIn
	case l.memRows == 0:
		return shimChannels, out, l.shimIn
	}
	if most := max(above, g.FanOut); most > l.memIn/l.memRows {
		return memTileChannels, most, l.memIn / l.memRows
	}
	if n := in + out*above; n > l.memIn {
		return memTileChannels, n, l.memIn
	}
	return memTileChannels, in*g.FanOut + out, l.memOut
}

func (s *search) attentionStyles() []string {
	var names []string
	for name, t := range s.machine.Compute.Styles {
		if !t.Vector && !t.Reference && t.Cast.Value == 0 && t.Convert.Value == 0 &&
			t.Takes(s.kernel.Attention.DType.String()) && s.machine.Suits(&t, s.kernel.Attention.DType.String(), false) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

// attentionTiles tries tiles of queries and keys, and the features of a round.
func (s *search) attentionTiles(g mapping.Mapping, a *workload.Attention, l *limits) {
	const most = 256
	_, unit, _ := s.machine.Shape(a.DType)
	keys := unit // a multiple for which a row of a mask is whole words
	for a.Mask != nil && keys*a.Mask.DType.Size()%workload.Word != 0 {
		keys *= 2
	}
	for _, g.TN = range multiples(unit, a.DV, most, s.full) {
		for _, g.TK = range multiples(keys, up(a.Sk, g.Cascade), most, s.full) {
			for _, g.Tile = range multiples(g.TK, up(a.Sq, g.QueryTiles()), max(most, g.TK), true) {
				if g.FanOut == 1 || g.MasksJoin(a) {
					s.deepestAttention(g, a, l)
				}
			}
		}
	}
}

// deepestAttention offers a mapping with two tiles in each buffer, or with one if two do not fit.
func (s *search) deepestAttention(g mapping.Mapping, a *workload.Attention, l *limits) {
	for g.Depth = 2; g.Depth >= 1; g.Depth-- {
		bytes := attentionBytes(&g, a)
		switch {
		case bytes > l.core:
			s.reject(&g, coreMemory, bytes, l.core)
			continue
		case s.hopeless(s.model.Floor(g)):
			s.pruned++
		default:
			s.offer(g)
		}
		return
	}
}

// attentionBytes is the data memory of a core: the stream's key and value tiles,
// queries, scores, weighted values, row statistics, mask.
func attentionBytes(g *mapping.Mapping, a *workload.Attention) int {
	chunk, _ := g.Chunks(a.D)
	slice, mask := min(g.TN, a.DV), 0
	if m := a.Mask; m != nil {
		mask = m.Rows(g.Tile) * g.TK * m.DType.Size()
	}
	elements := g.Depth*g.TK*(chunk+slice) + g.Tile*(a.D+g.TK+slice)
	return a.DType.Size()*elements + 2*g.Tile*a.Acc.Size() + mask
}
