package onnx

import (
	"fmt"
	"math"
	"testing"
)

// TestMelWeights: triangles between edges that lie equally far apart on the mel scale, 2595·log10(1 + f/700), in bins
// of the spectrum.
func TestMelWeights(t *testing.T) {
	for _, c := range []struct {
		mels, length, rate int
		low, high          float64
	}{{8, 64, 8192, 0, 4096}, {40, 512, 16000, 20, 8000}, {80, 400, 16000, 0, 8000}} {
		mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
		bins := make([]int, c.mels+2)
		for i := range bins {
			at := mel(c.low) + float64(i)*(mel(c.high)-mel(c.low))/float64(len(bins))
			bins[i] = int(math.Floor(float64(c.length+1) * 700 * (math.Pow(10, at/2595) - 1) / float64(c.rate)))
		}
		rows := c.length/2 + 1
		weights := make([]float64, rows*c.mels)
		for m := range c.mels {
			low, middle, high := bins[m], bins[m+1], bins[m+2]
			for f := low; f <= middle && low < middle; f++ {
				weights[f*c.mels+m] = float64(f-low) / float64(middle-low)
			}
			if low == middle {
				weights[middle*c.mels+m] = 1
			}
			for f := middle; f < high; f++ {
				weights[f*c.mels+m] = float64(high-f) / float64(high-middle)
			}
		}
		check(t, fmt.Sprintf("m = i64: %d\nl = i64: %d\nr = i64: %d\na = f32: %v\nb = f32: %v\ny = MelWeightMatrix(m, l, r, a, b)\nwant ",
			c.mels, c.length, c.rate, c.low, c.high)+line("y", "f32", []int{rows, c.mels}, weights...))
	}
}
