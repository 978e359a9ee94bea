package cache

import (
	"crypto/sha256"
	"encoding/binary"
	"math"
)

// PageTokens is how many tokens a page of the cache has.
const PageTokens = 32

// PagesFor is how many pages tokens take.
func PagesFor(tokens int) int { return (tokens + PageTokens - 1) / PageTokens }

// PlacesFor returns the number of places of a cache for tokens: the places of whole pages, and of page 0.
func PlacesFor(tokens int) int { return (PagesFor(tokens) + 1) * PageTokens }

// digest names the content of a page: its tokens and all before them.
type digest [sha256.Size]byte

// chain is the digest of a page after another one.
func chain(before digest, tokens []int) digest {
	h := sha256.New()
	h.Write(before[:])
	var b [8]byte
	for _, t := range tokens {
		binary.LittleEndian.PutUint64(b[:], uint64(t))
		h.Write(b[:])
	}
	var d digest
	h.Sum(d[:0])
	return d
}

// Pool are the parts of the cache of keys and values in the layers of a span. A page belongs to the sequences that
// read it. A page without a sequence keeps its content until it is taken, and a sequence that begins with the same
// tokens gets the page again. Page 0 belongs to no sequence: rows that fill up a pass are written there.
type Pool struct {
	Span    Span
	users   []int
	content []digest // zero if unknown or not whole
	find    map[digest]int
	age     []int // when the last user left
	clock   int
	Free    int
}

func NewPool(s Span, count int) *Pool {
	return &Pool{Span: s, users: make([]int, count), content: make([]digest, count), find: map[digest]int{}, age: make([]int, count), Free: count - 1}
}

// NewPools makes the pools of some spans, with room for tokens of all sequences. At most the given number of
// sequences are there at once. A pass computes at most piece tokens of a prompt.
func NewPools(tokens, sequences, piece int, spans ...Span) (list []*Pool) {
	for _, s := range spans {
		list = append(list, NewPool(s, s.Pages(tokens, sequences, piece)))
	}
	return list
}

// Size is the number of pages, with page 0.
func (p *Pool) Size() int { return len(p.users) }

// share gives the page with a content, which there is, to one more sequence.
func (p *Pool) share(d digest) int {
	page := p.find[d]
	if p.users[page] == 0 {
		p.Free--
	}
	p.users[page]++
	return page
}

// take gives a page to a sequence. The page behind the sequence's last page is taken if it is free, so that the places
// of a sequence lie in order and are read where they are. A first page is chosen with want free pages behind it, where
// there are enough: empty pages first, then the pages that were left longest ago. Where there are fewer, the page that
// was left longest ago is taken.
func (p *Pool) take(last, want int) (page int, ok bool) {
	if p.Free == 0 {
		return 0, false
	}
	page = -1
	switch {
	case last == 0:
		page = p.run(want)
	case last+1 < len(p.users) && p.users[last+1] == 0:
		page = last + 1
	}
	if page < 0 {
		for i := 1; i < len(p.users); i++ {
			if p.users[i] == 0 && (page < 0 || p.left(i) < p.left(page)) {
				page = i
			}
		}
	}
	p.forget(page)
	p.users[page] = 1
	p.Free--
	return page, true
}

// left is when the last user left a free page; what is empty was left before all others.
func (p *Pool) left(page int) int {
	if p.content[page] == (digest{}) {
		return -1
	}
	return p.age[page]
}

// run returns the first of want free pages in a row, of all such rows the one whose latest page was left longest ago;
// -1 if there is no such row.
func (p *Pool) run(want int) int {
	best, oldest := -1, 0
	for first := 1; first+want <= len(p.users); first++ {
		latest := -1
		for i := first; i < first+want && latest != notFree; i++ {
			if p.users[i] > 0 {
				first, latest = i, notFree // goes on behind
			} else {
				latest = max(latest, p.left(i))
			}
		}
		if latest != notFree && (best < 0 || latest < oldest) {
			best, oldest = first, latest
		}
		if oldest < 0 { // empty ones
			break
		}
	}
	return best
}

// notFree is no time that a page is left.
const notFree = math.MaxInt

// forget drops the content of a page that is to be written.
func (p *Pool) forget(page int) {
	if d := p.content[page]; d != (digest{}) {
		if p.find[d] == page {
			delete(p.find, d)
		}
		p.content[page] = digest{}
	}
}

// keep says what a page holds from here on.
func (p *Pool) keep(page int, d digest) {
	if _, known := p.find[d]; !known {
		p.find[d], p.content[page] = page, d
	}
}

// leave takes pages from a sequence.
func (p *Pool) leave(list []int) {
	p.clock++
	for _, page := range list {
		if page == 0 {
			continue
		}
		if p.users[page]--; p.users[page] == 0 {
			p.Free++
			p.age[page] = p.clock
		}
	}
}
