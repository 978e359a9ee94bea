package mapper

import (
	"slices"
	"sort"

	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// attention enumerates the fused kernel: heads at once, columns of query tiles
// for each, cascades of rows over the keys, one above the other.
func (s *search) attention(a *workload.Attention) {
	l := newLimits(s.machine)
	_, kk, _ := s.machine.Shape(a.DType)
	for _, style := range s.attentionStyles() {
		for _, shape := range s.headShapes(a.Batch * a.Heads) {
			if !s.machine.Grid.VerticalCascade && shape[1] > 1 {
				continue // stages stand above each other
			}
			for heads := min(shape[0], a.Batch*a.Heads); heads >= 1; heads-- {
				for cascade := shape[1]; cascade >= 1; cascade-- {
					if shape[0]%heads != 0 || shape[1]%cascade != 0 || cascade < shape[1] && l.memRows == 0 {
						continue
					}
					g := mapping.Mapping{Kind: workload.KindAttention, Cols: shape[0], Rows: shape[1],
						Heads: heads, Cascade: cascade, Style: style, Depth: 2}
					s.attentionTiles(g, a, &l, kk)
				}
			}
		}
	}
}

// headShapes lists the sizes of the grid of cores to try: those of all kernels, and the columns that
// groups of heads fill, where all groups have as many.
func (s *search) headShapes(heads int) [][2]int {
	out := s.shapes()
	for groups := 1; groups <= heads; groups++ {
		each := up(heads, groups)
		if each > s.cols {
			continue
		}
		cols := s.cols / each * each
		if shape := [2]int{cols, min(s.machine.Grid.Tallest(cols), s.rows)}; shape[1] > 0 && !slices.Contains(out, shape) {
			out = append(out, shape)
		}
	}
	return out
}

func (s *search) attentionStyles() []string {
	var names []string
	for name, t := range s.machine.Compute.Styles {
		if !t.Vector && t.Cast.Value == 0 && t.Convert.Value == 0 &&
			t.Takes(s.kernel.Attention.DType.String()) {
			names = append(names, name)
		}
	}
	sort.Strings(names)
	return names
}

func (s *search) attentionTiles(g mapping.Mapping, a *workload.Attention, l *limits, unit int) {
	// Keys and values reach every stage of a head as two streams.
	streams := 2 * g.Heads * g.Cascade
	if n := up(streams, max(1, min(g.Cols, l.shimCols))); n > l.shimOut {
		s.reject(&g, shimChannels, n, l.shimOut)
		return
	}
	if n := up(g.Cols, max(1, min(g.Cols, l.shimCols))); n > l.shimIn {
		s.reject(&g, shimChannels, n, l.shimIn)
		return
	}
	for _, keys := range multiples(unit, up(a.Sk, g.Cascade), 256, s.full) {
		g.TK = keys
		for _, queries := range multiples(keys, a.Sq, 256, true) {
			g.Tile = queries
			for g.Depth = 2; g.Depth >= 1; g.Depth-- {
				bytes := attentionBytes(&g, a)
				if bytes <= l.core {
					if s.hopeless(s.model.Floor(g)) {
						s.pruned++
					} else {
						s.offer(g)
					}
					break
				}
				s.reject(&g, coreMemory, bytes, l.core)
			}
		}
	}
}

// attentionBytes is the data memory of a core: the stream's key and value tiles,
// queries, scores, weighted values, row statistics, mask.
func attentionBytes(g *mapping.Mapping, a *workload.Attention) int {
	chunk, _ := g.Chunks(a.D)
	slice, mask := min(g.TK, a.DV), 0
	if m := a.Mask; m != nil {
		mask = m.Rows(g.Tile) * g.TK * m.DType.Size()
	}
	elements := g.Depth*g.TK*(chunk+slice) + g.Tile*(a.D+g.TK+slice)
	return a.DType.Size()*elements + 2*g.Tile*a.Acc.Size() + mask
}
