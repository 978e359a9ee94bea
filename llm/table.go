package llm

// table is the pages of a sequence in the layers of a span, in the order of its tokens. In the place of those that were
// given back, because no later token sees them, is page 0.
type table struct {
	pages []int
	gone  int // pages that were given back
}

// grow makes pages for the tokens up to a number, and reports whether there were enough. The sequence has so many
// tokens at most.
func (t *table) grow(p *pages, tokens, most int) bool {
	if p.span.state {
		return t.follow(p, tokens)
	}
	for len(t.pages)*pageTokens < tokens {
		last := 0
		if len(t.pages) > 0 {
			last = t.pages[len(t.pages)-1]
		}
		page, ok := p.take(last, min(pagesFor(most), len(p.users)-1))
		if !ok {
			return false
		}
		t.pages = append(t.pages, page)
	}
	return true
}

// retire gives back the pages that tokens from a position on do not see.
func (t *table) retire(p *pages, position int) {
	for first := p.span.first(position); t.gone < len(t.pages) && (t.gone+1)*pageTokens <= first; t.gone++ {
		p.leave(t.pages[t.gone : t.gone+1])
		t.pages[t.gone] = 0
	}
}

// leave gives all pages back.
func (t *table) leave(p *pages) {
	p.leave(t.pages[t.gone:])
	*t = table{}
}

// place is where the token at a position is kept.
func (t *table) place(position int) int64 {
	return int64(t.pages[position/pageTokens]*pageTokens + position%pageTokens)
}

// write writes the first places of so many pages.
func (t *table) write(to []int64, pages int) {
	for i, p := range t.pages[:pages] {
		to[i] = int64(p * pageTokens)
	}
}

// room makes pages for the tokens up to a number in all pools, and reports whether there were enough.
func (s *sequence) room(pools []*pages, tokens int) bool {
	s.seat(pools)
	for i, p := range pools {
		if !s.tables[i].grow(p, tokens, s.limit) {
			return false
		}
	}
	return true
}

// reserve makes pages for the tokens up to a number where the sequence holds them to its end. Elsewhere it takes none,
// and pages for the next so many tokens must be free.
func (s *sequence) reserve(pools []*pages, tokens, next int) bool {
	s.seat(pools)
	for i, p := range pools {
		t := &s.tables[i]
		switch {
		case p.span.state:
			if p.free == 0 {
				return false
			}
		case p.span.window == 0 && !t.grow(p, tokens, s.limit):
			return false
		case p.span.window > 0 && pagesFor(min(tokens, s.cached+next))-len(t.pages) > p.free:
			return false
		}
	}
	return true
}

// seat makes empty tables.
func (s *sequence) seat(pools []*pages) {
	if s.tables == nil {
		s.tables = make([]table, len(pools))
	}
}

// reuse takes the pages of tokens that were computed before, as many as all pools have of those that the next token
// sees. One token is left to compute.
func (s *sequence) reuse(pools []*pages) {
	s.seat(pools)
	var d digest
	var whole []digest
	known, runs := 0, make([]int, len(pools)) // pages in a row that a pool has, up to here
	for n := 1; n*pageTokens < len(s.tokens); n++ {
		d = chain(d, s.tokens[(n-1)*pageTokens:n*pageTokens])
		whole = append(whole, d)
		all, any := true, false
		for i, p := range pools {
			if _, ok := p.find[d]; ok {
				runs[i]++
			} else {
				runs[i] = 0
			}
			all = all && n-runs[i] <= p.span.first(n*pageTokens)/pageTokens
			any = any || p.span.window > 0 || runs[i] == n
		}
		if all {
			known = n
		}
		if !any {
			break
		}
	}
	s.whole, s.cached = whole[:known], known*pageTokens
	for i, p := range pools {
		t := &s.tables[i]
		t.gone = min(p.span.first(s.cached)/pageTokens, known)
		t.pages = make([]int, t.gone, known)
		for _, d := range s.whole[t.gone:] {
			t.pages = append(t.pages, p.share(d))
		}
	}
	s.drafted, s.reused = s.cached, s.cached
}

// advance says that so many more tokens are in the cache, and names the pages that are whole.
func (s *sequence) advance(pools []*pages, tokens int) {
	s.cached += tokens
	for n := len(s.whole); (n+1)*pageTokens <= s.cached; n++ {
		var before digest
		if n > 0 {
			before = s.whole[n-1]
		}
		d := chain(before, s.tokens[n*pageTokens:(n+1)*pageTokens])
		s.whole = append(s.whole, d)
		for i, p := range pools {
			if !p.span.state || (n+1)*pageTokens == s.cached { // a state is known behind the last token of a pass alone
				p.keep(s.tables[i].pages[n], d)
			}
		}
	}
	for i, p := range pools {
		s.tables[i].retire(p, s.cached)
	}
}

// leave gives the pages back.
func (s *sequence) leave(pools []*pages) {
	for i := range s.tables {
		s.tables[i].leave(pools[i])
	}
	s.tables, s.whole, s.cached, s.drafted = nil, nil, 0, 0
}

// pagesLeft is how many tokens the free pages and those of the sequence have room for beyond its tokens.
func (s *sequence) pagesLeft(pools []*pages) int {
	least := len(pools[0].users)
	for i, p := range pools {
		least = min(least, len(s.tables[i].pages)+p.free)
	}
	return least*pageTokens - len(s.tokens)
}
