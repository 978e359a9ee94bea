package sampling

import (
	"math"
	"slices"
	"strings"

	"github.com/go-acap/acap/text/tokenizer"
)

// DRY lowers the scores of tokens that would go on repeating what was there ("don't repeat yourself"), the more the
// longer the repetition is.
type DRY struct {
	DRYMultiplier float64  `json:"dry_multiplier,omitempty"`        // of DRYBase to the power of the length beyond DRYAllowed, which is subtracted; 0 for none
	DRYBase       float64  `json:"dry_base,omitempty"`              // 0 for 1.75
	DRYAllowed    int      `json:"dry_allowed_length,omitempty"`    // tokens that may be there again; 0 for 2
	DRYLast       int      `json:"dry_penalty_last_n,omitempty"`    // how many of the last tokens are looked at; 0 for 64, -1 for all
	DRYBreakers   []string `json:"dry_sequence_breakers,omitempty"` // texts that no repetition goes across; nil for a line break, a colon, a quote and a star
}

// breakers are the tokens that hold a breaker or its beginning, with the tokens that then hold the rest of it, if any.
type breakers map[int][][]int

const (
	longestBreaker = 40 // bytes of a breaker that count
	longestTail    = 20 // tokens behind the first one of a breaker that count
)

// BreakerError is the error of a text among the breakers of DRY that the tokenizer makes no tokens of.
type BreakerError struct{ Err error }

// Error implements error.
func (e *BreakerError) Error() string { return "dry_sequence_breakers: " + e.Err.Error() }

// Unwrap returns the error of the tokenizer.
func (e *BreakerError) Unwrap() error { return e.Err }

// breakersOf returns the breakers of a sampling; nil if DRY is off.
func breakersOf(d DRY, t *tokenizer.Tokenizer) (breakers, error) {
	if d.DRYMultiplier == 0 {
		return nil, nil
	}
	texts := d.DRYBreakers
	if texts == nil {
		texts = []string{"\n", ":", "\"", "*"}
	}
	b := breakers{}
	for token := range t.Size() {
		word := t.Text(token)
		for _, text := range texts {
			text = text[:min(len(text), longestBreaker)]
			if strings.Contains(word, text) {
				b[token] = append(b[token], nil)
				continue
			}
			for n := min(len(word), len(text)-1); n > 0; n-- {
				if strings.HasSuffix(word, text[:n]) {
					tail, err := t.Encode(text[n:], tokenizer.EncodeOptions{})
					if err != nil {
						return nil, &BreakerError{err}
					}
					b[token] = append(b[token], tail[:min(len(tail), longestTail)])
				}
			}
		}
	}
	return b, nil
}

// behind is how many of the last tokens are behind the last breaker.
func (b breakers) behind(seen []int) int {
	for i := range seen {
		at := len(seen) - 1 - i
		longest := -1
		for _, tail := range b[seen[at]] {
			if len(tail) <= i && len(tail) > longest && slices.Equal(seen[at+1:at+1+len(tail)], tail) {
				longest = len(tail)
			}
		}
		if longest >= 0 {
			return i - longest
		}
	}
	return len(seen)
}

// alone reports whether a token holds a whole breaker.
func (b breakers) alone(token int) bool {
	return slices.ContainsFunc(b[token], func(tail []int) bool { return len(tail) == 0 })
}

// dry lowers the scores of tokens that go on with a repetition, as llama.cpp does.
func (s *Sampler) dry(l Logits, seen []int) {
	if s.DRYMultiplier == 0 {
		return
	}
	if last := orElse(s.DRYLast, 64); last > 0 && len(seen) > last {
		seen = seen[len(seen)-last:]
	}
	allowed, most := orElse(s.DRYAllowed, 2), s.breakers.behind(seen)
	if len(seen) <= allowed || most < allowed {
		return
	}
	if s.counts == nil {
		s.counts = map[int]int{}
	}
	clear(s.counts)
	for next, n := range repetitions(seen) {
		if n = min(n, most); n >= allowed {
			s.counts[seen[next]] = max(s.counts[seen[next]], n)
		}
	}
	base := orElse(s.DRYBase, 1.75)
	largest := math.Log(math.MaxFloat32) / math.Log(base) // so that no penalty is infinite
	for t, n := range s.counts {
		if t < len(l.Scores) && !s.breakers.alone(t) {
			l.set(t, l.Scores[t]-float32(s.DRYMultiplier*math.Pow(base, math.Floor(min(float64(n-allowed), largest)))))
		}
	}
}

// repetitions are for each place how many of the tokens in front of it are the last ones as well, by the algorithm Z
// from the end on.
func repetitions(seen []int) []int {
	count := len(seen)
	last := func(i int) int { return seen[count-1-i] }
	z, left, right := make([]int, count), 0, 0 // of the tokens from the end on
	for k := 1; k < count; k++ {
		if k < right {
			z[k] = min(right-k, z[k-left])
		}
		for k+z[k] < count && last(z[k]) == last(k+z[k]) {
			z[k]++
		}
		if k+z[k] > right {
			left, right = k, k+z[k]
		}
	}
	out := make([]int, count)
	for k := 1; k < count; k++ {
		out[count-k] = z[k]
	}
	return out
}
