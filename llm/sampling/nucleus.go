package sampling

import "slices"

// nuclear reports whether TopP says anything.
func (s *Sampler) nuclear() bool { return s.TopP > 0 && s.TopP < 1 }

// nucleus keeps the most likely tokens that together have a probability.
func (s *Sampler) nucleus() {
	if !s.nuclear() || s.known { // then collect has left out the others
		return
	}
	s.softmax()
	sum := 0.0
	for i, c := range s.list {
		if sum += c.p; sum >= s.TopP {
			s.list = s.list[:i+1]
			break
		}
	}
}

// heaviest brings the most likely candidates that together have a probability to the front, in any order, and returns
// how many they are.
func heaviest(list []candidate, p float64) int {
	from, to := 0, len(list) // those in front of from are in, those from to on are out
	for to-from > 1 {
		pivot := list[from+(to-from)/2]
		front, mass := from, 0.0
		for i := from; i < to; i++ {
			if likelier(list[i], pivot) < 0 {
				mass += list[i].p
				list[i], list[front] = list[front], list[i]
				front++
			}
		}
		switch {
		case mass >= p:
			to = front
		case front == from: // the pivot is the most likely one
			i := from + slices.IndexFunc(list[from:to], func(c candidate) bool { return c.token == pivot.token })
			list[from], list[i] = list[i], list[from]
			if from++; pivot.p >= p {
				return from
			}
			p -= pivot.p
		default:
			from, p = front, p-mass
		}
	}
	return to
}
