package tokenizer

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// normalizer changes a text before it is divided.
type normalizer interface {
	normalize(text string) string
	trace(t traced) traced // normalize, of a text with its origins
}

// normalizers work one after another.
type normalizers []normalizer

func (l normalizers) normalize(s string) string {
	for _, n := range l {
		s = n.normalize(s)
	}
	return s
}

func (l normalizers) trace(t traced) traced {
	for _, n := range l {
		t = n.trace(t)
	}
	return t
}

// rewriting changes characters of a text: text returns the new text, and edits returns the same text as edits.
type rewriting struct {
	text  func(s string) string
	edits func(s string) (left int, list []edit)
}

func (n rewriting) normalize(s string) string { return n.text(s) }
func (n rewriting) trace(t traced) traced     { return t.edited(n.edits(t.text)) }

// The normalizers without options.
var (
	accentsStripped = rewriting{stripAccents, func(s string) (int, []edit) { return kept(s, withoutMarks()) }}
	lowercased      = rewriting{lowercase, func(s string) (int, []edit) { return 0, lowerCases(s) }}
	nmt             = mapped(nmtRune)
)

// mapped changes each character by itself, and leaves it out where f gives -1.
func mapped(f func(rune) rune) rewriting {
	return rewriting{func(s string) string { return strings.Map(f, s) }, func(s string) (int, []edit) { return kept(s, f) }}
}

// byteWriting writes a character for each byte.
type byteWriting struct{}

func (byteWriting) normalize(s string) string { return byteText(s) }
func (byteWriting) trace(t traced) traced     { return t.bytesWritten() }

// formed are the normalizers NFC and NFKC, or NFD and NFKD.
func formed(composed, compatible bool) rewriting {
	text, edits := decompose, apart
	if composed {
		text, edits = compose, together
	}
	return rewriting{func(s string) string { return text(s, compatible) }, func(s string) (int, []edit) { return 0, edits(s, compatible) }}
}

// kept returns the edits of a function of characters. A character for which f gives -1 is left out; left counts such
// characters in front.
func kept(s string, f func(rune) rune) (left int, list []edit) {
	for _, r := range s {
		if r = f(r); r >= 0 {
			list = append(list, edit{r, 0})
		} else if len(list) > 0 {
			list[len(list)-1].change--
		} else {
			left++
		}
	}
	return left, list
}

// longestHead is how much of a text tells what becomes of its first character.
const longestHead = 256

// headOf is how many bytes in front of a normalised text are made of the first head bytes of the text. An inserted
// character counts as made from the character in front of it, and a replacement as made from the last character that it
// replaces.
func headOf(n normalizer, s string, head int) int {
	if head == 0 {
		return 0
	}
	if l, ok := n.(normalizers); ok {
		for _, part := range l {
			head, s = headOf(part, s, head), part.normalize(s)
			for head = min(head, len(s)); head > 0 && head < len(s) && !utf8.RuneStart(s[head]); head++ {
			}
		}
		return head
	}
	if h, ok := n.(interface{ head(s string, head int) int }); ok {
		return h.head(s, head)
	}
	return len(n.normalize(s[:head]))
}

// trim leaves out spaces at the ends.
type trim struct{ left, right bool }

func (n trim) normalize(s string) string {
	if n.left {
		s = strings.TrimLeftFunc(s, unicode.IsSpace)
	}
	if n.right {
		s = strings.TrimRightFunc(s, unicode.IsSpace)
	}
	return s
}

func (n trim) trace(t traced) traced {
	start := len(t.text) - len(trim{left: n.left}.normalize(t.text))
	return t.part(start, start+len(n.normalize(t.text)))
}

func (n trim) head(s string, head int) int {
	return max(head-len(s)+len(trim{left: n.left}.normalize(s)), 0)
}

// prepend puts a text in front of a text that is not empty.
type prepend string

func (n prepend) normalize(s string) string {
	if s == "" {
		return s
	}
	return string(n) + s
}

