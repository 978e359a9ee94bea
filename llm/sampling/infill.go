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

// join gives the probability of a text to its beginning, or that of the beginning to a text that is likelier. Texts
// that begin alike stand together in the order of their bytes, so that a whole vocabulary takes little time.
func (s *Sampler) join() {
	texts, sorted, gone := make([]string, len(s.list)), make([]int, len(s.list)), make([]bool, len(s.list))
	for i, c := range s.list {
		texts[i], sorted[i] = s.text(c.token), i
	}
	slices.SortFunc(sorted, func(i, k int) int { return strings.Compare(texts[i], texts[k]) })
	for i, beginning := range texts {
		if gone[i] || beginning == "" {
			continue
		}
		first, _ := slices.BinarySearchFunc(sorted, beginning, func(k int, text string) int { return strings.Compare(texts[k], text) })
		end := first
		for end < len(sorted) && strings.HasPrefix(texts[sorted[end]], beginning) {
			end++
		}
		for _, k := range slices.Sorted(slices.Values(sorted[first:end])) {
			if i == k || gone[k] {
				continue
			}
			to, from := i, k
			if s.list[k].p > s.list[i].p {
				to, from = k, i
			}
			s.list[to].p += s.list[from].p
			s.list[from].p, gone[from] = 0, true
			if gone[i] {
				break
			}
		}
	}
}

// likely leaves candidates of a least probability, and those that end the answer, with probabilities that sum to one.
// It returns how many of the others are left.
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
