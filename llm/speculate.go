package llm

import (
	"github.com/go-acap/acap/llm/cache"
	"github.com/go-acap/acap/llm/schedule"
)

// speculate lets the draft model guess the next tokens of a sequence, and the model check all of them in one pass. The
// model chooses all tokens: a guess is taken only if it is the model's choice.
func (e *engine) speculate(s *cache.Sequence) error {
	guesses := e.Guesses(s, e.m.options.DraftTokens)
	if guesses == 0 {
		return e.run([]schedule.Piece{{Sequence: s, From: s.Cached, Count: 1}}, 1)
	}
	known := len(s.Tokens)
	wide := e.m.draft.Vocabulary
	defer func() { s.Drafted = min(s.Drafted, s.Cached) }()
	for range guesses {
		n := len(s.Tokens) - s.Drafted
		l, err := e.compute(e.m.draft.network, &e.draft, []schedule.Piece{{Sequence: s, From: s.Drafted, Count: n}}, false)
		if err != nil {
			return err
		}
		s.Drafted += n
		s.Tokens = append(s.Tokens, l.First(min(wide, e.m.Vocabulary)).Best())
	}
	guessed := append([]int(nil), s.Tokens[known:]...)
	l, err := e.compute(e.m.network, &e.memory, []schedule.Piece{{Sequence: s, From: s.Cached, Count: guesses + 1}}, true)
	s.Tokens = s.Tokens[:known]
	if err != nil {
		return err
	}
	accepted := 0
	goes := true
	for k := 0; goes && k <= guesses; k++ {
		s.Advance(e.Pools, 1)
		goes = answerOf(s).next(e.m, l.Row(k, e.m.Vocabulary))
		if k < guesses && s.Tokens[len(s.Tokens)-1] != guessed[k] {
			break
		}
		accepted++
	}
	e.mu.Lock()
	e.Stats.GeneratedTokens += len(s.Tokens) - known
	e.Stats.DraftedTokens += guesses
	e.Stats.AcceptedTokens += min(accepted, guesses)
	e.mu.Unlock()
	if !goes {
		e.finish(s)
	}
	return nil
}