func (n prepend) trace(t traced) traced {
	if t.text == "" {
		return t
	}
	return t.behind(string(n))
}

func (n prepend) head(s string, head int) int { return len(n) + head }

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
	return strings.Map(withoutMarks(), s)
}

func withoutMarks() func(rune) rune { return leaveOut(olderSet("mark")) }

// leaveOut leaves out the characters of a set.
func leaveOut(set *runeSet) func(rune) rune {
	return func(r rune) rune {
		if set.has(r) {
			return -1
		}
		return r
	}
}

// lowercase is the lower case of each character by itself; one of them becomes two.
func lowercase(s string) string {
	if !strings.ContainsRune(s, 'İ') {
		return strings.ToLower(s)
	}
	return textOf(lowerCases(s))
}

// lowerCases returns the edits of lowercase.
func lowerCases(s string) (list []edit) {
	for _, r := range s {
		if r == 'İ' {
			list = append(list, edit{'i', 0}, edit{'\u0307', 1})
		} else {
			list = append(list, edit{unicode.ToLower(r), 0})
		}
	}
	return list
}

func isChinese(r rune) bool {
	return r >= 0x4E00 && r <= 0x9FFF || r >= 0x3400 && r <= 0x4DBF || r >= 0x20000 && r <= 0x2A6DF || r >= 0x2A700 && r <= 0x2B73F ||
		r >= 0x2B740 && r <= 0x2B81F || r >= 0x2B920 && r <= 0x2CEAF || r >= 0xF900 && r <= 0xFAFF || r >= 0x2F800 && r <= 0x2FA1F
}

// nmtRune leaves out control characters and makes spaces of the rest of white space.
func nmtRune(r rune) rune {
	switch {
	case r >= 1 && r <= 8, r == 0xb, r >= 0xe && r <= 0x1f, r == 0x7f, r == 0x8f, r == 0x9f:
		return -1
	case r == 9, r == 0xa, r == 0xc, r == 0xd, r == 0x1680, r >= 0x200b && r <= 0x200f, r == 0x2028, r == 0x2029, r == 0x2581, r == 0xfeff, r == 0xfffd:
		return ' '
	}
	return r
}

// replace puts a text for all that matches.
type replace struct {
	text    string   // what is replaced, if there is no pattern
	pattern *pattern // nil for text
	with    string
}

// matches calls f for all that is replaced.
func (n *replace) matches(s string, f func(start, end int)) {
	if n.pattern != nil {
		n.pattern.all(s, f)
		return
	}
	for at := 0; ; {
		next := strings.Index(s[at:], n.text)
		if next < 0 {
			return
		}
		f(at+next, at+next+len(n.text))
		at += next + len(n.text)
	}
}

func (n *replace) head(s string, head int) (made int) {
	done := 0
	n.matches(s, func(start, end int) {
		switch {
		case start > head:
		case end > head:
			made += start - done
			done = head
		default:
			made += start - done + len(n.with)
			done = end
		}
	})
	return made + head - done
}

func (n *replace) normalize(s string) string {
	if n.pattern == nil {
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

// trace has what is put in come from the last character that is replaced.
func (n *replace) trace(t traced) traced {
	var made traced
	var b strings.Builder
	done := 0
	copied := func(end int) {
		b.WriteString(t.text[done:end])
		made.from = append(made.from, t.from[done:end]...)
	}
	n.matches(t.text, func(start, end int) {
		copied(start)
		done = end
		b.WriteString(n.with)
		var from Extent
		if end > 0 {
			from = t.from[end-1]
		}
		for range len(n.with) {
			made.from = append(made.from, from)
		}
	})
	copied(len(t.text))
	made.text = b.String()
	return made
}

// all calls f for all matches, which do not overlap. An empty text has none.
func (p *pattern) all(s string, f func(start, end int)) {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	m.begin(s)
	last := -1
	for at := 0; s != "" && at <= len(s); {
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
