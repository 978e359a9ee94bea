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

	once  sync.Once
	list  normalizers                                          // of steps
	pages [utf8.MaxRune>>8 + 1]atomic.Pointer[[256]normalForm] // of characters by their high bits
}

// normalForm is what is written for a character wherever the character stands. Marks that stay may change places with
// marks beside them, so that a text with such marks is looked at as a whole.
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
	return n.steps().normalize(s)
}

func (n *bertNormalizer) trace(t traced) traced { return n.steps().trace(t) }

// steps are the normalizers that the normalisation is made of.
func (n *bertNormalizer) steps() normalizers {
	n.once.Do(func() { n.list = n.inOrder() })
	return n.list
}

func (n *bertNormalizer) inOrder() (list normalizers) {
	if n.clean {
		list = append(list, n.cleaned())
	}
	if n.chinese {
		list = append(list, rewriting{func(s string) string {
			if !strings.ContainsFunc(s, isChinese) {
				return s
			}
			return textOf(chineseApart(s))
		}, func(s string) (int, []edit) { return 0, chineseApart(s) }})
	}
	if n.accents {
		accents := olderSet("accent")
		if n.bases {
			accents, list = allMarks(), append(list, mapped(firstPart))
		}
		list = append(list, formed(false, false), mapped(leaveOut(accents)))
	}
	if n.lower {
		list = append(list, lowercased)
	}
	return list
}

// cleaned leaves out what is no text, and makes spaces of white space.
func (n *bertNormalizer) cleaned() normalizer {
	control := olderSet("control")
	if n.bases {
		control = allControls()
	}
	return mapped(func(r rune) rune {
		switch {
		case n.bases && setSpace().has(r): // U+0085 is a space and a control character
			return ' '
		case r == 0, r == utf8.RuneError, control.has(r):
			return -1
		case setSpace().has(r):
			return ' '
		}
		return r
	})
}

// chineseApart is the edits that put spaces around each Chinese character.
func chineseApart(s string) []edit {
	list := make([]edit, 0, len(s))
	for _, r := range s {
		if isChinese(r) {
			list = append(list, edit{' ', 0}, edit{r, 1}, edit{' ', 1})
		} else {
			list = append(list, edit{r, 0})
		}
	}
	return list
}

// firstPart is the first part of a composed character.
func firstPart(r rune) rune {
	first, _ := utf8.DecodeRuneInString(decompose(string(r), false))
	return first
}
