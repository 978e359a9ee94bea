package llm

import "slices"

// batch says which sequences are computed in which pass, over one cache of pages for each span of layers. The engine
// computes what it says, and [Simulate] only counts the time.
type batch struct {
	pools  []*pages
	places int // of the layers that see all tokens
	most   int // sequences at once

	waiting []*sequence
	running []*sequence
	pieces  []piece // of the last pass, whose memory the next one has
	turn    int
	stats   Stats
}

// newBatch has room for tokens of all sequences, which are so many at once at most, in layers of some spans.
func newBatch(tokens, most int, spans ...span) batch {
	b := batch{places: placesFor(tokens), most: most}
	for _, s := range spans {
		b.pools = append(b.pools, newPages(s, s.pages(tokens, most)))
	}
	return b
}

// empty makes all pages free.
func (b *batch) empty() {
	for i, p := range b.pools {
		b.pools[i] = newPages(p.span, len(p.users))
	}
}

// holds reports whether the cache has room for a sequence that is alone and grows to its limit. Where its tokens see a
// window, it is read in pieces, and there is a page for them.
func (b *batch) holds(s *sequence) bool {
	for _, p := range b.pools {
		if min(pagesFor(s.limit), p.span.held(s.limit)+1) > len(p.users)-1 {
			return false
		}
	}
	return true
}

// mostPiece is how many tokens of a sequence a pass computes at most: what there are pages for beside those of a
// window.
func (b *batch) mostPiece(s *sequence) int {
	most := MostPiece
	for _, p := range b.pools {
		if have := len(p.users) - 1; p.span.window > 0 && !p.span.state && pagesFor(s.limit) > have {
			most = min(most, (have-p.span.held(s.limit))*pageTokens)
		}
	}
	return most
}

