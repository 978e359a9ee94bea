package main

import (
	"math"

	"github.com/go-acap/acap/ops"
)

// tensor describes a tensor of a sample: type, extents, and its elements or their range.
func tensor(t ops.T) object {
	low, high := t.Low, t.High
	if low == 0 && high == 0 {
		low, high = -2, 2
	}
	o := object{"dtype": t.DType.String(), "shape": append([]int{}, t.Shape...), "low": low, "high": high}
	if t.Values != nil {
		values := make([]any, len(t.Values))
		for i, v := range t.Values {
			if values[i] = v; math.IsInf(v, 0) || math.IsNaN(v) {
				values[i] = float(v)["f"] // as text
			}
		}
		o["values"] = values
	}
	return o
}

// float writes a float so that it differs from an int and may be infinite.
func float(v float64) object {
	if math.IsInf(v, 0) || math.IsNaN(v) {
		text := map[bool]string{true: "nan", false: "inf"}[math.IsNaN(v)]
		if v < 0 {
			text = "-inf"
		}
		return object{"f": text}
	}
	return object{"f": v}
}
