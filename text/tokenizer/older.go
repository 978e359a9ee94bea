package tokenizer

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
)

//go:embed sets.txt
var setsText string

// olderSets are the sets of characters that tokenizers has from tables of Unicode 8 and 9, by name. testdata/forms.py
// writes them.
var olderSets = sync.OnceValue(func() map[string]*runeSet {
	spans := map[string][]span{}
	for line := range strings.Lines(setsText) {
		fields := strings.Fields(line)
		if fields[0] == "#" {
			continue
		}
		lo, _ := strconv.ParseUint(fields[1], 16, 32)
		hi, _ := strconv.ParseUint(fields[2], 16, 32)
		spans[fields[0]] = append(spans[fields[0]], span{rune(lo), rune(hi)})
	}
	sets := map[string]*runeSet{}
	for name, list := range spans {
		sets[name] = newSet(list...).compile()
	}
	return sets
})

// The sets by their use: StripAccents removes "mark", BERT removes "accent", BERT takes "control" for no text,
// "punctuation" is a word of its own for BERT, and "scriptless" belongs to any script.
func olderSet(name string) *runeSet { return olderSets()[name] }
