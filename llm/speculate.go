package llm

// speculate lets the draft model guess the next tokens of a sequence, and the model check all of them in one pass. What is
// generated is what the model chooses: a guess is taken only if it is the same.
func (e *engine) speculate(s *sequence) error {
	guesses := e.guesses(s, e.m.options.DraftTokens)
	if guesses == 0 {
		return e.run([]piece{{s, s.cached, 1}}, 1)
	}
	known := len(s.tokens)
	wide := e.m.draft.Vocabulary
	defer func() { s.drafted = min(s.drafted, s.cached) }()
	for range guesses {
		n := len(s.tokens) - s.drafted
		l, err := e.compute(e.m.draft.network, &e.draft, []piece{{s, s.drafted, n}}, false)
		if err != nil {
			return err
		}
		s.drafted += n
		s.tokens = append(s.tokens, l.First(min(wide, e.m.Vocabulary)).Best())
	}
	guessed := append([]int(nil), s.tokens[known:]...)
	l, err := e.compute(e.m.network, &e.memory, []piece{{s, s.cached, guesses + 1}}, true)
	s.tokens = s.tokens[:known]
	if err != nil {
		return err
	}
	accepted := 0
	goes := true
	for k := 0; goes && k <= guesses; k++ {
		s.advance(e.pools, 1)
		goes = s.next(e.m, l.Row(k, e.m.Vocabulary))
		if k < guesses && s.tokens[len(s.tokens)-1] != guessed[k] {
			break
		}
		accepted++
	}
	e.mu.Lock()
	e.stats.GeneratedTokens += len(s.tokens) - known
	e.stats.DraftedTokens += guesses
	e.stats.AcceptedTokens += min(accepted, guesses)
	e.mu.Unlock()
	if !goes {
		e.finish(s)
	}
	return nil
}
