package tokenizer

import (
	"math"
	"slices"
	"sync"
	"unicode/utf8"
)

// unigram divides a word into the tokens whose scores have the highest sum.
type unigram struct {
	*vocabulary
	scores  []float64
	trie    *trie
	unknown int32
	least   float64 // the score of a character that is no token
	bytes   *[256]int32
	apart   bool // unknown characters behind each other are tokens of their own
	cache   *cache
	pool    sync.Pool
}

// unknownPenalty is the difference between the lowest score of a token and the score of an unknown character, as in
// SentencePiece.
const unknownPenalty = 10

func newUnigram(v *vocabulary, scores []float64, unknown int32) *unigram {
	u := &unigram{vocabulary: v, scores: scores, unknown: unknown, trie: newTrie(v), cache: newCache()}
	u.pool.New = func() any { return new([]step) }
	u.setLeast(func(int) bool { return true })
	return u
}

// setLeast derives the score of unknown characters from the scores of tokens.
func (u *unigram) setLeast(counts func(id int) bool) {
	u.least = math.Inf(1)
	for i, v := range u.scores {
		if counts(i) {
			u.least = min(u.least, v)
		}
	}
	u.least -= unknownPenalty
}

// step is the best way to a place in a word.
type step struct {
	score float64
	from  int32 // -1 if there is none
	id    int32
}

func (u *unigram) tokens(out []int32, word string, places *extents) []int32 {
	return u.cache.tokens(out, word, places, u.split)
}

func (u *unigram) split(out []int32, word string, places *extents) []int32 {
	buffer := u.pool.Get().(*[]step)
	defer u.pool.Put(buffer)
	best := slices.Grow((*buffer)[:0], len(word)+1)[:len(word)+1]
	*buffer = best
	for i := range best {
		best[i] = step{from: -1}
	}
	for at := 0; at < len(word); {
		_, n := utf8.DecodeRuneInString(word[at:])
		here, alone := best[at].score, false
		u.trie.prefixes(word[at:], func(length int, id int32) {
			to := &best[at+length]
			if score := u.scores[id] + here; to.from < 0 || score > to.score {
				*to = step{score, int32(at), id}
			}
			alone = alone || length == n
		})
		if to := &best[at+n]; !alone && (to.from < 0 || u.least+here > to.score) {
			*to = step{u.least + here, int32(at), -1}
		}
		at += n
	}
	start, first := len(out), 0
	if places != nil {
		first = len(*places)
	}
	for end := len(word); end > 0; {
		s := best[end]
		from := int(s.from)
		if s.id < 0 || s.id == u.unknown {
			for !u.apart && from > 0 && (best[from].id < 0 || best[from].id == u.unknown) {
				from = int(best[from].from)
			}
			before := len(out)
			if out = u.unknownText(out, word[from:end]); places != nil {
				for range out[before:] {
					places.add(from, end)
				}
			}
		} else {
			out = append(out, s.id)
			if places != nil {
				places.add(from, end)
			}
		}
		end = from
	}
	if slices.Reverse(out[start:]); places != nil {
		slices.Reverse((*places)[first:])
	}
	return out
}

// unknownText appends the tokens of a text that is no token, the last one first.
func (u *unigram) unknownText(out []int32, text string) []int32 {
	if id, ok := u.ids[text]; ok {
		return append(out, id)
	}
	if u.bytes != nil {
		for i := range len(text) {
			if u.bytes[text[i]] < 0 {
				return append(out, unknownToken(u.unknown, text))
			}
		}
		for i := len(text) - 1; i >= 0; i-- {
			out = append(out, u.bytes[text[i]])
		}
		return out
	}
	if unknownToken(u.unknown, text) >= 0 {
		out = append(out, u.unknown)
	}
	return out
}
