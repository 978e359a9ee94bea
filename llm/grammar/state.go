package grammar

import (
	"cmp"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// place is the rest of a sequence, and the places behind the sequence: a stack. Equal stacks of a grammar are one.
type place struct {
	rest []element // begins with a class
	next *place
}

// State is a place within a text of a grammar. It may be used by one goroutine at a time, with all states that were
// reached from the same start.
type State struct {
	of   *stacks
	tops []top // in order
	next *[256]*State
}

// top is a place at which a text may go on.
type top struct {
	*place         // nil is the end of the text
	partial string // bytes of a character of the class, which is not whole
}

// terminal is the element that comes next, nil at the end of the text.
func (t *top) terminal() *element {
	if t.place == nil {
		return nil
	}
	return &t.rest[0]
}

// stacks keeps the stacks of a text.
type stacks struct {
	g    *Grammar
	mu   sync.Mutex
	seen map[key]*place

	states map[string]*State
}

type key struct {
	first *element
	count int
	next  *place
}

// Empty reports whether a grammar has no rules, as the zero value, with which no text begins.
func (g *Grammar) Empty() bool { return len(g.rules) == 0 }

// Start is the beginning of a text. The grammar has rules.
func (g *Grammar) Start() *State {
	s := &stacks{g: g, seen: map[key]*place{}, states: map[string]*State{}}
	state := &State{of: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	state.enter([]element{{rule: g.names["root"]}}, nil)
	return state.known()
}

// known is the state that equals this one, nil if no text goes on there.
func (s *State) known() *State {
	if len(s.tops) == 0 {
		return nil
	}
	address := func(t top) uintptr { return uintptr(unsafe.Pointer(t.place)) }
	slices.SortFunc(s.tops, func(a, b top) int {
		return cmp.Or(cmp.Compare(address(a), address(b)), strings.Compare(a.partial, b.partial))
	})
	s.tops = slices.Compact(s.tops)
	k := s.Key()
	if equal := s.of.states[k]; equal != nil {
		return equal
	}
	s.of.states[k] = s
	return s
}

// push returns the stack of a rest on another one.
func (s *stacks) push(rest []element, next *place) *place {
	if len(rest) == 0 {
		return next
	}
	k := key{&rest[0], len(rest), next}
	p := s.seen[k]
	if p == nil {
		p = &place{rest, next}
		s.seen[k] = p
	}
	return p
}

// enter adds the places at which a rest may go on: such that begin with a class or a token.
func (s *State) enter(rest []element, next *place) {
	for _, p := range s.of.open(rest, next, map[*place]bool{}, nil) {
		s.tops = append(s.tops, top{place: p})
	}
}

// open enters rules. again are the places at which a repetition goes on: where nothing has come since its beginning,
// one turn more adds nothing.
func (s *stacks) open(rest []element, next *place, again map[*place]bool, out []*place) []*place {
	for len(rest) == 0 {
		switch {
		case next == nil:
			return append(out, nil)
		case again[next]:
			return out
		}
		rest, next = next.rest, next.next
	}
	if rest[0].rule < 0 {
		return append(out, s.push(rest, next))
	}
	behind := s.push(rest[1:], next)
	r := &s.g.rules[rest[0].rule]
	for _, a := range r.alternatives {
		if n := len(a); r.repeats && n > 1 && a[n-1].rule >= 0 && s.g.rules[a[n-1].rule].repeats {
			again[s.push(a[n-1:], behind)] = true
		}
		out = s.open(a, behind, again, out)
	}
	return out
}

// Done reports whether the text may end here.
func (s *State) Done() bool { return slices.Contains(s.tops, top{}) }

// Ended reports whether the text must end here.
func (s *State) Ended() bool {
	return len(s.tops) == 1 && s.tops[0] == top{}
}

// Next goes on by some bytes. It reports whether a text may go on so; a character may be cut.
func (s *State) Next(data []byte) (*State, bool) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	for _, b := range data {
		if s = s.step(b); s == nil {
			return nil, false
		}
	}
	return s, true
}

// NextToken goes on by a token: as a whole where the rules have a token, and by its text where they have characters.
// The text is empty for a token that stands for none. It reports whether a text may go on so.
func (s *State) NextToken(number int, text string) (*State, bool) {
	to := &State{of: s.of}
	if text != "" {
		if behind, ok := s.Next([]byte(text)); ok {
			to.tops = slices.Clone(behind.tops)
		}
	}
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	for _, t := range s.tops {
		if e := t.terminal(); e != nil && (e.rule == aToken && (e.token == number) != e.negative || e.rule == aSilent && text == "") {
			to.enter(t.rest[1:], t.place.next)
		}
	}
	to = to.known()
	return to, to != nil
}

// dead is where no text goes on.
var dead = new(State)

// step goes on by one byte; nil if no text does.
func (s *State) step(b byte) *State {
	if s.next == nil {
		s.next = new([256]*State)
	}
	to := s.next[b]
	if to == nil {
		if to = s.behind(b); to == nil {
			to = dead
		}
		s.next[b] = to
	}
	if to == dead {
		return nil
	}
	return to
}

// behind is the state behind one byte, nil if there is none.
func (s *State) behind(b byte) *State {
	next := &State{of: s.of}
	for _, t := range s.tops {
		e := t.terminal()
		if e == nil || e.rule != aClass {
			continue
		}
		bytes := t.partial + string([]byte{b})
		if !utf8.FullRuneInString(bytes) {
			if e.meets(possible(bytes)) {
				next.tops = append(next.tops, top{t.place, bytes})
			}
			continue
		}
		if r, n := utf8.DecodeRuneInString(bytes); n == len(bytes) && (r != utf8.RuneError || n > 1) && e.has(r) {
			next.enter(t.rest[1:], t.place.next)
		}
	}
	return next.known()
}

// Allowed calls f with the number of each token by which the text may go on, with some more than once. The tokens are
// the same ones in each call.
func (s *State) Allowed(texts *Texts, f func(i int)) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	for _, t := range s.tops {
		switch e := t.terminal(); {
		case e == nil || e.rule == aClass:
		case e.rule == aSilent:
			for _, i := range texts.silent {
				f(i)
			}
		case !e.negative:
			f(e.token)
		default:
			for _, list := range [][]int{texts.number, texts.silent} {
				for _, i := range list {
					if i != e.token {
						f(i)
					}
				}
			}
		}
	}
	path := make([]*State, texts.longest+1) // by the bytes of the text before it
	path[0] = s
	alive := 0 // bytes of the text before that may come
	for i, t := range texts.sorted {
		shared := texts.shared[i]
		if shared > alive {
			continue // begins as one that may not
		}
		alive = shared
		for ; alive < len(t); alive++ {
			if path[alive+1] = path[alive].step(t[alive]); path[alive+1] == nil {
				break
			}
		}
		if alive == len(t) {
			f(texts.number[i])
		}
	}
}

