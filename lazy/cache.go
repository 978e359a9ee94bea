package lazy

import (
	"container/list"
	"sync"

	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/ops"
)

// defaultCacheLimit is the number of programs that a runtime keeps.
const defaultCacheLimit = 4096

// cache keeps executables by key; the least recently used goes first. An evicted
// executable may still be running, so its memory is left to the collector.
type cache struct {
	mu      sync.Mutex
	limit   int
	entries map[ops.Hash]*list.Element
	order   list.List // of cached, most recent first
}

type cached struct {
	key ops.Hash
	exe device.Executable
}

func (c *cache) get(key ops.Hash) device.Executable {
	c.mu.Lock()
	defer c.mu.Unlock()
	e := c.entries[key]
	if e == nil {
		return nil
	}
	c.order.MoveToFront(e)
	return e.Value.(cached).exe
}

func (c *cache) put(key ops.Hash, exe device.Executable) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[ops.Hash]*list.Element{}
	}
	if e := c.entries[key]; e != nil {
		e.Value = cached{key, exe}
		return
	}
	c.entries[key] = c.order.PushFront(cached{key, exe})
	if c.order.Len() > c.limit {
		last := c.order.Back()
		c.order.Remove(last)
		delete(c.entries, last.Value.(cached).key)
	}
}

// Clear forgets all programs.
func (r *Runtime) Clear() {
	r.cache.mu.Lock()
	defer r.cache.mu.Unlock()
	r.cache.entries = nil
	r.cache.order.Init()
}
