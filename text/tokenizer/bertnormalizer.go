package tokenizer

import (
	"strings"
	"sync"
	"sync/atomic"
	"unicode"
	"unicode/utf8"
)

// allMarks are the marks of all kinds, and allControls the characters that are no text, as llama.cpp has both.
var (
	allMarks    = sync.OnceValue(func() *runeSet { return tableSet(unicode.M).compile() })
	allControls = sync.OnceValue(func() *runeSet { return tableSet(unicode.Cc, unicode.Cf, unicode.Co, unicode.Cs).compile() })
)

// bertNormalizer is what BERT does with a text.
type bertNormalizer struct {
	clean, chinese, accents, lower bool
	bases                          bool // of a character that has accents only its first part is left, and all marks are accents

	pages [utf8.MaxRune>>8 + 1]atomic.Pointer[[256]normalForm] // of characters by their high bits
}

// normalForm is what is written for a character wherever the character stands. Marks that stay may change places with marks
// beside them, so that a text with such marks is looked at as a whole.
type normalForm struct {
	text  string
	whole bool
}

func (n *bertNormalizer) normalize(s string) string {
	var out strings.Builder
	out.Grow(len(s) + len(s)/8)
	for _, r := range s {
		page := n.pages[r>>8].Load()
		if page == nil {
			page = n.page(r >> 8)
		}
		w := &page[r&255]
		if w.whole {
			return n.ofWhole(s)
		}
		out.WriteString(w.text)
	}
	return out.String()
}

// page makes what is written for 256 characters.
func (n *bertNormalizer) page(high rune) *[256]normalForm {
	page, classes := new([256]normalForm), unicodeForms().classes
	for i := range page {
		text := n.ofWhole(string(high<<8 + rune(i)))
		page[i].text = text
		for _, r := range text {
			page[i].whole = page[i].whole || classes[r] != 0
		}
	}
	n.pages[high].Store(page)
	return page
}

// ofWhole is the normalisation step by step.
func (n *bertNormalizer) ofWhole(s string) string {
	if n.clean {
		control := olderSet("control")
		if n.bases {
			control = allControls()
		}
		s = strings.Map(func(r rune) rune {
			switch {
			case n.bases && setSpace.has(r): // U+0085 is a space and a control character
				return ' '
			case r == 0, r == utf8.RuneError, control.has(r):
				return -1
			case setSpace.has(r):
				return ' '
			}
			return r
		}, s)
	}
	if n.chinese && !isASCII(s) {
		var b strings.Builder
		for _, r := range s {
			if isChinese(r) {
				b.WriteByte(' ')
				b.WriteRune(r)
				b.WriteByte(' ')
			} else {
				b.WriteRune(r)
			}
		}
		s = b.String()
	}
	if n.accents && !isASCII(s) {
		accents := olderSet("accent")
		if n.bases {
			accents, s = allMarks(), firstParts(s)
		}
		s = strings.Map(func(r rune) rune {
			if accents.has(r) {
				return -1
			}
			return r
		}, decompose(s, false))
	}
	if n.lower {
		s = lowercase(s)
	}
	return s
}

// firstParts leaves of each composed character its first part.
func firstParts(s string) string {
	return strings.Map(func(r rune) rune {
		first, _ := utf8.DecodeRuneInString(decompose(string(r), false))
		return first
	}, s)
}
