package tokenizer

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCharactersOfPatterns: of all characters, patterns match as many as patterns of tokenizers 0.23.1, and the sum of
// their numbers is the same; testdata/newer.py prints both.
func TestCharactersOfPatterns(t *testing.T) {
	for _, c := range []struct {
		pattern    string
		count, sum int
	}{
		{`\p{L}`, 141028, 15240929258},
		{`\p{N}`, 1911, 110651895},
		{`\p{M}`, 2501, 316771473},
		{`\p{P}`, 855, 28835015},
		{`\p{S}`, 8514, 620170451},
		{`\p{Z}`, 19, 141398},
		{`\p{C}`, 957236, 604189375390},
		{`\p{Lu}`, 1858, 86924357},
		{`\p{Ll}`, 2258, 104713123},
		{`\p{Lt}`, 31, 220514},
		{`\p{Lm}`, 404, 19538368},
		{`\p{Lo}`, 136477, 15029532896},
		{`\p{Nd}`, 760, 39891450},
		{`\p{Cn}`, 819533, 466275017146},
		{`\w`, 144671, 15621630088},
		{`\d`, 760, 39891450},
		{`\s`, 25, 141586},
		{`[\w]`, 144665, 15621628979},
		{`[[:alpha:]]`, 142759, 15314421907},
		{`[[:punct:]]`, 9369, 649005466},
		{`[[:alnum:]]`, 143519, 15354313357},
		{`[[:upper:]]`, 1978, 97237165},
		{`[[:lower:]]`, 2569, 117919901},
		{`\p{Han}`, 99030, 12573883150},
		{`\p{Latin}`, 1487, 27421744},
		{`\p{Arabic}`, 1373, 71326622},
		{`\p{Cyrillic}`, 508, 12793574},
	} {
		p, err := compilePattern(c.pattern)
		require.NoError(t, err)
		count, sum, m := 0, 0, &machine{}
		for r := rune(0); r <= lastRune; r++ {
			if r == 0xd800 {
				r = 0xe000
			}
			m.begin(string(r))
			if end, ok := p.match(m, string(r), 0); ok && end > 0 {
				count, sum = count+1, sum+int(r)
			}
		}
		require.Equal(t, c.count, count, c.pattern)
		require.Equal(t, c.sum, sum, c.pattern)
	}
}
