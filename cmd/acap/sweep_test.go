package main

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/device/acap/sweep"
)

// TestSweepPareto: what a sweep marks as best is best by the cost that is asked for.
func TestSweepPareto(t *testing.T) {
	best := make(map[string]int)
	for _, cost := range []string{"cores", "memory"} {
		out, errs, status := invoke(t, "sweep", "testdata/mlp/model.pt", "-set", "l1=32k,64k", "-cost", cost, "-json")
		require.Zero(t, status, errs)
		var points []sweep.Point
		require.NoError(t, json.Unmarshal([]byte(out), &points))
		require.Len(t, points, 2)
		require.Equal(t, points[0].Seconds, points[1].Seconds, "the model fits in either memory")
		for _, p := range points {
			if p.Pareto {
				best[cost]++
			}
		}
	}
	require.Equal(t, map[string]int{"cores": 2, "memory": 1}, best)
}
