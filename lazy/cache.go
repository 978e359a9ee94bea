package lazy

import (
	"sync"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// mostPrograms is the number of programs that a runtime keeps.
const mostPrograms = 4096

// cacheShare is the part of [buf.Limit] that the programs of a runtime may keep.
const cacheShare = 8

// cache keeps programs by key, and lets one goroutine compile a program while others wait.
// Beyond its limits the least recently used program goes first. It may still be running,
// so what it holds is left to the collector.
type cache struct {
	mu      sync.Mutex
	limit   int   // programs
	most    int64 // bytes; 0 for a share of the memory limit
	held    int64 // bytes of the programs that are ready
	entries map[ops.Hash]*program

	// families has the last program of each family, which differ in numbers alone. One
	// is compiled at a time, so that the second shows which numbers vary.
	families map[ops.Hash]*program
	ends     program // newer is the oldest, older the newest: a ring
	count    int     // of programs in the ring
	gone     func(*program)
}

// find returns the program of a key, which may not be ready, or nil.
func (c *cache) find(key ops.Hash) *program {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.ends.older; p != nil && p.key == key && p != &c.ends { // the last one, as nearly always in a loop
		return p
	}
	p := c.entries[key]
	if p != nil && p.older != nil {
		c.unlink(p)
		c.link(p)
	}
	return p
}

// claim returns the program of a key, and whether the caller has to compile it and tell
// with done; before is the last program of its family. Otherwise the program is of the key or family.
func (c *cache) claim(key ops.Hash, s *trace.Sketch) (p, before *program, mine bool) {
	family := s.Family()
	c.mu.Lock()
	defer c.mu.Unlock()
	if p := c.entries[key]; p != nil {
		return p, nil, false
	}
	if before = c.families[family]; before != nil && !before.isReady() {
		return before, nil, false
	}
	if c.entries == nil {
		c.entries, c.families = map[ops.Hash]*program{}, map[ops.Hash]*program{}
	}
	p = &program{key: key, family: family, sketch: s, before: before, ready: make(chan struct{})}
	c.entries[key], c.families[family] = p, p
	return p, before, true
}

// done ends a claim. A program without an executable is forgotten, so that the next barrier tries again.
func (c *cache) done(p *program) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if p.exe == nil {
		if c.entries[p.key] == p {
			delete(c.entries, p.key)
		}
		if c.families[p.family] == p {
			delete(c.families, p.family)
			if p.before != nil && c.entries[p.before.key] == p.before {
				c.families[p.family] = p.before
			}
		}
	} else if c.entries[p.key] == p {
		p.bytes = max(p.memory.Kept, 0)
		c.link(p)
		c.held += p.bytes
		c.count++
		c.shrink()
	}
	p.before = nil
	p.done.Store(true)
	close(p.ready)
}

// shrink drops programs until the rest is within the limits; the newest stays.
func (c *cache) shrink() {
	most := c.most
	if most == 0 {
		most = buf.Limit() / cacheShare
	}
	for c.count > 1 && (c.count > c.limit || c.held > most) {
		last := c.ends.newer
		c.unlink(last)
		delete(c.entries, last.key)
		if c.families[last.family] == last {
			delete(c.families, last.family)
		}
		c.held -= last.bytes
		c.count--
		if c.gone != nil {
			c.gone(last)
		}
	}
}

func (c *cache) link(p *program) {
	if c.ends.older == nil {
		c.ends.older, c.ends.newer = &c.ends, &c.ends
	}
	p.newer, p.older = &c.ends, c.ends.older
	p.older.newer, c.ends.older = p, p
}

func (c *cache) unlink(p *program) {
	p.newer.older, p.older.newer = p.older, p.newer
	p.newer, p.older = nil, nil
}

// each calls f with the programs that are ready, the newest first, until it returns false.
func (c *cache) each(f func(*program) bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := c.ends.older; p != nil && p != &c.ends; p = p.older {
		if !f(p) {
			return
		}
	}
}

// clear forgets all programs; those that are being compiled do not come in any more.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for p := c.ends.older; p != nil && p != &c.ends; p = p.older {
		if c.gone != nil {
			c.gone(p)
		}
	}
	c.entries, c.families, c.held, c.count = nil, nil, 0, 0
	c.ends.older, c.ends.newer = nil, nil
}

// Clear forgets all programs of the device, and which Go numbers vary, on any device.
func (r *Runtime) Clear() {
	r.cache.clear()
	r.buckets.Lock()
	r.buckets.programs, r.buckets.count = nil, 0
	r.buckets.Unlock()
	trace.ForgetNumbers()
}

// CacheLimit bounds the programs that the runtime keeps for later: their number, and the
// bytes of what they keep between runs. Zero stands for the defaults, 4096 programs and an
// eighth of the memory limit. The program that ran last always stays.
func (r *Runtime) CacheLimit(programs int, bytes int64) {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	if r.cache.limit = programs; programs <= 0 {
		r.cache.limit = mostPrograms
	}
	r.cache.most = max(bytes, 0)
	r.cache.shrink()
}
