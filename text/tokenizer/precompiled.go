package tokenizer

import (
	"encoding/binary"
	"errors"
	"strings"
	"unicode/utf8"
)

// precompiled replaces parts of a text by a table that SentencePiece has compiled: a trie in a double array, and texts that end with a zero.
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
	for at := 0; at < len(s); {
		if with, n, ok := p.find(s[at:], true); ok {
			b.WriteString(with)
			at += n
			continue
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		b.WriteString(s[at : at+n])
		at += n
	}
	return b.String()
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
	for at := 0; at < len(s); {
		n := grapheme(s[at:])
		part := s[at : at+n]
		at += n
		if len(part) < 6 {
			if with, _, ok := g.find(part, false); ok {
				b.WriteString(with)
				continue
			}
		}
		for _, r := range part {
			c := string(r)
			if with, _, ok := g.find(c, false); ok {
				b.WriteString(with)
			} else {
				b.WriteString(c)
			}
		}
	}
	return b.String()
}
