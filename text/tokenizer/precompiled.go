package tokenizer

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// precompiled replaces parts of a text by a table that SentencePiece has compiled: a trie in a double array, and texts
// that end with a zero.
type precompiled struct {
	units []uint32
	texts string
}

func newPrecompiled(data []byte) (*precompiled, error) {
	if len(data) < 4 {
		return nil, errors.New("the table of a precompiled normaliser is cut short")
	}
	size := binary.LittleEndian.Uint32(data)
	if uint64(size) > uint64(len(data)-4) || size%4 != 0 {
		return nil, errors.New("the trie of a precompiled normaliser is cut short")
	}
	p := &precompiled{texts: string(data[4+size:])}
	for at := 4; at < int(4+size); at += 4 {
		p.units = append(p.units, binary.LittleEndian.Uint32(data[at:]))
	}
	return p, nil
}

// find returns what replaces the longest key that a text begins with, or the shortest one.
func (p *precompiled) find(s string, longest bool) (with string, length int, ok bool) {
	offset := func(unit uint32) uint32 { return unit >> 10 << (unit & (1 << 9) >> 6) }
	if len(p.units) == 0 {
		return "", 0, false
	}
	node := offset(p.units[0])
	for i := range len(s) {
		c := uint32(s[i])
		if c == 0 {
			break
		}
		node ^= c
		if int(node) >= len(p.units) {
			break
		}
		unit := p.units[node]
		if unit&(1<<31|0xff) != c {
			break
		}
		node ^= offset(unit)
		if unit>>8&1 == 0 {
			continue
		}
		if int(node) >= len(p.units) {
			break
		}
		at := int(p.units[node] & (1<<31 - 1))
		if at > len(p.texts) {
			break
		}
		end := strings.IndexByte(p.texts[at:], 0)
		if end < 0 {
			break
		}
		with, length, ok = p.texts[at:at+end], i+1, true
		if !longest {
			return with, length, true
		}
	}
	return with, length, ok
}

// normalize replaces the longest keys.
func (p *precompiled) normalize(s string) string {
	var b strings.Builder
	p.parts(s, func(_, with string) { b.WriteString(with) })
	return b.String()
}

func (p *precompiled) trace(t traced) traced { return t.edited(replaced(t.text, p.parts)) }

// parts calls f for the consecutive parts of a text, each with its replacement.
func (p *precompiled) parts(s string, f func(part, with string)) {
	for at := 0; at < len(s); {
		with, n, ok := p.find(s[at:], true)
		if !ok {
			_, n = utf8.DecodeRuneInString(s[at:])
			with = s[at : at+n]
		}
		f(s[at:at+n], with)
		at += n
	}
}

// replaced is the edits of parts: of a longer part the last characters come from the last one of the part before, and
// of a shorter part the last character takes the rest.
func replaced(s string, parts func(s string, f func(part, with string))) (left int, list []edit) {
	parts(s, func(part, with string) {
		for _, r := range with {
			list = append(list, edit{r, 0})
		}
		old, made := utf8.RuneCountInString(part), utf8.RuneCountInString(with)
		for i := range max(made-old, 0) {
			list[len(list)-1-i].change = 1
		}
		if made < old && len(list) > 0 {
			list[len(list)-1].change -= int32(old - made)
		}
	})
	return 0, list
}

// graphemes replaces whole graphemes that are keys, and else characters, as tokenizers does.
type graphemes struct{ *precompiled }

// head counts the next character for one that is left out at the beginning, as tokenizers does.
func (g graphemes) head(s string, head int) int {
	if made := len(g.normalize(s[:head])); made > 0 {
		return made
	}
	_, size := utf8.DecodeRuneInString(g.normalize(s))
	return size
}

func (g graphemes) normalize(s string) string {
	var b strings.Builder
	g.parts(s, func(_, with string) { b.WriteString(with) })
	return b.String()
}

func (g graphemes) trace(t traced) traced { return t.edited(replaced(t.text, g.parts)) }

func (g graphemes) parts(s string, f func(part, with string)) {
	for at := 0; at < len(s); {
		n := grapheme(s[at:])
		part := s[at : at+n]
		at += n
		if len(part) < 6 {
			if with, _, ok := g.find(part, false); ok {
				f(part, with)
				continue
			}
		}
		for _, r := range part {
			c := string(r)
			with, _, ok := g.find(c, false)
			if !ok {
				with = c
			}
			f(c, with)
		}
	}
}