// Texts are the tokens of a vocabulary by what they stand for.
type Texts struct {
	sorted  []string
	shared  []int // bytes that a text shares with the one before it
	number  []int
	silent  []int
	longest int
}

// NewTexts puts texts of tokens in order. Empty ones are left out. silent are the numbers of tokens that stand for no
// text: rules have them as tokens.
func NewTexts(list []string, silent []int) *Texts {
	t := &Texts{silent: silent}
	for i, s := range list {
		if s != "" {
			t.number = append(t.number, i)
		}
	}
	slices.SortFunc(t.number, func(a, b int) int { return strings.Compare(list[a], list[b]) })
	for k, i := range t.number {
		n := 0
		if k > 0 {
			before := t.sorted[k-1]
			for n < len(before) && n < len(list[i]) && before[n] == list[i][n] {
				n++
			}
		}
		t.sorted, t.shared, t.longest = append(t.sorted, list[i]), append(t.shared, n), max(t.longest, len(list[i]))
	}
	return t
}

// possible is the first and the last character that begin with some bytes.
func possible(s string) (lo, hi rune) {
	var size int
	var v rune
	switch c := s[0]; {
	case c >= 0xf0:
		size, v = 4, rune(c&7)
	case c >= 0xe0:
		size, v = 3, rune(c&15)
	default:
		size, v = 2, rune(c&31)
	}
	for i := 1; i < len(s); i++ {
		v = v<<6 | rune(s[i]&63)
	}
	left := 6 * (size - len(s))
	lo, hi = v<<left, v<<left+1<<left-1
	return max(lo, []rune{0, 0, 0x80, 0x800, 0x10000}[size]), min(hi, utf8.MaxRune)
}

// Key names the state: equal states of one text have the same name.
func (s *State) Key() string {
	var b strings.Builder
	for _, t := range s.tops {
		v := uintptr(unsafe.Pointer(t.place))
		b.Write((*[unsafe.Sizeof(v)]byte)(unsafe.Pointer(&v))[:])
		b.WriteByte(byte(len(t.partial)))
		b.WriteString(t.partial)
	}
	return b.String()
}
