package llm

import (
	"math"
	"slices"
)

// logits are the scores of the vocabulary for one row, or for several. A program gives the highest score of each group
// of tokens with them, so that few scores are read to find high ones: 150,000 scores take longer to read than all else
// that a token costs beside its program.
type logits struct {
	scores []float32
	peaks  []float32 // no score of a group is more, except NaN; tokens behind the last whole group have none
}

// group is the number of tokens that have one peak: as many vectors as a core adds in turn.
const group = 64

// row is one of several rows.
func (l logits) row(i, vocabulary int) logits {
	peaks := vocabulary / group
	return logits{l.scores[i*vocabulary : (i+1)*vocabulary], l.peaks[i*peaks : (i+1)*peaks]}
}

// first are the scores of the first tokens of one row.
func (l logits) first(tokens int) logits {
	return logits{l.scores[:tokens], l.peaks[:min(tokens/group, len(l.peaks))]}
}

// set gives a token another score.
func (l logits) set(token int, score float32) {
	l.scores[token] = score
	if g := token / group; g < len(l.peaks) {
		l.peaks[g] = max(l.peaks[g], score)
	}
}

// without gives tokens the score of a token that never comes.
func (l logits) without(tokens []int) {
	for _, t := range tokens {
		l.set(t, never)
	}
}

// none reports whether no token may come.
func (l logits) none() bool { return l.above(0, never) == len(l.scores) }

// numbers reports whether all scores are numbers below infinity.
func (l logits) numbers() bool {
	wrong := func(v float32) bool { return !(v <= math.MaxFloat32) }
	return !slices.ContainsFunc(l.peaks, wrong) && !slices.ContainsFunc(l.scores[len(l.peaks)*group:], wrong)
}

// best is the token with the highest score, the first of equals.
func (l logits) best() int {
	at, most := 0, float32(math.Inf(-1))
	for i := l.above(0, most); i < len(l.scores); i = l.above(i+1, most) {
		at, most = i, l.scores[i]
	}
	return at
}

// above is the first token from a token on whose score is more than so much; the number of tokens if there is none.
func (l logits) above(from int, least float32) int {
	for from < len(l.scores) {
		end := len(l.scores)
		if g := from / group; g < len(l.peaks) {
			if l.peaks[g] <= least { // and not NaN
				from = (g + 1) * group
				continue
			}
			end = (g + 1) * group
		}
		if from = above(l.scores[:end], from, least); from < end {
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
