package schedule

import (
	"slices"

	"github.com/go-acap/acap/llm/cache"
)

// Batch says which sequences are computed in which pass, over one cache of pages for each span of layers. The engine
// of package llm computes what it says, and [Simulation] only counts the time.
type Batch struct {
	Pools  []*cache.Pool
	Places int // of the layers that see all tokens
	Most   int // sequences at once

	Waiting []*cache.Sequence
	Running []*cache.Sequence
	pieces  []Piece // of the last pass, whose memory the next one has
	turn    int
	Stats   Stats
}

// New has room for tokens of all sequences, at most most of them at once, in layers of some spans.
func New(tokens, most int, spans ...cache.Span) Batch {
	return Batch{Places: cache.PlacesFor(tokens), Most: most, Pools: cache.NewPools(tokens, most, MostPiece, spans...)}
}

// Empty makes all pages free.
func (b *Batch) Empty() {
	for i, p := range b.Pools {
		b.Pools[i] = cache.NewPool(p.Span, p.Size())
	}
}

// Holds reports whether the cache has room for a sequence that is alone and grows to its limit. Where its tokens see a
// window, it is read in pieces, and there is a page for them.
func (b *Batch) Holds(s *cache.Sequence) bool {
	for _, p := range b.Pools {
		if min(cache.PagesFor(s.Limit), p.Span.Held(s.Limit)+1) > p.Size()-1 {
			return false
		}
	}
	return true
}

// mostPiece is how many tokens of a sequence a pass computes at most: what there are pages for beside the pages of a
// window.
func (b *Batch) mostPiece(s *cache.Sequence) int {
	most := MostPiece
	for _, p := range b.Pools {
		if have := p.Size() - 1; p.Span.Window > 0 && !p.Span.State && cache.PagesFor(s.Limit) > have {
			most = min(most, (have-p.Span.Held(s.Limit))*cache.PageTokens)
		}
	}
	return most
}

// Admit begins sequences that wait, while there are places and pages for them. It returns those that have no room when
// they are alone.
func (b *Batch) Admit() (refused []*cache.Sequence) {
	for len(b.Waiting) > 0 && len(b.Running) < b.Most {
		s := b.Waiting[0]
		s.Reuse(b.Pools)
		if !s.Reserve(b.Pools, len(s.Tokens)+1, b.mostPiece(s)) {
			s.Leave(b.Pools)
			if len(b.Running) > 0 {
				break // until others leave
			}
			refused = append(refused, s)
		} else {
			b.Running = append(b.Running, s)
			b.Stats.Prompts++
			b.Stats.PromptTokens += len(s.Tokens)
			b.Stats.ReusedTokens += s.Reused
		}
		b.Waiting = b.Waiting[1:]
	}
	b.Count()
	return refused
}

// Count counts the sequences and the pages.
func (b *Batch) Count() {
	b.Stats.Running, b.Stats.Waiting = len(b.Running), len(b.Waiting)
	b.Stats.Pages, b.Stats.FreePages = 0, 0
	for _, p := range b.Pools {
		b.Stats.Pages, b.Stats.FreePages = b.Stats.Pages+p.Size()-1, b.Stats.FreePages+p.Free
	}
}

// Piece is a number of tokens of a sequence, from a position on.
type Piece struct {
	Sequence    *cache.Sequence
	From, Count int
}

// Last reports whether the piece ends with the last token of its sequence.
func (p *Piece) Last() bool { return p.From+p.Count == len(p.Sequence.Tokens) }

// Next says what the next pass computes: a token of all sequences that have one token to compute, the first of the
// list, and with them the rests of short prompts; or a piece of a long prompt alone. Long prompts and tokens take
// turns, so that a long prompt does not stop the others.
func (b *Batch) Next() (list []Piece, tokens int) {
	var prompts []Piece
	var long Piece
	list, rows := b.pieces[:0], 0
	for _, s := range b.Running {
		p := Piece{s, s.Cached, min(len(s.Tokens)-s.Cached, b.mostPiece(s))}
		switch {
		case p.Count == 1:
			list = append(list, p)
		case p.short() && !b.stateful():
			prompts = append(prompts, p)
		case long.Sequence == nil:
			long = p
		}
	}
	b.pieces = list
	b.turn++
	if long.Sequence != nil && (len(list)+len(prompts) == 0 || b.turn%2 == 0) {
		return []Piece{long}, 0
	}
	tokens, rows = len(list), len(list)
	for _, p := range prompts {
		if rows += p.Count; rows > MostPiece {
			break // the others have the next pass
		}
		list = append(list, p)
	}
	return list, tokens
}

