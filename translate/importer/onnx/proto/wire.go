package proto

import (
	"encoding/binary"
	"fmt"
	"math"
)

// The wire types of protocol buffers.
const (
	wireVarint  = 0
	wireFixed64 = 1
	wireBytes   = 2
	wireFixed32 = 5
)

// message reads the fields of one encoded message in order. An error in it is a panic of type fault.
type message struct {
	data []byte
	base int // offset of data in the file
	next int // of the field after the current one
	at   int // offset in the file of the current field

	number int
	wire   int
	value  uint64 // of a varint or fixed field
	bytes  []byte // of a field with a length
	inside int    // offset of bytes in the file
}

func newMessage(data []byte, base int) *message { return &message{data: data, base: base} }

// sub is the message in the current field.
func (m *message) sub() *message {
	m.want(wireBytes)
	return newMessage(m.bytes, m.inside)
}

func (m *message) fail(format string, args ...any) { failAt(m.at, format, args...) }

// failAt reports an error at an offset in the file.
func failAt(at int, format string, args ...any) {
	failf("byte %d: %s", at, fmt.Sprintf(format, args...))
}

// fault is how readers report an error to [Read] and [ValueInfo.ReadValue]; it does not leave the package.
type fault struct{ error }

func failf(format string, args ...any) { panic(fault{fmt.Errorf(format, args...)}) }

// catch returns a fault as an error.
func catch(err *error) {
	switch f := recover().(type) {
	case nil:
	case fault:
		*err = f.error
	default:
		panic(f)
	}
}

func (m *message) varint() uint64 {
	v, n := binary.Uvarint(m.data[m.next:])
	if n <= 0 {
		m.fail("a number is cut off or too long")
	}
	m.next += n
	return v
}

func (m *message) fixed(n int) []byte {
	if len(m.data)-m.next < n {
		m.fail("a field of %d bytes is cut off", n)
	}
	m.next += n
	return m.data[m.next-n : m.next]
}

// more goes to the next field and reports whether there is one.
func (m *message) more() bool {
	m.at = m.base + m.next
	if m.next >= len(m.data) {
		return false
	}
	key := m.varint()
	if key>>3 == 0 || key>>3 > math.MaxInt32 {
		m.fail("field number %d is none of a protocol buffer", key>>3)
	}
	m.number, m.wire = int(key>>3), int(key&7)
	switch m.wire {
	case wireVarint:
		m.value = m.varint()
	case wireFixed64:
		m.value = binary.LittleEndian.Uint64(m.fixed(8))
	case wireFixed32:
		m.value = uint64(binary.LittleEndian.Uint32(m.fixed(4)))
	case wireBytes:
		n := m.varint()
		if n > uint64(len(m.data)-m.next) {
			m.fail("field %d has %d bytes, but only %d are left: the file is cut short, or is no ONNX model", m.number, n, len(m.data)-m.next)
		}
		m.inside = m.base + m.next
		m.bytes = m.fixed(int(n))
	default:
		m.fail("field %d has the unknown wire type %d: the file is damaged, or is no ONNX model", m.number, m.wire)
	}
	return true
}

func (m *message) want(wire int) {
	if m.wire != wire {
		m.fail("field %d has wire type %d, not %d", m.number, m.wire, wire)
	}
}

func (m *message) int() int64 {
	m.want(wireVarint)
	return int64(m.value)
}

func (m *message) float() float32 {
	m.want(wireFixed32)
	return math.Float32frombits(uint32(m.value))
}

func (m *message) text() string {
	m.want(wireBytes)
	return string(m.bytes)
}

// ints appends a repeated integer field, packed or not.
func (m *message) ints(list []int64) []int64 {
	if m.wire == wireVarint {
		return append(list, int64(m.value))
	}
	for p := m.sub(); p.next < len(p.data); {
		p.at = p.base + p.next
		list = append(list, int64(p.varint()))
	}
	return list
}

// words32 and words64 append a repeated fixed field, packed or not.
func (m *message) words32(list []uint32) []uint32 {
	if m.wire == wireFixed32 {
		return append(list, uint32(m.value))
	}
	for p := m.sub(); p.next < len(p.data); {
		p.at = p.base + p.next
		list = append(list, binary.LittleEndian.Uint32(p.fixed(4)))
	}
	return list
}

func (m *message) words64(list []uint64) []uint64 {
	if m.wire == wireFixed64 {
		return append(list, m.value)
	}
	for p := m.sub(); p.next < len(p.data); {
		p.at = p.base + p.next
		list = append(list, binary.LittleEndian.Uint64(p.fixed(8)))
	}
	return list
}
