package grammar

import (
	"fmt"
	"slices"
	"strings"
)

// blanks are what [strings.TrimSpace] removes.
const blanks = " \t\n\v\f\r\u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a\u2028\u2029\u202f\u205f\u3000"

// ProseWithCalls is the grammar of an answer that may call functions: text, in which calls, as [Calls] has them, stand
// between begin and end. Where begin has come, a call follows. An answer that begins with { is one call without begin
// and end. Special tokens may come where text may. Begin and end that are empty, a begin that starts with a blank or {,
// and parameters of calls that [Calls] refuses are errors.
func ProseWithCalls(begin, end string, calls ...Call) (*Grammar, error) {
	mark := []rune(begin)
	if begin == "" || end == "" || strings.ContainsRune(blanks+"{", mark[0]) {
		return nil, fmt.Errorf("calls cannot stand between %q and %q: neither may be empty, and the first one begins with neither a blank nor {", begin, end)
	}
	s := newSchema()
	call, err := s.calls(calls)
	if err != nil {
		return nil, err
	}
	blank := s.g.repeat([]element{oneOf(blanks)}, 0, -1)
	prose := s.g.prose(mark, join(blank, []element{call}, blank, text(end)))
	other := oneOf(blanks + string(mark[0]) + "{")
	other.negative = true
	first := s.g.add()
	s.g.rules[first.rule].alternatives = [][]element{{}, {oneOf(blanks), first}, {{rule: aSilent}, prose[0]}, {other, prose[0]}, join(text(string(mark[0])), prose[1:2])}
	s.g.define("root", []element{first}, join(blank, []element{call}, blank))
	return s.g, s.g.check()
}

// prose are the rules of a text in which something stands behind each mark: rule i says what may follow i characters of
// the mark, and the last rule what follows the whole mark.
func (g *Grammar) prose(mark []rune, behind []element) []element {
	after := make([]element, len(mark)+1)
	for i := range after {
		after[i] = g.add()
	}
	for i, rule := range after[:len(mark)] {
		all := [][]element{{}, {{rule: aSilent}, after[0]}}
		var known []rune
		for _, c := range mark {
			if !slices.Contains(known, c) {
				known = append(known, c)
				all = append(all, join(text(string(c)), after[overlap(mark, append(slices.Clone(mark[:i]), c)):][:1]))
			}
		}
		other := oneOf(string(known))
		other.negative = true
		g.rules[rule.rule].alternatives = append(all, []element{other, after[0]})
	}
	g.rules[after[len(mark)].rule].alternatives = [][]element{join(behind, after[:1])}
	return after
}

// overlap is how many characters at the end of a text are the first ones of a mark.
func overlap(mark, text []rune) int {
	n := min(len(mark), len(text))
	for n > 0 && !slices.Equal(mark[:n], text[len(text)-n:]) {
		n--
	}
	return n
}
