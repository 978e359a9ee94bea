package tokenizer

import (
	"strings"
	"sync"
	"unicode"
	"unicode/utf8"
)

// splitter divides a piece into pieces that the model sees as words.
type splitter interface {
	split(p piece, emit func(piece))
}

// splitters work one after another.
type splitters []splitter

func (l splitters) split(p piece, emit func(piece)) {
	if len(l) == 0 {
		emit(p)
		return
	}
	if len(l) == 1 {
		l[0].split(p, emit)
		return
	}
	l[0].split(p, func(q piece) { l[1:].split(q, emit) })
}

// behaviour says what becomes of the matches of a split.
type behaviour uint8

const (
	removed  behaviour = iota // left out
	isolated                  // pieces of their own
	mergedWithPrevious
	mergedWithNext
	contiguous // as isolated; matches behind each other are one piece
)

var behaviours = map[string]behaviour{"removed": removed, "isolated": isolated, "mergedwithprevious": mergedWithPrevious,
	"mergedwithnext": mergedWithNext, "contiguous": contiguous}

// cutter emits pieces by the matches in a text, which are given in order.
type cutter struct {
	p        piece
	emit     func(piece)
	how      behaviour
	start    int // of the piece that is open
	open     bool
	wasMatch bool
}

// segment takes the next part of the text, which is a match or stands between matches.
func (c *cutter) segment(start, end int, match bool) {
	switch c.how {
	case removed:
		if !match {
			c.out(start, end)
		}
	case isolated:
		c.out(start, end)
	case contiguous:
		if c.open && c.wasMatch == match {
			break
		}
		c.close(start)
		c.start, c.open = start, true
	case mergedWithPrevious:
		if match && c.open && !c.wasMatch {
			c.out(c.start, end)
			c.open = false
		} else {
			c.close(start)
			c.start, c.open = start, true
		}
	case mergedWithNext:
		if c.open && c.wasMatch && !match {
			c.out(c.start, end)
			c.open = false
		} else {
			c.close(start)
			c.start, c.open = start, true
		}
	}
	c.wasMatch = match
}

// close emits the open piece, which ends at a place.
func (c *cutter) close(end int) {
	if c.open {
		c.out(c.start, end)
		c.open = false
	}
}

func (c *cutter) out(start, end int) {
	if end > start {
		c.emit(c.p.part(start, end))
	}
}

// machines are shared by the splits of all goroutines.
var machines = sync.Pool{New: func() any { return new(machine) }}

// patternSplit divides at the matches of a pattern.
type patternSplit struct {
	pattern *pattern
	how     behaviour
	invert  bool // matches are the text between separators
}

func (s *patternSplit) split(p piece, emit func(piece)) {
	m := machines.Get().(*machine)
	defer machines.Put(m)
	m.begin(p.text)
	c := cutter{p: p, emit: emit, how: s.how}
	text, done := p.text, 0
	for at := 0; at <= len(text); {
		start, end, ok := s.pattern.find(m, text, at)
		if !ok {
			break
		}
		if start == end { // an empty match divides
			if start > done {
				c.segment(done, start, s.invert)
				c.segment(start, start, !s.invert)
				done = start
			}
			_, n := utf8.DecodeRuneInString(text[start:])
			at = start + max(n, 1)
			continue
		}
		if start > done {
			c.segment(done, start, s.invert)
		}
		c.segment(start, end, !s.invert)
		done, at = end, end
	}
	if done < len(text) {
		c.segment(done, len(text), s.invert)
	}
	c.close(len(text))
}

// runeSplit divides at characters of a kind; each such character is a match.
type runeSplit struct {
	set *runeSet
	how behaviour
}

func (s *runeSplit) split(p piece, emit func(piece)) {
	c := cutter{p: p, emit: emit, how: s.how}
	done := 0
	for i, r := range p.text {
		if !s.set.has(r) {
			continue
		}
		end := i + utf8.RuneLen(r)
		if i > done {
			c.segment(done, i, false)
		}
		c.segment(i, end, true)
		done = end
	}
	if done < len(p.text) {
		c.segment(done, len(p.text), false)
	}
	c.close(len(p.text))
}

// metaspace writes a mark for each space, and divides in front of marks.
type metaspace struct {
	mark   string
	scheme string // "always", "first" or "never": whether a mark is put in front
	split_ bool
}

