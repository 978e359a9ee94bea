package predict_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/predict"
)

// TestConformal draws sources that differ from each other more than their own rows do: of the rows of sources that are left
// out about the share asked for lies in the spread of the others, which is always around the prediction.
func TestConformal(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, centre := range []float64{0, 0.3, -0.2} {
		s := predict.Scored{}
		for source := range 40 {
			middle := centre + float64(0.2*r.NormFloat64())
			for range 1 + r.IntN(20) {
				name := fmt.Sprint(source)
				s[name] = append(s[name], middle+float64(0.05*r.NormFloat64()))
			}
		}
		spread := s.Conformal(0.9)
		require.GreaterOrEqual(t, min(spread.Below, spread.Above), 1.0)
		require.InDelta(t, 0.9, s.LeftOut(0.9), 0.08)
	}
}

// TestElsewhere predicts rows of sources to which no constant was fitted: they lie in their intervals about as often as these
// say, and the median error is as the documentation has it.
func TestElsewhere(t *testing.T) {
	f, err := os.Open("testdata/elsewhere.csv")
	require.NoError(t, err)
	defer f.Close()
	rows, err := predict.Read(f)
	require.NoError(t, err)
	every := longtest.Sample(8, 8, 1)
	var some []predict.Row
	for i, r := range rows {
		if i%every == 0 {
			some = append(some, r)
		}
	}
	var all predict.Summary
	for _, s := range predict.Summarize(predict.Rows(some)) {
		if s.By == "all" {
			all = s
		}
	}
	t.Logf("%d rows: median %.1f %%, worst %.1f %%, %.0f %% in their intervals", all.Rows, 100*all.Median, 100*all.Worst, 100*all.Covered)
	require.Less(t, all.Median, 0.12)
	require.Less(t, all.Worst, 0.35)
	require.GreaterOrEqual(t, all.Covered, 0.8)
}
