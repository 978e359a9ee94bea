package llm

import (
	"math"
	"sort"
)

// typicals reports whether Typical says anything.
func (s *sampler) typicals() bool { return s.Typical > 0 && s.Typical < 1 }

// typical keeps tokens whose surprise is nearest to the expected one.
func (s *sampler) typical() {
	if !s.typicals() {
		return
	}
	s.softmax()
	entropy := 0.0
	for _, c := range s.list {
		if c.p > 0 {
			entropy -= c.p * math.Log(c.p)
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool {
		return math.Abs(-math.Log(s.list[i].p)-entropy) < math.Abs(-math.Log(s.list[j].p)-entropy)
	})
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum > s.Typical {
			s.list = s.list[:i+1]
			break
		}
	}
	sort.SliceStable(s.list, func(i, j int) bool { return s.list[i].score > s.list[j].score })
}
