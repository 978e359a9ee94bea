package tokenizer

import (
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

// word returns the characters of words, which are fewer between the brackets of a class.
func (c *compiler) word() *runeSet {
	if c.classes > 0 {
		return setWordInClass()
	}
	return setWord()
}

// bracket returns the characters of a name between [: and :].
func (c *compiler) bracket(name string) (*runeSet, bool) {
	plain := strings.TrimPrefix(name, "^")
	s, ok := property(plain)
	switch plain {
	case "word":
		s = c.word()
	case "punct":
		s = setPunctBracket()
	}
	if ok && plain != name {
		s = s.negate()
	}
	return s, ok
}

// class reads behind an opening bracket.
func (c *compiler) class() (*runeSet, error) {
	if c.classes > mostDepth {
		return nil, errors.New("classes are nested too deeply")
	}
	c.classes++
	defer func() { c.classes-- }()
	negative := c.has("^")
	set := newSet()
	var all *runeSet // what stands in front of &&
	for first := true; ; first = false {
		if !c.more() {
			return nil, errors.New("a class does not end")
		}
		if c.has("]") {
			if !first {
				break
			}
			set = set.union(single(']'))
			continue
		}
		if c.has("&&") {
			if all == nil {
				all = set
			} else {
				all = all.intersect(set)
			}
			set = newSet()
			continue
		}
		if end := strings.Index(c.text[c.at:], ":]"); strings.HasPrefix(c.text[c.at:], "[:") && end > 0 {
			if s, ok := c.bracket(c.text[c.at+2 : c.at+end]); ok {
				c.at += end + 2
				set = set.union(s)
				continue
			}
		}
		if c.has("[") {
			s, err := c.class()
			if err != nil {
				return nil, err
			}
			set = set.union(s)
			continue
		}
		s, err := c.members()
		if err != nil {
			return nil, err
		}
		set = set.union(s)
	}
	if all != nil {
		set = all.intersect(set)
	}
	if c.ignore {
		set = set.fold()
	}
	if negative {
		set = set.negate()
	}
	return set, nil
}

// members reads a member of a class, or a range from one to another.
func (c *compiler) members() (*runeSet, error) {
	s, err := c.member()
	if err != nil {
		return nil, err
	}
	from, one := s.only()
	if !one || c.at+1 >= len(c.text) || c.text[c.at] != '-' || c.text[c.at+1] == ']' {
		return s, nil
	}
	c.at++
	end, err := c.member()
	if err != nil {
		return nil, err
	}
	to, one := end.only()
	switch {
	case !one:
		return s.union(single('-')).union(end), nil
	case to < from:
		return nil, fmt.Errorf("the range %q to %q is empty", from, to)
	}
	return newSet(span{from, to}), nil
}

// only returns the member of a set that has no other.
func (s *runeSet) only() (r rune, one bool) {
	if len(s.spans) != 1 || s.spans[0].lo != s.spans[0].hi {
		return 0, false
	}
	return s.spans[0].lo, true
}

func (c *compiler) member() (*runeSet, error) {
	if c.has("\\") {
		if !c.more() {
			return nil, errors.New("nothing stands behind a backslash")
		}
		if c.has("b") {
			return single(8), nil
		}
		return c.escaped()
	}
	r, n := utf8.DecodeRuneInString(c.text[c.at:])
	c.at += n
	return single(r), nil
}
