package spread

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

const (
	// few is the number of makers below which the rows of one kind do not give a shape by themselves.
	few = 3
	// enough is the number of makers from which on 9 of 10 rows of one more maker can be covered: the one more may have
	// any score, and takes a tenth of the weight.
	enough = 10
	// inner is the share of rows that gives a spread its shape. Rows farther out are too few in one kind.
	inner = 0.8
	// narrow is the least reach of a spread to either side: repeated measurements of one kernel differ by a tenth.
	narrow = 1.1
)

// Spread returns the spread that covers the given share of rows of a kind, where the maker of the rows is not among the
// makers that are known. The maker without is left out; "" is nobody.
//
// With ten makers or more, the rows of the kind give the shape of the spread, and leaving out each maker in turn gives
// the factor by which the shape must be widened ([Kinds.stretch]). With fewer makers the spread is [Makers.Conformal]
// of the kind, or of all kinds where the kind has fewer than three makers.
func (k Kinds) Spread(kind, without string, share float64) Spread {
	k = k.Without(without)
	if len(k.makers()) >= enough {
		return k.shape(kind).wider(k.stretch(share))
	}
	if len(k[kind]) >= few || len(k) < 2 {
		return k[kind].Conformal(share)
	}
	return k.makers().Conformal(share)
}

// Conformal returns the spread that covers the given share of rows of one more maker. It is split conformal prediction
// with makers in the place of examples: every maker has the same weight, and one more maker has weight beyond each end.
// Both ends are at least the prediction.
func (s Makers) Conformal(share float64) Spread {
	above, below := s.weighted(1, nil, nil)
	budget := float64((1 - share) / 2 * float64(len(s)+1))
	return Spread{Below: math.Exp(max(0, beyond(below, budget))), Above: math.Exp(max(0, beyond(above, budget)))}
}

// weighted is a score and its weight.
type weighted struct{ score, weight float64 }

// weighted appends the scores to above and the negated scores to below. The rows of a maker share the weight.
func (s Makers) weighted(weight float64, above, below []weighted) ([]weighted, []weighted) {
	for _, scores := range s {
		for _, x := range scores {
			above = append(above, weighted{x, weight / float64(len(scores))})
			below = append(below, weighted{-x, weight / float64(len(scores))})
		}
	}
	return above, below
}

// beyond returns the least score such that the scores above it have no more weight than the budget. A negative budget
// gives the greatest score.
func beyond(all []weighted, budget float64) float64 {
	slices.SortFunc(all, func(a, b weighted) int {
		return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(b.weight, a.weight)) // sums of weights round by their order
	})
	for _, w := range all {
		if budget -= w.weight; budget < 0 {
			return w.score
		}
	}
	return 0
}

// shape returns the interval of the inner share of rows of a kind. Every maker has weight one, whatever the number of
// rows. The makers of all other kinds together have the weight of three; where the kind has fewer than three makers,
// each maker of another kind has weight one.
func (k Kinds) shape(kind string) Spread {
	others := 0
	for name, s := range k {
		if name != kind {
			others += len(s)
		}
	}
	other := 1.0
	if len(k[kind]) >= few {
		other = min(1, few/float64(others))
	}
	var above, below []weighted
	makers := 1.0                                      // one more maker, who may have any score
	for _, name := range slices.Sorted(maps.Keys(k)) { // sums of weights round by their order
		s, weight := k[name], 1.0
		if name != kind {
			weight = other
		}
		makers += float64(weight * float64(len(s)))
		above, below = s.weighted(weight, above, below)
	}
	budget := float64((1 - inner) / 2 * makers)
	return Spread{Below: max(narrow, math.Exp(beyond(below, budget))), Above: max(narrow, math.Exp(beyond(above, budget)))}
}

// stretch returns the factor by which shapes must be widened, on a logarithmic scale, to cover the given share of rows
// of an unseen maker. Each maker is left out in turn: the rows of the maker tell by how much the shape of the others is
// too narrow. One more maker, who may have any score, corrects for the number of makers.
func (k Kinds) stretch(share float64) float64 {
	times := make(map[string][]float64)
	for kind, s := range k {
		for maker, scores := range s {
			shape := k.Without(maker).shape(kind)
			for _, x := range scores {
				times[maker] = append(times[maker], shape.times(x))
			}
		}
	}
	var all []weighted
	for _, of := range times {
		for _, x := range of {
			all = append(all, weighted{x, 1 / float64(len(of))})
		}
	}
	return max(1, beyond(all, float64((1-share)*float64(len(times)+1))-1))
}
