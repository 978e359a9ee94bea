package bytecode

import (
	"encoding/binary"
	"fmt"
	"math/bits"
)

// fault is an error at a place of the file, which the entry points return.
type fault struct{ err error }

// cursor reads a part of the file.
type cursor struct {
	data []byte
	pos  int
	base int // offset of data in the file
}

func (c *cursor) failf(format string, args ...any) {
	panic(fault{fmt.Errorf("byte %d: %w", c.base+c.pos, fmt.Errorf(format, args...))})
}

func (c *cursor) empty() bool { return c.pos >= len(c.data) }

func (c *cursor) byte() byte {
	if c.empty() {
		c.failf("the file ends here")
	}
	c.pos++
	return c.data[c.pos-1]
}

// bytes takes n bytes.
func (c *cursor) bytes(n uint64) []byte {
	if n > uint64(len(c.data)-c.pos) {
		c.failf("%d bytes are wanted, and %d are left", n, len(c.data)-c.pos)
	}
	c.pos += int(n)
	return c.data[c.pos-int(n) : c.pos]
}

// varint reads a number whose first byte says by its low zeros how many follow.
func (c *cursor) varint() uint64 {
	first := c.byte()
	if first&1 != 0 {
		return uint64(first >> 1)
	}
	if first == 0 {
		return binary.LittleEndian.Uint64(c.bytes(8))
	}
	more := bits.TrailingZeros8(first)
	v := uint64(first)
	for i, b := range c.bytes(uint64(more)) {
		v |= uint64(b) << (8 * (i + 1))
	}
	return v >> (more + 1)
}

// signed reads a number whose lowest bit is the sign.
func (c *cursor) signed() int64 {
	v := c.varint()
	return int64(v>>1) ^ -int64(v&1)
}

// flagged reads a number and a bit below it.
func (c *cursor) flagged() (uint64, bool) {
	v := c.varint()
	return v >> 1, v&1 != 0
}

// count reads the number of items that follow. Each takes at least a byte, which bounds the number.
func (c *cursor) count() int {
	n := c.varint()
	if n > uint64(len(c.data)-c.pos) {
		c.failf("%d items in %d bytes", n, len(c.data)-c.pos)
	}
	return int(n)
}

// text reads bytes up to a zero.
func (c *cursor) text() string {
	for i := c.pos; i < len(c.data); i++ {
		if c.data[i] == 0 {
			s := string(c.data[c.pos:i])
			c.pos = i + 1
			return s
		}
	}
	c.failf("a text without end")
	return ""
}

// align skips to a multiple of n, counted from the start of the file.
func (c *cursor) align(n uint64) {
	if n == 0 || n&(n-1) != 0 || n > 1<<20 {
		c.failf("an alignment of %d", n)
	}
	for (c.base+c.pos)%int(n) != 0 {
		c.byte()
	}
}

// section is a part of a file with a number.
func (c *cursor) section() (id byte, data *cursor) {
	head := c.byte()
	n := c.varint()
	if head&0x80 != 0 {
		c.align(c.varint())
	}
	at := c.pos
	return head & 0x7f, &cursor{data: c.bytes(n), base: c.base + at}
}

// list reads a number of items.
func list[T any](c *cursor, item func() T) []T {
	n := c.count()
	out := make([]T, n)
	for i := range out {
		out[i] = item()
	}
	return out
}
