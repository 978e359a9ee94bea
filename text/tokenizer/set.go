package tokenizer

import (
	"slices"
	"strings"
	"sync"
	"unicode"
)

// span is the characters from one to another.
type span struct{ lo, hi rune }

// runeSet is a set of characters: spans in order, apart from each other. A compiled one has a bit for each of the first
// 65,536.
type runeSet struct {
	spans []span
	bits  []uint64
}

const lastRune = unicode.MaxRune

func newSet(spans ...span) *runeSet {
	s := &runeSet{spans: slices.Clone(spans)}
	slices.SortFunc(s.spans, func(a, b span) int { return int(a.lo - b.lo) })
	out := s.spans[:0]
	for _, p := range s.spans {
		if n := len(out); n > 0 && p.lo <= out[n-1].hi+1 {
			out[n-1].hi = max(out[n-1].hi, p.hi)
			continue
		}
		out = append(out, p)
	}
	s.spans = out
	return s
}

// tableSet is the characters of tables, with those that are [newer].
func tableSet(tables ...*unicode.RangeTable) *runeSet {
	var spans []span
	add := func(lo, hi, stride rune) {
		if stride == 1 {
			spans = append(spans, span{lo, hi})
			return
		}
		for r := lo; r <= hi; r += stride {
			spans = append(spans, span{r, r})
		}
	}
	for _, t := range tables {
		spans = append(spans, newer()[t]...)
		for _, r := range t.R16 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
		for _, r := range t.R32 {
			add(rune(r.Lo), rune(r.Hi), rune(r.Stride))
		}
	}
	return newSet(spans...)
}

func (s *runeSet) union(o *runeSet) *runeSet {
	return newSet(append(slices.Clone(s.spans), o.spans...)...)
}

func (s *runeSet) negate() *runeSet {
	var out []span
	next := rune(0)
	for _, p := range s.spans {
		if p.lo > next {
			out = append(out, span{next, p.lo - 1})
		}
		next = p.hi + 1
	}
	if next <= lastRune {
		out = append(out, span{next, lastRune})
	}
	return newSet(out...)
}

func (s *runeSet) intersect(o *runeSet) *runeSet { return s.negate().union(o.negate()).negate() }

// fold adds the other cases of the characters.
func (s *runeSet) fold() *runeSet {
	out := slices.Clone(s.spans)
	for _, p := range s.spans {
		if p.hi-p.lo > 0x3000 { // whole planes have their cases
			continue
		}
		for r := p.lo; r <= p.hi; r++ {
			for f := unicode.SimpleFold(r); f != r; f = unicode.SimpleFold(f) {
				out = append(out, span{f, f})
			}
		}
	}
	return newSet(out...)
}

// compile makes the bits.
func (s *runeSet) compile() *runeSet {
	if s.bits != nil {
		return s
	}
	s.bits = make([]uint64, 1<<16/64)
	for _, p := range s.spans {
		for r := p.lo; r <= min(p.hi, 0xffff); r++ {
			if r&63 == 0 && r+63 <= p.hi {
				s.bits[r>>6] = ^uint64(0)
				r += 63
				continue
			}
			s.bits[r>>6] |= 1 << (r & 63)
		}
	}
	return s
}

// has reports whether a character is in a compiled set.
func (s *runeSet) has(r rune) bool {
	if uint32(r) < 1<<16 {
		return s.bits[r>>6]>>(r&63)&1 != 0
	}
	return s.far(r)
}

func (s *runeSet) far(r rune) bool {
	lo, hi := 0, len(s.spans)
	for lo < hi {
		mid := (lo + hi) / 2
		switch p := s.spans[mid]; {
		case r < p.lo:
			hi = mid
		case r > p.hi:
			lo = mid + 1
		default:
			return true
		}
	}
	return false
}

// latinNumbers are superscripts and fractions of Latin 1, which Oniguruma counts among the characters of words.
var latinNumbers = []span{{0xb2, 0xb3}, {0xb9, 0xb9}, {0xbc, 0xbe}}

// lettersAbove are Latin letters that stand above others, alphabetic since Unicode 16.
var lettersAbove = []span{{0x363, 0x36f}, {0x1dd3, 0x1de6}}

