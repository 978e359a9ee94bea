package llm

import (
	"crypto/sha256"
	"encoding/binary"
)

// pageTokens is how many tokens a page of the cache has.
const pageTokens = 32

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

// pages are what the cache of keys and values is divided into. A page belongs to the sequences that read it; one that
// belongs to none keeps its content until it is taken, and a sequence that begins with the same tokens has it again. Page 0
// belongs to nobody: rows that fill up a pass are written there.
type pages struct {
	users   []int
	content []digest // zero if unknown or not whole
	find    map[digest]int
	age     []int // when the last user left
	clock   int
	free    int
}

func newPages(count int) *pages {
	return &pages{users: make([]int, count), content: make([]digest, count), find: map[digest]int{}, age: make([]int, count), free: count - 1}
}

// share gives a page with known content to one more sequence.
func (p *pages) share(d digest) (page int, ok bool) {
	page, ok = p.find[d]
	if !ok {
		return 0, false
	}
	if p.users[page] == 0 {
		p.free--
	}
	p.users[page]++
	return page, true
}

// take gives a page to a sequence: the one behind its last page if that is free and empty, so that the places of a sequence lie in order.
// A first page has as many empty ones behind it as the sequence will want, if there are so many. Of pages with content the
// one that was left longest ago is taken.
func (p *pages) take(last, want int) (page int, ok bool) {
	if p.free == 0 {
		return 0, false
	}
	empty := func(i int) bool { return i < len(p.users) && p.users[i] == 0 && p.content[i] == digest{} }
	page = -1
	if last > 0 {
		if empty(last + 1) {
			page = last + 1
		}
	} else {
		page = p.run(want, empty)
	}
	if page < 0 {
		for i := 1; i < len(p.users); i++ {
			if p.users[i] > 0 {
				continue
			}
			if page < 0 || empty(i) && !empty(page) || empty(i) == empty(page) && p.age[i] < p.age[page] {
				page = i
			}
		}
	}
	p.forget(page)
	p.users[page] = 1
	p.free--
	return page, true
}

// run returns the first of so many pages in a row that are empty, or -1.
func (p *pages) run(want int, empty func(int) bool) int {
	length := 0
	for i := 1; i < len(p.users); i++ {
		if length++; !empty(i) {
			length = 0
		}
		if length == want {
			return i - want + 1
		}
	}
	return -1
}

// forget drops the content of a page that is to be written.
func (p *pages) forget(page int) {
	if d := p.content[page]; d != (digest{}) {
		if p.find[d] == page {
			delete(p.find, d)
		}
		p.content[page] = digest{}
	}
}

// keep says what a page holds from here on.
func (p *pages) keep(page int, d digest) {
	if _, known := p.find[d]; !known {
		p.find[d], p.content[page] = page, d
	}
}

// leave takes pages from a sequence.
func (p *pages) leave(list []int) {
	p.clock++
	for _, page := range list {
		if p.users[page]--; p.users[page] == 0 {
			p.free++
			p.age[page] = p.clock
		}
	}
}
