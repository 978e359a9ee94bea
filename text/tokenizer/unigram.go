package tokenizer

import (
	"math"
	"slices"
	"strings"
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

// unknownPenalty is how far below the lowest score of a token that of an unknown character is.
const unknownPenalty = 10

func newUnigram(v *vocabulary, scores []float64, unknown int32) *unigram {
	u := &unigram{vocabulary: v, scores: scores, unknown: unknown, trie: newTrie(v), cache: newCache()}
	u.pool.New = func() any { return new([]step) }
	u.setLeast(func(int) bool { return true })
	return u
}

// setLeast derives the score of unknown characters from those of tokens.
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

func (u *unigram) tokens(out []int32, word string) []int32 { return u.cache.tokens(out, word, u.split) }

func (u *unigram) split(out []int32, word string) []int32 {
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
	start := len(out)
	for end := len(word); end > 0; {
		s := best[end]
		from := int(s.from)
		if s.id < 0 || s.id == u.unknown {
			for !u.apart && from > 0 && (best[from].id < 0 || best[from].id == u.unknown) {
				from = int(best[from].from)
			}
			out = u.unknownText(out, word[from:end])
		} else {
			out = append(out, s.id)
		}
		end = from
	}
	slices.Reverse(out[start:])
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
				return append(out, u.unknown)
			}
		}
		for i := len(text) - 1; i >= 0; i-- {
			out = append(out, u.bytes[text[i]])
		}
		return out
	}
	if u.unknown >= 0 {
		out = append(out, u.unknown)
	}
	return out
}

// trie finds the tokens that a text begins with. The children of a node lie behind each other.
type trie struct {
	nodes []trieNode
	root  [256]int32 // the node of a first byte, or 0
}

type trieNode struct {
	first int32 // child
	count uint16
	label byte
	id    int32 // of the token that ends here, or -1
}

func newTrie(v *vocabulary) *trie {
	type key struct {
		text string
		id   int32
	}
	keys := make([]key, 0, len(v.ids))
	for text, id := range v.ids {
		keys = append(keys, key{text, id})
	}
	slices.SortFunc(keys, func(a, b key) int { return strings.Compare(a.text, b.text) })
	t := &trie{nodes: []trieNode{{id: -1}}}
	type part struct {
		node   int32
		lo, hi int
		depth  int
	}
	list := []part{{0, 0, len(keys), 0}}
	for len(list) > 0 {
		p := list[0]
		list = list[1:]
		lo := p.lo
		if lo < p.hi && len(keys[lo].text) == p.depth {
			t.nodes[p.node].id = keys[lo].id
			lo++
		}
		t.nodes[p.node].first = int32(len(t.nodes))
		for lo < p.hi {
			label, end := keys[lo].text[p.depth], lo+1
			for end < p.hi && keys[end].text[p.depth] == label {
				end++
			}
			t.nodes = append(t.nodes, trieNode{label: label, id: -1})
			t.nodes[p.node].count++
			list = append(list, part{int32(len(t.nodes) - 1), lo, end, p.depth + 1})
			lo = end
		}
	}
	for i := range t.nodes[0].count {
		n := t.nodes[0].first + int32(i)
		t.root[t.nodes[n].label] = n
	}
	return t
}

// prefixes calls f for each token that a text begins with, the shortest first.
func (t *trie) prefixes(text string, f func(length int, id int32)) {
	if text == "" {
		return
	}
	at := t.root[text[0]]
	for i := 1; at != 0; i++ {
		n := &t.nodes[at]
		if n.id >= 0 {
			f(i, n.id)
		}
		if i == len(text) || n.count == 0 {
			return
		}
		label := text[i]
		lo, hi := n.first, n.first+int32(n.count)
		for hi-lo > 8 {
			if mid := (lo + hi) / 2; t.nodes[mid].label <= label {
				lo = mid
			} else {
				hi = mid
			}
		}
		at = 0
		for ; lo < hi; lo++ {
			if t.nodes[lo].label == label {
				at = lo
				break
			}
		}
	}
}
