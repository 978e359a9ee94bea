package predict_test

import (
	"math"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/predict"
	"github.com/go-acap/acap/device/acap/predict/spread"
)

// readRows reads rows of a file of testdata.
func readRows(t *testing.T, name string) []predict.Row {
	t.Helper()
	f, err := os.Open("testdata/" + name)
	require.NoError(t, err)
	defer f.Close()
	rows, err := predict.Read(f)
	require.NoError(t, err)
	return rows
}

// TestUnseen predicts rows of 35 sources: with each of their makers left out in turn 80 to 97 % lie in intervals that
// come from the others, and these are the intervals that predictions carry. As many rows of the trial lie in them,
// which no interval is from.
func TestUnseen(t *testing.T) {
	if !longtest.On() {
		t.Skip("maps 300 kernels")
	}
	predictions := predict.Rows(readRows(t, "unseen.csv"))
	kinds, makers, all := predict.Score(predictions).Coverages(0.9)
	require.GreaterOrEqual(t, len(makers), 16)
	covered := float64(all.Covered) / float64(all.Rows)
	t.Logf("%d of %d rows covered, median width %.2f", all.Covered, all.Rows, all.Width)
	require.True(t, 0.8 <= covered && covered <= 0.97, "%.2f", covered)
	require.Less(t, all.Width, 20.0)
	spreads := map[string]spread.Spread{}
	for _, c := range kinds {
		spreads[c.Name] = c.Spread
	}
	trial := predict.Rows(readRows(t, "trial.csv"))
	for i := range trial {
		p := &trial[i]
		require.Positive(t, p.Row.First, "line %d", p.Row.Line)
		if math.Abs(p.Error) > 0.4 {
			require.Contains(t, p.Remarks[len(p.Remarks)-1], "measured", "line %d", p.Row.Line)
		}
	}
	covered = 0
	rows := 0.0
	for kind, s := range predict.Score(trial) {
		for _, scores := range s {
			for _, x := range scores {
				if rows++; spreads[kind].Covers(x) {
					covered++
				}
			}
		}
	}
	t.Logf("%.0f of %.0f rows of the trial at first sight", covered, rows)
	require.Len(t, trial, int(rows))
	require.True(t, 0.8 <= covered/rows && covered/rows <= 0.97)
	for i := range predictions {
		p := &predictions[i]
		if p.High == 0 {
			continue
		}
		require.True(t, p.Low <= p.Predicted && p.Predicted <= p.High, "line %d", p.Row.Line)
		if spread, ok := spreads[p.Kind()]; ok {
			require.InDelta(t, math.Log(spread.Width()), math.Log(p.High/p.Low), 0.03, "line %d, %s: the table is of other rows", p.Row.Line, p.Kind())
		}
	}
}

// TestElsewhere predicts rows of sources to which no constant was fitted: they lie in their intervals about as often as
// these say, and the median error is as the documentation has it.
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
