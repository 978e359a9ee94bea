package sampling

import "math"

// leastLikely keeps tokens that are likely enough beside the most likely one.
func (s *Sampler) leastLikely() {
	if s.MinP <= 0 {
		return
	}
	least := float64(s.list[0].score) + math.Log(s.MinP)
	for i, c := range s.list {
		if i > 0 && float64(c.score) < least {
			s.list = s.list[:i]
			break
		}
	}
}
