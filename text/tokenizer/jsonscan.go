package tokenizer

import (
	"bytes"
	"encoding/json"
	"strconv"
)

// scan reads the long lists of a tokenizer.json, whose text is known to be sound JSON. It knows the forms that these
// files have, and stops at any other: package json reads the list then, or says what is wrong.
type scan struct {
	text []byte
	at   int
	lost bool // the text has a form that scan does not know
}

// next skips spaces, and a byte if that is the next one. It reports whether it was.
func (s *scan) next(c byte) bool {
	for s.at < len(s.text) && (s.text[s.at] == ' ' || s.text[s.at] == '\n' || s.text[s.at] == '\r' || s.text[s.at] == '\t') {
		s.at++
	}
	if s.at < len(s.text) && s.text[s.at] == c {
		s.at++
		return true
	}
	return false
}

// want skips a byte that must be the next one.
func (s *scan) want(c byte) { s.lost = !s.next(c) || s.lost }

// string reads a string.
func (s *scan) string() string {
	s.want('"')
	begin := s.at
	for ; s.at < len(s.text) && !s.lost; s.at++ {
		switch s.text[s.at] {
		case '"':
			s.at++
			return string(s.text[begin : s.at-1])
		case '\\':
			return s.escaped(begin)
		}
	}
	s.lost = true
	return ""
}

// escaped reads the rest of a string that has a backslash.
func (s *scan) escaped(begin int) (text string) {
	for ; s.at < len(s.text) && s.text[s.at] != '"'; s.at++ {
		if s.text[s.at] == '\\' {
			s.at++
		}
	}
	s.at = min(s.at+1, len(s.text))
	s.lost = s.lost || json.Unmarshal(s.text[begin-1:s.at], &text) != nil
	return text
}

// number returns the text of a number.
func (s *scan) number() []byte {
	s.next(' ')
	n := bytes.IndexAny(s.text[s.at:], ",]} \n\r\t")
	if n <= 0 {
		s.lost = true
		return nil
	}
	s.at += n
	return s.text[s.at-n : s.at]
}

// whole reads a whole number below 1e9 without a sign.
func (s *scan) whole() int32 {
	digits, n := s.number(), int32(0)
	s.lost = s.lost || len(digits) > 9
	for _, c := range digits {
		s.lost = s.lost || c < '0' || c > '9'
		n = 10*n + int32(c-'0')
	}
	return n
}

// list calls read for each member between two brackets. It reports whether all of the text was read.
func (s *scan) list(open, end byte, read func()) bool {
	s.want(open)
	if s.lost || s.next(end) {
		return !s.lost
	}
	for read(); !s.lost && s.next(','); {
		read()
	}
	s.want(end)
	return !s.lost
}

// numbered reads texts with their numbers: {"a": 0, "b": 1}.
func numbered(text []byte) (ids map[string]int32, ok bool) {
	ids = make(map[string]int32, bytes.Count(text, []byte{':'}))
	s := &scan{text: text}
	ok = s.list('{', '}', func() {
		name := s.string()
		s.want(':')
		ids[name] = s.whole()
	})
	return ids, ok
}

// scannedPairs reads lists of texts, or lines.
func scannedPairs(text []byte) (pairs [][]string, ok bool) {
	s := &scan{text: text}
	lists, lines := 0, 0
	ok = s.list('[', ']', func() {
		if !s.next('[') {
			pairs = appendLine(pairs, s.string())
			lines++
			return
		}
		s.at--
		pair := make([]string, 0, 2)
		s.list('[', ']', func() { pair = append(pair, s.string()) })
		pairs = append(pairs, pair)
		lists++
	})
	return pairs, ok && (lists == 0 || lines == 0)
}

// scannedScores reads texts with their scores: [["a", -1.5], ["b", 0]].
func scannedScores(text []byte) (list []scoredText, ok bool) {
	s := &scan{text: text}
	ok = s.list('[', ']', func() {
		s.want('[')
		word := s.string()
		s.want(',')
		number := string(s.number())
		s.want(']')
		nearest, err := strconv.ParseFloat(number, 64)
		s.lost = s.lost || err != nil
		list = append(list, scoredText{word, scoreOf(number, nearest)})
	})
	return list, ok
}
