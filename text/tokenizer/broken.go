package tokenizer

import "unicode/utf8"

// A text that is not UTF-8 is read with U+FFFD in the place of bytes: of as many as these functions say, of bytes that
// are no character.

// brokenPart is the bytes that begin a character which does not end, or one other byte, as Unicode recommends and Rust
// does (Unicode 16, section 3.9, "U+FFFD Substitution of Maximal Subparts").
func brokenPart(text string) int {
	n := 1
	for n < len(text) && n < utf8.UTFMax && !utf8.FullRuneInString(text[:n+1]) {
		n++
	}
	return n
}

// brokenByte is each byte.
func brokenByte(string) int { return 1 }
