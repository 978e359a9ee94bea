package embedding

import (
	"math"
	"slices"
)

// poolings are the ways to make one vector of the rows of a text, by the names in the settings of
// sentence-transformers.
var poolings = map[string]string{"cls": "cls", "cls_token": "cls", "mean": "mean", "mean_tokens": "mean", "max": "max", "max_tokens": "max",
	"mean_sqrt_len_tokens": "root", "weightedmean": "weighted", "weightedmean_tokens": "weighted", "lasttoken": "last"}

// pooled makes one vector of rows of a width: of the first row ("cls"), of the last ("last"), their mean, their
// maximum, their sum by the root of their number ("root"), or their mean weighted by 1, 2, 3 … ("weighted").
func pooled(rows []float32, width int, kind string) []float32 {
	n := len(rows) / width
	switch kind {
	case "cls":
		return slices.Clone(rows[:width])
	case "last":
		return slices.Clone(rows[(n-1)*width:])
	case "max":
		out := slices.Clone(rows[:width])
		for i, v := range rows {
			out[i%width] = max(out[i%width], v)
		}
		return out
	}
	sum := make([]float64, width)
	for i, v := range rows {
		w := 1.0
		if kind == "weighted" {
			w = float64(i/width + 1)
		}
		sum[i%width] += float64(w * float64(v))
	}
	by := map[string]float64{"mean": float64(n), "root": math.Sqrt(float64(n)), "weighted": float64(n) * float64(n+1) / 2}[kind]
	out := make([]float32, width)
	for i, v := range sum {
		out[i] = float32(v / by)
	}
	return out
}