// admit begins sequences that wait, while there are places and pages for them. It returns those that have no room when they are alone.
func (b *batch) admit() (refused []*sequence) {
	for len(b.waiting) > 0 && len(b.running) < b.most {
		s := b.waiting[0]
		s.reuse(b.pools)
		if !s.reserve(b.pools, len(s.tokens)+1, b.mostPiece(s)) {
			s.leave(b.pools)
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
	b.count()
	return refused
}

// count counts the sequences and the pages.
func (b *batch) count() {
	b.stats.Running, b.stats.Waiting = len(b.running), len(b.waiting)
	b.stats.Pages, b.stats.FreePages = 0, 0
	for _, p := range b.pools {
		b.stats.Pages, b.stats.FreePages = b.stats.Pages+len(p.users)-1, b.stats.FreePages+p.free
	}
}

// piece is so many tokens of a sequence, from a position on.
type piece struct {
	s           *sequence
	from, count int
}

// last reports whether the piece ends with the last token of its sequence.
func (p *piece) last() bool { return p.from+p.count == len(p.s.tokens) }

// next says what the next pass computes: a token of all sequences that have one token to compute, the first of the list, and with them the rests of
// short prompts; or a piece of a long prompt alone. Long prompts and tokens take turns, so that a long prompt does not stop the others.
func (b *batch) next() (list []piece, tokens int) {
	var prompts []piece
	var long piece
	list, rows := b.pieces[:0], 0
	for _, s := range b.running {
		p := piece{s, s.cached, min(len(s.tokens)-s.cached, b.mostPiece(s))}
		switch {
		case p.count == 1:
			list = append(list, p)
		case p.short() && !b.stateful():
			prompts = append(prompts, p)
		case long.s == nil:
			long = p
		}
	}
	b.pieces = list
	b.turn++
	if long.s != nil && (len(list)+len(prompts) == 0 || b.turn%2 == 0) {
		return []piece{long}, 0
	}
	tokens, rows = len(list), len(list)
	for _, p := range prompts {
		if rows += p.count; rows > MostPiece {
			break // the others have the next pass
		}
		list = append(list, p)
	}
	return list, tokens
}

// mostSeen is how many places all tokens of a piece together may see for it to be short: each token reads the places that it sees for itself.
const mostSeen = 1 << 14

// short reports whether the rest of a prompt is read as rows of a pass, beside those of other sequences.
func (p *piece) short() bool {
	return p.count <= mostRows || p.last() && p.count*(p.from+p.count) <= mostSeen
}

// seated makes room for the pieces of a list, the first of which have one token. Where there is none for a token, the
// youngest sequence of these waits until others leave; where there is none for a piece of a prompt, the piece waits. If
// nothing is left to be computed, the youngest sequence gives its pages to the others.
func (b *batch) seated(list []piece, tokens int) ([]piece, int) {
	for i := 0; i < tokens; i++ {
		for i < tokens && !list[i].s.room(b.pools, list[i].s.cached+1) {
			tokens--
			b.preempt(list[tokens].s)
			list = slices.Delete(list, tokens, tokens+1)
		}
	}
	for i := tokens; i < len(list); i++ {
		if p := list[i]; !p.s.room(b.pools, p.from+p.count) {
			list = slices.Delete(list, i, i+1)
			i--
		}
	}
	if len(list) == 0 && len(b.running) > 1 {
		b.preempt(b.running[len(b.running)-1])
	}
	return list, tokens
}

// preempt takes the pages of a sequence, which begins anew when there are some again.
func (b *batch) preempt(s *sequence) {
	b.end(s)
	b.waiting = append([]*sequence{s}, b.waiting...)
	b.stats.Preempted++
}

// end takes a sequence out of those that run.
func (b *batch) end(s *sequence) {
	s.leave(b.pools)
	b.running = slices.DeleteFunc(b.running, func(r *sequence) bool { return r == s })
}

// guesses is how many tokens behind those of a sequence a draft may guess.
func (b *batch) guesses(s *sequence, most int) int {
	n := min(most, s.limit-len(s.tokens)-1, s.pagesLeft(b.pools))
	if n < 1 || !s.room(b.pools, len(s.tokens)+n) {
		return 0
	}
	return n
}

// The most tokens of prompts that a pass computes, what a piece alone is filled up to at least, and up to how many tokens it is rows of a pass.
const MostPiece, leastPiece, mostRows = 512, 8, 16

// alone reports whether a pass computes a piece of a sequence whose tokens see one cache together, or change one state in turn.
func (b *batch) alone(list []piece) bool {
	return len(list) == 1 && (list[0].count > mostRows || list[0].count > 1 && b.stateful())
}

// stateful reports whether layers keep states: tokens of one sequence are no rows of a pass then, which know nothing of each other.
func (b *batch) stateful() bool {
	return slices.ContainsFunc(b.pools, func(p *pages) bool { return p.span.state })
}

// numbers returns the sizes of the pass that computes pieces. A single long piece is one sequence, whose tokens are
// filled up to a power of two. All other pieces are rows: sequences of one token each, which may share pages. A pass of
// a single sequence always sees the sequence's full capacity, so that all its passes are one program.
func (b *batch) numbers(list []piece) Pass {
	n, seen := 0, 0
	for _, q := range list {
		n, seen = n+q.count, max(seen, q.from+q.count)
	}
	p := Pass{Sequences: rowsFor(n, b.most), Tokens: 1}
	if b.alone(list) {
		p = Pass{Sequences: 1, Tokens: bucket(n, leastPiece, MostPiece)}
	}
	if len(list) == 1 {
		seen = list[0].s.limit
	}
	most := max(b.places, placesFor(seen)) // in windows positions may be beyond the places, which are taken again
	p.Seen = min(bucket(seen, leastSeen, most), most)
	return p
}

// picks is of how many rows a pass computes scores: of those of last tokens, filled up to as many as there may be, or, if these are all, 0.
func picks(list []piece, p Pass, most int) int {
	if p.Tokens > 1 {
		return 1
	}
	for _, q := range list {
		if q.count > 1 {
			return min(p.Sequences, most)
		}
	}
	return 0
}

// rowsFor is how many rows a pass for so many has: a power of two, or three quarters of one, or the most sequences that there are.
func rowsFor(n, most int) int {
	rows := bucket(n, 1, MostPiece)
	if n <= rows/4*3 && rows >= 4 {
		rows = rows / 4 * 3
	}
	if n <= most {
		rows = min(rows, most)
	}
	return rows
}
