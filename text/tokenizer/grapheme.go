package tokenizer

import (
	"sync"
	"unicode"
	"unicode/utf8"
)

var (
	// setApart are marks that take room and are seen as characters of their own (Unicode Standard Annex 29,
	// SpacingMark).
	setApart = newSet(span{0x102b, 0x102c}, span{0x1038, 0x1038}, span{0x1062, 0x1064}, span{0x1067, 0x106d}, span{0x1083, 0x1083},
		span{0x1087, 0x108c}, span{0x108f, 0x108f}, span{0x109a, 0x109c}, span{0x1a61, 0x1a61}, span{0x1a63, 0x1a64}, span{0xaa7b, 0xaa7b},
		span{0xaa7d, 0xaa7d}, span{0x11720, 0x11721})
	// setExtend are marks, with two vowels of Thai and Lao that are letters, and what joins or colours pictures.
	setExtend = sync.OnceValue(func() *runeSet {
		return tableSet(unicode.Mn, unicode.Me, unicode.Mc, unicode.Other_Grapheme_Extend).intersect(setApart.negate()).
			union(newSet(span{0xe33, 0xe33}, span{0xeb3, 0xeb3}, span{0x200d, 0x200d}, span{0x1f3fb, 0x1f3ff})).compile()
	})
	// setLeads are signs that stand in front of a character, such as the signs of numbers in Arabic.
	setLeads = sync.OnceValue(func() *runeSet {
		return tableSet(unicode.Prepended_Concatenation_Mark).union(newSet(span{0xd4e, 0xd4e}, span{0x111c2, 0x111c3}, span{0x113d1, 0x113d1}, span{0x1193f, 0x1193f},
			span{0x11941, 0x11941}, span{0x11a3a, 0x11a3a}, span{0x11a84, 0x11a89}, span{0x11d46, 0x11d46}, span{0x11f02, 0x11f02})).compile()
	})
	setBreaks = sync.OnceValue(func() *runeSet {
		return tableSet(unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp).intersect(setLeads().union(setExtend()).union(newSet(span{0x200c, 0x200d})).negate()).compile()
	})
)

// grapheme is the length of what a text begins with and is seen as one character: with its marks, a syllable of Hangul,
// a flag, or pictures that are joined.
func grapheme(s string) int {
	first, n := utf8.DecodeRuneInString(s)
	if first == '\r' && len(s) > 1 && s[1] == '\n' {
		return 2
	}
	if setBreaks().has(first) {
		return n
	}
	flag := func(r rune) bool { return r >= 0x1f1e6 && r <= 0x1f1ff }
	last, flags := first, 0
	if flag(first) {
		flags = 1
	}
	for n < len(s) {
		r, size := utf8.DecodeRuneInString(s[n:])
		switch {
		case setExtend().has(r):
		case last == 0x200d && pictures(r) && pictures(first):
		case flags == 1 && flag(r) && flag(last):
			flags++
		case hangulJoins(last, r), setLeads().has(last) && !setBreaks().has(r):
		default:
			return n
		}
		last = r
		n += size
	}
	return n
}

// pictures are emoji.
func pictures(r rune) bool {
	return r >= 0x1f000 && r <= 0x1faff && !(r >= 0x1f1e6 && r <= 0x1f1ff) || r >= 0x2190 && r <= 0x2bff && unicode.Is(unicode.So, r) || r == 0xa9 || r == 0xae
}

// hangulJoins reports whether two characters are parts of one syllable.
func hangulJoins(a, b rune) bool {
	kind := func(r rune) int {
		switch {
		case r >= 0x1100 && r <= 0x115f, r >= 0xa960 && r <= 0xa97c:
			return 1 // leading
		case r >= 0x1160 && r <= 0x11a7, r >= 0xd7b0 && r <= 0xd7c6:
			return 2 // vowel
		case r >= 0x11a8 && r <= 0x11ff, r >= 0xd7cb && r <= 0xd7fb:
			return 3 // trailing
		case r >= hangulBase && r < hangulBase+countL*countV*countT:
			if (r-hangulBase)%countT == 0 {
				return 4 // leading and vowel
			}
			return 5
		}
		return 0
	}
	switch x, y := kind(a), kind(b); x {
	case 1:
		return y == 1 || y == 2 || y == 4 || y == 5
	case 2, 4:
		return y == 2 || y == 3
	case 3, 5:
		return y == 3
	}
	return false
}
