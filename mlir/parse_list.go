package mlir

import (
	"encoding/binary"
	"strconv"

	"github.com/go-acap/acap/base/dtype/float"
)

// plainList reads nested lists of numbers without cutting the text into tokens: constants are most of a large file.
// It leaves text that it does not know (comments, wrong lengths, numbers out of range) to the parser, which reads or
// reports it token by token.
type plainList struct {
	text  string
	pos   int
	shape []int
	elem  Type
	parts int // numbers of an element
	size  int // bytes of a number
	data  []byte

	float   bool
	format  float.Format
	integer IntegerType
}

// maxPlainRank bounds the depth of lists that are read in this way.
const maxPlainRank = 32

// readPlainList returns the elements of the list at the beginning of text and where it ends.
func readPlainList(text string, shape []int, elem Type) (data []byte, end int, ok bool) {
	count, static := NumElements(shape)
	if len(shape) == 0 || len(shape) > maxPlainRank || !static {
		return nil, 0, false
	}
	l := plainList{text: text, shape: shape, elem: elem, parts: 1}
	if c, isComplex := elem.(ComplexType); isComplex {
		l.elem, l.parts = c.Elem, 2
	}
	switch t := l.elem.(type) {
	case FloatType:
		l.format, l.float = formatOf(t)
		ok = l.float
	case IntegerType:
		l.integer, ok = t, t.Width <= 64
	case IndexType:
		l.integer, ok = IntegerType{Width: 64, Signedness: Signed}, true
	}
	if !ok {
		return nil, 0, false
	}
	l.size = ElementSize(l.elem)
	// The text bounds the allocation: an element takes at least two bytes of it.
	l.data = make([]byte, 0, l.parts*l.size*min(count, len(text)/2+1))
	if !l.list(0) {
		return nil, 0, false
	}
	return l.data, l.pos, true
}

// eat moves behind white space and a byte, or reports that another one is there.
func (l *plainList) eat(c byte) bool {
	for l.pos < len(l.text) {
		switch l.text[l.pos] {
		case ' ', '\n', '\t', '\r':
			l.pos++
			continue
		case c:
			l.pos++
			return true
		}
		return false
	}
	return false
}

func (l *plainList) list(level int) bool {
	if !l.eat('[') {
		return false
	}
	for i := range l.shape[level] {
		if i > 0 && !l.eat(',') {
			return false
		}
		if level+1 < len(l.shape) {
			if !l.list(level + 1) {
				return false
			}
		} else if !l.element() {
			return false
		}
	}
	return l.eat(']')
}

func (l *plainList) element() bool {
	if l.parts == 1 {
		return l.number()
	}
	return l.eat('(') && l.number() && l.eat(',') && l.number() && l.eat(')')
}

// number reads one number, up to a byte that cannot be part of it.
func (l *plainList) number() bool {
	negative := l.eat('-')
	start := l.pos
	for l.pos < len(l.text) && isNumberByte[l.text[l.pos]] {
		l.pos++
	}
	text := l.text[start:l.pos]
	if text == "" {
		return false
	}
	if l.float {
		return l.appendFloat(text, negative)
	}
	return l.appendInteger(text, negative)
}

// isNumberByte tells the bytes of numbers and of the words true and false.
var isNumberByte = func() (table [256]bool) {
	for _, c := range []byte("0123456789.+-xXabcdefABCDEFtrusl") {
		table[c] = true
	}
	return table
}()

func isHexLiteral(text string) bool { return len(text) > 2 && text[0] == '0' && text[1] == 'x' }

func (l *plainList) appendFloat(text string, negative bool) bool {
	var bits uint64
	if isHexLiteral(text) {
		n, err := strconv.ParseUint(text[2:], 16, 64)
		if err != nil || negative || l.format.Bits < 64 && n>>l.format.Bits != 0 {
			return false
		}
		bits = l.format.Encode(l.format.Decode(n))
	} else {
		point := 0
		for point < len(text) && isDigit(text[point]) {
			point++
		}
		if point == 0 || point == len(text) || text[point] != '.' {
			return false
		}
		width := 64
		if l.format.Bits == 32 {
			width = 32
		}
		v, err := strconv.ParseFloat(text, width)
		if err != nil && v == 0 {
			return false
		}
		if negative {
			v = -v
		}
		bits = l.format.Encode(v)
	}
	l.append(bits)
	return true
}

// append puts a number of at most 64 bits behind the others.
func (l *plainList) append(bits uint64) {
	switch l.size {
	case 1:
		l.data = append(l.data, byte(bits))
	case 2:
		l.data = binary.LittleEndian.AppendUint16(l.data, uint16(bits))
	case 4:
		l.data = binary.LittleEndian.AppendUint32(l.data, uint32(bits))
	case 8:
		l.data = binary.LittleEndian.AppendUint64(l.data, bits)
	default:
		for i := range l.size {
			l.data = append(l.data, byte(bits>>(8*i)))
		}
	}
}

func (l *plainList) appendInteger(text string, negative bool) bool {
	t := l.integer
	if t.Width == 1 {
		if negative || text != "true" && text != "false" {
			return false
		}
		l.append(uint64(btoi(text == "true")))
		return true
	}
	n, ok := uint64(0), len(text) < 19
	for i := 0; ok && i < len(text); i++ {
		ok = isDigit(text[i])
		n = 10*n + uint64(text[i]-'0')
	}
	if !ok {
		var err error
		if n, err = parseUint(text); err != nil {
			return false
		}
	}
	half := uint64(1) << (t.Width - 1)
	fits := n <= 2*half-1
	switch {
	case negative:
		fits = n <= half && (t.Signedness != Unsigned || n == 0)
		n = -n
	case t.Signedness == Signed:
		fits = n < half
	}
	if shift := 64 - t.Width; t.Signedness == Unsigned {
		n = n << shift >> shift
	} else {
		n = uint64(int64(n<<shift) >> shift)
	}
	l.append(n)
	return fits
}
