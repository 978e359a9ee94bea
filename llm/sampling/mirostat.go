package sampling

import (
	"math"
	"slices"
)

// likeliest is how many tokens the first version of Mirostat estimates the slope of the probabilities by.
const likeliest = 100

// mirostat chooses a token among those that keep the surprise of the answer near MirostatTau: Basu et al., "Mirostat: a
// neural text decoding algorithm that directly controls perplexity", 2020. Version 1 leaves as many of the most likely
// tokens as Zipf's law asks for, version 2 the tokens whose surprise is bounded.
func (s *Sampler) mirostat(l Logits) int {
	tau, eta := orElse(s.MirostatTau, 5), orElse(s.MirostatEta, 0.1)
	s.list = s.list[:0]
	lowest := float32(math.Inf(-1))
	for i := l.above(0, lowest); i < len(l.Scores); i = l.above(i+1, lowest) {
		s.list = append(s.list, candidate{token: i, score: l.Scores[i]})
	}
	slices.SortFunc(s.list, likelier)
	s.divide(s.Temperature)
	s.softmax()
	if s.Mirostat == 1 {
		s.list = s.list[:min(len(s.list), s.zipf(len(l.Scores)))]
	} else if i := slices.IndexFunc(s.list, func(c candidate) bool { return -math.Log2(c.p) > s.surprise }); i >= 0 {
		s.list = s.list[:max(i, 1)]
	}
	c := s.pick()
	s.surprise -= float64(eta * (-math.Log2(c.p) - tau))
	return c.token
}

// zipf is how many tokens have the surprise, if probabilities fall as a power of the rank does.
func (s *Sampler) zipf(vocabulary int) int {
	var up, down float64
	for i := range min(likeliest, len(s.list)) - 1 {
		t := math.Log(float64(i+2) / float64(i+1))
		up += float64(t * math.Log(s.list[i].p/s.list[i+1].p))
		down += float64(t * t)
	}
	slope := up / down
	e := slope - 1
	k := math.Pow(e*math.Exp2(s.surprise)/(1-math.Pow(float64(vocabulary), -e)), 1/slope)
	if !(k < float64(vocabulary)) { // or not a number, of one token or of equals
		return vocabulary
	}
	return max(int(k), 1)
}
