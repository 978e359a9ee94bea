package onnx

import (
	"math"
	"testing"

	"github.com/go-acap/acap/base/buf"
)

func TestRMSNormalization(t *testing.T) {
	x, scale := random(1, 2, 3, 4), random(2, 4)
	y := operate(t, "RMSNormalization", 1, []*buf.Buffer{x, scale})[0]
	same(t, y, []int{2, 3, 4}, func(i int) float64 {
		sum := 0.0
		for k := range 4 {
			sum += math.Pow(x.Float64(i/4*4+k), 2)
		}
		return x.Float64(i) / math.Sqrt(sum/4+1e-5) * scale.Float64(i%4)
	})
}

// TestBatchNormalizationTrains: before version 14 outputs for the moved mean and variance ask for training.
func TestBatchNormalizationTrains(t *testing.T) {
	const given = "x = f32 2x1: 1 3\ns = f32 1: 2\nb = f32 1: 0.5\nm = f32 1: 10\nv = f32 1: 4\n"
	checkEach(t, "",
		"version 9\n"+given+"y, p, q, r, w = BatchNormalization(x, s, b, m, v) epsilon=0.0 momentum=0.5\nwant y = f32 2x1: -1.5 2.5\n"+
			"want p = f32 1: 6\nwant q = f32 1: 2.5\nwant r = f32 1: 2\nwant w = f32 1: 1",
		"version 9\n"+given+"y = BatchNormalization(x, s, b, m, v) epsilon=0.0\nwant y = f32 2x1: -8.5 -6.5",
		"version 6\n"+given+"y, p, q = BatchNormalization(x, s, b, m, v) epsilon=0.0 is_test=1\nwant y = f32 2x1: -8.5 -6.5\nwant p = f32 1: 10\nwant q = f32 1: 4",
		"version 6\n"+given+"y, p = BatchNormalization(x, s, b, m, v) epsilon=0.0\nwant y = f32 2x1: -1.5 2.5\nwant p = f32 1: 9.2",
		"x = f32 1x1x2: 1 2\ns = f32 3: 1 1 0.4\ny = Resize(x, \"\", s)\nwant y = f32 1x1x0:",
		"x = f32 1x0x2:\ns = f32 3: 1 2 2\ny = Resize(x, \"\", s)\nwant y = f32 1x0x4:",
	)
	refuse(t, "x = f32: 1\ny = Concat(x, x) axis=0", "takes tensors with dimensions")
}

// TestNormalizationOverChannels: of an even number of channels one more comes behind than before.
func TestNormalizationOverChannels(t *testing.T) {
	check(t, "x = f32 1x3x1x1: 1 2 3\ny = LRN(x) size=2 alpha=2.0 beta=1.0 bias=1.0\nwant y = f32 1x3x1x1: 0.1666666667 0.1428571429 0.3")
}

// TestNormalizationOfHalves: numbers of 16 bits are normalized as numbers of 32 bits, with a bias and without.
func TestNormalizationOfHalves(t *testing.T) {
	checkEach(t, "x = f16 1x2: 1 3\ns = f16 2: 2 1\nb = f16 2: 0.5 -0.5\n",
		"y = LayerNormalization(x, s, b) epsilon=0.0\nwant y = f16 1x2: -1.5 0.5",
		"y = LayerNormalization(x, s) epsilon=0.0\nwant y = f16 1x2: -2 1")
	checkEach(t, "x = f64 1x2: 1 5\ns = f64 2: 2 1\n", // stash_type is the type of the mean and of the inverse deviation
		"y, m, i = LayerNormalization(x, s) epsilon=0.0\nwant y = f64 1x2: -2 1\nwant m = f32 1x1: 3\nwant i = f32 1x1: 0.5",
		"y, m = LayerNormalization(x, s) epsilon=0.0 stash_type=11\nwant m = f64 1x1: 3")
}
