package pickle

import (
	"fmt"
	"unsafe"
)

// machine is the stack machine; its fields are Python's, the calls are left out.
type machine struct {
	data   []byte
	next   int // of the first byte not read yet
	start  int // of the instruction in hand
	limits Limits
	stack  []Value
	marks  []int // stack heights at which marks lie
	memo   map[uint32]Value
	values int // made, copied or stored so far
}

// fault is how the machine's methods report an error to [Read]; it does not leave the package.
type fault struct{ err *Error }

func (m *machine) fail(format string, args ...any) {
	panic(fault{&Error{m.start, fmt.Sprintf(format, args...)}})
}

// Read reads the pickle in data up to its STOP instruction. The tree shares the memory of data,
// which must not be changed afterwards. An instruction that is not supported, an input that ends, and what exceeds the
// limits are errors with the offset of the byte.
func Read(data []byte, limits Limits) (Value, error) {
	v, _, err := ReadPrefix(data, limits)
	return v, err
}

// ReadPrefix is [Read] that also returns the number of bytes read, for streams in which several
// pickles follow each other. Errors are those of [Read].
func ReadPrefix(data []byte, limits Limits) (value Value, size int, err error) {
	limits = limits.withDefaults()
	if len(data) > limits.Bytes {
		return nil, 0, &Error{0, fmt.Sprintf("%d bytes exceed the limit of %d", len(data), limits.Bytes)}
	}
	m := &machine{data: data, limits: limits, memo: map[uint32]Value{}}
	defer func() {
		switch f := recover().(type) {
		case nil:
		case fault:
			value, size, err = nil, 0, f.err
		default:
			panic(f)
		}
	}()
	value = m.run()
	return value, m.next, nil
}

func (m *machine) run() Value {
	for {
		m.start = m.next
		if m.next == len(m.data) {
			m.fail("the input ends without a STOP instruction")
		}
		op := m.byte()
		if op == opStop {
			return m.result()
		}
		switch {
		case m.scalar(op), m.text(op), m.container(op), m.memory(op), m.object(op):
		default:
			m.refuse(op)
		}
	}
}

func (m *machine) result() Value {
	v := m.pop()
	if len(m.stack) != 0 {
		m.fail("STOP leaves %d values on the stack", len(m.stack))
	}
	return v
}

func (m *machine) refuse(op byte) {
	switch op {
	case opExt1, opExt2, opExt4:
		m.fail("instruction 0x%02x needs Python's extension registry", op)
	case opNextBuffer, opReadOnlyBuffer:
		m.fail("instruction 0x%02x needs a buffer that is kept outside of the pickle", op)
	}
	m.fail("0x%02x is not an instruction of a pickle", op)
}

// take returns the next n bytes of the input without copying them.
func (m *machine) take(n uint64, what string) []byte {
	left := uint64(len(m.data) - m.next)
	if n > left {
		m.fail("the input ends inside of %s: %d bytes wanted, %d left", what, n, left)
	}
	b := m.data[m.next : m.next+int(n) : m.next+int(n)]
	m.next += int(n)
	return b
}

func (m *machine) byte() byte { return m.take(1, "an instruction")[0] }

// uint reads an unsigned little-endian integer of n bytes.
func (m *machine) uint(n int) uint64 {
	var v uint64
	for i, b := range m.take(uint64(n), "a number") {
		v |= uint64(b) << (8 * i)
	}
	return v
}

// line returns the bytes up to the next newline, which is consumed and left out.
func (m *machine) line(what string) string {
	for i := m.next; i < len(m.data); i++ {
		if m.data[i] == '\n' {
			s := share(m.data[m.next:i])
			m.next = i + 1
			return s
		}
	}
	m.fail("the input ends inside of %s", what)
	return ""
}

// share returns a string over the bytes of the input, which nobody changes.
func share(b []byte) string { return unsafe.String(unsafe.SliceData(b), len(b)) }

func (m *machine) push(v Value) {
	m.count()
	m.stack = append(m.stack, v)
}

func (m *machine) store(index uint32) {
	m.count()
	m.memo[index] = m.top()
}

func (m *machine) count() {
	if m.values++; m.values > m.limits.Values {
		m.fail("the pickle has more than %d values", m.limits.Values)
	}
}

// floor is the height below which the instruction in hand must not pop: the height of the last mark.
func (m *machine) floor() int {
	if len(m.marks) == 0 {
		return 0
	}
	return m.marks[len(m.marks)-1]
}

func (m *machine) pop() Value {
	v := m.top()
	m.stack = m.stack[:len(m.stack)-1]
	return v
}

func (m *machine) top() Value {
	if len(m.stack) <= m.floor() {
		m.fail("the stack is empty")
	}
	return m.stack[len(m.stack)-1]
}

// popMark removes the last mark and returns a copy of what lies above it.
func (m *machine) popMark() []Value {
	if len(m.marks) == 0 {
		m.fail("there is no mark on the stack")
	}
	height := m.floor()
	m.marks = m.marks[:len(m.marks)-1]
	items := append([]Value(nil), m.stack[height:]...)
	clear(m.stack[height:])
	m.stack = m.stack[:height]
	return items
}
