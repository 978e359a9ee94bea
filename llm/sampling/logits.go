package sampling

import (
	"math"
	"slices"
)

// Logits are the scores of the vocabulary for one row, or for several. A program gives the highest score of each group
// of tokens with them, so that few scores are read to find high ones: 150,000 scores take longer to read than all else
// that a token costs beside its program.
type Logits struct {
	Scores []float32
	Peaks  []float32 // no score of a group is more, except NaN; tokens behind the last whole group have none
}

// Group is the number of tokens that have one peak: as many vectors as a core adds in turn.
const Group = 64

// Row is one of several rows.
func (l Logits) Row(i, vocabulary int) Logits {
	peaks := vocabulary / Group
	return Logits{l.Scores[i*vocabulary : (i+1)*vocabulary], l.Peaks[i*peaks : (i+1)*peaks]}
}

// First are the scores of the first tokens of one row.
func (l Logits) First(tokens int) Logits {
	return Logits{l.Scores[:tokens], l.Peaks[:min(tokens/Group, len(l.Peaks))]}
}

// set gives a token another score.
func (l Logits) set(token int, score float32) {
	l.Scores[token] = score
	if g := token / Group; g < len(l.Peaks) {
		l.Peaks[g] = max(l.Peaks[g], score)
	}
}

// Without gives tokens the score of a token that never comes.
func (l Logits) Without(tokens []int) {
	for _, t := range tokens {
		l.set(t, never)
	}
}

// none reports whether no token may come.
func (l Logits) none() bool { return l.above(0, never) == len(l.Scores) }

// Finite reports whether all scores are less than infinity and none is NaN. A token with the score -Inf never comes.
func (l Logits) Finite() bool {
	wrong := func(v float32) bool { return !(v <= math.MaxFloat32) }
	return !slices.ContainsFunc(l.Peaks, wrong) && !slices.ContainsFunc(l.Scores[len(l.Peaks)*Group:], wrong)
}

// Best is the token with the highest score, the first of equals.
func (l Logits) Best() int {
	at, most := 0, float32(math.Inf(-1))
	for i := l.above(0, most); i < len(l.Scores); i = l.above(i+1, most) {
		at, most = i, l.Scores[i]
	}
	return at
}

// above is the first token from a token on whose score is more than so much; the number of tokens if there is none.
func (l Logits) above(from int, least float32) int {
	for from < len(l.Scores) {
		end := len(l.Scores)
		if g := from / Group; g < len(l.Peaks) {
			if l.Peaks[g] <= least { // and not NaN
				from = (g + 1) * Group
				continue
			}
			end = (g + 1) * Group
		}
		if from = above(l.Scores[:end], from, least); from < end {
			break
		}
	}
	return from
}

// above is the first place from a place on whose score is more than so much; the number of scores if there is none.
func above(scores []float32, from int, least float32) int {
	for len(scores)-from >= 8 { // a branch for each score and no more
		s := (*[8]float32)(scores[from:])
		if s[0] > least || s[1] > least || s[2] > least || s[3] > least || s[4] > least || s[5] > least || s[6] > least || s[7] > least {
			break
		}
		from += 8
	}
	for from < len(scores) && !(scores[from] > least) {
		from++
	}
	return from
}
