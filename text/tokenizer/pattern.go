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
	source string
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

// The steps of all matches in a text are at most mostSteps and stepsPerByte for each byte of the text: nested
// repetitions take exponential time.
const (
	mostSteps    = 1 << 22
	stepsPerByte = 1 << 8
)

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
	steps int   // that are left for the text
	from  int   // where the search for a match began
}

// begin is called before the first match in a text.
func (m *machine) begin(text string) { m.steps = mostSteps + stepsPerByte*len(text) }

// match returns the end of a match that begins at a place.
func (p *pattern) match(m *machine, s string, at int) (end int, ok bool) {
	if cap(m.marks) <= p.marks {
		m.marks = make([]int, p.marks+1)
	}
	m.marks = m.marks[:p.marks+1]
	for i := range m.marks {
		m.marks[i] = -1
	}
	return p.run(m, s, 0, at)
}

// find returns the first match from a place on. A search that has no steps left panics, and caught makes an error of
// this.
func (p *pattern) find(m *machine, s string, from int) (start, end int, ok bool) {
	if start, end, ok = p.search(m, s, from); m.steps < 0 {
		panic(failure{fmt.Errorf("%w: %.200q in %d bytes that begin with %.40q", ErrSteps, p.source, len(s), s)})
	}
	return start, end, ok
}

func (p *pattern) search(m *machine, s string, from int) (start, end int, ok bool) {
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

// run matches from an instruction on, and returns the end of the match.
func (p *pattern) run(m *machine, s string, pc, at int) (int, bool) {
	base := len(m.stack)
	defer func() { m.stack = m.stack[:base] }()
	for {
		if m.steps--; m.steps < 0 {
			return 0, false
		}
		in := &p.code[pc]
		next, ok := pc+1, true
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
			ok = in.set.has(r)
			at += n
		case opRun:
			at, ok = m.repeat(s, in, next, at)
		case opSplit:
			m.stack = append(m.stack, retry{pc: in.y, at: at, least: at})
			next = in.x
		case opJump:
			next = in.x
		case opLook, opAtom:
			end, found := p.run(m, s, next, at)
			ok = found != in.negative
			if in.op == opAtom {
				at = end
			}
			next = in.x
		case opBack:
			ok = p.behind(m, s, in, pc, at) != in.negative
			next = in.x
		case opMark:
			m.marks[in.x] = at
		case opMoved:
			ok = m.marks[in.x] != at
		case opFrom:
			ok = at == m.from
		case opSave:
			m.stack = append(m.stack, retry{undo: in.x, at: m.marks[in.x]})
			m.marks[in.x] = at
		case opAgain:
			var n int
			n, ok = m.again(s, in, at)
			at += n
		case opSeen:
			if ok = at < len(s); ok {
				at += grapheme(s[at:])
			}
		case opMatch:
			return at, true
		default:
			ok = in.holds(s, at)
		}
		if pc = next; !ok {
			if pc, at, ok = m.back(s, base); !ok {
				return 0, false
			}
		}
	}
}

// holds says whether a place is of the kind that an instruction asks for: an end of a line, a text or a word.
func (in *instruction) holds(s string, at int) bool {
	switch in.op {
	case opLine:
		return at == 0 || s[at-1] == '\n' && at < len(s)
	case opEnd:
		return at == len(s) || s[at] == '\n'
	case opStart:
		return at == 0
	case opStop:
		return at == len(s)
	case opLast:
		return at == len(s) || at == len(s)-1 && s[at] == '\n'
	case opEdge:
		before, _ := utf8.DecodeLastRuneInString(s[:at])
		after, _ := utf8.DecodeRuneInString(s[at:])
		return (at > 0 && setWord().has(before)) != (at < len(s) && setWord().has(after)) != in.negative
	}
	panic(fmt.Sprintf("tokenizer: instruction %d of a pattern is not known", in.op))
}

// repeat takes characters of a set, as many as an instruction says, and returns the place behind them. The stack has
// what may be tried if what follows, at next, fails: a character fewer or, where as few as can be were taken, a
// character more.
func (m *machine) repeat(s string, in *instruction, next, at int) (int, bool) {
	count, least := 0, at
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
	m.steps -= count / 16 // characters of a run take less time than other steps
	switch {
	case count < in.least:
		return at, false
	case in.lazy && in.most > in.least:
		m.stack = append(m.stack, retry{pc: next, at: at, lazy: true, set: set, left: in.most - in.least})
	case !in.whole && !in.lazy && at > least:
		m.stack = append(m.stack, retry{pc: next, at: at, least: least})
	}
	return at, true
}

// back returns where matching goes on after a failure, if the stack has such a place above base.
func (m *machine) back(s string, base int) (pc, at int, ok bool) {
	for len(m.stack) > base {
		top := &m.stack[len(m.stack)-1]
		switch {
		case top.undo > 0:
			m.marks[top.undo] = top.at
			m.stack = m.stack[:len(m.stack)-1]
		case top.lazy: // takes one more
			if r, n := utf8.DecodeRuneInString(s[top.at:]); n > 0 && top.left > 0 && top.set.has(r) {
				top.at += n
				top.left--
				return top.pc, top.at, true
			}
			m.stack = m.stack[:len(m.stack)-1]
		default:
			if top.at > top.least { // gives one back
				_, n := utf8.DecodeLastRuneInString(s[:top.at])
				top.at -= n
			}
			pc, at = top.pc, top.at
			if at <= top.least {
				m.stack = m.stack[:len(m.stack)-1]
			}
			return pc, at, true
		}
	}
	return 0, 0, false
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
		return nil, fmt.Errorf("pattern %.200q: byte %d: %w", text, c.at, err)
	}
	p := &pattern{source: text, groups: map[int]int{}}
	if err := c.refer(p); err != nil {
		return nil, fmt.Errorf("pattern %.200q: %w", text, err)
	}
	if err := p.emit(n); err != nil {
		return nil, fmt.Errorf("pattern %.200q: %w", text, err)
	}
	p.code = append(p.code, instruction{op: opMatch})
	if set, certain := n.begins(); certain {
		p.first = set.compile()
	}
	return p, nil
}
