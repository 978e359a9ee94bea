package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestClusters: the number of characters that are seen is the number that tokenizers 0.23 finds with \X.
func TestClusters(t *testing.T) {
	for text, want := range map[string]int{
		"e\u0301": 1, "e\u0302\u0301x": 2, "\r\n": 1, "\n\u0301": 2,
		" \u0e33": 1, " \u0eb3": 1, // vowels that are letters
		"\u0915\u093e": 1, "\u1000\u102b": 2, "\u1000\u1031": 1, "\u1a20\u1a61": 2, "\u1a20\u1a6d": 1, // marks that take room
		"\u0600a": 1, "\U000113d1a": 1, "\U00011f02a": 1, // signs in front
		"\u1100\u1161\u11a8\u1100": 2, "\U0001f1e9\U0001f1ea\U0001f1eb": 2, "\U0001f468\u200d\U0001f469\U0001f3fd": 1,
	} {
		have := 0
		for s := text; s != ""; s = s[grapheme(s):] {
			have++
		}
		require.Equal(t, want, have, "%+q", text)
	}
}

// TestWholeCharacters: as in tokenizers, a character of less than six bytes with its marks becomes what its shortest
// beginning stands for, and the parts of a longer one stand alone. The trie has one key, a, which stands for b.
func TestWholeCharacters(t *testing.T) {
	units := make([]uint32, 0x62)
	units[0] = 1 << 10                  // children of the root lie at 1 ^ their byte
	units[1^'a'] = 'a' | 1<<8 | 'a'<<10 // the key ends here: its value lies at 1
	units[1] = 1 << 31
	g := graphemes{&precompiled{units: units, texts: "b\x00"}}
	for text, want := range map[string]string{"aca": "bcb", "c\u0301a": "c\u0301b", "a\u0301c": "bc", "a\u0301\u0301\u0301": "b\u0301\u0301\u0301", "": ""} {
		require.Equal(t, want, g.normalize(text))
	}
}