// mostSeen is how many places all tokens of a piece together may see for it to be short: each token reads the places
// that it sees for itself.
const mostSeen = 1 << 14

// short reports whether the rest of a prompt is read as rows of a pass, beside rows of other sequences.
func (p *Piece) short() bool {
	return p.Count <= mostRows || p.Last() && p.Count*(p.From+p.Count) <= mostSeen
}

// Seated makes room for the pieces of a list, the first of which have one token. Where there is none for a token, the
// youngest sequence of these waits until others leave; where there is none for a piece of a prompt, the piece waits. If
// nothing is left to be computed, the youngest sequence gives its pages to the others.
func (b *Batch) Seated(list []Piece, tokens int) ([]Piece, int) {
	for i := 0; i < tokens; i++ {
		for i < tokens && !list[i].Sequence.Room(b.Pools, list[i].Sequence.Cached+1) {
			tokens--
			b.preempt(list[tokens].Sequence)
			list = slices.Delete(list, tokens, tokens+1)
		}
	}
	for i := tokens; i < len(list); i++ {
		if p := list[i]; !p.Sequence.Room(b.Pools, p.From+p.Count) {
			list = slices.Delete(list, i, i+1)
			i--
		}
	}
	if len(list) == 0 && len(b.Running) > 1 {
		b.preempt(b.Running[len(b.Running)-1])
	}
	return list, tokens
}

// preempt takes the pages of a sequence, which begins anew when there are some again.
func (b *Batch) preempt(s *cache.Sequence) {
	b.End(s)
	b.Waiting = append([]*cache.Sequence{s}, b.Waiting...)
	b.Stats.Preempted++
}

// End takes a sequence out of those that run.
func (b *Batch) End(s *cache.Sequence) {
	s.Leave(b.Pools)
	b.Running = slices.DeleteFunc(b.Running, func(r *cache.Sequence) bool { return r == s })
}

// Guesses returns the number of tokens that a draft may guess after a sequence.
func (b *Batch) Guesses(s *cache.Sequence, most int) int {
	n := min(most, s.Limit-len(s.Tokens)-1, s.PagesLeft(b.Pools))
	if n < 1 || !s.Room(b.Pools, len(s.Tokens)+n) {
		return 0
	}
	return n
}

// alone reports whether a pass computes a piece of a sequence whose tokens see one cache together, or change one state
// in turn.
func (b *Batch) alone(list []Piece) bool {
	return len(list) == 1 && (list[0].Count > mostRows || list[0].Count > 1 && b.stateful())
}

// stateful reports whether layers keep states: tokens of one sequence are no rows of a pass then, which know nothing of
// each other.
func (b *Batch) stateful() bool {
	return slices.ContainsFunc(b.Pools, func(p *cache.Pool) bool { return p.Span.State })
}

// PassOf returns the sizes of the pass that computes pieces. A single long piece is one sequence, whose tokens are
// filled up as [Rows] says. All other pieces are rows: sequences of one token each, which may share pages. A pass of
// a single sequence always sees the sequence's full capacity, so that all its passes are one program.
func (b *Batch) PassOf(list []Piece) Pass {
	n, seen := 0, 0
	for _, q := range list {
		n, seen = n+q.Count, max(seen, q.From+q.Count)
	}
	p := Pass{Sequences: rowsFor(n, b.Most), Tokens: 1}
	if b.alone(list) {
		p = Pass{Sequences: 1, Tokens: Rows(n, LeastPiece, MostPiece)}
	}
	if len(list) == 1 {
		seen = list[0].Sequence.Limit
	}
	most := max(b.Places, cache.PlacesFor(seen)) // in windows positions may be beyond the places, which are taken again
	p.Seen = min(Bucket(seen, LeastSeen, most), most)
	return p
}

// Picks returns the number of rows whose scores a pass computes: the rows of last tokens, filled up to the largest
// number of such rows, or 0 if these are all rows.
func Picks(list []Piece, p Pass, most int) int {
	if p.Tokens > 1 {
		return 1
	}
	for _, q := range list {
		if q.Count > 1 {
			return min(p.Sequences, most)
		}
	}
	return 0
}

// rowsFor returns the rows of a pass for n tokens of several sequences: [Rows], and no more than most sequences if n is
// no more.
func rowsFor(n, most int) int {
	rows := Rows(n, 1, MostPiece)
	if n <= most {
		rows = min(rows, most)
	}
	return rows
}
