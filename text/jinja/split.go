package jinja

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// split cuts a text at a separator, or at whitespace where it is nil, at most limit times if the limit is not negative,
// from the left or from the right.
func (r *run) split(s string, separator any, limit int, fromRight bool) any {
	var parts []string
	if separator == nil {
		parts = splitSpace(s, limit, fromRight)
	} else {
		by := r.wantString("split", separator)
		if by == "" {
			r.fail("split: the separator is empty")
		}
		if !fromRight {
			parts = strings.SplitN(s, by, max(limit, -2)+1)
			if limit < 0 {
				parts = strings.Split(s, by)
			}
		} else {
			for ; limit != 0; limit-- {
				i := strings.LastIndex(s, by)
				if i < 0 {
					break
				}
				parts = append(parts, s[i+len(by):])
				s = s[:i]
			}
			parts = append(parts, s)
			slices.Reverse(parts)
		}
	}
	r.spend(len(parts))
	r.spendText(s)
	all := make(list, len(parts))
	for i, p := range parts {
		all[i] = p
	}
	return all
}

func splitSpace(s string, limit int, fromRight bool) (parts []string) {
	notSpace := func(c rune) bool { return !isSpace(c) }
	if fromRight {
		for s = strings.TrimRightFunc(s, isSpace); s != ""; s = strings.TrimRightFunc(s, isSpace) {
			i := strings.LastIndexFunc(s, isSpace)
			if i < 0 || limit == 0 {
				parts = append(parts, s)
				break
			}
			_, size := utf8.DecodeRuneInString(s[i:])
			parts = append(parts, s[i+size:])
			s = s[:i]
			limit--
		}
		slices.Reverse(parts)
		return parts
	}
	for {
		begin := strings.IndexFunc(s, notSpace)
		if begin < 0 {
			return parts
		}
		s = s[begin:]
		end := strings.IndexFunc(s, isSpace)
		if end < 0 || limit == 0 {
			return append(parts, s)
		}
		parts = append(parts, s[:end])
		s = s[end:]
		limit--
	}
}

// splitLines cuts a text behind each end of a line that Python knows.
func splitLines(s string, keepEnds bool) (lines []string) {
	for s != "" {
		end := strings.IndexFunc(s, func(c rune) bool { return strings.ContainsRune("\n\r\v\f\x1c\x1d\x1e\u0085\u2028\u2029", c) })
		if end < 0 {
			return append(lines, s)
		}
		_, size := utf8.DecodeRuneInString(s[end:])
		if strings.HasPrefix(s[end:], "\r\n") {
			size = 2
		}
		if keepEnds {
			lines = append(lines, s[:end+size])
		} else {
			lines = append(lines, s[:end])
		}
		s = s[end+size:]
	}
	return lines
}

// replaced replaces the first n parts of a text, all if n is negative.
func (r *run) replaced(s, old, by string, n int) string {
	count := strings.Count(s, old)
	if n >= 0 {
		count = min(count, n)
	}
	r.spend(1 + (len(s)+count*len(by))/16)
	return strings.Replace(s, old, by, n)
}
