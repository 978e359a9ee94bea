package predict

import (
	"math"
	"slices"
)

// heldOut is the error, in 9 of 10 rows no more, of predictions of rows that the constants
// were not fitted to, by group of [Summarize]: the largest of the figures that the program in
// directory fit prints for parts held out (folds, sources and styles). Groups whose constants
// were fitted to all rows that there are have none.
var heldOut = map[string]float64{
	"npu1 gemm":              0.123,
	"npu2 gemm":              0.211,
	"npu2 gemv":              0.211,
	"npu2 pointwise":         0.117,
	"npu2 rope":              0.117,
	"npu2 norms":             0.25, // rows of 2048 elements, which the fit leaves out
	"npu2 attention":         0.193,
	"language models, array": 0.133,
	"language models, wall":  0.213,
}

// Interval returns between which a measurement is expected in 9 of 10 cases, 0 and 0 for a
// group of which nothing is known.
func Interval(group string, predicted float64) (low, high float64) {
	e, ok := heldOut[group]
	if !ok {
		return 0, 0
	}
	return predicted / (1 + e), predicted / (1 - e)
}

// Quantile returns an error that 9 of 10 further rows are expected to stay within, by those of
// rows held out: the largest of them if there are few.
func Quantile(errors []float64) float64 {
	if len(errors) == 0 {
		return math.Inf(1)
	}
	e := slices.Sorted(slices.Values(errors))
	return e[min(len(e), int(math.Ceil(0.9*float64(len(e)+1))))-1]
}
