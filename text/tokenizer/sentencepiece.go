package tokenizer

import (
	"sync"
	"unicode/utf8"
)

// scored merges characters pair by pair into the token with the highest score, as SentencePiece does for a vocabulary
// with scores and no list of merges. A piece that is no token in the end becomes its bytes.
type scored struct {
	*vocabulary
	scores  []float32
	bytes   [256]int32
	unknown int32
	crosses bool // a token goes across a place where a word could be cut
	cache   *cache
	pool    sync.Pool
}

func newScored(v *vocabulary, scores []float32, unknown int32) *scored {
	s := &scored{vocabulary: v, scores: scores, unknown: unknown, cache: newCache()}
	for token := range v.ids {
		s.crosses = s.crosses || crosses(token)
	}
	s.bytes, _ = v.bytesOf()
	s.pool.New = func() any { return new(merger) }
	return s
}

func (s *scored) tokens(out []int32, word string, places *extents) []int32 {
	if s.crosses || places != nil || !utf8.ValidString(word) {
		return s.split(out, word, places)
	}
	atSeams(word, func(part string) { out = s.cache.tokens(out, part, nil, s.split) })
	return out
}

// characterLengths are the bytes of a character by the high bits of its first byte.
var characterLengths = [16]int{1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 3, 4}

func (s *scored) split(out []int32, word string, places *extents) []int32 {
	m := s.pool.Get().(*merger)
	defer s.pool.Put(m)
	m.reset()
	for at := 0; at < len(word); {
		n := min(characterLengths[word[at]>>4], len(word)-at) // whatever bytes follow
		id, ok := s.ids[word[at:at+n]]
		if !ok {
			id = -1
		}
		m.add(id, at, at+n)
		at += n
	}
	m.merge(func(a, b *symbol) (int32, float64, bool) {
		id, ok := s.ids[word[a.start:b.end]]
		if !ok {
			return 0, 0, false
		}
		return id, -float64(s.scores[id]), true
	})
	for i := range m.symbols {
		p := &m.symbols[i]
		switch {
		case p.end < 0:
		case p.id >= 0:
			out = append(out, p.id)
			if places != nil {
				places.add(p.start, p.end)
			}
		default:
			for at := p.start; at < p.end; at++ {
				id := s.bytes[word[at]]
				if id < 0 {
					id = s.unknown
				}
				if id >= 0 {
					out = append(out, id)
					if places != nil {
						places.add(at, at+1)
					}
				}
			}
		}
	}
	return out
}
