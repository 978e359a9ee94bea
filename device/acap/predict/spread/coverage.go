package spread

import (
	"maps"
	"slices"

	"github.com/go-acap/acap/base/median"
)

// leftOut counts the rows of a kind and maker, and how many of these rows lie within a spread.
func (k Kinds) leftOut(kind, maker string, spread Spread) (covered, rows int) {
	for _, x := range k[kind][maker] {
		if spread.Covers(x) {
			covered++
		}
	}
	return covered, len(k[kind][maker])
}

// Coverage tells how many rows lie within the spreads that the rows of other makers give.
type Coverage struct {
	Name    string `json:"name"`
	Makers  int    `json:"makers"`
	Rows    int    `json:"rows"`
	Covered int    `json:"covered"`
	// Width is the median, over the rows, of the upper end of an interval divided by the lower end.
	Width float64 `json:"width"`
	// Spread is the spread of a kind with no maker left out.
	Spread Spread `json:"spread,omitzero"`
}

// Coverages leaves out each maker in turn and counts which of the rows of the maker the others cover. It returns the
// coverage by kind, by maker, and of all rows.
func (k Kinds) Coverages(share float64) (kinds, makers []Coverage, all Coverage) {
	byMaker := make(map[string]*Coverage)
	widths := make(map[*Coverage][]float64)
	all.Name = "all rows"
	for _, kind := range slices.Sorted(maps.Keys(k)) {
		c := &Coverage{Name: kind, Makers: len(k[kind]), Spread: k.Spread(kind, "", share)}
		for maker := range k[kind] {
			of := byMaker[maker]
			if of == nil {
				of = &Coverage{Name: maker, Makers: 1}
				byMaker[maker] = of
			}
			spread := k.Spread(kind, maker, share)
			covered, rows := k.leftOut(kind, maker, spread)
			for _, sum := range []*Coverage{c, of, &all} {
				sum.Covered, sum.Rows = sum.Covered+covered, sum.Rows+rows
				widths[sum] = append(widths[sum], slices.Repeat([]float64{spread.Width()}, rows)...)
			}
		}
		c.Width = middle(widths[c])
		kinds = append(kinds, *c)
	}
	for _, maker := range slices.Sorted(maps.Keys(byMaker)) {
		c := byMaker[maker]
		c.Width = middle(widths[c])
		makers = append(makers, *c)
	}
	all.Makers, all.Width = len(makers), middle(widths[&all])
	return kinds, makers, all
}

// middle is the median, 0 of nothing.
func middle(of []float64) float64 {
	if len(of) == 0 {
		return 0
	}
	return median.Of(of)
}
