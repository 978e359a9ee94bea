package sampling

import (
	"cmp"
	"math"
	"slices"
)

// candidate is a token with its score and, once that is known, its probability.
type candidate struct {
	token int
	score float32
	p     float64
}

// likelier orders candidates, the most likely one first, and equals by their numbers.
func likelier(a, b candidate) int {
	if a.score != b.score {
		return cmp.Compare(b.score, a.score)
	}
	return a.token - b.token
}

// collect takes the tokens that TopNSigma and TopK leave, the most likely ones first if a later part asks for an order.
// Tokens that MinP or TopP will leave out are not taken, so that few are to be sorted.
func (s *Sampler) collect(l Logits) {
	s.list, s.known = s.list[:0], false
	least := s.within(l.Scores)
	if k := s.TopK; k > 0 && k < len(l.Scores) {
		for i := l.above(0, least); i < len(l.Scores); i = l.above(i+1, least) {
			if s.push(candidate{token: i, score: l.Scores[i]}, k); len(s.list) == k {
				least = max(least, s.list[0].score)
			}
		}
	} else {
		if !s.typicals() && !s.nuclear() && s.MinP > 0 {
			least = max(least, below(float32(float64(l.Scores[l.Best()])+math.Log(s.MinP))))
		}
		for i := l.above(0, least); i < len(l.Scores); i = l.above(i+1, least) {
			s.list = append(s.list, candidate{token: i, score: l.Scores[i]})
		}
		if s.nuclear() && !s.typicals() && len(s.list) > 0 {
			s.softmax()
			s.list, s.known = s.list[:heaviest(s.list, s.TopP)], true
		}
	}
	if len(s.list) == 0 { // nothing but -inf: the best of equals
		s.list = append(s.list, candidate{token: l.Best()})
	}
	if !s.known || s.MinP > 0 || s.XTCProbability > 0 { // chance asks for no order
		slices.SortFunc(s.list, likelier)
	}
}

// push adds a candidate to a heap of the k best, whose worst is first.
func (s *Sampler) push(c candidate, k int) {
	worse := func(a, b candidate) bool { return a.score < b.score || a.score == b.score && a.token > b.token }
	l := s.list
	if len(l) < k {
		l = append(l, c)
		for i := len(l) - 1; i > 0 && worse(l[i], l[(i-1)/2]); i = (i - 1) / 2 {
			l[i], l[(i-1)/2] = l[(i-1)/2], l[i]
		}
		s.list = l
		return
	}
	l[0] = c
	for i := 0; ; {
		least := i
		for _, child := range []int{2*i + 1, 2*i + 2} {
			if child < len(l) && worse(l[child], l[least]) {
				least = child
			}
		}
		if least == i {
			return
		}
		l[i], l[least] = l[least], l[i]
		i = least
	}
}

// softmax computes probabilities from scores; the highest score is first.
func (s *Sampler) softmax() {
	most, sum := float64(s.list[0].score), 0.0
	for _, c := range s.list {
		most = max(most, float64(c.score))
	}
	for i, c := range s.list {
		s.list[i].p = math.Exp(float64(c.score) - most)
		sum += s.list[i].p
	}
	for i := range s.list {
		s.list[i].p /= sum
	}
}

// below is the score right below another.
func below(v float32) float32 { return math.Nextafter32(v, float32(math.Inf(-1))) }

// entropy is the entropy of the candidates, in natural units.
func (s *Sampler) entropy() (sum float64) {
	for _, c := range s.list {
		if c.p > 0 {
			sum -= float64(c.p * math.Log(c.p))
		}
	}
	return sum
}
