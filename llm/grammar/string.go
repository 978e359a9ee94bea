package grammar

import (
	"encoding/json"
	"fmt"
	"regexp/syntax"
	"slices"
	"unicode"
)

// formats are the names of format that are obeyed, as expressions: dates of RFC 3339, durations of ISO 8601, hosts of
// RFC 1123, the usual addresses of RFC 5321.
var formats = map[string]string{
	"date":      "^" + date + "$",
	"time":      "^" + clock + "$",
	"date-time": "^" + date + "T" + clock + "$",
	"duration":  `^P(\d+W|\d+Y(\d+M(\d+D)?)?` + hours + `|\d+M(\d+D)?` + hours + `|\d+D` + hours + `|T` + parts + `)$`,
	"uuid":      `^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$`,
	"ipv4":      `^(` + octet + `\.){3}` + octet + `$`,
	"hostname":  "^" + host + "$",
	"email":     "^[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]+(\\.[a-zA-Z0-9!#$%&'*+/=?^_{|}~-]+)*@" + host + "$",
}

const (
	date = `(\d{4}-((0[13578]|1[02])-(0[1-9]|[12]\d|3[01])|(0[469]|11)-(0[1-9]|[12]\d|30)|02-(0[1-9]|1\d|2[0-8]))` +
		`|(\d\d(0[48]|[2468][048]|[13579][26])|([02468][048]|[13579][26])00)-02-29)`
	clock = `([01]\d|2[0-3]):[0-5]\d:[0-5]\d(\.\d{1,9})?(Z|[+-]([01]\d|2[0-3]):[0-5]\d)`
	parts = `(\d+H(\d+M(\d+S)?)?|\d+M(\d+S)?|\d+S)`
	hours = `(T` + parts + `)?`
	octet = `(\d|[1-9]\d|1\d\d|2[0-4]\d|25[0-5])`
	label = `[a-zA-Z0-9]([a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?`
	host  = label + `(\.` + label + `)*`
)

// hasFormat reports whether a schema has a format that is obeyed.
func hasFormat(f map[string]json.RawMessage) bool {
	var format string
	return json.Unmarshal(f["format"], &format) == nil && formats[format] != ""
}

// text is a string of a length, a pattern or a format.
func (s *schema) text(f map[string]json.RawMessage, path string) ([]element, error) {
	least, err := count(f, "minLength", path, 0)
	if err != nil {
		return nil, err
	}
	most, err := count(f, "maxLength", path, -1)
	if err != nil {
		return nil, err
	}
	if most >= 0 && most < least {
		return nil, fmt.Errorf("%s: maxLength is less than minLength", path)
	}
	var pattern, format string
	if f["pattern"] != nil && json.Unmarshal(f["pattern"], &pattern) != nil {
		return nil, fmt.Errorf("%s: pattern is no text", path)
	}
	if f["format"] != nil && json.Unmarshal(f["format"], &format) != nil {
		return nil, fmt.Errorf("%s: format is no text", path)
	}
	expression, known := formats[format]
	switch {
	case f["pattern"] != nil && known:
		return nil, fmt.Errorf("%s: both a pattern and a format are not supported", path)
	case f["pattern"] != nil:
		expression, known = pattern, true
	}
	switch {
	case !known && least == 0 && most < 0:
		return []element{s.named("string")}, nil
	case !known:
		return join(text(`"`), s.g.repeat([]element{s.named("char")}, least, most), text(`"`)), nil
	case least > 0 || most >= 0:
		return nil, fmt.Errorf("%s: minLength and maxLength are not supported beside a pattern or a format", path)
	}
	inside, err := s.pattern(expression)
	if err != nil {
		return nil, fmt.Errorf("%s: the pattern %q: %w", path, expression, err)
	}
	return join(text(`"`), inside, text(`"`)), nil
}

// pattern matches the inside of strings in which the expression occurs: anywhere, unless ^ or $ ties it to an end.
func (s *schema) pattern(expression string) ([]element, error) {
	tree, err := syntax.Parse(expression, syntax.Perl)
	if err != nil {
		return nil, err
	}
	return s.found(tree)
}

// found matches the strings in which the expression occurs.
func (s *schema) found(e *syntax.Regexp) ([]element, error) {
	switch e.Op {
	case syntax.OpAlternate:
		var all [][]element
		for _, sub := range e.Sub {
			seq, err := s.found(sub)
			if err != nil {
				return nil, err
			}
			all = append(all, seq)
		}
		return []element{s.g.add(all...)}, nil
	case syntax.OpCapture:
		return s.found(e.Sub[0])
	}
	subs := []*syntax.Regexp{e}
	if e.Op == syntax.OpConcat {
		subs = e.Sub
	}
	front, back := s.chars(), s.chars()
	if subs[0].Op == syntax.OpBeginText {
		subs, front = subs[1:], nil
	}
	if n := len(subs); n > 0 && subs[n-1].Op == syntax.OpEndText {
		subs, back = subs[:n-1], nil
	}
	inside, err := s.sequence(subs)
	return join(front, inside, back), err
}

