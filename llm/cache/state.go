package cache

// States is the span of layers that keep a state in the place of keys and values. Their pool has slots, each with the
// state of one sequence behind one of its tokens. A sequence writes the slot of the page that its last token is in, and
// reads the one of the token before: a new page takes another slot, and the state behind the page before stays as it
// was. So pages are shared as pages of keys are, where a pass has ended with the page, until a slot is taken again.
var States = Span{Window: 2, State: true}

// spareStates are the slots of a pool beside two of each sequence.
const spareStates = 2

// Slot is where the state behind a token is.
func (t *Table) Slot(position int) int64 {
	if position < 0 {
		return 0
	}
	return int64(t.Pool[position/PageTokens])
}

// follow takes the slot of the page that a token is in; pages in front of the page and behind the last one have none.
func (t *Table) follow(p *Pool, tokens int) bool {
	if len(t.Pool) >= PagesFor(tokens) {
		return true
	}
	slot, ok := p.take(0, 1)
	if ok {
		t.Pool = append(append(t.Pool, make([]int, PagesFor(tokens)-1-len(t.Pool))...), slot)
	}
	return ok
}
