package cache

// Room makes pages for the tokens up to a number in all pools, and reports whether there were enough.
func (s *Sequence) Room(pools []*Pool, tokens int) bool {
	s.seat(pools)
	for i, p := range pools {
		if !s.Tables[i].grow(p, tokens, s.Limit) {
			return false
		}
	}
	return true
}

// Reserve makes pages for the tokens up to a number where the sequence holds them to its end. Elsewhere it takes none,
// and pages for the next tokens, next of them, must be free.
func (s *Sequence) Reserve(pools []*Pool, tokens, next int) bool {
	s.seat(pools)
	for i, p := range pools {
		t := &s.Tables[i]
		switch {
		case p.Span.State:
			if p.Free == 0 {
				return false
			}
		case p.Span.Window == 0 && !t.grow(p, tokens, s.Limit):
			return false
		case p.Span.Window > 0 && PagesFor(min(tokens, s.Cached+next))-len(t.Pool) > p.Free:
			return false
		}
	}
	return true
}

// seat makes empty tables.
func (s *Sequence) seat(pools []*Pool) {
	if s.Tables == nil {
		s.Tables = make([]Table, len(pools))
	}
}

// Reuse takes the pages of tokens that were computed before, as many as all pools have of those that the next token
// sees. One token is left to compute.
func (s *Sequence) Reuse(pools []*Pool) {
	s.seat(pools)
	var d digest
	var whole []digest
	known, runs := 0, make([]int, len(pools)) // pages in a row that a pool has, up to here
	for n := 1; n*PageTokens < len(s.Tokens); n++ {
		d = chain(d, s.Tokens[(n-1)*PageTokens:n*PageTokens])
		whole = append(whole, d)
		all, any := true, false
		for i, p := range pools {
			if _, ok := p.find[d]; ok {
				runs[i]++
			} else {
				runs[i] = 0
			}
			all = all && n-runs[i] <= p.Span.First(n*PageTokens)/PageTokens
			any = any || p.Span.Window > 0 || runs[i] == n
		}
		if all {
			known = n
		}
		if !any {
			break
		}
	}
	s.whole, s.Cached = whole[:known], known*PageTokens
	for i, p := range pools {
		t := &s.Tables[i]
		t.Gone = min(p.Span.First(s.Cached)/PageTokens, known)
		t.Pool = make([]int, t.Gone, known)
		for _, d := range s.whole[t.Gone:] {
			t.Pool = append(t.Pool, p.share(d))
		}
	}
	s.Drafted, s.Reused = s.Cached, s.Cached
}

// Advance says that the given number of further tokens is in the cache, and names the pages that are whole.
func (s *Sequence) Advance(pools []*Pool, tokens int) {
	s.Cached += tokens
	for n := len(s.whole); (n+1)*PageTokens <= s.Cached; n++ {
		var before digest
		if n > 0 {
			before = s.whole[n-1]
		}
		d := chain(before, s.Tokens[n*PageTokens:(n+1)*PageTokens])
		s.whole = append(s.whole, d)
		for i, p := range pools {
			if !p.Span.State || (n+1)*PageTokens == s.Cached { // a state is known behind the last token of a pass alone
				p.keep(s.Tables[i].Pool[n], d)
			}
		}
	}
	for i, p := range pools {
		s.Tables[i].retire(p, s.Cached)
	}
}

// Leave gives the pages back.
func (s *Sequence) Leave(pools []*Pool) {
	for i := range s.Tables {
		s.Tables[i].leave(pools[i])
	}
	s.Tables, s.whole, s.Cached, s.Drafted = nil, nil, 0, 0
}

// PagesLeft returns the number of further tokens that the sequence's pages and the free pages have room for.
func (s *Sequence) PagesLeft(pools []*Pool) int {
	least := len(pools[0].users)
	for i, p := range pools {
		least = min(least, len(s.Tables[i].Pool)+p.Free)
	}
	return least*PageTokens - len(s.Tokens)
}

// Sequence is a prompt and what was generated after it.
type Sequence struct {
	Owner  any   // what the caller keeps with the sequence
	Tokens []int // of the prompt and after it
	Prompt int   // tokens of the prompt
	Limit  int   // most tokens that there may be

	Cached  int      // tokens whose keys and values are in the cache
	Drafted int      // the same of the draft model
	Reused  int      // tokens whose keys and values were there already
	Tables  []Table  // of each pool
	whole   []digest // of its whole pages
}
