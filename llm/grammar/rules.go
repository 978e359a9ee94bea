package grammar

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-acap/acap/text/tokenizer"
)

// Grammar is rules for a text. It may be used from many goroutines.
type Grammar struct {
	rules      []rule
	names      map[string]int
	vocabulary *tokenizer.Tokenizer // nil if the rules have no tokens
}

// Vocabulary returns the vocabulary of the tokens in the rules, nil if the rules have no tokens.
func (g *Grammar) Vocabulary() *tokenizer.Tokenizer {
	if g == nil {
		return nil
	}
	return g.vocabulary
}

// rule is alternatives, each a sequence of elements.
type rule struct {
	name         string
	alternatives [][]element
	defined      bool
	repeats      bool // what follows may be one more of a sequence, and then this rule or the next one of its kind
}

// element is a class of characters, a token or a rule.
type element struct {
	spans    []span // of a class
	token    int    // the number of a token
	negative bool   // every character, or every token, but these
	rule     int    // or aClass, aToken or aSilent
}

// The kinds of elements that are no rules.
const (
	aClass  = -1
	aToken  = -2
	aSilent = -3 // any token that stands for no text
)

type span struct{ lo, hi rune }

// has reports whether a character is in a class.
func (e *element) has(r rune) bool {
	for _, s := range e.spans {
		if r >= s.lo && r <= s.hi {
			return !e.negative
		}
	}
	return e.negative
}

// meets reports whether a class has one of the characters from lo to hi.
func (e *element) meets(lo, hi rune) bool {
	if !e.negative {
		for _, s := range e.spans {
			if s.lo <= hi && lo <= s.hi {
				return true
			}
		}
		return false
	}
	for r := lo; r <= hi; {
		next := r
		for _, s := range e.spans {
			if r >= s.lo && r <= s.hi {
				next = s.hi + 1
			}
		}
		if next == r {
			return true
		}
		r = next
	}
	return false
}

func newGrammar() *Grammar { return &Grammar{names: map[string]int{}} }

// rule returns the number of a rule, which may be defined later.
func (g *Grammar) rule(name string) int {
	i, ok := g.names[name]
	if !ok {
		i = len(g.rules)
		g.names[name] = i
		g.rules = append(g.rules, rule{name: name})
	}
	return i
}

// add makes a rule without a name.
func (g *Grammar) add(alternatives ...[]element) element {
	g.rules = append(g.rules, rule{alternatives: alternatives, defined: true})
	return element{rule: len(g.rules) - 1}
}

func (g *Grammar) define(name string, alternatives ...[]element) int {
	i := g.rule(name)
	g.rules[i].alternatives, g.rules[i].defined = alternatives, true
	return i
}

// text is the characters of a text, one after another.
func text(s string) []element {
	runes := []rune(s)
	out, spans := make([]element, len(runes)), make([]span, len(runes))
	for i, r := range runes {
		spans[i] = span{r, r}
		out[i] = element{spans: spans[i : i+1 : i+1], rule: aClass}
	}
	return out
}

const (
	mostLiteral = 1 << 20 // bytes of the values that a schema lists
	mostRepeats = 2000    // of one element
	mostRules   = 1 << 17 // of a grammar
)

// repeat makes least to most of a sequence; most is -1 for any number.
func (g *Grammar) repeat(seq []element, least, most int) []element {
	var out []element
	for range least {
		out = append(out, seq...)
	}
	switch {
	case most < 0:
		loop := g.add()
		g.rules[loop.rule].alternatives, g.rules[loop.rule].repeats = [][]element{append(append([]element{}, seq...), loop), {}}, true
		return append(out, loop)
	case most > least:
		rest := []element{}
		for range most - least {
			rest = []element{g.add(append(append([]element{}, seq...), rest...), []element{})}
			g.rules[rest[0].rule].repeats = true
		}
		return append(out, rest...)
	}
	return out
}

// Parse reads rules in GBNF that name no tokens. Errors say the line.
func Parse(source string) (*Grammar, error) { return ParseTokens(source, nil) }

// ParseTokens reads rules in GBNF that may name tokens of a vocabulary. Errors say the line.
func ParseTokens(source string, vocabulary *tokenizer.Tokenizer) (*Grammar, error) {
	p := &parser{text: source, g: newGrammar(), vocabulary: vocabulary}
	if err := p.parse(); err != nil {
		return nil, fmt.Errorf("grammar: line %d: %w", 1+strings.Count(source[:min(p.at, len(source))], "\n"), err)
	}
	if err := p.g.check(); err != nil {
		return nil, fmt.Errorf("grammar: %w", err)
	}
	return p.g, nil
}

