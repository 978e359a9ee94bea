package tokenizer

import "unicode/utf8"

// wordPiece takes the longest token that a word begins with, and then the longest one that goes on from there.
type wordPiece struct {
	*vocabulary
	unknown int32
	prefix  string // of a token inside of a word
	most    int    // characters of a word that is looked at
	longest int    // token, in bytes
}

func (w *wordPiece) tokens(out []int32, word string) []int32 {
	start := len(out)
	fail := func() []int32 {
		if w.unknown >= 0 {
			return append(out[:start], w.unknown)
		}
		return out[:start]
	}
	if utf8.RuneCountInString(word) > w.most {
		return fail()
	}
	buffer := make([]byte, 0, 64)
	for at := 0; at < len(word); {
		end, found := min(len(word), at+w.longest), int32(-1)
		for ; end > at; end-- {
			if end < len(word) && !utf8.RuneStart(word[end]) {
				continue
			}
			buffer = buffer[:0]
			if at > 0 {
				buffer = append(buffer, w.prefix...)
			}
			if id, ok := w.ids[string(append(buffer, word[at:end]...))]; ok {
				found = id
				break
			}
		}
		if found < 0 {
			return fail()
		}
		out, at = append(out, found), end
	}
	return out
}

// wordLevel has a token for each word.
type wordLevel struct {
	*vocabulary
	unknown int32
}

func (w *wordLevel) tokens(out []int32, word string) []int32 {
	if id, ok := w.ids[word]; ok {
		return append(out, id)
	}
	if w.unknown >= 0 {
		out = append(out, w.unknown)
	}
	return out
}
