package buf

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// The memory of a buffer belongs to the buffer for good unless [Buffer.Recyclable]
// said otherwise. Then another buffer may take it while nobody holds it, and the
// buffer is left without: whoever comes later is told so by [Buffer.Hold] or
// [Buffer.Keep] and never sees another tensor's data.
const (
	kept  = 0  // the buffer's for good
	idle  = 1  // free to be taken; idle+n if n users hold it
	taken = -1 // another buffer's
)

// Recyclable lets the memory be taken. It must be called before anybody else has
// the buffer.
func (b *Buffer) Recyclable() { b.lease.Store(idle) }

// MayTake reports whether the memory is, or may become, free to be taken.
func (b *Buffer) MayTake() bool { return b.lease.Load() >= idle }

// Claim takes the memory to write it anew: until [Buffer.Recyclable] nobody else can hold it. It returns false if the
// memory is kept, held or taken.
func (b *Buffer) Claim() bool { return b.lease.CompareAndSwap(idle, taken) }

// Hold keeps the memory from being taken until Release. It returns false if it has
// been taken already.
func (b *Buffer) Hold() bool {
	for {
		switch n := b.lease.Load(); {
		case n == kept:
			return true
		case n == taken:
			return false
		case b.lease.CompareAndSwap(n, n+1):
			return true
		}
	}
}

// Release ends a Hold that returned true.
func (b *Buffer) Release() {
	for {
		n := b.lease.Load()
		if n <= kept || b.lease.CompareAndSwap(n, n-1) {
			return
		}
	}
}

// Keep makes the memory the buffer's for good, as it must be before its address
// goes where no Release follows. It returns false if it has been taken already.
func (b *Buffer) Keep() bool {
	for {
		n := b.lease.Load()
		if n == taken {
			return false
		}
		if n == kept || b.lease.CompareAndSwap(n, kept) {
			return true
		}
	}
}

// Overwrite is Take for the only one who holds the buffer, and who is about to write over what he reads: the memory
// becomes a new buffer's, and stays b's as well until Lose. It returns nil if anybody else holds b, or may.
func (b *Buffer) Overwrite(d dtype.DType, dims []int) *Buffer {
	if shape.Size(dims)*d.Size() != b.Len()*b.DType.Size() || !b.lease.CompareAndSwap(idle+1, taken) {
		return nil
	}
	return &Buffer{DType: d, Shape: dims, bytes: b.bytes, first: b.First()}
}

// Lose takes the memory from a buffer that another has overwritten.
func (b *Buffer) Lose() {
	if b.lease.Load() == taken {
		b.bytes = nil
	}
}

// Take moves the memory to a new buffer of a type and a shape. It returns nil if the
// sizes in bytes differ, or if the memory is kept, held or taken. The contents are
// whatever they were.
func (b *Buffer) Take(d dtype.DType, dims []int) *Buffer {
	if shape.Size(dims)*d.Size() != b.Len()*b.DType.Size() || !b.lease.CompareAndSwap(idle, taken) {
		return nil
	}
	moved := &Buffer{DType: d, Shape: dims, bytes: b.bytes, first: b.First()}
	b.bytes = nil
	return moved
}
