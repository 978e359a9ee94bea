package predict

import (
	"fmt"
	"math"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestInterval checks that a measurement at the held-out error is just within the interval.
func TestInterval(t *testing.T) {
	for group, e := range heldOut {
		low, high := Interval(group, 100)
		for _, measured := range []float64{low, high} {
			require.InDelta(t, e, math.Abs(100/measured-1), 1e-9, group)
		}
		require.Less(t, low, 100.0)
		require.Greater(t, high, 100.0)
	}
	low, high := Interval("systolic", 100)
	require.Zero(t, low+high)
}

// TestCoverage counts the rows of a group that lie in their intervals.
func TestCoverage(t *testing.T) {
	row := func(measured float64) Prediction {
		p := Prediction{Machine: "npu2", Row: Row{Workload: "gelu", Value: measured}, Predicted: 100}
		p.Error = p.Predicted/measured - 1
		p.Low, p.High = Interval(p.Group(), p.Predicted)
		return p
	}
	for _, s := range Summarize([]Prediction{row(100), row(101), row(99), row(300)}) {
		if s.By == "group" {
			require.Equal(t, "npu2 pointwise", s.Name)
			require.Equal(t, 0.75, s.Covered)
		}
	}
}

func ExampleInterval() {
	low, high := Interval("npu2 pointwise", 100)
	fmt.Printf("%.0f to %.0f us\n", low, high)
	// Output: 90 to 113 us
}

func ExampleQuantile() {
	fmt.Println(Quantile([]float64{0.01, 0.05, 0.02}))
	// Output: 0.05
}
