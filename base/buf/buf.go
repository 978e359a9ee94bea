package buf

import (
	"fmt"
	"sync/atomic"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

// Alignment of every buffer's first byte, in bytes.
const Alignment = 64

// Buffer is a contiguous row-major tensor in host memory.
type Buffer struct {
	DType dtype.DType
	lease atomic.Int32 // here, where it takes no room
	Shape []int
	bytes []byte
	first *Buffer // of this memory, unless this is it
}

// New returns a zeroed buffer. It panics on an invalid dtype or shape, and with a
// [*MemoryError] on one that is too large: [NewChecked] is for what comes from outside.
func New(d dtype.DType, dims []int) *Buffer {
	b, err := NewChecked(d, dims)
	if _, ok := err.(*MemoryError); ok {
		panic(err)
	} else if err != nil {
		panic(fmt.Sprintf("BUG: buf: %v", err))
	}
	return b
}

// NewChecked returns a zeroed buffer, or an error if the shape is wrong or the tensor needs
// more memory than [Limit].
func NewChecked(d dtype.DType, dims []int) (*Buffer, error) {
	if !d.Valid() {
		panic(fmt.Sprintf("BUG: buf: invalid dtype %v", d))
	}
	n, err := bytesOf(d, dims)
	if err != nil {
		return nil, err
	}
	return &Buffer{DType: d, Shape: dims, bytes: aligned(int(n))}, nil
}

// CheckTensor returns an error if a shape is wrong or a tensor of it needs more memory than
// [Limit].
func CheckTensor(d dtype.DType, dims []int) error {
	_, err := bytesOf(d, dims)
	return err
}

// bytesOf returns the bytes of a tensor, with the error of [CheckTensor].
func bytesOf(d dtype.DType, dims []int) (int64, error) {
	n, err := shape.Count(dims)
	if err != nil {
		return 0, err
	}
	bytes := MulBytes(int64(n), int64(d.Size()))
	if bytes >= 0 && bytes <= Limit() {
		return bytes, nil // before anything is formatted
	}
	return 0, CheckBytes(bytes, fmt.Sprintf("tensor %v%s", d, shape.String(dims)))
}

// Wrap makes a buffer of bytes that the caller hands over. The length must be
// exactly the size of the tensor. Bytes that are not aligned are copied. Another length is an error, and so is a shape
// that [shape.Check] refuses.
func Wrap(d dtype.DType, dims []int, data []byte) (*Buffer, error) {
	if err := shape.Check(dims); err != nil {
		return nil, err
	}
	want := shape.Size(dims) * d.Size()
	if len(data) != want {
		return nil, fmt.Errorf("buf: tensor %v of %v needs %d bytes, got %d",
			shape.String(dims), d, want, len(data))
	}
	if want > 0 && uintptr(unsafe.Pointer(&data[0]))%Alignment != 0 {
		aligned := Aligned(want)
		copy(aligned, data)
		data = aligned
	}
	return &Buffer{DType: d, Shape: dims, bytes: data}, nil
}

// Realigned returns data, or a copy of it that starts at a multiple of [Alignment].
func Realigned(data []byte) []byte {
	if len(data) == 0 || uintptr(unsafe.Pointer(&data[0]))%Alignment == 0 {
		return data
	}
	out := Aligned(len(data))
	copy(out, data)
	return out
}

// Lend makes a buffer of bytes that belong to somebody else. The owner must not change the bytes while the buffer is in
// use. The bytes are not copied if they start at a multiple of the element's size, whatever [Alignment] says: native
// code reads such buffers. Errors are those of [Wrap].
func Lend(d dtype.DType, dims []int, data []byte) (*Buffer, error) {
	if len(data) > 0 && uintptr(unsafe.Pointer(&data[0]))%uintptr(d.Size()) != 0 || len(data) == 0 {
		return Wrap(d, dims, data)
	}
	if err := shape.Check(dims); err != nil {
		return nil, err
	}
	if want := shape.Size(dims) * d.Size(); len(data) != want {
		return nil, fmt.Errorf("buf: tensor %v of %v needs %d bytes, got %d", shape.String(dims), d, want, len(data))
	}
	return &Buffer{DType: d, Shape: dims, bytes: data}, nil
}

// Aligned returns n zeroed bytes that start at a multiple of [Alignment]. From 4 MiB on the system is asked for large
// pages. Pieces of 128 KiB and more start at different addresses within a page of 4 KiB, see stagger.go. It panics with
// a [*MemoryError] if n is more than [Limit].
func Aligned(n int) []byte {
	if err := CheckBytes(int64(n), "a piece of memory"); err != nil {
		panic(err)
	}
	return aligned(n)
}

// aligned is Aligned for a number of bytes that has been checked.
func aligned(n int) []byte {
	if n == 0 {
		return nil
	}
	offset := stagger(n)
	if largePages(offset+n) >= leastLarge {
		return onLargePages(offset + n)[offset:]
	}
	raw := make([]byte, offset+n+Alignment-1)
	shift := offset + int(-uintptr(unsafe.Pointer(&raw[0]))&(Alignment-1))
	return raw[shift : shift+n : shift+n]
}

// Len returns the number of elements.
func (b *Buffer) Len() int { return shape.Size(b.Shape) }

// Bytes returns the memory itself.
func (b *Buffer) Bytes() []byte { return b.bytes }

// Pointer returns the address of the first byte, or nil for an empty tensor.
func (b *Buffer) Pointer() unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b.bytes)) }

// Reshape returns the same memory under another shape of the same size. It becomes
// b's for good.
func (b *Buffer) Reshape(dims []int) *Buffer {
	b.Keep()
	if shape.Size(dims) != b.Len() {
		panic(fmt.Sprintf("BUG: buf: reshape %v to %v", b.Shape, dims))
	}
	return &Buffer{DType: b.DType, Shape: dims, bytes: b.bytes, first: b.First()}
}

// First returns the buffer that was made with the memory; b may have another shape or type. It lives as long as any of
// them.
func (b *Buffer) First() *Buffer {
	if b.first != nil {
		return b.first
	}
	return b
}

// Clone returns a copy.
func (b *Buffer) Clone() *Buffer {
	c := &Buffer{DType: b.DType, Shape: b.Shape, bytes: Aligned(len(b.bytes))}
	copy(c.bytes, b.bytes)
	return c
}

// Slice views the elements as a Go slice. T must be the Go type of b's dtype.
func Slice[T dtype.Go](b *Buffer) []T {
	if dtype.Of[T]() != b.DType {
		panic(fmt.Sprintf("BUG: buf: %v buffer read as %v", b.DType, dtype.Of[T]()))
	}
	if len(b.bytes) == 0 {
		return nil
	}
	return unsafe.Slice((*T)(unsafe.Pointer(&b.bytes[0])), b.Len())
}

// From copies a Go slice into a new buffer of the given shape.
func From[T dtype.Go](data []T, dims ...int) *Buffer {
	b := New(dtype.Of[T](), dims)
	if len(data) != b.Len() {
		panic(fmt.Sprintf("BUG: buf: %d elements for shape %v", len(data), dims))
	}
	copy(Slice[T](b), data)
	return b
}
