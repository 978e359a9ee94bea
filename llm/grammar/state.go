package grammar

import (
	"slices"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// place is what is left of a sequence, and what comes behind it: a stack. Equal stacks of a grammar are one.
type place struct {
	rest []element // begins with a class
	next *place
}

// State is a place within a text of a grammar. It may be used by one goroutine at a time, with all states that were reached from the same start.
type State struct {
	of      *stacks
	tops    []*place // in the order of their addresses; nil among them is the end of the text
	partial string   // bytes of a character that is not whole
	next    *[256]*State
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

// Start is the beginning of a text.
func (g *Grammar) Start() *State {
	s := &stacks{g: g, seen: map[key]*place{}, states: map[string]*State{}}
	state := &State{of: s}
	s.mu.Lock()
	defer s.mu.Unlock()
	state.tops = s.enter([]element{{rule: g.names["root"]}}, nil, nil)
	state.sort()
	return state
}

func (s *State) sort() {
	slices.SortFunc(s.tops, func(a, b *place) int {
		x, y := uintptr(unsafe.Pointer(a)), uintptr(unsafe.Pointer(b))
		switch {
		case x < y:
			return -1
		case x > y:
			return 1
		}
		return 0
	})
	s.tops = slices.Compact(s.tops)
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

// enter appends the stacks by which a rest may go on: such that begin with a class.
func (s *stacks) enter(rest []element, next *place, out []*place) []*place {
	return s.open(rest, next, map[*place]bool{}, out)
}

// open enters rules. again are the places at which a repetition goes on: where nothing has come since its beginning, one turn more adds nothing.
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
func (s *State) Done() bool { return s.partial == "" && slices.Contains(s.tops, nil) }

// Ended reports whether the text must end here.
func (s *State) Ended() bool {
	return s.partial == "" && len(s.tops) == 1 && s.tops[0] == nil
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
		} else {
			k := to.Key()
			if known := s.of.states[k]; known != nil {
				to = known
			} else {
				s.of.states[k] = to
			}
		}
		s.next[b] = to
	}
	if to == dead {
		return nil
	}
	return to
}

// behind is the state behind one byte.
func (s *State) behind(b byte) *State {
	bytes := s.partial + string([]byte{b})
	if !utf8.FullRuneInString(bytes) {
		lo, hi := possible(bytes)
		for _, p := range s.tops {
			if p != nil && p.rest[0].meets(lo, hi) {
				return &State{of: s.of, tops: s.tops, partial: bytes}
			}
		}
		return nil
	}
	r, n := utf8.DecodeRuneInString(bytes)
	if r == utf8.RuneError && n <= 1 || n != len(bytes) {
		return nil
	}
	next := &State{of: s.of}
	for _, p := range s.tops {
		if p != nil && p.rest[0].has(r) {
			next.tops = s.of.enter(p.rest[1:], p.next, next.tops)
		}
	}
	if len(next.tops) == 0 {
		return nil
	}
	next.sort()
	return next
}

// Allowed calls f with the number of each of some texts by which the text may go on. The texts are in order, and the same ones in each call.
func (s *State) Allowed(texts *Texts, f func(i int)) {
	s.of.mu.Lock()
	defer s.of.mu.Unlock()
	path := make([]*State, texts.longest+1) // behind so many bytes of the text
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
	longest int
}

// NewTexts puts texts in order. Empty ones are left out.
func NewTexts(list []string) *Texts {
	t := new(Texts)
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
	for _, p := range s.tops {
		v := uintptr(unsafe.Pointer(p))
		b.Write((*[unsafe.Sizeof(v)]byte)(unsafe.Pointer(&v))[:])
	}
	b.WriteString(s.partial)
	return b.String()
}
