package exec

import (
	"os"
	"slices"
	"sync"
	"syscall"
	"unsafe"
)

// newPlace copies code to a place.
func newPlace(code []byte) (*place, error) {
	fresh, err := Setting()
	switch {
	case err != nil:
		return nil, err
	case fresh:
		return alone(code)
	}
	return shared(code)
}

// shared puts code into a chunk, or into pages of its own where the system maps no memory twice.
func shared(code []byte) (*place, error) {
	chunks.Lock()
	defer chunks.Unlock()
	n := (len(code) + line - 1) &^ (line - 1)
	for _, c := range chunks.list {
		if p := c.take(code, n); p != nil {
			return p, nil
		}
	}
	c, err := newChunk(max(n, chunkBytes))
	if err != nil { // the system maps no memory twice
		return alone(code)
	}
	chunks.list = append(chunks.list, c)
	return c.take(code, n), nil
}

const (
	line       = 64      // bytes of a cache line, to which generated code aligns its loops and constants
	chunkBytes = 1 << 20 // of a chunk at least; what is not used of it takes no memory
	trap       = 0xcc    // INT3
)

// chunks are the chunks that have code. One loads and frees code at a time.
var chunks struct {
	sync.Mutex
	list []*chunk
}

// chunk is memory that is mapped twice: where code is written, and where it runs. So no page is writable and
// executable at one address, and loading code changes no mapping, for which the processors would have to wait for each
// other.
type chunk struct {
	written, run []byte
	free         []span // by place, not adjacent
}

// span is a part of a chunk.
type span struct{ from, to int }

// newChunk maps a file in memory twice.
func newChunk(bytes int) (*chunk, error) {
	const memfdCreate, closeOnExec = 319, 1 // memfd_create(2) on amd64, and MFD_CLOEXEC
	name := [...]byte{'a', 'c', 'a', 'p', 0}
	fd, _, errno := syscall.Syscall(memfdCreate, uintptr(unsafe.Pointer(&name)), closeOnExec, 0)
	if errno != 0 {
		return nil, errno
	}
	defer syscall.Close(int(fd))
	bytes = (bytes + os.Getpagesize() - 1) &^ (os.Getpagesize() - 1)
	if err := syscall.Ftruncate(int(fd), int64(bytes)); err != nil {
		return nil, err
	}
	written, err := syscall.Mmap(int(fd), 0, bytes, syscall.PROT_READ|syscall.PROT_WRITE, syscall.MAP_SHARED)
	if err != nil {
		return nil, err
	}
	run, err := syscall.Mmap(int(fd), 0, bytes, syscall.PROT_READ|syscall.PROT_EXEC, syscall.MAP_SHARED)
	if err != nil {
		syscall.Munmap(written)
		return nil, err
	}
	return &chunk{written, run, []span{{0, bytes}}}, nil
}

// take copies code to the first free part with room for n bytes; nil if there is none.
func (c *chunk) take(code []byte, n int) *place {
	i := slices.IndexFunc(c.free, func(s span) bool { return s.to-s.from >= n })
	if i < 0 {
		return nil
	}
	at := span{c.free[i].from, c.free[i].from + n}
	if c.free[i].from = at.to; c.free[i].from == c.free[i].to {
		c.free = slices.Delete(c.free, i, i+1)
	}
	copy(c.written[at.from:], code)
	return &place{c.run[at.from : at.from+len(code) : at.to], func() error {
		chunks.Lock()
		defer chunks.Unlock()
		return c.give(at)
	}}
}

// give makes a part free, where who still calls it traps. A chunk that has no code left is unmapped, unless the chunk is
// the last one and of the usual length: mapping another chunk takes longer than making a short code.
func (c *chunk) give(at span) error {
	part := c.written[at.from:at.to]
	part[0] = trap
	for n := 1; n < len(part); n *= 2 { // what is copied doubles
		copy(part[n:], part[:n])
	}
	i, _ := slices.BinarySearchFunc(c.free, at.from, func(s span, from int) int { return s.from - from })
	if i < len(c.free) && c.free[i].from == at.to {
		at.to = c.free[i].to
		c.free = slices.Delete(c.free, i, i+1)
	}
	if i > 0 && c.free[i-1].to == at.from {
		i--
		at.from = c.free[i].from
		c.free = slices.Delete(c.free, i, i+1)
	}
	c.free = slices.Insert(c.free, i, at)
	if at != (span{0, len(c.run)}) || len(chunks.list) == 1 && len(c.run) == chunkBytes {
		return nil
	}
	chunks.list = slices.DeleteFunc(chunks.list, func(other *chunk) bool { return other == c })
	if err := syscall.Munmap(c.written); err != nil {
		return err
	}
	return syscall.Munmap(c.run)
}
