package sampling

// exclude leaves out the most likely tokens, as often as XTCProbability says.
func (s *Sampler) exclude() {
	if s.XTCProbability <= 0 || s.XTCThreshold > 0.5 || len(s.list) < 2 || s.chance.Float64() > s.XTCProbability {
		return
	}
	s.softmax()
	last := 0
	for i, c := range s.list {
		if c.p >= s.XTCThreshold {
			last = i
		} else {
			break
		}
	}
	s.list = s.list[last:]
}
