package spread

import "math"

// Spread is an interval around a prediction: in a given share of cases the measured time lies between the predicted
// time over Below and the predicted time times Above. Both are at least 1.
type Spread struct {
	Below float64 `json:"below"`
	Above float64 `json:"above"`
}

// Around returns the interval around a predicted quantity. rising says that the quantity rises where less time is
// taken, as throughput does.
func (s Spread) Around(predicted float64, rising bool) (low, high float64) {
	if rising {
		s.Below, s.Above = s.Above, s.Below
	}
	return predicted / s.Below, predicted * s.Above
}

// Within returns the bounds of a measurement from which a prediction is off by no more than a relative error, which is
// below 1.
func Within(predicted, e float64) (low, high float64) {
	return predicted / (1 + e), predicted / (1 - e)
}

// Width returns the upper end of the interval divided by the lower end.
func (s Spread) Width() float64 { return s.Below * s.Above }

// Covers reports whether a score lies within the spread.
func (s Spread) Covers(score float64) bool {
	return -math.Log(s.Below) <= score && score <= math.Log(s.Above)
}

// times returns the factor by which the spread must be widened, on a logarithmic scale, to reach a score.
func (s Spread) times(score float64) float64 {
	return max(score/math.Log(s.Above), -score/math.Log(s.Below))
}

// wider returns the spread widened by a factor, on a logarithmic scale.
func (s Spread) wider(times float64) Spread {
	return Spread{Below: math.Pow(s.Below, times), Above: math.Pow(s.Above, times)}
}
