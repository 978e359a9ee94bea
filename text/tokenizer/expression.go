package tokenizer

import (
	"errors"
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

type nodeKind uint8

const (
	nodeSet nodeKind = iota
	nodeSequence
	nodeChoice
	nodeRepeat
	nodeLook // ahead
	nodeBack
	nodeAtom
	nodeAssert
	nodeGroup // that can be referred to
	nodeAgain // the text of such a group
)

// node is a part of an expression.
type node struct {
	kind        nodeKind
	set         *runeSet
	letter      rune // a set of the cases of this one alone; 0 for others
	parts       []*node
	least, most int // of a repetition
	lazy, whole bool
	negative    bool
	assert      opcode
	group       int // number
}

const without = math.MaxInt32 // a bound that is none

// compiler reads the text of an expression.
type compiler struct {
	text         string
	at           int
	classes      int  // how many brackets of classes are open
	ignore, dots bool // case is ignored; a dot is a line's end as well
	behind       bool // within what is looked for behind, where a character is one letter
	extended     bool
	groups       int            // how many there are
	names        map[string]int // the numbers of groups that have names
	references   []*node
}

func (c *compiler) more() bool { return c.at < len(c.text) }

func (c *compiler) has(prefix string) bool {
	if strings.HasPrefix(c.text[c.at:], prefix) {
		c.at += len(prefix)
		return true
	}
	return false
}

// mostDepth bounds groups in groups, and classes in classes.
const mostDepth = 200

func (c *compiler) alternatives(depth int) (*node, error) {
	if depth > mostDepth {
		return nil, errors.New("groups are nested too deeply")
	}
	choice := &node{kind: nodeChoice}
	for {
		n, err := c.sequence(depth)
		if err != nil {
			return nil, err
		}
		choice.parts = append(choice.parts, n)
		if !c.has("|") {
			break
		}
	}
	if len(choice.parts) == 1 {
		return choice.parts[0], nil
	}
	return choice, nil
}

func (c *compiler) sequence(depth int) (*node, error) {
	seq := &node{kind: nodeSequence}
	for c.more() && c.text[c.at] != '|' && c.text[c.at] != ')' {
		n, err := c.atom(depth)
		if err != nil {
			return nil, err
		}
		if n == nil {
			continue
		}
		if n, err = c.repeats(n); err != nil {
			return nil, err
		}
		seq.parts = append(seq.parts, n)
	}
	seq.parts = orCharacters(seq.parts)
	return seq, nil
}

// repeats reads what stands behind a part.
func (c *compiler) repeats(n *node) (*node, error) {
	for c.more() {
		least, most, interval := 0, without, false
		switch {
		case c.has("*"):
		case c.has("+"):
			least = 1
		case c.has("?"):
			most = 1
		case c.text[c.at] == '{':
			end := strings.IndexByte(c.text[c.at:], '}')
			if end < 0 {
				return n, nil
			}
			lo, hi, comma := strings.Cut(c.text[c.at+1:c.at+end], ",")
			if lo == "" && comma {
				lo = "0"
			}
			a, err := strconv.Atoi(lo)
			if err != nil {
				return n, nil // a brace of the text
			}
			b := a
			if comma && hi == "" {
				b = without
			} else if comma {
				if b, err = strconv.Atoi(hi); err != nil {
					return n, nil
				}
			}
			if a > 1000 || b < a || b > 1000 && b != without {
				return nil, fmt.Errorf("a repetition of %d to %d", a, b)
			}
			c.at += end + 1
			least, most, interval = a, b, true
		default:
			return n, nil
		}
		n = &node{kind: nodeRepeat, parts: []*node{n}, least: least, most: most}
		if c.has("?") {
			n.lazy = true
		} else if !interval && c.has("+") {
			n.whole = true
		}
	}
	return n, nil
}

func single(r rune) *runeSet { return newSet(span{r, r}) }

// literal is a character, with its other cases if these are ignored.
func (c *compiler) literal(r rune) *node {
	if !c.ignore {
		return &node{kind: nodeSet, set: single(r)}
	}
	s := single(r).fold()
	if c.behind {
		return &node{kind: nodeSet, set: s}
	}
	n := orLetters(s)
	if n.kind == nodeSet {
		n.letter = r
	}
	return n
}

func (c *compiler) atom(depth int) (*node, error) {
	switch {
	case c.has("("):
		return c.group(depth)
	case c.has("["):
		negative := strings.HasPrefix(c.text[c.at:], "^")
		s, err := c.class()
		if err != nil {
			return nil, err
		}
		if c.ignore && !c.behind && !negative {
			return orLetters(s), nil
		}
		return &node{kind: nodeSet, set: s}, nil
	case c.has("."):
		if c.dots {
			return &node{kind: nodeSet, set: newSet(span{0, lastRune})}, nil
		}
		return &node{kind: nodeSet, set: single('\n').negate()}, nil
	case c.has("^"):
		return &node{kind: nodeAssert, assert: opLine}, nil
	case c.has("$"):
		return &node{kind: nodeAssert, assert: opEnd}, nil
	case c.has("\\"):
		return c.escape()
	}
	r, n := utf8.DecodeRuneInString(c.text[c.at:])
	if r == '*' || r == '+' || r == '?' {
		return nil, fmt.Errorf("nothing stands in front of %q", r)
	}
	if c.extended && unicode.IsSpace(r) {
		c.at += n
		return nil, nil
	}
	if c.extended && r == '#' { // a comment, up to the end of the line
		if n = strings.IndexByte(c.text[c.at:], '\n'); n < 0 {
			n = len(c.text) - c.at
		}
		c.at += n
		return nil, nil
	}
	c.at += n
	return c.literal(r), nil
}

// group reads behind an opening parenthesis.
func (c *compiler) group(depth int) (*node, error) {
	kind, negative, number := nodeSequence, false, 0
	before := *c
	restore := func() {
		c.ignore, c.dots, c.extended, c.behind = before.ignore, before.dots, before.extended, before.behind
	}
	switch {
	case c.has("?:"):
	case c.has("?="):
		kind = nodeLook
	case c.has("?!"):
		kind, negative = nodeLook, true
	case c.has("?<="):
		kind, c.behind = nodeBack, true
	case c.has("?<!"):
		kind, negative, c.behind = nodeBack, true, true
	case c.has("?>"):
		kind = nodeAtom
	case c.has("?#"):
		end := strings.IndexByte(c.text[c.at:], ')')
		if end < 0 {
			return nil, errors.New("a comment does not end")
		}
		c.at += end + 1
		return nil, nil
	case c.has("?<"):
		end := strings.IndexByte(c.text[c.at:], '>')
		if end < 0 {
			return nil, errors.New("the name of a group does not end")
		}
		kind = nodeGroup
		c.groups++
		number = c.groups
		c.names[c.text[c.at:c.at+end]] = number
		c.at += end + 1
	case c.has("?"):
		rest, err := c.switches()
		if err != nil {
			return nil, err
		}
		if rest {
			n, err := c.alternatives(depth + 1)
			restore()
			return n, err
		}
	default:
		kind = nodeGroup
		c.groups++
		number = c.groups
	}
	n, err := c.alternatives(depth + 1)
	restore()
	if err != nil {
		return nil, err
	}
	if !c.has(")") {
		return nil, errors.New("a group does not end")
	}
	if kind == nodeSequence {
		return n, nil
	}
	return &node{kind: kind, parts: []*node{n}, negative: negative, group: number}, nil
}

// switches reads behind (? what is on and off from there on: within the group, or for the rest of the group around it.
func (c *compiler) switches() (rest bool, err error) {
	on := true
	for c.more() {
		b := c.text[c.at]
		c.at++
		switch b {
		case '-':
			on = false
		case 'i':
			c.ignore = on
		case 'm', 's':
			c.dots = on
		case 'x':
			c.extended = on
		case 'u', 'a', 'd':
		case ')':
			return true, nil
		case ':':
			return false, nil
		default:
			return false, fmt.Errorf("a group of the kind ?%c", b)
		}
	}
	return false, nil
}

// escape reads behind a backslash.
func (c *compiler) escape() (*node, error) {
	if !c.more() {
		return nil, errors.New("nothing stands behind a backslash")
	}
	negative := c.text[c.at] == 'B'
	for letter, op := range map[string]opcode{"A": opStart, "z": opStop, "Z": opLast, "b": opEdge, "B": opEdge, "G": opFrom} {
		if c.has(letter) {
			return &node{kind: nodeAssert, assert: op, negative: negative}, nil
		}
	}
	if c.has("R") {
		pair := &node{kind: nodeSequence, parts: []*node{{kind: nodeSet, set: single('\r')}, {kind: nodeSet, set: single('\n')}}}
		return &node{kind: nodeChoice, parts: []*node{pair, {kind: nodeSet, set: newSet(span{'\n', '\r'}, span{0x85, 0x85}, span{0x2028, 0x2029})}}}, nil
	}
	switch {
	case c.has("X"):
		return &node{kind: nodeAssert, assert: opSeen}, nil
	case c.has("K"):
		return &node{kind: nodeAssert, assert: opSave}, nil
	case c.has("O"):
		return &node{kind: nodeSet, set: newSet(span{0, lastRune})}, nil
	case c.has("N"):
		return &node{kind: nodeSet, set: single('\n').negate()}, nil
	}
	if n, err := c.reference(); n != nil || err != nil {
		return n, err
	}
	if letter := c.text[c.at]; strings.IndexByte("gyY", letter) >= 0 {
		return nil, fmt.Errorf("\\%c is not supported", letter)
	}
	s, err := c.escaped()
	if err != nil {
		return nil, err
	}
	if len(s.spans) == 1 && s.spans[0].lo == s.spans[0].hi {
		return c.literal(s.spans[0].lo), nil
	}
	return &node{kind: nodeSet, set: s}, nil // whose characters have no other cases
}

// escaped reads the characters that a backslash names.
func (c *compiler) escaped() (*runeSet, error) {
	r, n := utf8.DecodeRuneInString(c.text[c.at:])
	c.at += n
	if named, ok := controls[r]; ok {
		return single(named), nil
	}
	switch r {
	case 's':
		return setSpace(), nil
	case 'S':
		return setSpace().negate(), nil
	case 'w':
		return c.word(), nil
	case 'W':
		return c.word().negate(), nil
	case 'd':
		return setDigit(), nil
	case 'D':
		return setDigit().negate(), nil
	case 'h', 'H':
		s, _ := property("xdigit")
		if r == 'H' {
			s = s.negate()
		}
		return s, nil
	case 'x':
		return c.numbered(1, 2)
	case 'u':
		return c.numbered(4, 4)
	case 'p', 'P':
		return c.withProperty(r == 'P')
	}
	return single(r), nil
}

// controls are the characters that have letters of their own behind a backslash.
var controls = map[rune]rune{'n': '\n', 'r': '\r', 't': '\t', 'f': '\f', 'v': '\v', 'a': 7, 'e': 27, '0': 0}

// numbered reads the hexadecimal number of a character: as many digits as stand in braces, or without braces from least
// to most.
func (c *compiler) numbered(least, most int) (*runeSet, error) {
	braces := c.has("{")
	if braces {
		least, most = 1, 8
	}
	end := c.at
	for end < len(c.text) && end-c.at < most && strings.IndexByte("0123456789abcdefABCDEF", c.text[end]) >= 0 {
		end++
	}
	v, err := strconv.ParseUint(c.text[c.at:end], 16, 32)
	if err != nil || end-c.at < least || v > lastRune {
		return nil, fmt.Errorf("%q is no character", c.text[c.at:end])
	}
	c.at = end
	if braces && !c.has("}") {
		return nil, errors.New("a character's number does not end")
	}
	return single(rune(v)), nil
}

// withProperty reads the name of a property, and returns the characters that have it, or those that do not.
func (c *compiler) withProperty(negative bool) (*runeSet, error) {
	name := ""
	if c.has("{") {
		end := strings.IndexByte(c.text[c.at:], '}')
		if end < 0 {
			return nil, errors.New("the name of a property does not end")
		}
		name = c.text[c.at : c.at+end]
		c.at += end + 1
		if strings.HasPrefix(name, "^") {
			name, negative = name[1:], !negative
		}
	} else if c.more() {
		name = c.text[c.at : c.at+1]
		c.at++
	}
	s, ok := property(name)
	if !ok {
		return nil, fmt.Errorf("the property %q is not known", name)
	}
	if s == setWord() {
		s = c.word()
	}
	if negative {
		s = s.negate()
	}
	return s, nil
}
