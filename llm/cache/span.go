package cache

import (
	"slices"

	"github.com/go-acap/acap/llm/architecture"
)

// Span is the part of its sequence that a token sees in a layer: itself and all tokens before it, or the last Window of
// these, or the tokens of its chunk.
type Span struct {
	Window  int // tokens; 0 for all
	Chunked bool
	State   bool // one state stands for all tokens
}

// First is the position of the first token that the one at a position sees.
func (s Span) First(position int) int {
	switch {
	case s.Window == 0:
		return 0
	case s.Chunked:
		return position / s.Window * s.Window
	}
	return max(0, position-s.Window+1)
}

// Held is how many pages a sequence of at most tokens tokens holds at most between two passes.
func (s Span) Held(tokens int) int {
	if s.Window == 0 {
		return PagesFor(tokens)
	}
	return min(PagesFor(tokens), PagesFor(s.Window)+1)
}

// Pages returns how many pages a layer has for the tokens of some sequences: page 0, and the pages of all tokens, or of
// all windows. A pass computes at most piece tokens of a prompt. A window has two more pages than its length, because a
// pass writes beside the window and may begin a page for each sequence.
func (s Span) Pages(tokens, sequences, piece int) int {
	all := PagesFor(tokens)
	if s.State {
		return 1 + 2*sequences + spareStates
	}
	if s.Window > 0 {
		all = min(all, sequences*(PagesFor(s.Window)+2)+PagesFor(piece))
	}
	return all + 1
}

// SpanOf returns what tokens see in a layer.
func SpanOf(d *architecture.Description, layer int) Span {
	if d.Recurs(layer) {
		return States
	}
	if d.IsConvolved(layer) {
		return Span{Window: d.Taps}
	}
	if !d.Windowed(layer) || d.Window >= d.Context {
		return Span{}
	}
	return Span{Window: d.Window, Chunked: d.Chunked}
}

// SpansOf returns the spans of the layers, each once.
func SpansOf(d *architecture.Description) (list []Span) {
	for i := range d.Layers {
		if s := SpanOf(d, i); d.Mixes(i) && !slices.Contains(list, s) {
			list = append(list, s)
		}
	}
	return list
}