// check finds rules that are not defined, and such that begin with themselves, which would never end.
func (g *Grammar) check() error {
	root, ok := g.names["root"]
	if !ok || !g.rules[root].defined {
		return errors.New("there is no rule root")
	}
	for _, r := range g.rules {
		if !r.defined {
			return fmt.Errorf("there is no rule %s", r.name)
		}
	}
	empty := make([]bool, len(g.rules))
	for changed := true; changed; {
		changed = false
		for i, r := range g.rules {
			for _, a := range r.alternatives {
				all := true
				for _, e := range a {
					all = all && e.rule >= 0 && empty[e.rule]
				}
				if all && !empty[i] {
					empty[i], changed = true, true
				}
			}
		}
	}
	const open, done = 1, 2
	state := make([]int, len(g.rules))
	var visit func(i, depth int) error
	visit = func(i, depth int) error {
		if state[i] == done {
			return nil
		}
		if state[i] == open {
			return fmt.Errorf("the rule %s begins with itself", g.rules[i].name)
		}
		if depth > 1<<14 {
			return errors.New("rules are nested too deeply")
		}
		state[i] = open
		for _, a := range g.rules[i].alternatives {
			for _, e := range a {
				if e.rule < 0 || e.rule == i && g.rules[i].repeats { // what was repeated may be empty
					break
				}
				if err := visit(e.rule, depth+1); err != nil {
					return err
				}
				if !empty[e.rule] {
					break
				}
			}
		}
		state[i] = done
		return nil
	}
	for i := range g.rules {
		if err := visit(i, 0); err != nil {
			return err
		}
	}
	return nil
}

// parser reads GBNF.
type parser struct {
	text       string
	at         int
	g          *Grammar
	vocabulary *tokenizer.Tokenizer
}

func (p *parser) more() bool { return p.at < len(p.text) }

// space skips blanks and comments, and ends of lines if a rule may go on there.
func (p *parser) space(lines bool) {
	for p.more() {
		switch c := p.text[p.at]; {
		case c == ' ' || c == '\t' || lines && (c == '\n' || c == '\r'):
			p.at++
		case c == '#':
			for p.more() && p.text[p.at] != '\n' && p.text[p.at] != '\r' {
				p.at++
			}
		default:
			return
		}
	}
}

func (p *parser) has(s string) bool {
	if strings.HasPrefix(p.text[p.at:], s) {
		p.at += len(s)
		return true
	}
	return false
}

func (p *parser) name() string {
	start := p.at
	for p.more() {
		c := p.text[p.at]
		if !(c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '-' || c == '_') {
			break
		}
		p.at++
	}
	return p.text[start:p.at]
}

func (p *parser) parse() error {
	for p.space(true); p.more(); p.space(true) {
		name := p.name()
		if name == "" {
			return fmt.Errorf("%q where the name of a rule is wanted", p.text[p.at:min(p.at+10, len(p.text))])
		}
		p.space(false)
		if !p.has("::=") {
			return fmt.Errorf("no ::= behind %s", name)
		}
		p.space(true)
		list, err := p.alternatives(0)
		if err != nil {
			return err
		}
		if i := p.g.rule(name); p.g.rules[i].defined {
			return fmt.Errorf("there are two rules %s", name)
		}
		p.g.define(name, list...)
		if p.more() && p.text[p.at] != '\n' && p.text[p.at] != '\r' {
			return fmt.Errorf("a %q that does not belong there", p.text[p.at])
		}
	}
	return nil
}

func (p *parser) alternatives(depth int) ([][]element, error) {
	if depth > 100 {
		return nil, errors.New("groups are nested too deeply")
	}
	var list [][]element
	for {
		seq, err := p.sequence(depth)
		if err != nil {
			return nil, err
		}
		list = append(list, seq)
		if p.space(depth > 0); !p.has("|") {
			return list, nil
		}
		p.space(true)
	}
}

