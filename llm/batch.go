package llm

import (
	"math/bits"
	"slices"
)

// batch says which sequences are computed in which pass, over one cache of pages. The engine computes what it says, and [Simulate]
// only counts the time.
type batch struct {
	pages  *pages
	places int
	most   int // sequences at once

	waiting []*sequence
	running []*sequence
	turn    int
	stats   Stats
}

// newBatch has room for tokens of all sequences, which are so many at once at most.
func newBatch(tokens, most int) batch {
	places := placesFor(tokens)
	return batch{pages: newPages(places / pageTokens), places: places, most: most}
}

// holds reports whether the cache has room for a sequence that is alone and grows to its limit.
func (b *batch) holds(s *sequence) bool { return pagesFor(s.limit) <= len(b.pages.users)-1 }

// admit begins sequences that wait, while there are places and pages for them. It returns those that have no room when they are alone.
func (b *batch) admit() (refused []*sequence) {
	for len(b.waiting) > 0 && len(b.running) < b.most {
		s := b.waiting[0]
		s.reuse(b.pages)
		if !s.room(b.pages, len(s.tokens)+1) {
			s.leave(b.pages)
			if len(b.running) > 0 {
				break // until others leave
			}
			refused = append(refused, s)
		} else {
			b.running = append(b.running, s)
			b.stats.Prompts++
			b.stats.PromptTokens += len(s.tokens)
			b.stats.ReusedTokens += s.reused
		}
		b.waiting = b.waiting[1:]
	}
	b.stats.Running, b.stats.Waiting = len(b.running), len(b.waiting)
	b.stats.Pages, b.stats.FreePages = len(b.pages.users)-1, b.pages.free
	return refused
}

// piece is so many tokens of a sequence, from a position on.
type piece struct {
	s           *sequence
	from, count int
}

// last reports whether the piece ends with the last token of its sequence.
func (p *piece) last() bool { return p.from+p.count == len(p.s.tokens) }

// next says what the next pass computes: pieces of prompts, or a token of all sequences that have one token to compute.
// Prompts and tokens take turns, so that a long prompt does not stop the others.
func (b *batch) next() (read []piece, decode []piece) {
	var prompts, ready []*sequence
	for _, s := range b.running {
		if len(s.tokens)-s.cached > 1 {
			prompts = append(prompts, s)
		} else {
			ready = append(ready, s)
		}
	}
	b.turn++
	if len(prompts) > 0 && (len(ready) == 0 || b.turn%2 == 0) {
		return shared(prompts), nil
	}
	return nil, pieces(ready)
}

// pieces are what sequences compute next, each alone.
func pieces(list []*sequence) []piece {
	out := make([]piece, len(list))
	for i, s := range list {
		out[i] = piece{s, s.cached, min(len(s.tokens)-s.cached, MostPiece)}
	}
	return out
}

// shared is the next piece of the first prompt, and with it those of other prompts that are filled up to as many tokens, as far as one pass
// has room for all of them. They are as many as a power of two, so that no sequence fills up the pass.
func shared(prompts []*sequence) []piece {
	list := pieces(prompts)
	filled := func(p piece) int { return bucket(p.count, leastShared, MostPiece) }
	tokens := filled(list[0])
	list = slices.DeleteFunc(list, func(p piece) bool { return filled(p) != tokens })
	most := min(len(list), MostPiece/tokens)
	return list[:1<<(bits.Len(uint(most))-1)]
}

// seated makes room for one more token of each sequence. Where there is none, the youngest one waits until others leave.
func (b *batch) seated(list []piece) []piece {
	for i := 0; i < len(list); i++ {
		for !list[i].s.room(b.pages, list[i].s.cached+1) {
			b.preempt(list[len(list)-1].s)
			list = list[:len(list)-1]
			if i == len(list) {
				break
			}
		}
	}
	return list
}

// preempt takes the pages of a sequence, which begins anew when there are some again.
func (b *batch) preempt(s *sequence) {
	b.end(s)
	b.waiting = append([]*sequence{s}, b.waiting...)
	b.stats.Preempted++
}

// end takes a sequence out of those that run.
func (b *batch) end(s *sequence) {
	s.leave(b.pages)
	b.running = slices.DeleteFunc(b.running, func(r *sequence) bool { return r == s })
}

// guesses is how many tokens behind those of a sequence a draft may guess.
func (b *batch) guesses(s *sequence, most int) int {
	n := min(most, s.limit-len(s.tokens)-1, s.pagesLeft(b.pages))
	if n < 1 || !s.room(b.pages, len(s.tokens)+n) {
		return 0
	}
	return n
}

// The most tokens of prompts that a pass computes, and what a piece is filled up to at least, alone and beside others.
const MostPiece, leastPiece, leastShared = 512, 8, 32

// numbers returns the numbers of the pass that computes pieces. Sequences, tokens and places are filled up to a power of two. The places of a
// sequence alone may lie in order, from start on.
func (b *batch) numbers(list []piece) (p Pass, start int, ordered bool) {
	n, end := 0, 0
	for _, q := range list {
		n, end = max(n, q.count), max(end, q.from+q.count)
	}
	least := leastPiece
	if len(list) > 1 {
		least = leastShared
	}
	p = Pass{Sequences: bucket(len(list), 1, b.most), Tokens: bucket(n, least, MostPiece)}
	if n <= 2 {
		p.Tokens = n
	}
	if q := list[0].s; p.Sequences == 1 {
		p.Seen, start = bucket(q.limit, leastSeen, b.places), q.pages[0]*pageTokens
		if q.pages[0] == 1 { // the only sequence, as a rule, which may need all places
			p.Seen = min(p.Seen, b.places-start)
		}
		if q.inOrder() && start+p.Seen <= b.places {
			return p, start, true
		}
	}
	p.Seen = min(bucket(end, leastSeen, b.places), b.places)
	return p, 0, false
}
