package tokenizer

import (
	_ "embed"
	"strconv"
	"strings"
	"sync"
	"unicode"
)

//go:embed newer.txt
var newerText string

// newer has the characters that Unicode 15.1 and 16 add to a table of the package unicode, which has those of Unicode
// 15.0. testdata/newer.py writes them.
var newer = sync.OnceValue(func() map[*unicode.RangeTable][]span {
	added := map[*unicode.RangeTable][]span{}
	for line := range strings.Lines(newerText) {
		fields := strings.Fields(line)
		if fields[0] == "#" {
			continue
		}
		lo, _ := strconv.ParseUint(fields[1], 16, 32)
		hi, _ := strconv.ParseUint(fields[2], 16, 32)
		name := fields[0]
		for _, t := range []*unicode.RangeTable{unicode.Scripts[name], unicode.Properties[name], unicode.Categories[name]} {
			if t != nil {
				added[t] = append(added[t], span{rune(lo), rune(hi)})
			}
		}
		if all := unicode.Categories[name[:1]]; len(name) == 2 {
			added[all] = append(added[all], span{rune(lo), rune(hi)})
		}
	}
	return added
})
