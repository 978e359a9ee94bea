package main

import (
	"fmt"
	"io"
	"maps"
	"slices"

	"github.com/go-acap/acap/device/acap/predict"
)

// reportUnmapped prints what rows of products take, as multiples of what our best mapping is predicted to
// take on as many cores, where they name no mapping or theirs is left out: between which numbers 9 of 10 of
// them lie. Nothing is fitted to that.
func reportUnmapped(w io.Writer, rows []predict.Row) {
	times := make(map[string][]float64)
	machines := predict.Presets()
	for _, r := range rows {
		r, _ = r.Unmapped()
		p := predict.Predict(r, machines)
		if p.Skipped == "" && !p.Named {
			times[p.Group()] = append(times[p.Group()], p.Times())
		}
	}
	for _, name := range slices.Sorted(maps.Keys(times)) {
		t := slices.Sorted(slices.Values(times[name]))
		out := len(t) / 20 // on each side
		fmt.Fprintf(w, "%s in our mapping: %d rows, measured over predicted %.2f to %.2f, 9 of 10 %.2f to %.2f\n", name, len(t),
			t[0], t[len(t)-1], t[out], t[len(t)-1-out])
	}
}
