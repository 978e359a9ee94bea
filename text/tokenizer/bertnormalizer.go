package tokenizer

import (
	"strings"
	"sync/atomic"
	"unicode/utf8"
)

// bertNormalizer is what BERT does with a text.
type bertNormalizer struct {
	clean, chinese, accents, lower bool

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
		s = strings.Map(func(r rune) rune {
			switch {
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
