package predict_test

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/longtest"
	"github.com/go-acap/acap/device/acap/predict"
)

// TestSpreads draws kinds of rows: every spread is around the prediction, a greater share has no narrower one, a source that is
// left out has no say in it, and a kind of few sources has the spread of all.
func TestSpreads(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for range 30 {
		k := predict.Kinds{}
		for kind := range 1 + r.IntN(4) {
			s := predict.Scored{}
			for source := range 1 + r.IntN(8) {
				middle := 0.3 * r.NormFloat64()
				for range 1 + r.IntN(9) {
					name := fmt.Sprint(source)
					s[name] = append(s[name], middle+float64(0.1*r.NormFloat64()))
				}
			}
			k[fmt.Sprint(kind)] = s
		}
		before := 1.0
		for _, share := range []float64{0.5, 0.7, 0.9, 0.95, 1} {
			spread := k.Spread("0", "", share)
			require.GreaterOrEqual(t, min(spread.Below, spread.Above), 1.0)
			require.GreaterOrEqual(t, spread.Width(), before)
			before = spread.Width()
			for _, rising := range []bool{false, true} {
				low, high := spread.Around(100, rising)
				require.True(t, low <= 100 && 100 <= high)
				require.InEpsilon(t, spread.Width(), high/low, 1e-9)
			}
		}
		without := k.Spread("0", "0", 0.9)
		k["0"]["0"] = []float64{50} // far away
		if len(k["0"]) > 3 {
			require.Equal(t, without, k.Spread("0", "0", 0.9))
		}
		kinds, makers, all := k.Coverages(0.9)
		require.Len(t, kinds, len(k))
		rows := 0
		for _, c := range makers {
			rows += c.Rows
		}
		require.Equal(t, all.Rows, rows)
		require.Less(t, all.Covered, all.Rows, "what is far away is in no interval")
	}
	k := predict.Kinds{"few": {"a": {0.1}, "b": {-0.1}}, "many": {"c": {1}, "d": {-1}, "e": {0}}}
	require.Greater(t, k.Spread("few", "", 0.9).Above, 2.0)
}

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
	spreads := map[string]predict.Spread{}
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
