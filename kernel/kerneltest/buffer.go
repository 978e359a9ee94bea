package kerneltest

import (
	"bytes"
	"encoding/binary"
	"math"
	"math/rand/v2"
	"unsafe"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/kernel"
)

// Buffer is the memory of one port. It starts at an odd element of a larger allocation, with a guard on both sides.
type Buffer struct {
	DType dtype.DType
	bytes []byte // guard, elements, guard
	n     int
}

const guard = 72 // bytes; a multiple of every element size, of no vector's

// NewBuffer makes a buffer of n elements, all zero.
func NewBuffer(d dtype.DType, n int) Buffer {
	b := Buffer{DType: d, n: n, bytes: make([]byte, 2*guard+n*d.Size())}
	for i := range guard {
		b.bytes[i], b.bytes[len(b.bytes)-1-i] = 0xa5, 0xa5
	}
	return b
}

// Clone copies the buffer.
func (b Buffer) Clone() Buffer {
	b.bytes = append([]byte(nil), b.bytes...)
	return b
}

// Intact reports whether the guards are as they were made.
func (b Buffer) Intact() bool {
	for i := range guard {
		if b.bytes[i] != 0xa5 || b.bytes[len(b.bytes)-1-i] != 0xa5 {
			return false
		}
	}
	return true
}

// Same reports whether two buffers have the same bytes, guards included.
func (b Buffer) Same(o Buffer) bool { return bytes.Equal(b.bytes, o.bytes) }

// Len returns the number of elements.
func (b Buffer) Len() int { return b.n }

// Pointer returns the address of the first element.
func (b Buffer) Pointer() unsafe.Pointer { return unsafe.Pointer(&b.bytes[guard]) }

// bits returns the bits of element i, and above them those of what lies behind it: other elements or the guard.
func (b Buffer) bits(i int) uint64 {
	return binary.LittleEndian.Uint64(b.bytes[guard+i*b.DType.Size():])
}

// SetBits stores the bits of element i.
func (b Buffer) SetBits(i int, v uint64) {
	behind := ^uint64(0) << (8 * b.DType.Size()) // no bits of an element of 64
	binary.LittleEndian.PutUint64(b.bytes[guard+i*b.DType.Size():], b.bits(i)&behind|v&^behind)
}

// Get returns element i.
func (b Buffer) Get(i int) Value {
	if b.DType.IsFloat() {
		return Value{F: kernel.Value(b.DType, b.bits(i))}
	}
	return Value{I: kernel.Integer(b.DType, b.bits(i))}
}

// Set stores element i.
func (b Buffer) Set(i int, v Value) {
	if b.DType.IsFloat() {
		b.SetBits(i, kernel.Bits(b.DType, v.F))
		return
	}
	b.SetBits(i, uint64(v.I))
}

// Fill sets all elements at random: mostly small numbers, some large, and the special values of the type.
func (b Buffer) Fill(r *rand.Rand) {
	for i := range b.n {
		if !b.DType.IsFloat() {
			v := r.Int64N(21) - 10
			if r.IntN(8) == 0 {
				v = r.Int64() - r.Int64()
			}
			if b.DType == dtype.Bool {
				v &= 1
			}
			b.SetBits(i, uint64(v))
			continue
		}
		v := r.NormFloat64() * 4
		switch r.IntN(24) {
		case 0:
			v = math.NaN()
		case 1:
			v = math.Inf(1 - 2*r.IntN(2))
		case 2:
			v = 0
		case 3:
			v = math.Copysign(0, -1)
		case 4:
			v *= 1e6
		case 5:
			v = float64(r.IntN(9) - 4)
		}
		b.Set(i, Value{F: v})
	}
}

// Sprinkle sets a few elements of a floating type to special values: infinities, NaN, zeros, subnormal
// numbers and the largest.
func (b Buffer) Sprinkle(r *rand.Rand, count int) {
	if !b.DType.IsFloat() || b.n == 0 {
		return
	}
	exponent := map[dtype.DType]int{dtype.F16: 16, dtype.F64: 1024}[b.DType]
	if exponent == 0 {
		exponent = 128
	}
	largest := math.Ldexp(1-Unit(b.DType)/2, exponent)
	tiny := map[dtype.DType]float64{dtype.F16: 0x1p-20, dtype.F64: 0x1p-1060}[b.DType]
	if tiny == 0 {
		tiny = 0x1p-130
	}
	special := []float64{math.NaN(), math.Inf(1), math.Inf(-1), 0, math.Copysign(0, -1), tiny, -tiny, largest, -largest}
	for range count {
		b.Set(r.IntN(b.n), Value{F: special[r.IntN(len(special))]})
	}
}
