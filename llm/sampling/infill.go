package sampling

import (
	"math"
	"slices"
	"strings"
)

// fill chooses what fills in a text, as llama.cpp does with its sampler infill: tokens that end the answer where those
// are likely enough, and else texts of which no other one is the beginning, with their probabilities together.
func (s *Sampler) fill() {
	if !s.Infill {
		return
	}
	s.softmax()
	ending := func(c candidate) bool { return slices.Contains(s.ends, c.token) }
	end := 0.0
	for _, c := range s.list {
		if ending(c) {
			end += c.p
		}
	}
	if 3*end*float64(len(s.list)) > 1-end {
		s.list = slices.DeleteFunc(s.list, func(c candidate) bool { return !ending(c) })
		return
	}
	s.join()
	texts := s.likely(0.2, ending)
	if texts == 0 {
		if s.list = s.list[:0]; len(s.ends) > 0 {
			s.list = append(s.list, candidate{token: s.ends[0]})
		}
		return
	}
	s.likely(1/float64(texts+1), ending)
	for i, c := range s.list {
		s.list[i].score = float32(math.Log(c.p))
	}
}

// join gives the probability of a text to its beginning, or that of the beginning to a text that is likelier.
func (s *Sampler) join() {
	gone := make([]bool, len(s.list))
	for i := range s.list {
		beginning := s.text(s.list[i].token)
		for k := range s.list {
			if gone[i] {
				break
			}
			if i == k || gone[k] || beginning == "" || !strings.HasPrefix(s.text(s.list[k].token), beginning) {
				continue
			}
			to, from := i, k
			if s.list[k].p > s.list[i].p {
				to, from = k, i
			}
			s.list[to].p += s.list[from].p
			s.list[from].p, gone[from] = 0, true
		}
	}
}

// likely leaves candidates of a least probability, and those that end the answer, with probabilities that sum to one. It
// returns how many of the others are left.
func (s *Sampler) likely(least float64, ending func(candidate) bool) (texts int) {
	sum := 0.0
	s.list = slices.DeleteFunc(s.list, func(c candidate) bool {
		switch {
		case ending(c):
		case c.p < least:
			return true
		default:
			texts++
		}
		sum += c.p
		return false
	})
	for i := range s.list {
		s.list[i].p /= sum
	}
	return texts
}
