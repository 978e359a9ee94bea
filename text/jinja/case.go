package jinja

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// longerUpper and longerTitle have the characters whose capital is several characters, each in front of its capital,
// from Unicode's SpecialCasing.txt.
const (
	longerUpper = "ßSS ŉʼN ǰJ̌ ΐΪ́ ΰΫ́ ևԵՒ ẖH̱ ẗT̈ ẘW̊ ẙY̊ ẚAʾ ὐΥ̓ ὒΥ̓̀ ὔΥ̓́ ὖΥ̓͂ ᾀἈΙ ᾁἉΙ ᾂἊΙ ᾃἋΙ ᾄἌΙ ᾅἍΙ ᾆἎΙ ᾇἏΙ ᾈἈΙ " +
		"ᾉἉΙ ᾊἊΙ ᾋἋΙ ᾌἌΙ ᾍἍΙ ᾎἎΙ ᾏἏΙ ᾐἨΙ ᾑἩΙ ᾒἪΙ ᾓἫΙ ᾔἬΙ ᾕἭΙ ᾖἮΙ ᾗἯΙ ᾘἨΙ ᾙἩΙ ᾚἪΙ ᾛἫΙ ᾜἬΙ ᾝἭΙ ᾞἮΙ ᾟἯΙ ᾠὨΙ ᾡὩΙ " +
		"ᾢὪΙ ᾣὫΙ ᾤὬΙ ᾥὭΙ ᾦὮΙ ᾧὯΙ ᾨὨΙ ᾩὩΙ ᾪὪΙ ᾫὫΙ ᾬὬΙ ᾭὭΙ ᾮὮΙ ᾯὯΙ ᾲᾺΙ ᾳΑΙ ᾴΆΙ ᾶΑ͂ ᾷΑ͂Ι ᾼΑΙ ῂῊΙ ῃΗΙ ῄΉΙ ῆΗ͂ " +
		"ῇΗ͂Ι ῌΗΙ ῒΪ̀ ΐΪ́ ῖΙ͂ ῗΪ͂ ῢΫ̀ ΰΫ́ ῤΡ̓ ῦΥ͂ ῧΫ͂ ῲῺΙ ῳΩΙ ῴΏΙ ῶΩ͂ ῷΩ͂Ι ῼΩΙ ﬀFF ﬁFI ﬂFL ﬃFFI ﬄFFL " +
		"ﬅST ﬆST ﬓՄՆ ﬔՄԵ ﬕՄԻ ﬖՎՆ ﬗՄԽ "
	longerTitle = "ßSs ŉʼN ǰJ̌ ΐΪ́ ΰΫ́ ևԵւ ẖH̱ ẗT̈ ẘW̊ ẙY̊ ẚAʾ ὐΥ̓ ὒΥ̓̀ ὔΥ̓́ ὖΥ̓͂ ᾲᾺͅ ᾴΆͅ ᾶΑ͂ ᾷᾼ͂ ῂῊͅ ῄΉͅ ῆΗ͂ ῇῌ͂ " +
		"ῒΪ̀ ΐΪ́ ῖΙ͂ ῗΪ͂ ῢΫ̀ ΰΫ́ ῤΡ̓ ῦΥ͂ ῧΫ͂ ῲῺͅ ῴΏͅ ῶΩ͂ ῷῼ͂ ﬀFf ﬁFi ﬂFl ﬃFfi ﬄFfl ﬅSt ﬆSt ﬓՄն ﬔՄե ﬕՄի " +
		"ﬖՎն ﬗՄխ "
)

func longer(entries string) map[rune]string {
	table := map[rune]string{}
	for _, e := range strings.Fields(entries) {
		c, size := utf8.DecodeRuneInString(e)
		table[c] = e[size:]
	}
	return table
}

var upperOf, titleOf = longer(longerUpper), longer(longerTitle)

func changed(s string, several map[rune]string, one func(rune) rune) string {
	var b strings.Builder
	for _, c := range s {
		if text, ok := several[c]; ok {
			b.WriteString(text)
		} else {
			b.WriteRune(one(c))
		}
	}
	return b.String()
}

// upper is Python's str.upper.
func upper(s string) string { return changed(s, upperOf, unicode.ToUpper) }

// title is the capital that begins a word.
func title(s string) string { return changed(s, titleOf, unicode.ToTitle) }

// lower is Python's str.lower, with the sigma that ends a word.
func lower(s string) string {
	if !strings.ContainsAny(s, "Σİ") {
		return strings.ToLower(s)
	}
	chars := []rune(s)
	cased := func(step, i int) bool { // whether the next character that counts is a letter with cases
		for i += step; i >= 0 && i < len(chars); i += step {
			if !isIgnorable(chars[i]) {
				return isCased(chars[i])
			}
		}
		return false
	}
	var b strings.Builder
	for i, c := range chars {
		switch {
		case c == 'Σ' && cased(-1, i) && !cased(1, i):
			b.WriteRune('ς')
		case c == 'İ':
			b.WriteString("i̇")
		default:
			b.WriteRune(unicode.ToLower(c))
		}
	}
	return b.String()
}

func isCased(c rune) bool {
	return unicode.IsUpper(c) || unicode.IsLower(c) || unicode.IsTitle(c) || unicode.In(c, unicode.Other_Lowercase, unicode.Other_Uppercase)
}

// isIgnorable is whether a character does not count for the case of its neighbours.
func isIgnorable(c rune) bool {
	return unicode.In(c, unicode.Mn, unicode.Me, unicode.Cf, unicode.Lm, unicode.Sk) || strings.ContainsRune("'.:··՟״‘’․‧︓﹒﹕＇．：", c)
}

// capitalized has its first character as first makes it, and the rest in lower case.
func capitalized(s string, first func(string) string) string {
	_, size := utf8.DecodeRuneInString(s)
	return first(s[:size]) + lower(s[size:])
}

// titled is Python's str.title: a letter begins a word where no letter is in front of it.
func titled(s string) string {
	var b strings.Builder
	begin := 0
	inWord := false
	flush := func(end int) {
		if inWord {
			b.WriteString(capitalized(s[begin:end], title))
		} else {
			b.WriteString(s[begin:end])
		}
		begin = end
	}
	for i, c := range s {
		if isCased(c) != inWord {
			flush(i)
			inWord = !inWord
		}
	}
	flush(len(s))
	return b.String()
}
