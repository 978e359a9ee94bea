package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestPatterns: texts are divided at the matches of patterns as Split of tokenizers 0.23.1 divides them, with the
// behaviour isolated.
func TestPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern, text string
		want          []string
	}{
		{`(?<=a)b`, "abbab b", []string{"a", "b", "ba", "b", " b"}},
		{`(?<!a)b`, "abbab b", []string{"ab", "b", "ab ", "b"}},
		{`a(?=b)`, "abaab", []string{"a", "ba", "a", "b"}},
		{`a(?!b)`, "abaab", []string{"ab", "a", "ab"}},
		{`(?<=^|x)a`, "aaxa", []string{"a", "ax", "a"}},
		{`(?<=é|xy)a`, "éaxyaya", []string{"é", "a", "xy", "a", "ya"}},
		{`a+?b??`, "aaabb", []string{"a", "a", "a", "bb"}},
		{`a*+a`, "aaa", []string{"aaa"}},
		{`a{2,3}`, "aaaaaaa", []string{"aaa", "aaa", "a"}},
		{`a{2,3}?`, "aaaaaaa", []string{"aa", "aa", "aa", "a"}},
		{`a{1,3}?b`, "aaab", []string{"aaab"}},
		{`a{1,2}?b`, "aaab", []string{"a", "aab"}},
		{`(?>a|ab)c`, "abcac", []string{"abc", "ac"}},
		{`(?:a|ab)c`, "abcac", []string{"abc", "ac"}},
		{`(a|b)\1`, "aabbab", []string{"aa", "bb", "ab"}},
		{`(?<n>[ab])x\k<n>`, "axabxaxb", []string{"axa", "bxaxb"}},
		{`(?i)(a)\1`, "aAAa", []string{"aA", "Aa"}},
		{`\bfoo\b`, "foo foob bfoo foo", []string{"foo", " foob bfoo ", "foo"}},
		{`\Boo`, "foo oo", []string{"f", "oo", " oo"}},
		{`^a`, "aa\na", []string{"a", "a\n", "a"}},
		{`a$`, "aa\na", []string{"a", "a", "\n", "a"}},
		{`\Aa`, "a\na", []string{"a", "\na"}},
		{`a\z`, "a\na", []string{"a\n", "a"}},
		{`a\Z`, "a\na\n", []string{"a\n", "a", "\n"}},
		{`\Ga`, "aaba", []string{"a", "a", "ba"}},
		{`\p{Lu}\p{Ll}*`, "FooBar ÉÀb", []string{"Foo", "Bar", " ", "É", "Àb"}},
		{`\P{L}+`, "a12b??c", []string{"a", "12", "b", "??", "c"}},
		{`\p{^L}+`, "a12b", []string{"a", "12", "b"}},
		{`[^\p{L}\p{N}\s]+`, "a!? 1#", []string{"a", "!?", " 1", "#"}},
		{`[[:alpha:]]+`, "ab1é", []string{"ab", "1", "é"}},
		{`[a-c&&[^b]]+`, "abcca", []string{"a", "b", "cca"}},
		{`\h+`, "12fg AF", []string{"12f", "g ", "AF"}},
		{`\R`, "a\r\nb\nc\u2028d", []string{"a", "\r\n", "b", "\n", "c", "\u2028", "d"}},
		{`\X`, "e\u0301\U0001f1e9\U0001f1ea\r\n가", []string{"e\u0301", "\U0001f1e9\U0001f1ea", "\r\n", "가"}},
		{`(?m:a.b)`, "a\nb", []string{"a\nb"}},
		{`a.b`, "a\nbacb", []string{"a\nb", "acb"}},
		{`\s+(?!\S)|\s+`, "a   b  ", []string{"a", "  ", " ", "b", "  "}},
		{`a(?#c)b`, "ab", []string{"ab"}},
		{`(a*)*b`, "aaab", []string{"aaab"}},
		{`(?:a?)*?b`, "aab", []string{"aab"}},
		{`(a?b?)*c`, "abbac", []string{"abbac"}},
		{`x|`, "axb", []string{"a", "x", "b"}},
		{`(?:)|a`, "aba", []string{"a", "b", "a"}},
		{`[\u3040-\u309f]+`, "aひらb", []string{"a", "ひら", "b"}},
		{`a\Kb`, "abab", []string{"a", "b", "a", "b"}},
		{`\d+|\D+`, "12ab", []string{"12", "ab"}},
		{`\w+|\W+`, "aé_1 -", []string{"aé_1", " -"}},
		{`(?i)k`, "kK\u212a", []string{"k", "K", "\u212a"}},
		{`(?i)ß`, "ssxSſẞßs", []string{"ss", "x", "Sſ", "ẞ", "ß", "s"}},
		{`(?i)straße`, "STRASSEstraſſeSTRAẞE", []string{"STRASSE", "straſſe", "STRAẞE"}},
		{`(?i)ss`, "ßẞſſs", []string{"ß", "ẞ", "ſſ", "s"}},
		{`(?i)sss`, "ßs sß", []string{"ßs", " sß"}},
		{`(?i)ffi`, "ﬃFFI ﬀi", []string{"ﬃ", "FFI", " ﬀi"}},
		{`(?i)fﬁ`, "ffiﬃ", []string{"ffi", "ﬃ"}},
		{`(?i)ﬅ`, "ﬆstſT", []string{"ﬆ", "st", "ſT"}},
		{`(?i)[aß]`, "ssẞA", []string{"ss", "ẞ", "A"}},
		{`(?i)[a-zß]`, "ss", []string{"s", "s"}},
		{`(?i)[a-zß]$`, "ss", []string{"ss"}},
		{`(?i)[^ß]`, "ssẞ", []string{"s", "s", "ẞ"}},
		{`(?i)s+s`, "ß", []string{"ß"}},
		{`(?i)s[s]`, "ßss", []string{"ß", "ss"}},
		{`(?i)aß?b`, "assbabaẞb", []string{"assb", "ab", "aẞb"}},
		{`(?i)ß{2}`, "ssssßßssß", []string{"ssss", "ßß", "ssß"}},
		{`(?i)(?<=ß)x`, "ssxßx", []string{"ssxß", "x"}},
		{`(?i)(?<=ss)x`, "ßxssx", []string{"ßxss", "x"}},
		{`(?i)ᾳ`, "αιᾼΑΙ", []string{"αι", "ᾼ", "ΑΙ"}},
		{`(?i)\p{Lu}`, "aA", []string{"a", "A"}},
		{`(?i)[\p{Lu}]`, "1aA", []string{"1", "a", "A"}},
		{`(?i)\P{Lu}`, "Aa", []string{"A", "a"}},
		{`[^a]`, "ab\n", []string{"a", "b", "\n"}},
		{`(?:ab){2}`, "ababab", []string{"abab", "ab"}},
		{`(?:a|b)*?c`, "abcab", []string{"abc", "ab"}},
		{`a{,2}b`, "aaab", []string{"a", "aab"}},
		{`a{2}{3}`, "aaaaaaa", []string{"aaaaaa", "a"}},
		{`(?<!\d)\d{1,3}(?=(?:\d{3})*\b)`, "1234567 12", []string{"1", "234567 ", "12"}},
		{`'s|'t| ?\p{L}+`, "it's don't", []string{"it", "'s", " don", "'t"}},
		{`(?<=[^a])b|c`, "abbc", []string{"ab", "b", "c"}},
		{`(?!)|a`, "aa", []string{"a", "a"}},
		{`(?=a)`, "aba", []string{"ab", "a"}},
	} {
		p, err := compilePattern(c.pattern)
		require.NoError(t, err, c.pattern)
		var got []string
		(&patternSplit{pattern: p, how: isolated}).split(piece{traced: traced{text: c.text}}, func(p piece) { got = append(got, p.text) })
		require.Equal(t, c.want, got, "%s in %q", c.pattern, c.text)
	}
}

// TestScripts: texts are divided where UnicodeScripts of tokenizers 0.23.1 divides them, by the scripts of Unicode 9.
func TestScripts(t *testing.T) {
	for text, want := range map[string][]string{
		"1\u0589Ժ": {"1\u0589", "Ժ"}, "1\u061cس": {"1\u061c", "س"}, "क\u0953\u0954": {"क\u0953\u0954"}, "カー漢": {"カー漢"},
	} {
		var got []string
		scripts{}.split(piece{traced: traced{text: text}}, func(p piece) { got = append(got, p.text) })
		require.Equal(t, want, got, text)
	}
}
