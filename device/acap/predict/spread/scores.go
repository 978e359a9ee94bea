package spread

import (
	"maps"
	"math"
)

// Makers has the scores of rows by the maker, who published the rows. A score is the logarithm of the measured time
// divided by the predicted time: positive where more time was measured.
type Makers map[string][]float64

// Kinds has the scores of rows by kind: what decides how far measurements are from predictions.
type Kinds map[string]Makers

// Add adds a row, whose measured time is the predicted time multiplied by times.
func (k Kinds) Add(kind, maker string, times float64) {
	if k[kind] == nil {
		k[kind] = make(Makers)
	}
	k[kind][maker] = append(k[kind][maker], math.Log(times))
}

// Without returns the scores of all makers but one.
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

// makers returns the scores of all kinds.
func (k Kinds) makers() Makers {
	all := make(Makers)
	for _, s := range k {
		for maker, scores := range s {
			all[maker] = append(all[maker], scores...)
		}
	}
	return all
}