func (p *parser) sequence(depth int) ([]element, error) {
	var out []element
	for {
		p.space(depth > 0)
		if !p.more() {
			return out, nil
		}
		var part []element
		var err error
		switch c := p.text[p.at]; {
		case c == '"':
			p.at++
			part, err = p.quoted()
		case c == '[':
			p.at++
			part, err = p.class()
		case c == '.':
			p.at++
			part = []element{{negative: true, rule: aClass}}
		case c == '(':
			p.at++
			p.space(true)
			var list [][]element
			if list, err = p.alternatives(depth + 1); err == nil {
				if p.space(true); !p.has(")") {
					err = errors.New("a group does not end")
				}
				part = []element{p.g.add(list...)}
			}
		case c == '<' || c == '!':
			part, err = p.token()
		default:
			name := p.name()
			if name == "" {
				return out, nil
			}
			part = []element{{rule: p.g.rule(name)}}
		}
		if err != nil {
			return nil, err
		}
		if part, err = p.repeats(part, depth > 0); err != nil {
			return nil, err
		}
		out = append(out, part...)
		if len(p.g.rules) > mostRules || len(out) > mostRules {
			return nil, errors.New("there are too many rules")
		}
	}
}

// repeats reads the repetitions behind a part, which may stand in the next line where lines is true.
func (p *parser) repeats(part []element, lines bool) ([]element, error) {
	for p.space(lines); p.more(); p.space(lines) {
		least, most := 0, -1
		switch {
		case p.has("*"):
		case p.has("+"):
			least = 1
		case p.has("?"):
			most = 1
		case p.has("{"):
			end := strings.IndexByte(p.text[p.at:], '}')
			if end < 0 {
				return nil, errors.New("a repetition does not end")
			}
			lo, hi, list := strings.Cut(p.text[p.at:p.at+end], ",")
			p.at += end + 1
			var err error
			if least, err = strconv.Atoi(strings.TrimSpace(lo)); err != nil {
				return nil, fmt.Errorf("a repetition of %q", lo)
			}
			if most = least; list {
				most = -1
				if hi = strings.TrimSpace(hi); hi != "" {
					if most, err = strconv.Atoi(hi); err != nil || most < least {
						return nil, fmt.Errorf("a repetition of %d to %q", least, hi)
					}
				}
			}
			if least < 0 || least > mostRepeats || most > mostRepeats {
				return nil, fmt.Errorf("a repetition of more than %d", mostRepeats)
			}
		default:
			return part, nil
		}
		if len(part) == 0 {
			return nil, errors.New("a repetition of nothing")
		}
		if len(part) > 1 { // of a text
			part = []element{p.g.add(part)}
		}
		part = p.g.repeat(part, least, most)
	}
	return part, nil
}

// character reads one, which may be escaped.
func (p *parser) character() (rune, error) {
	if !p.more() {
		return 0, errors.New("the text ends within quotes or a class")
	}
	r, n := utf8.DecodeRuneInString(p.text[p.at:])
	p.at += n
	if r != '\\' {
		return r, nil
	}
	if !p.more() {
		return 0, errors.New("nothing stands behind a backslash")
	}
	c := p.text[p.at]
	p.at++
	for letter, value := range map[byte]rune{'n': '\n', 'r': '\r', 't': '\t'} {
		if c == letter {
			return value, nil
		}
	}
	digits := map[byte]int{'x': 2, 'u': 4, 'U': 8}[c]
	if digits == 0 {
		if strings.IndexByte(`\"[]-^`, c) < 0 {
			return 0, fmt.Errorf("\\%c is not known; there are \\n \\r \\t \\\\ \\\" \\[ \\] \\- \\^ and \\x, \\u and \\U with 2, 4 and 8 digits", c)
		}
		return rune(c), nil
	}
	if p.at+digits > len(p.text) {
		return 0, errors.New("the number of a character ends early")
	}
	v, err := strconv.ParseUint(p.text[p.at:p.at+digits], 16, 32)
	if err != nil || v > utf8.MaxRune {
		return 0, fmt.Errorf("%q is no character", p.text[p.at:p.at+digits])
	}
	p.at += digits
	return rune(v), nil
}

func (p *parser) quoted() ([]element, error) {
	var out []element
	for !p.has(`"`) {
		r, err := p.character()
		if err != nil {
			return nil, err
		}
		out = append(out, element{spans: []span{{r, r}}, rule: aClass})
	}
	return out, nil
}

func (p *parser) class() ([]element, error) {
	e := element{rule: -1, negative: p.has("^")}
	for !p.has("]") {
		lo, err := p.character()
		if err != nil {
			return nil, err
		}
		hi := lo
		if p.at+1 < len(p.text) && p.text[p.at] == '-' && p.text[p.at+1] != ']' {
			p.at++
			if hi, err = p.character(); err != nil {
				return nil, err
			}
		}
		if hi < lo {
			return nil, fmt.Errorf("the range %q to %q is empty", lo, hi)
		}
		e.spans = append(e.spans, span{lo, hi})
	}
	if len(e.spans) == 0 {
		return nil, errors.New("a class without characters")
	}
	return []element{e}, nil
}
