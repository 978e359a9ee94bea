package sampling

import "math"

// heat divides scores by the temperature. With a range the temperature follows the entropy of the candidates, as a
// share of the largest that as many candidates can have: Dynamic Temperature of llama.cpp.
func (s *Sampler) heat() {
	temperature := s.Temperature
	if s.TemperatureRange > 0 && len(s.list) > 1 {
		s.softmax()
		share := math.Pow(s.entropy()/math.Log(float64(len(s.list))), orElse(s.TemperatureExponent, 1))
		least := max(0, temperature-s.TemperatureRange)
		temperature += s.TemperatureRange
		temperature = least + float64((temperature-least)*share)
	}
	s.divide(temperature)
}

// divide divides scores by a temperature, below the best one, so that a small temperature makes nothing infinite.
func (s *Sampler) divide(temperature float64) {
	most := math.Inf(-1)
	for _, c := range s.list {
		most = max(most, float64(c.score))
	}
	for i, c := range s.list {
		if s.list[i].score = 0; float64(c.score) < most {
			s.list[i].score = float32((float64(c.score) - most) / temperature)
		}
	}
}
