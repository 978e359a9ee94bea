package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// replaceParts writes U+FFFD for the bytes that begin a character which does not end, and for each other byte that is not UTF-8, as Unicode
// recommends and Rust does (Unicode 16, section 3.9, "U+FFFD Substitution of Maximal Subparts").
func replaceParts(text string) string {
	var b strings.Builder
	for at := 0; at < len(text); {
		r, n := utf8.DecodeRuneInString(text[at:])
		b.WriteRune(r)
		if r == utf8.RuneError {
			for at+n < len(text) && n < utf8.UTFMax && !utf8.FullRuneInString(text[at:at+n+1]) {
				n++
			}
		}
		at += n
	}
	return b.String()
}

// replaceBytes writes U+FFFD for each byte that is not UTF-8.
func replaceBytes(text string) string { return string([]rune(text)) }

// leaveBytes changes nothing: the model has tokens for bytes that are not UTF-8.
func leaveBytes(text string) string { return text }
