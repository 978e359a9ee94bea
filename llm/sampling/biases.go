package sampling

import (
	"math"
	"slices"
)

// SequenceBias is added to the score of the last of some tokens where the tokens in front of it are the last ones that
// were there.
type SequenceBias struct {
	Tokens []int   `json:"tokens"`
	Bias   float64 `json:"bias"` // -Inf for tokens that never come one behind another
}

// never is the score of a token that does not come.
var never = float32(math.Inf(-1))

// Adjust changes the scores of tokens by what was there; it comes before a grammar and before [Sampler.Choose]. seen
// are the tokens before; the first prompt tokens of seen are the prompt. limit is the largest number of tokens, ends
// are the tokens that end an answer.
func (s *Sampler) Adjust(l Logits, seen []int, prompt, limit int, ends []int) {
	for t, b := range s.Bias {
		l.set(t, l.Scores[t]+float32(b))
	}
	for _, q := range s.Sequences {
		if last := len(q.Tokens) - 1; endsWith(seen, q.Tokens[:last]) {
			t := q.Tokens[last]
			l.set(t, l.Scores[t]+float32(q.Bias))
		}
	}
	if len(seen) == prompt {
		l.Without(s.NotFirst)
	}
	if len(seen)-prompt < s.LeastTokens || len(seen) < s.LeastLength {
		l.Without(ends)
	}
	s.unrepeated(l, seen)
	if len(s.LastTokens) > 0 && len(seen) == limit-1 {
		for t := range l.Scores {
			if l.set(t, never); slices.Contains(s.LastTokens, t) {
				l.set(t, 0)
			}
		}
	}
}

// endsWith reports whether the last of some tokens are these.
func endsWith(seen, last []int) bool {
	return len(seen) >= len(last) && slices.Equal(seen[len(seen)-len(last):], last)
}

// unrepeated leaves out the tokens that would make NoRepeat tokens one behind another that were there.
func (s *Sampler) unrepeated(l Logits, seen []int) {
	n := s.NoRepeat
	if n == 0 || len(seen) < n {
		return
	}
	before := seen[len(seen)-n+1:]
	for i := range len(seen) - n + 1 {
		if slices.Equal(seen[i:i+n-1], before) {
			l.set(seen[i+n-1], never)
		}
	}
}
