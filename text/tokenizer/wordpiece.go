package tokenizer

import "unicode/utf8"

// wordPiece takes the longest token that a word begins with, and then the longest one that goes on from there.
type wordPiece struct {
	*vocabulary
	unknown int32
	most    int // characters of a word that is looked at
	trie    *trie
	begin   int32 // node of the mark of tokens that a word begins with
	inside  int32 // node of the mark of tokens that go on
}

// newWordPiece makes a model of a vocabulary whose tokens begin with one mark where a word begins, and with another
// inside.
func newWordPiece(v *vocabulary, unknown int32, begin, inside string, most int) *wordPiece {
	t := newTrie(v)
	return &wordPiece{vocabulary: v, unknown: unknown, most: most, trie: t, begin: t.node(begin), inside: t.node(inside)}
}

func (w *wordPiece) tokens(out []int32, word string, places *extents) []int32 {
	start, node := len(out), w.begin
	if len(word) > w.most && utf8.RuneCountInString(word) > w.most {
		return w.fail(out, word, places)
	}
	for at := 0; at < len(word); node = w.inside {
		length, id := w.trie.longest(node, word[at:])
		if id < 0 && at == 0 && len(out) == start && node > 0 { // the mark may be a token
			id = w.trie.nodes[node].id
		}
		if id < 0 {
			if places != nil {
				*places = (*places)[:len(*places)-len(out)+start]
			}
			return w.fail(out[:start], word, places)
		}
		if places != nil {
			places.add(at, at+length)
		}
		out, at = append(out, id), at+length
	}
	return out
}

// fail appends what stands for a word that is not in the vocabulary.
func (w *wordPiece) fail(out []int32, word string, places *extents) []int32 {
	if unknownToken(w.unknown, word) >= 0 {
		if places != nil {
			places.add(0, len(word))
		}
		out = append(out, w.unknown)
	}
	return out
}

// wordLevel has a token for each word.
type wordLevel struct {
	*vocabulary
	unknown int32
}

func (w *wordLevel) tokens(out []int32, word string, places *extents) []int32 {
	id, ok := w.ids[word]
	if !ok {
		id = unknownToken(w.unknown, word)
	}
	if id >= 0 {
		if places != nil {
			places.add(0, len(word))
		}
		out = append(out, id)
	}
	return out
}