func (s *metaspace) split(p piece, emit func(piece)) {
	p.traced, p.head = p.marked(s.mark), p.head+strings.Count(p.text[:p.head], " ")*(len(s.mark)-1)
	if (s.scheme == "always" || s.scheme == "first" && p.head > 0) && !strings.HasPrefix(p.text, s.mark) {
		p = p.behind(s.mark)
	}
	if !s.split_ {
		emit(p)
		return
	}
	start := 0
	for start < len(p.text) {
		from := start
		if strings.HasPrefix(p.text[start:], s.mark) {
			from += len(s.mark)
		}
		next := strings.Index(p.text[from:], s.mark)
		if next < 0 {
			break
		}
		emit(p.part(start, from+next))
		start = from + next
	}
	emit(p.part(start, len(p.text)))
}

// byteLevel writes a character for each byte, so that every text has tokens.
type byteLevel struct {
	space bool // in front of a text that does not begin with one
	words *patternSplit
}

// byteRunes are the characters that stand for bytes: themselves if they can be seen, and others from U+0100 on.
// runeBytes has the byte of each character, or -1.
var byteRunes, runeBytes = func() (list [256]rune, back [324]int16) {
	for i := range back {
		back[i] = -1
	}
	next := rune(256)
	for b := range list {
		if b >= '!' && b <= '~' || b >= 0xa1 && b <= 0xac || b >= 0xae {
			list[b] = rune(b)
		} else {
			list[b] = next
			next++
		}
		back[list[b]] = int16(b)
	}
	return list, back
}()

// byteOf is the byte for which a character stands, if it stands for one.
func byteOf(r rune) (byte, bool) {
	if int(r) >= len(runeBytes) || runeBytes[r] < 0 {
		return 0, false
	}
	return byte(runeBytes[r]), true
}

// byteText writes a character for each byte.
func byteText(s string) string {
	plain := true
	for i := range len(s) {
		if b := s[i]; b < '!' || b > '~' {
			plain = false
			break
		}
	}
	if plain {
		return s
	}
	b := make([]byte, 0, 2*len(s))
	for i := range len(s) {
		b = utf8.AppendRune(b, byteRunes[s[i]])
	}
	return string(b)
}

func (s *byteLevel) split(p piece, emit func(piece)) {
	if s.space && p.text != "" && p.text[0] != ' ' {
		p = p.behind(" ")
	}
	write := func(w piece) {
		w.traced, w.head = w.bytesWritten(), len(byteText(w.text[:w.head]))
		emit(w)
	}
	if s.words == nil {
		write(p)
		return
	}
	s.words.split(p, write)
}

// scripts divides where the script changes. Spaces belong to the script in front of them; those at the beginning are
// left out.
type scripts struct{}

func (scripts) split(p piece, emit func(piece)) {
	last, start := "", -1
	for i, r := range p.text {
		script := scriptOf(r)
		if script == "" {
			continue
		}
		if script != last {
			if start >= 0 {
				emit(p.part(start, i))
			}
			start = i
		}
		last = script
	}
	if start >= 0 {
		emit(p.part(start, len(p.text)))
	}
}

// olderScripts has the scripts of characters that the Unicode version of tokenizers puts in another script than later
// versions, and of the mark of long vowels of Japanese.
var olderScripts = map[rune]string{0x30FC: "Han", 0x0589: "Common", 0x061C: "Common", 0x0953: "Devanagari", 0x0954: "Devanagari"}

// scriptOf is the script of a character; characters of Japanese count as Han, and a space has none, as characters newer
// than the tables of tokenizers.
func scriptOf(r rune) string {
	if script, ok := olderScripts[r]; ok {
		return script
	}
	switch {
	case r < utf8.RuneSelf && (r|0x20 >= 'a' && r|0x20 <= 'z'):
		return "Latin"
	case olderSet("scriptless").has(r):
		return ""
	}
	for name, t := range unicode.Scripts {
		if unicode.Is(t, r) {
			if name == "Hiragana" || name == "Katakana" {
				return "Han"
			}
			return name
		}
	}
	return ""
}

// fixedLength divides into pieces of length characters.
type fixedLength struct{ length int }

func (s fixedLength) split(p piece, emit func(piece)) {
	start, count := 0, 0
	for i := range p.text {
		if count == s.length {
			emit(p.part(start, i))
			start, count = i, 0
		}
		count++
	}
	emit(p.part(start, len(p.text)))
}

// words are the pieces of tokenizers' "Whitespace": words, and what is neither word nor space.
type words struct{}

func (words) split(p piece, emit func(piece)) {
	start, kind := 0, 0 // 1 for a word, 2 for others
	for i, r := range p.text {
		k := 2
		switch {
		case setSpace().has(r):
			k = 0
		case setWordRust().has(r):
			k = 1
		}
		if k != kind {
			if kind != 0 {
				emit(p.part(start, i))
			}
			start, kind = i, k
		}
	}
	if kind != 0 {
		emit(p.part(start, len(p.text)))
	}
}