func (s *schema) sequence(subs []*syntax.Regexp) ([]element, error) {
	var out []element
	for _, sub := range subs {
		seq, err := s.expression(sub)
		if err != nil {
			return nil, err
		}
		out = append(out, seq...)
	}
	return out, nil
}

// expression is the insides of strings that an expression matches.
func (s *schema) expression(e *syntax.Regexp) ([]element, error) {
	switch e.Op {
	case syntax.OpEmptyMatch:
		return nil, nil
	case syntax.OpLiteral:
		if e.Flags&syntax.FoldCase != 0 {
			break
		}
		q := quote(string(e.Rune))
		return text(q[1 : len(q)-1]), nil
	case syntax.OpCharClass:
		var spans []span
		for i := 0; i < len(e.Rune); i += 2 {
			spans = append(spans, span{e.Rune[i], e.Rune[i+1]})
		}
		return s.class(spans), nil
	case syntax.OpAnyCharNotNL:
		return s.class([]span{{0, '\t'}, {'\v', '\f'}, {0xe, 0x2027}, {0x202a, unicode.MaxRune}}), nil // as in ECMAScript
	case syntax.OpAnyChar:
		return s.class([]span{{0, unicode.MaxRune}}), nil
	case syntax.OpCapture:
		return s.expression(e.Sub[0])
	case syntax.OpConcat:
		return s.sequence(e.Sub)
	case syntax.OpAlternate:
		var all [][]element
		for _, sub := range e.Sub {
			seq, err := s.expression(sub)
			if err != nil {
				return nil, err
			}
			all = append(all, seq)
		}
		return []element{s.g.add(all...)}, nil
	case syntax.OpStar, syntax.OpPlus, syntax.OpQuest, syntax.OpRepeat:
		seq, err := s.expression(e.Sub[0])
		least, most := repeats(e)
		return s.g.repeat([]element{s.g.add(seq)}, least, most), err
	}
	return nil, fmt.Errorf("%q is not supported", e)
}

// repeats is how often an expression repeats its part; most is -1 for any number.
func repeats(e *syntax.Regexp) (least, most int) {
	switch e.Op {
	case syntax.OpStar:
		return 0, -1
	case syntax.OpPlus:
		return 1, -1
	case syntax.OpQuest:
		return 0, 1
	}
	return e.Min, e.Max
}

// class is one character of a set as a string in JSON has it: as it is, or as an escape where it has to be one.
func (s *schema) class(set []span) []element {
	plain := element{rule: aClass}
	for _, part := range set {
		for _, mark := range []span{{0, 0x1f}, {'"', '"'}, {'\\', '\\'}} {
			if part.hi < mark.lo || part.lo > mark.hi {
				continue
			}
			if part.lo < mark.lo {
				plain.spans = append(plain.spans, span{part.lo, mark.lo - 1})
			}
			part.lo = mark.hi + 1
		}
		if part.lo <= part.hi {
			plain.spans = append(plain.spans, part)
		}
	}
	all := [][]element{}
	if len(plain.spans) > 0 {
		all = append(all, []element{plain})
	}
	whole := element{spans: set, rule: aClass}
	for r := rune(0); r <= '\\'; r++ {
		if q := quote(string(r)); len(q) > 3 && whole.has(r) {
			all = append(all, text(q[1:len(q)-1]))
		}
	}
	return []element{s.g.add(all...)}
}

// other matches the rest of a string, with the quote that ends the string, if the rest is none of the given ones.
func (s *schema) other(rests [][]rune) []element {
	var all [][]element
	var firsts []rune
	behind := map[rune][][]rune{}
	end := false
	for _, rest := range rests {
		if len(rest) == 0 {
			end = true
			continue
		}
		if !slices.Contains(firsts, rest[0]) {
			firsts = append(firsts, rest[0])
		}
		behind[rest[0]] = append(behind[rest[0]], rest[1:])
	}
	if !end {
		all = append(all, text(`"`))
	}
	any := join(s.chars(), text(`"`))
	plain := element{spans: slices.Clone(marks), negative: true, rule: aClass}
	for _, r := range firsts {
		plain.spans = append(plain.spans, span{r, r})
		q := quote(string(r))
		all = append(all, join(text(q[1:len(q)-1]), s.other(behind[r])))
	}
	all = append(all, join([]element{plain}, any))
	escape := element{rule: aClass}
	for i, r := range []rune(escaped) {
		if !slices.Contains(firsts, r) {
			escape.spans = append(escape.spans, span{rune(letters[i]), rune(letters[i])})
		}
	}
	return []element{s.g.add(append(all, join(text(`\`), []element{escape}, any))...)}
}
