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

// TestUnseenMakers draws makers who differ from each other more than their own rows do, in kinds that are farther off
// or nearer: of the rows of makers who are left out at least the share asked for lies in the spread of the others, and
// of those of further makers.
func TestUnseenMakers(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	draw := func(k predict.Kinds, from, to int) {
		for maker := from; maker < to; maker++ {
			effect := r.NormFloat64()
			for kind, wide := range []float64{0.1, 0.2, 0.5} {
				name := fmt.Sprint(kind)
				if k[name] == nil {
					k[name] = predict.Scored{}
				}
				for range 1 + r.IntN(6) {
					k[name][fmt.Sprint(maker)] = append(k[name][fmt.Sprint(maker)], wide*(0.3+effect+float64(0.3*r.NormFloat64())))
				}
			}
		}
	}
	covered, rows := 0, 0
	for range 4 {
		k, further := predict.Kinds{}, predict.Kinds{}
		draw(k, 0, 15)
		draw(further, 15, 20)
		_, makers, all := k.Coverages(0.9)
		require.Len(t, makers, 15)
		require.GreaterOrEqual(t, float64(all.Covered)/float64(all.Rows), 0.85)
		require.Less(t, all.Width, 40.0)
		for kind, s := range further {
			spread := k.Spread(kind, "", 0.9)
			for _, scores := range s {
				for _, x := range scores {
					if rows++; spread.Covers(x) {
						covered++
					}
				}
			}
		}
	}
	t.Logf("%d of %d rows of further makers", covered, rows)
	require.GreaterOrEqual(t, float64(covered)/float64(rows), 0.9)
	require.LessOrEqual(t, float64(covered)/float64(rows), 0.99)
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
