package onnx

import (
	"math"

	"github.com/go-acap/acap/mlir/importer/onnx/proto"
	"github.com/go-acap/acap/tensor/dtype"
)

func init() { register("MelWeightMatrix", melWeights) }

// melWeights maps the bins of a spectrum to triangles that are evenly spaced on the mel scale,
// 2595·log10(1 + f/700).
func melWeights(n *node) {
	bins, length := n.integer(0), n.integer(1)
	rate, low, high := n.number(2), n.number(3), n.number(4)
	d, err := proto.DTypeOf(int64(n.int("output_datatype", 1)))
	if err != nil {
		failf("%w", err)
	}
	if bins < 0 || length < 0 || !(rate > 0) || !(low >= 0) || !(high >= low) {
		failf("%d mel bins of %d, from %v to %v Hz at %v", bins, length, low, high, rate)
	}
	n.ev.work(bins)
	mel := func(f float64) float64 { return 2595 * math.Log10(1+f/700) }
	spectrum := length/2 + 1
	step := (mel(high) - mel(low)) / float64(bins+2)
	edges := make([]int, bins+2)
	for i := range edges {
		f := 700 * (math.Pow(10, (float64(i)*step+mel(low))/2595) - 1)
		edges[i] = int(math.Floor(float64(length+1) * f / rate))
	}
	b := n.buffer(d, []int{spectrum, bins})
	for i := range bins {
		first, middle, last := edges[i], edges[i+1], edges[i+2]
		for j := max(first, 0); j <= min(middle, spectrum-1); j++ {
			v := 1.0
			if middle > first {
				v = float64(j-first) / float64(middle-first)
			}
			if middle > first || j == middle {
				b.SetFloat64(j*bins+i, v)
			}
		}
		for j := max(middle, 0); middle < last && j < min(last, spectrum); j++ {
			b.SetFloat64(j*bins+i, float64(last-j)/float64(last-middle))
		}
	}
	if d == dtype.Invalid {
		failf("no element type")
	}
	n.setKnown(0, b)
}