// The sets that patterns and parts of tokenizers name.
var (
	setSpace = sync.OnceValue(func() *runeSet { return tableSet(unicode.White_Space).compile() })
	setWord  = sync.OnceValue(func() *runeSet {
		return tableSet(unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic).union(newSet(latinNumbers...)).compile()
	})
	// setWordInClass is \w between brackets, where Oniguruma does not count superscripts and fractions.
	setWordInClass = sync.OnceValue(func() *runeSet { return setWord().intersect(newSet(latinNumbers...).negate()).compile() })
	// setPunctBracket is [:punct:], which has symbols; \p{Punct} has none.
	setPunctBracket = sync.OnceValue(func() *runeSet { return tableSet(unicode.P, unicode.S) })
	setDigit        = sync.OnceValue(func() *runeSet { return tableSet(unicode.Nd).compile() })
	// setWordRust is \w of Rust's expressions, which tokenizers uses beside Oniguruma's.
	setWordRust = sync.OnceValue(func() *runeSet {
		return tableSet(unicode.L, unicode.M, unicode.Nd, unicode.Nl, unicode.Pc, unicode.Other_Alphabetic, unicode.Join_Control).compile()
	})
	// setNumeric is what Rust's char.is_numeric is.
	setNumeric = sync.OnceValue(func() *runeSet { return tableSet(unicode.N).compile() })
)

// property returns the characters of \p{NAME}.
func property(name string) (*runeSet, bool) {
	plain := strings.ToLower(strings.NewReplacer("_", "", " ", "", "-", "").Replace(name))
	plain = strings.TrimPrefix(strings.TrimPrefix(strings.TrimPrefix(plain, "script="), "sc="), "gc=")
	plain = strings.TrimPrefix(plain, "generalcategory=")
	if long, ok := categories[plain]; ok {
		plain = long
	}
	switch plain {
	case "any":
		return newSet(span{0, lastRune}), true
	case "assigned":
		return unassigned().negate(), true
	case "cn", "unassigned":
		return unassigned(), true
	case "c", "other":
		return tableSet(unicode.Cc, unicode.Cf, unicode.Cs, unicode.Co).union(unassigned()), true
	case "alpha", "alphabetic":
		return tableSet(unicode.L, unicode.Nl, unicode.Other_Alphabetic).union(newSet(lettersAbove...)), true
	case "upper", "uppercase":
		return tableSet(unicode.Lu, unicode.Other_Uppercase), true
	case "lower", "lowercase":
		return tableSet(unicode.Ll, unicode.Other_Lowercase), true
	case "space", "whitespace":
		return setSpace(), true
	case "word":
		return setWord(), true
	case "digit":
		return setDigit(), true
	case "alnum":
		return tableSet(unicode.L, unicode.Nl, unicode.Other_Alphabetic, unicode.Nd).union(newSet(lettersAbove...)), true
	case "punct":
		return tableSet(unicode.P), true
	case "graph":
		return unassigned().union(setSpace()).union(tableSet(unicode.Cc, unicode.Cs)).negate(), true
	case "print":
		return unassigned().union(tableSet(unicode.Cc, unicode.Cs, unicode.Zl, unicode.Zp)).negate(), true
	case "cntrl":
		return tableSet(unicode.Cc), true
	case "ascii":
		return newSet(span{0, 127}), true
	case "xdigit":
		return newSet(span{'0', '9'}, span{'a', 'f'}, span{'A', 'F'}), true
	case "blank":
		return tableSet(unicode.Zs).union(newSet(span{'\t', '\t'})), true
	case "lc":
		return tableSet(unicode.Lu, unicode.Ll, unicode.Lt), true
	}
	for _, tables := range []map[string]*unicode.RangeTable{unicode.Categories, unicode.Scripts, unicode.Properties} {
		for key, t := range tables {
			if strings.ToLower(strings.ReplaceAll(key, "_", "")) == plain {
				return tableSet(t), true
			}
		}
	}
	return nil, false
}

// unassigned is the characters that have no category, surrogates aside.
func unassigned() *runeSet {
	var all []*unicode.RangeTable
	for key, t := range unicode.Categories {
		if len(key) == 2 && key != "Cn" && key != "LC" {
			all = append(all, t)
		}
	}
	return tableSet(all...).negate()
}

// categories are the long names of categories.
var categories = map[string]string{"letter": "l", "uppercaseletter": "lu", "lowercaseletter": "ll", "titlecaseletter": "lt",
	"modifierletter": "lm", "otherletter": "lo", "mark": "m", "nonspacingmark": "mn", "spacingmark": "mc", "enclosingmark": "me",
	"number": "n", "decimalnumber": "nd", "letternumber": "nl", "othernumber": "no", "punctuation": "p", "connectorpunctuation": "pc",
	"dashpunctuation": "pd", "openpunctuation": "ps", "closepunctuation": "pe", "initialpunctuation": "pi", "finalpunctuation": "pf",
	"otherpunctuation": "po", "symbol": "s", "mathsymbol": "sm", "currencysymbol": "sc", "modifiersymbol": "sk", "othersymbol": "so",
	"separator": "z", "spaceseparator": "zs", "lineseparator": "zl", "paragraphseparator": "zp", "control": "cc", "format": "cf",
	"surrogate": "cs", "privateuse": "co"}
