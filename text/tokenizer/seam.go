package tokenizer

import "strings"

// A text of SentencePiece's is one word, with marks in place of spaces. It is cut in front of marks where no token has
// a mark behind another character: no merge goes across such a place, and the parts are short, and come often.

// crosses reports whether a token has a mark behind another character.
func crosses(token string) bool { return strings.Contains(strings.TrimLeft(token, metaMark), metaMark) }

// atSeams gives the parts of a word: each begins with its marks, and ends in front of the next ones.
func atSeams(word string, part func(string)) {
	for word != "" {
		marks := len(word) - len(strings.TrimLeft(word, metaMark))
		end := strings.Index(word[marks:], metaMark)
		if end < 0 {
			part(word)
			return
		}
		part(word[:marks+end])
		word = word[marks+end:]
	}
}
