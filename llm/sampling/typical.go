package sampling

import (
	"cmp"
	"math"
	"slices"
)

// typicals reports whether Typical says anything.
func (s *Sampler) typicals() bool { return s.Typical > 0 && s.Typical < 1 }

// typical keeps tokens whose surprise is nearest to the expected one.
func (s *Sampler) typical() {
	if !s.typicals() {
		return
	}
	s.softmax()
	entropy := s.entropy()
	far := func(c candidate) float64 { return math.Abs(-math.Log(c.p) - entropy) }
	slices.SortStableFunc(s.list, func(a, b candidate) int { return cmp.Compare(far(a), far(b)) })
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum > s.Typical {
			s.list = s.list[:i+1]
			break
		}
	}
	slices.SortStableFunc(s.list, func(a, b candidate) int { return cmp.Compare(b.score, a.score) })
}
