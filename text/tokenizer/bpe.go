package tokenizer

import (
	"slices"
	"sync"
	"unicode/utf8"
)

// bpe merges the characters of a word pair by pair, in the order of its list of merges.
type bpe struct {
	*vocabulary
	merges  map[uint64]merged
	unknown int32 // -1 if there is none, and absent
	fuse    bool  // unknown characters behind each other are one token
	prefix  string
	suffix  string
	whole   bool // a word that is a token is not merged
	bytes   *[256]int32
	crosses bool // a merge goes across a place where a word could be cut
	cache   *cache
	pool    sync.Pool
}

type merged struct {
	rank int32
	into int32
}

func pair(a, b int32) uint64 { return uint64(uint32(a))<<32 | uint64(uint32(b)) }

func newBPE(v *vocabulary) *bpe {
	b := &bpe{vocabulary: v, merges: map[uint64]merged{}, unknown: -1, cache: newCache()}
	b.pool.New = func() any { return new(merger) }
	return b
}

// addMerge appends a merge. It reports whether its parts and their sum are tokens.
func (b *bpe) addMerge(left, right string) bool {
	l, ok := b.ids[left]
	r, ok2 := b.ids[right]
	tail := right
	if b.prefix != "" && len(right) >= len(b.prefix) {
		tail = right[len(b.prefix):]
	}
	into, ok3 := b.ids[left+tail]
	if !ok || !ok2 || !ok3 {
		return false
	}
	b.crosses = b.crosses || crosses(left+tail)
	b.merges[pair(l, r)] = merged{int32(len(b.merges)), into}
	return true
}

func (b *bpe) tokens(out []int32, word string, places *extents) []int32 {
	if b.whole {
		if id, ok := b.ids[word]; ok {
			if places != nil {
				places.add(0, len(word))
			}
			return append(out, id)
		}
	}
	kept := b.unknown >= 0 || b.bytes != nil && !slices.Contains(b.bytes[:], -1) // marks around what is left out would be neighbours
	if _, ok := b.ids[metaMark]; ok && kept && places == nil && len(word) > mostCachedWord && !b.crosses && b.prefix == "" && b.suffix == "" {
		atSeams(word, func(part string) { out = b.cache.tokens(out, part, nil, b.split) })
		return out
	}
	return b.cache.tokens(out, word, places, b.split)
}

func (b *bpe) split(out []int32, word string, places *extents) []int32 {
	m := b.pool.Get().(*merger)
	defer b.pool.Put(m)
	m.reset()
	unknown := symbol{id: -1} // that is not among the symbols yet
	flush := func() {
		if unknown.id >= 0 {
			m.add(unknown.id, unknown.start, unknown.end)
			unknown.id = -1
		}
	}
	for at := 0; at < len(word); {
		_, n := utf8.DecodeRuneInString(word[at:])
		text := word[at : at+n]
		if b.prefix != "" && at > 0 {
			text = b.prefix + text
		}
		if b.suffix != "" && at+n == len(word) {
			text += b.suffix
		}
		switch id, ok := b.ids[text]; {
		case ok:
			flush()
			m.add(id, at, at+n)
		case b.bytes != nil && b.known(text): // in front of an unknown character before them, as tokenizers has it
			for i := range len(text) {
				m.add(b.bytes[text[i]], at, at+n)
			}
		case unknownToken(b.unknown, text) >= 0 && b.fuse && unknown.id >= 0:
			unknown.end = at + n
		case b.unknown >= 0:
			flush()
			unknown = symbol{id: b.unknown, start: at, end: at + n}
		}
		at += n
	}
	flush()
	m.merge(func(x, y *symbol) (int32, float64, bool) {
		to, ok := b.merges[pair(x.id, y.id)]
		return to.into, float64(to.rank), ok
	})
	return m.ids(out, places)
}

// known reports whether all bytes of a text have tokens.
func (b *bpe) known(text string) bool {
	for i := range len(text) {
		if b.bytes[text[i]] < 0 {
			return false
		}
	}
	return true
}
