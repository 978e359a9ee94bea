package sampling

// penalise lowers scores of tokens that were there.
func (s *Sampler) penalise(l Logits, seen []int) {
	repeat := orElse(s.RepeatPenalty, 1)
	if repeat == 1 && s.FrequencyPenalty == 0 && s.PresencePenalty == 0 {
		return
	}
	if last := orElse(s.RepeatLast, 64); last > 0 && len(seen) > last {
		seen = seen[len(seen)-last:]
	}
	if s.counts == nil {
		s.counts = map[int]int{}
	}
	clear(s.counts)
	for _, t := range seen {
		s.counts[t]++
	}
	for t, n := range s.counts {
		if t >= len(l.Scores) {
			continue
		}
		v := l.Scores[t]
		if v <= 0 {
			v *= float32(repeat)
		} else {
			v /= float32(repeat)
		}
		l.set(t, v-float32(float64(n)*s.FrequencyPenalty)-float32(s.PresencePenalty))
	}
}
