package tokenizer

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// pattern is a compiled expression in the syntax of Oniguruma as Ruby has it, which tokenizer.json uses: classes of
// Unicode, lazy and possessive repetition, references to groups, and what is looked for ahead and behind. Matching goes
// back where an alternative fails.
type pattern struct {
	code   []instruction
	marks  int
	groups map[int]int // the mark where a group begins, by the group's number; the next mark is its end
	keep   int         // the mark where a match is said to begin; 0 for the place where it does
	first  *runeSet    // what a match begins with; nil if that is not known
}

type opcode uint8

const (
	opSet   opcode = iota // one character of a set
	opRun                 // least to most characters of a set, as many as can be or as few
	opSplit               // goes on at x, and if that fails at y
	opJump
	opLook  // what follows up to x matches here, or does not
	opBack  // the same in front of here: least to most characters back
	opAtom  // what follows up to x matches, and is not tried in another way
	opLine  // ^
	opEnd   // $
	opStart // \A
	opStop  // \z
	opLast  // \Z
	opFrom  // \G
	opEdge  // \b
	opMark  // remembers the place in mark x
	opMoved // fails if nothing was read since mark x
	opSave  // as opMark, undone when matching goes back
	opAgain // the text between marks x and y; negative if case is ignored
	opSeen  // \X
	opMatch
)

type instruction struct {
	op          opcode
	set         *runeSet
	x, y        int
	least, most int
	lazy, whole bool // of opRun: as few as can be; never fewer than can be
	negative    bool
}

// mostSteps bounds the work on one match, beyond which there is none: nested repetitions take exponential time.
const mostSteps = 1 << 22

// retry is a place to go on from after a failure. A run has the places that it may give back.
type retry struct {
	pc, at, least int // at goes down to least for a run that took as many as it could
	lazy          bool
	set           *runeSet
	left          int // that a lazy run may still take
	undo          int // the mark that becomes at again; 0 for a place to go on from
}

// machine matches patterns. It may be used by one goroutine at a time.
type machine struct {
	stack []retry
	marks []int // mark 0 is not used
	steps int
	from  int // where the search for a match began
}

// match returns the end of a match that begins at a place.
func (p *pattern) match(m *machine, s string, at int) (end int, ok bool) {
	if cap(m.marks) <= p.marks {
		m.marks = make([]int, p.marks+1)
	}
	m.marks = m.marks[:p.marks+1]
	for i := range m.marks {
		m.marks[i] = -1
	}
	m.steps = 0
	return p.run(m, s, 0, at)
}

// find returns the first match from a place on.
func (p *pattern) find(m *machine, s string, from int) (start, end int, ok bool) {
	m.from = from
	for at := from; at <= len(s); {
		if p.first != nil {
			for at < len(s) {
				r, n := rune(s[at]), 1
				if r >= utf8.RuneSelf {
					r, n = utf8.DecodeRuneInString(s[at:])
				}
				if p.first.has(r) {
					break
				}
				at += n
			}
			if at >= len(s) {
				return 0, 0, false
			}
		}
		if end, ok := p.match(m, s, at); ok {
			if p.keep > 0 && m.marks[p.keep] >= 0 {
				at = m.marks[p.keep]
			}
			return at, end, true
		}
		if at == len(s) {
			break
		}
		_, n := utf8.DecodeRuneInString(s[at:])
		at += n
	}
	return 0, 0, false
}

