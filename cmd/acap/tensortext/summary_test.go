package tensortext_test

import (
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/cmd/acap/tensortext"
)

// TestSummary: the least and the greatest element have their places, and NaN counts for neither them nor the mean.
func TestSummary(t *testing.T) {
	for want, b := range map[string]*buf.Buffer{
		"f32 [2 3] from -3 at [0 1] to 8 at [1 0], mean 2": buf.From([]float32{1, -3, 2, 8, 0, 4}, 2, 3),
		"f64 [2] from 1 at [0] to 1 at [0], mean 1, 1 NaN": buf.From([]float64{1, math.NaN()}, 2),
		"f64 [1], 1 NaN": buf.From([]float64{math.NaN()}, 1),
		"i64 [3] from 1 at [2] to 5 at [0], mean 3": buf.From([]int64{5, 3, 1}, 3),
		"c64 [2]": buf.New(dtype.C64, []int{2}),
	} {
		require.Equal(t, want, tensortext.Summary(b))
	}
}
