package llm

import (
	"slices"

	"github.com/go-acap/acap/llm/architecture"
)

// span is what a token sees of its sequence in a layer: the tokens before it and itself, or the last so many of these,
// or those of its chunk.
type span struct {
	window  int // tokens; 0 for all
	chunked bool
	state   bool // one state stands for all tokens
}

// first is the position of the first token that the one at a position sees.
func (s span) first(position int) int {
	switch {
	case s.window == 0:
		return 0
	case s.chunked:
		return position / s.window * s.window
	}
	return max(0, position-s.window+1)
}

// held is how many pages a sequence holds at most between two passes, if it has so many tokens at most.
func (s span) held(tokens int) int {
	if s.window == 0 {
		return pagesFor(tokens)
	}
	return min(pagesFor(tokens), pagesFor(s.window)+1)
}

// pages returns how many pages a layer has for the tokens of some sequences: page 0, and the pages of all tokens, or of
// all windows. A window has two more pages than its length, because a pass writes beside the window and may begin a
// page for each sequence.
func (s span) pages(tokens, sequences int) int {
	all := pagesFor(tokens)
	if s.state {
		return 1 + 2*sequences + spareStates
	}
	if s.window > 0 {
		all = min(all, sequences*(pagesFor(s.window)+2)+pagesFor(MostPiece))
	}
	return all + 1
}

// spanOf returns what tokens see in a layer.
func spanOf(d *architecture.Description, layer int) span {
	if d.Recurs(layer) {
		return states
	}
	if d.IsConvolved(layer) {
		return span{window: d.Taps}
	}
	if !d.Windowed(layer) || d.Window >= d.Context {
		return span{}
	}
	return span{window: d.Window, chunked: d.Chunked}
}

// spansOf are those of the layers, each once.
func spansOf(d *architecture.Description) (list []span) {
	for i := range d.Layers {
		if s := spanOf(d, i); d.Mixes(i) && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
