package sampling

import "math"

// Choice is a token with the logarithm of its probability.
type Choice struct {
	Token   int
	Logprob float64
}

// Logprobs returns the logarithm of the probability of a token, and the most likely tokens, as many as most at most,
// the most likely one first. The scores are taken as they are: a sampler changes them before it chooses.
func (l Logits) Logprobs(token, most int) (float64, []Choice) {
	top, sum := float64(l.Scores[l.Best()]), 0.0
	for _, v := range l.Scores {
		sum += math.Exp(float64(v) - top)
	}
	norm := top + math.Log(sum)
	var list []Choice
	if most > 0 {
		s := Sampler{Options: Options{TopK: most}}
		s.collect(l)
		for _, c := range s.list[:min(most, len(s.list))] {
			list = append(list, Choice{c.token, float64(c.score) - norm})
		}
	}
	return float64(l.Scores[token]) - norm, list
}
