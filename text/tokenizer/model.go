package tokenizer

import (
	"hash/maphash"
	"sync/atomic"
)

// model makes tokens of a word.
type model interface {
	// tokens appends the numbers of the word's tokens, and to places where each is in the word.
	tokens(out []int32, word string, places *extents) []int32
}

// extents are places of tokens. A pointer to them is nil where nobody asks, and is looked at in front of a call.
type extents []Extent

func (l *extents) add(start, end int) { *l = append(*l, Extent{start, end}) }

// vocabulary is the tokens of a model by number and by text.
type vocabulary struct {
	texts []string // empty for numbers that are not taken
	ids   map[string]int32
}

func newVocabulary(texts []string) *vocabulary {
	v := &vocabulary{texts: texts, ids: make(map[string]int32, len(texts))}
	for i := len(texts) - 1; i >= 0; i-- { // the first of equals counts
		if texts[i] != "" {
			v.ids[texts[i]] = int32(i)
		}
	}
	return v
}

// bytesOf returns the numbers of <0x00> to <0xFF>, -1 for those that there are not.
func (v *vocabulary) bytesOf() (list [256]int32, all bool) {
	const digits = "0123456789ABCDEF"
	all = true
	for b := range list {
		id, ok := v.ids["<0x"+digits[b>>4:b>>4+1]+digits[b&15:b&15+1]+">"]
		if list[b] = id; !ok {
			list[b], all = -1, false
		}
	}
	return list, all
}

// cache remembers the tokens of words that come often. Goroutines may use it at once.
type cache struct {
	seed  maphash.Seed
	slots []atomic.Pointer[cached]
}

type cached struct {
	word   string
	tokens []int32
}

// mostCachedWord is the length of the longest word that is remembered.
const mostCachedWord, cacheSlots = 64, 1 << 14

func newCache() *cache {
	return &cache{seed: maphash.MakeSeed(), slots: make([]atomic.Pointer[cached], cacheSlots)}
}

// tokens appends the tokens of a word, which make finds if they are not known. Places are not remembered.
func (c *cache) tokens(out []int32, word string, places *extents, make func(out []int32, word string, places *extents) []int32) []int32 {
	if len(word) > mostCachedWord || places != nil {
		return make(out, word, places)
	}
	slot := &c.slots[maphash.String(c.seed, word)&(cacheSlots-1)]
	if known := slot.Load(); known != nil && known.word == word {
		return append(out, known.tokens...)
	}
	start := len(out)
	out = make(out, word, nil)
	slot.Store(&cached{word: string([]byte(word)), tokens: append([]int32(nil), out[start:]...)})
	return out
}
