package sampling

import "math"

// within is the most score that TopNSigma leaves out.
func (s *Sampler) within(scores []float32) float32 {
	if s.TopNSigma <= 0 {
		return float32(math.Inf(-1))
	}
	most, mean, n := math.Inf(-1), 0.0, 0
	for _, v := range scores {
		if !math.IsInf(float64(v), -1) {
			most, mean, n = max(most, float64(v)), mean+float64(v), n+1
		}
	}
	mean /= float64(n)
	square := 0.0
	for _, v := range scores {
		if !math.IsInf(float64(v), -1) {
			square += (float64(v) - mean) * (float64(v) - mean)
		}
	}
	return below(float32(most - s.TopNSigma*math.Sqrt(square/float64(n))))
}
