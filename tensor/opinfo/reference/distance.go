package reference

import "math"

// The distance of a row of the last dimension from 0 is (Σ|x|ᵖ)^(1/p).
func init() {
	Functions["_distance"] = func(a Args) []Result {
		in, p := a.tensor(0), a[1].(float64)
		last := len(in.Shape) - 1
		r, columns := zeros(in.DType, in.Shape[:last]...), in.Shape[last]
		for i, v := range a.floats(0) {
			r.Values[i/columns] += math.Pow(math.Abs(v), p)
		}
		for i, v := range r.Values {
			r.Values[i] = math.Pow(v, 1/p)
		}
		return []Result{r}
	}
}
