package tokenizer

import (
	"strings"
	"unicode/utf8"
)

// normalizer changes a text before it is divided.
type normalizer interface{ normalize(text string) string }

// normalizers work one after another.
type normalizers []normalizer

func (l normalizers) normalize(s string) string {
	for _, n := range l {
		s = n.normalize(s)
	}
	return s
}

// normalizeFunc is a function that normalises.
type normalizeFunc func(string) string

func (f normalizeFunc) normalize(s string) string { return f(s) }

// longestStart is how much of a text tells whether its beginning is left out.
const longestStart = 256

// cutsStart reports whether a normalizer leaves out what a text begins with. What comes behind is then not the first piece of the text.
func cutsStart(n normalizer, s string) bool {
	if s == "" {
		return false
	}
	_, size := utf8.DecodeRuneInString(s)
	switch n := n.(type) {
	case normalizers:
		for _, part := range n {
			if cutsStart(part, s) {
				return true
			}
			s = part.normalize(s)
		}
		return false
	case *replace:
		if n.with != "" {
			return false
		}
		if n.pattern == nil {
			return n.text != "" && strings.HasPrefix(s, n.text)
		}
		m := machines.Get().(*machine)
		defer machines.Put(m)
		end, ok := n.pattern.match(m, s, 0)
		return ok && end > 0
	}
	return n.normalize(s[:size]) == "" && !strings.HasPrefix(n.normalize(s), s[:size])
}

// isASCII reports whether a text has no byte above 127.
func isASCII(s string) bool {
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// stripAccents leaves out marks.
func stripAccents(s string) string {
	if isASCII(s) {
		return s
	}
	marks := olderSet("mark")
	return strings.Map(func(r rune) rune {
		if marks.has(r) {
			return -1
		}
		return r
	}, s)
}

// lowercase is the lower case of each character by itself; one of them becomes two.
func lowercase(s string) string {
	if !strings.ContainsRune(s, 'İ') {
		return strings.ToLower(s)
	}
	return strings.ToLower(strings.ReplaceAll(s, "İ", "i\u0307"))
}

// bertNormalizer is what BERT does with a text.
type bertNormalizer struct{ clean, chinese, accents, lower bool }

func (n *bertNormalizer) normalize(s string) string {
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

func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// nmt leaves out control characters and makes spaces of the rest of white space.
func nmt(s string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
			return -1
		case r == 9, r == 0xa, r == 0xc, r == 0xd, r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
			return ' '
		}
		return r
	}, s)
}

// replace puts a text for all that matches.
type replace struct {
	text    string   // what is replaced, if there is no pattern
	pattern *pattern // nil for text
	with    string
}

func (n *replace) normalize(s string) string {
	if n.pattern == nil {
		if n.text == "" {
			return s
		}
		return strings.ReplaceAll(s, n.text, n.with)
	}
	var b strings.Builder
	done := 0
	n.pattern.all(s, func(start, end int) {
		b.WriteString(s[done:start])
		b.WriteString(n.with)
		done = end
	})
	if done == 0 && b.Len() == 0 {
		return s
	}
	b.WriteString(s[done:])
	return b.String()
}

// all calls f for all matches, which do not overlap.
func (p *pattern) all(s string, f func(start, end int)) {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	last := -1
	for at := 0; at <= len(s); {
		start, end, ok := p.find(m, s, at)
		if !ok {
			return
		}
		if start == end && start == last { // nothing behind a match
			_, n := utf8.DecodeRuneInString(s[start:])
			at = start + max(n, 1)
			continue
		}
		f(start, end)
		last = end
		at = end
		if start == end {
			_, n := utf8.DecodeRuneInString(s[start:])
			at += max(n, 1)
		}
	}
}
