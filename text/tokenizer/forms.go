package tokenizer

import (
	_ "embed"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"
)

//go:embed forms.txt
var formsText string

// forms is how characters are taken apart and put together, as Unicode has it. testdata/forms.py writes the table.
type forms struct {
	canonical, compatible map[rune][]rune // taken apart to the end
	pairs                 map[[2]rune]rune
	classes               map[rune]uint8
}

var unicodeForms = sync.OnceValue(func() *forms {
	f := &forms{map[rune][]rune{}, map[rune][]rune{}, map[[2]rune]rune{}, map[rune]uint8{}}
	hex := func(s string) rune {
		v, _ := strconv.ParseUint(s, 16, 32)
		return rune(v)
	}
	once := map[rune][]rune{}
	for line := range strings.Lines(formsText) {
		fields := strings.Fields(line)
		switch {
		case line[0] == '#':
			continue
		case line[0] == '@':
			class, _ := strconv.Atoi(fields[0][1:])
			for r := hex(fields[1]); r <= hex(fields[2]); r++ {
				f.classes[r] = uint8(class)
			}
			continue
		}
		r := hex(strings.TrimLeft(fields[0], "<="))
		var parts []rune
		for _, p := range fields[1:] {
			parts = append(parts, hex(p))
		}
		if line[0] == '<' {
			f.compatible[r] = parts
			continue
		}
		once[r] = parts
		if line[0] != '=' && len(parts) == 2 {
			f.pairs[[2]rune{parts[0], parts[1]}] = r
		}
	}
	var expand func(r rune, compatible bool) []rune
	expand = func(r rune, compatible bool) []rune {
		parts, ok := once[r]
		if compatible && !ok {
			parts, ok = f.compatible[r]
		}
		if !ok {
			return []rune{r}
		}
		var out []rune
		for _, p := range parts {
			out = append(out, expand(p, compatible)...)
		}
		return out
	}
	full := map[rune][]rune{}
	for r := range f.compatible {
		full[r] = expand(r, true)
	}
	for r := range once {
		f.canonical[r] = expand(r, false)
		full[r] = expand(r, true)
	}
	f.compatible = full
	return f
})

// The syllables of Hangul are computed.
const (
	hangulBase, hangulL, hangulV, hangulT = 0xAC00, 0x1100, 0x1161, 0x11A7
	countL, countV, countT                = 19, 21, 28
)

// decompose takes characters apart, and puts marks in order.
func decompose(s string, compatible bool) string {
	if isASCII(s) {
		return s
	}
	return textOf(apart(s, compatible))
}

// apart is the edits that take characters apart.
func apart(s string, compatible bool) []edit {
	f := unicodeForms()
	table := f.canonical
	if compatible {
		table = f.compatible
	}
	out := make([]edit, 0, len(s))
	for _, r := range s {
		if r < utf8.RuneSelf {
			out = append(out, edit{r, 0})
			continue
		}
		if n := r - hangulBase; n >= 0 && n < countL*countV*countT {
			out = append(out, edit{hangulL + n/(countV*countT), 0}, edit{hangulV + n%(countV*countT)/countT, 1})
			if t := n % countT; t > 0 {
				out = append(out, edit{hangulT + t, 1})
			}
			continue
		}
		parts, ok := table[r]
		if !ok {
			out = append(out, edit{r, 0})
		}
		for i, part := range parts {
			out = append(out, edit{part, int32(min(i, 1))})
		}
	}
	for start := 0; start < len(out); start++ {
		if f.classes[out[start].r] == 0 {
			continue
		}
		end := start
		for end < len(out) && f.classes[out[end].r] != 0 {
			end++
		}
		slices.SortStableFunc(out[start:end], func(a, b edit) int { return int(f.classes[a.r]) - int(f.classes[b.r]) })
		start = end
	}
	return out
}

// compose takes characters apart and puts them together again.
func compose(s string, compatible bool) string {
	if isASCII(s) {
		return s
	}
	return textOf(together(s, compatible))
}

// together is the edits that take characters apart and put them together again.
func together(s string, compatible bool) []edit {
	f, parts := unicodeForms(), apart(s, compatible)
	out := parts[:0:0]
	starter, last := -1, uint8(0)
	for _, e := range parts {
		class := f.classes[e.r]
		if starter >= 0 && (last < class || last == 0 && starter == len(out)-1) {
			if c, ok := f.pair(out[starter].r, e.r); ok {
				out[starter] = edit{c, out[starter].change + e.change - 1}
				continue
			}
		}
		if class == 0 {
			starter = len(out)
		}
		last = class
		out = append(out, e)
	}
	return out
}

// pair puts two characters together.
func (f *forms) pair(a, b rune) (rune, bool) {
	switch l, v, t := a-hangulL, b-hangulV, b-hangulT; {
	case l >= 0 && l < countL && v >= 0 && v < countV:
		return hangulBase + (l*countV+v)*countT, true
	case a >= hangulBase && a < hangulBase+countL*countV*countT && (a-hangulBase)%countT == 0 && t > 0 && t < countT:
		return a + t, true
	}
	r, ok := f.pairs[[2]rune{a, b}]
	return r, ok
}