func (p *pattern) run(m *machine, s string, pc, at int) (int, bool) {
	base := len(m.stack)
	defer func() { m.stack = m.stack[:base] }()
	for {
		m.steps++
		if m.steps > mostSteps {
			return 0, false
		}
		in := &p.code[pc]
		ok := true
		switch in.op {
		case opSet:
			if at >= len(s) {
				ok = false
				break
			}
			r, n := rune(s[at]), 1
			if r >= utf8.RuneSelf {
				r, n = utf8.DecodeRuneInString(s[at:])
			}
			if ok = in.set.has(r); ok {
				at += n
				pc++
			}
		case opRun:
			var least int
			count, from := 0, at
			set, bits := in.set, in.set.bits
			stop := in.most
			if in.lazy {
				stop = in.least
			}
			for count < stop && at < len(s) {
				if c := s[at]; c < utf8.RuneSelf {
					if bits[c>>6]>>(c&63)&1 == 0 {
						break
					}
					at++
				} else {
					r, n := utf8.DecodeRuneInString(s[at:])
					if !set.has(r) {
						break
					}
					at += n
				}
				count++
				if count == in.least {
					least = at
				}
			}
			if in.least == 0 {
				least = from
			}
			if ok = count >= in.least; !ok {
				break
			}
			pc++
			switch {
			case in.lazy && in.most > in.least:
				m.stack = append(m.stack, retry{pc: pc, at: at, lazy: true, set: set, left: in.most - in.least})
			case !in.whole && at > least && !in.lazy:
				m.stack = append(m.stack, retry{pc: pc, at: at, least: least})
			}
		case opSplit:
			m.stack = append(m.stack, retry{pc: in.y, at: at, least: at})
			pc = in.x
		case opJump:
			pc = in.x
		case opLook, opAtom:
			end, found := p.run(m, s, pc+1, at)
			if ok = found != in.negative; ok {
				if in.op == opAtom {
					at = end
				}
				pc = in.x
			}
		case opBack:
			if ok = p.behind(m, s, in, pc, at) != in.negative; ok {
				pc = in.x
			}
		case opLine:
			ok = at == 0 || s[at-1] == '\n' && at < len(s)
			pc++
		case opEnd:
			ok = at == len(s) || s[at] == '\n'
			pc++
		case opStart:
			ok = at == 0
			pc++
		case opStop:
			ok = at == len(s)
			pc++
		case opLast:
			ok = at == len(s) || at == len(s)-1 && s[at] == '\n'
			pc++
		case opEdge:
			before, _ := utf8.DecodeLastRuneInString(s[:at])
			after, _ := utf8.DecodeRuneInString(s[at:])
			ok = (at > 0 && setWord.has(before) != (at < len(s) && setWord.has(after)) || at == 0 && at < len(s) && setWord.has(after)) != in.negative
			pc++
		case opMark:
			m.marks[in.x] = at
			pc++
		case opMoved:
			ok = m.marks[in.x] != at
			pc++
		case opFrom:
			ok = at == m.from
			pc++
		case opSave:
			m.stack = append(m.stack, retry{undo: in.x, at: m.marks[in.x]})
			m.marks[in.x] = at
			pc++
		case opAgain:
			var n int
			if n, ok = m.again(s, in, at); ok {
				at += n
				pc++
			}
		case opSeen:
			if ok = at < len(s); ok {
				at += grapheme(s[at:])
				pc++
			}
		case opMatch:
			return at, true
		}
		if ok {
			continue
		}
		if len(m.stack) == base {
			return 0, false
		}
		top := &m.stack[len(m.stack)-1]
		switch {
		case top.undo > 0:
			m.marks[top.undo] = top.at
			m.stack = m.stack[:len(m.stack)-1]
			pc = len(p.code) - 1 // fails
		case top.lazy: // takes one more
			pc, at = top.pc, top.at
			if r, n := utf8.DecodeRuneInString(s[at:]); n > 0 && top.left > 0 && top.set.has(r) {
				at += n
				top.at, top.left = at, top.left-1
			} else {
				m.stack = m.stack[:len(m.stack)-1]
				pc = len(p.code) - 1 // fails
			}
		case top.at > top.least: // gives one back
			_, n := utf8.DecodeLastRuneInString(s[:top.at])
			top.at -= n
			pc, at = top.pc, top.at
			if top.at <= top.least {
				m.stack = m.stack[:len(m.stack)-1]
			}
		default:
			pc, at = top.pc, top.at
			m.stack = m.stack[:len(m.stack)-1]
		}
	}
}

// again returns the length of the text of a group, if that text is at a place as well.
func (m *machine) again(s string, in *instruction, at int) (int, bool) {
	start, end := m.marks[in.x], m.marks[in.y]
	if start < 0 || end < start {
		return 0, false
	}
	text, rest := s[start:end], s[at:]
	if !in.negative {
		return len(text), strings.HasPrefix(rest, text)
	}
	n := 0
	for range text {
		_, size := utf8.DecodeRuneInString(rest[n:])
		n += size
	}
	return n, strings.EqualFold(text, rest[:n])
}

// behind reports whether something ends at a place.
func (p *pattern) behind(m *machine, s string, in *instruction, pc, at int) bool {
	from := at
	for n := 0; n <= in.most; n++ {
		if n >= in.least {
			if end, ok := p.run(m, s, pc+1, from); ok && end == at {
				return true
			}
		}
		if from == 0 {
			return false
		}
		_, size := utf8.DecodeLastRuneInString(s[:from])
		from -= size
	}
	return false
}

// compilePattern reads an expression.
func compilePattern(text string) (*pattern, error) {
	c := &compiler{text: text, names: map[string]int{}}
	n, err := c.alternatives(0)
	if err == nil && c.at < len(text) {
		err = fmt.Errorf("a %q too many", text[c.at])
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: byte %d: %w", text, c.at, err)
	}
	p := &pattern{groups: map[int]int{}}
	if err == nil {
		err = c.refer(p)
	}
	if err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, err)
	}
	if err := p.emit(n); err != nil {
		return nil, fmt.Errorf("pattern %q: %w", text, err)
	}
	p.code = append(p.code, instruction{op: opMatch}, instruction{op: opSet, set: newSet().compile()}) // the last one always fails
	if set, certain := n.begins(); certain {
		p.first = set.compile()
	}
	return p, nil
}
