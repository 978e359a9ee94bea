package predict

import (
	"cmp"
	"maps"
	"math"
	"slices"
)

// inner is the share of rows that the shape of a spread is from; those farther out are too few in a kind to tell.
const inner = 0.8

// narrow is the least that a spread reaches to either side, a tenth: by so much measurements of one kernel differ from
// each other.
const narrow = 1.1

// enough is the makers from which on it can be told what covers 9 of 10 rows of one more, who may be anywhere: at 9 it
// is all there are.
const enough = 10

// Spread returns the spread that covers the given share of rows of a kind by a maker who is not among those whose
// scores there are: it has the shape of their spread, and is as many times as wide as it takes to cover them, each left
// out in turn, and one more. Of fewer than ten makers it is [Scored.Conformal], of the kind or, where it has fewer than
// three, of all. A maker that is named is left out.
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

// makers returns the scores of the makers of all kinds.
func (k Kinds) makers() Scored {
	all := make(Scored)
	for _, s := range k {
		for maker, scores := range s {
			all[maker] = append(all[maker], scores...)
		}
	}
	return all
}

// Conformal returns the spread that covers the given share of rows of a maker who is not among the others, where
// nothing is taken off for one more who may be anywhere: every maker counts as one, however many rows there are. Both
// ends are at least the prediction.
func (s Scored) Conformal(share float64) Spread {
	above, below := s.weighted(1, nil, nil)
	budget := float64((1 - share) / 2 * float64(len(s)+1))
	return Spread{Below: math.Exp(max(0, beyond(below, budget))), Above: math.Exp(max(0, beyond(above, budget)))}
}

// weighted adds the scores, and what they are in the other direction, where every maker counts as much as a weight.
func (s Scored) weighted(weight float64, above, below []weighted) ([]weighted, []weighted) {
	for _, scores := range s {
		for _, x := range scores {
			above = append(above, weighted{x, weight / float64(len(scores))})
			below = append(below, weighted{-x, weight / float64(len(scores))})
		}
	}
	return above, below
}

// Without returns the scores without those of a maker.
func (k Kinds) Without(maker string) Kinds {
	others := make(Kinds)
	for kind, s := range k {
		s = maps.Clone(s)
		if delete(s, maker); len(s) > 0 {
			others[kind] = s
		}
	}
	return others
}

// weighted is a score and how much it counts.
type weighted struct{ score, weight float64 }

// beyond returns the least score that not more than so much weight is greater than, and the greatest one if so much is
// negative.
func beyond(all []weighted, budget float64) float64 {
	slices.SortFunc(all, func(a, b weighted) int { return cmp.Compare(b.score, a.score) })
	for _, w := range all {
		if budget -= w.weight; budget < 0 {
			return w.score
		}
	}
	return 0
}

// shape returns between which the inner share of rows of a kind lie. Every maker counts as one, however many rows there
// are. Those of other kinds count as three together, and as much as those of the kind where it has fewer than three.
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
	makers := 1.0 // one more, which may be anywhere
	for name, s := range k {
		weight := 1.0
		if name != kind {
			weight = other
		}
		makers += float64(weight * float64(len(s)))
		above, below = s.weighted(weight, above, below)
	}
	budget := float64((1 - inner) / 2 * makers)
	return Spread{Below: max(narrow, math.Exp(beyond(below, budget))), Above: max(narrow, math.Exp(beyond(above, budget)))}
}

// stretch returns how many times as wide spreads must be, on a logarithmic scale, to cover the given share of rows of a
// maker who was never seen: each maker is left out in turn, and tells by how much the shape of the others is too
// narrow. One maker more, who may be anywhere, is the correction for their number.
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

// times returns how many times as wide the spread must be to reach a score, on a logarithmic scale.
func (s Spread) times(score float64) float64 {
	return max(score/math.Log(s.Above), -score/math.Log(s.Below))
}

// wider returns the spread that is so many times as wide on a logarithmic scale.
func (s Spread) wider(times float64) Spread {
	return Spread{Below: math.Pow(s.Below, times), Above: math.Pow(s.Above, times)}
}
