package reference

import (
	"math"

	"github.com/go-acap/acap/base/shape"
)

// Softmax of the elements of a dimension and of a sink, whose share is not returned.
func init() {
	Functions["_sink_softmax"] = func(a Args) []Result {
		x, sinks := a.tensor(0), a.tensor(1)
		values, own := a.floats(0), a.floats(1)
		r := zeros(x.DType, x.Shape...)
		dim, _ := shape.Dim(a[2].(int), len(x.Shape))
		sink := func(at []int) float64 {
			n, shift := 0, len(at)-len(sinks.Shape)
			for d, extent := range sinks.Shape {
				n = n*extent + at[d+shift]%extent
			}
			return own[n]
		}
		sums := map[[8]int]float64{}
		row := func(i int) (key [8]int, at []int) {
			at = index(x.Shape, i)
			at[dim] = 0
			copy(key[:], at)
			return key, at
		}
		for i, v := range values {
			key, at := row(i)
			if _, begun := sums[key]; !begun {
				sums[key] = math.Exp(sink(at))
			}
			sums[key] += math.Exp(v)
		}
		for i, v := range values {
			key, _ := row(i)
			r.Values[i] = math.Exp(v) / sums[key]
		}
		return []Result{r}
	}
}
