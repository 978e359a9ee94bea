package cache

// Table is the pages of a sequence in the layers of a span, in the order of its tokens. In the place of those that were
// given back, because no later token sees them, is page 0.
type Table struct {
	Pool []int
	Gone int // pages that were given back
}

// grow makes pages for the tokens up to a number, and reports whether there were enough. The sequence has at most most
// tokens.
func (t *Table) grow(p *Pool, tokens, most int) bool {
	if p.Span.State {
		return t.follow(p, tokens)
	}
	for len(t.Pool)*PageTokens < tokens {
		last := 0
		if len(t.Pool) > 0 {
			last = t.Pool[len(t.Pool)-1]
		}
		page, ok := p.take(last, min(PagesFor(most), len(p.users)-1))
		if !ok {
			return false
		}
		t.Pool = append(t.Pool, page)
	}
	return true
}

// retire gives back the pages that tokens from a position on do not see.
func (t *Table) retire(p *Pool, position int) {
	for first := p.Span.First(position); t.Gone < len(t.Pool) && (t.Gone+1)*PageTokens <= first; t.Gone++ {
		p.leave(t.Pool[t.Gone : t.Gone+1])
		t.Pool[t.Gone] = 0
	}
}

// leave gives all pages back.
func (t *Table) leave(p *Pool) {
	p.leave(t.Pool[t.Gone:])
	*t = Table{}
}

// Place is where the token at a position is kept.
func (t *Table) Place(position int) int64 {
	return int64(t.Pool[position/PageTokens]*PageTokens + position%PageTokens)
}

// Write writes the first places of a number of pages.
func (t *Table) Write(to []int64, pages int) {
	for i, p := range t.Pool[:pages] {
		to[i] = int64(p * PageTokens)
	}
}
