package pickle

import (
	"math"
	"math/big"
	"strconv"
	"strings"
	"unicode/utf8"
)

// scalar executes the instructions that push None, a truth value or a number.
func (m *machine) scalar(op byte) bool {
	switch op {
	case opNone:
		m.push(nil)
	case opNewTrue:
		m.push(true)
	case opNewFalse:
		m.push(false)
	case opBinInt:
		m.push(int64(int32(m.uint(4))))
	case opBinInt1:
		m.push(int64(m.uint(1)))
	case opBinInt2:
		m.push(int64(m.uint(2)))
	case opLong1:
		m.push(m.long(m.uint(1)))
	case opLong4:
		m.push(m.long(m.uint(4)))
	case opInt:
		m.push(m.decimal(true))
	case opLong:
		m.push(m.decimal(false))
	case opBinFloat:
		bits := m.take(8, "a float")
		var v uint64
		for _, b := range bits { // the one big-endian number of the format
			v = v<<8 | uint64(b)
		}
		m.push(math.Float64frombits(v))
	case opFloat:
		text := m.line("a float")
		v, err := strconv.ParseFloat(text, 64)
		if err != nil && !math.IsInf(v, 0) {
			m.fail("%.40q is not a float", text)
		}
		m.push(v)
	default:
		return false
	}
	return true
}

// long reads a two's complement little-endian integer of n bytes.
func (m *machine) long(n uint64) Value {
	if n > uint64(m.limits.LongDigits) {
		m.fail("an integer of %d bytes exceeds the limit of %d", n, m.limits.LongDigits)
	}
	b := m.take(n, "an integer")
	if n <= 8 {
		var v uint64
		for i, x := range b {
			v |= uint64(x) << (8 * i)
		}
		if n == 0 {
			return int64(0)
		}
		shift := 64 - 8*n
		return int64(v<<shift) >> shift
	}
	magnitude := make([]byte, n)
	for i, x := range b {
		magnitude[int(n)-1-i] = x
	}
	v := new(big.Int).SetBytes(magnitude)
	if b[n-1]&0x80 != 0 {
		v.Sub(v, new(big.Int).Lsh(big.NewInt(1), uint(8*n)))
	}
	return small(v)
}

// decimal reads the text form of an integer; as INT, 00 and 01 are truth values.
func (m *machine) decimal(isInt bool) Value {
	text := m.line("an integer")
	if isInt && text == "00" {
		return false
	}
	if isInt && text == "01" {
		return true
	}
	digits := strings.TrimSuffix(text, "L")
	if len(digits) > m.limits.LongDigits {
		m.fail("an integer of %d digits exceeds the limit of %d", len(digits), m.limits.LongDigits)
	}
	v, ok := new(big.Int).SetString(digits, 10)
	if !ok {
		m.fail("%.40q is not an integer", text)
	}
	return small(v)
}

func small(v *big.Int) Value {
	if v.IsInt64() {
		return v.Int64()
	}
	return v
}

// text executes the instructions that push a string or bytes.
func (m *machine) text(op byte) bool {
	switch op {
	case opShortBinUnicode:
		m.push(m.unicode(m.uint(1)))
	case opBinUnicode:
		m.push(m.unicode(m.uint(4)))
	case opBinUnicode8:
		m.push(m.unicode(m.uint(8)))
	case opShortBinString:
		m.push(share(m.take(m.uint(1), "a string")))
	case opBinString:
		m.push(share(m.take(m.uint(4), "a string")))
	case opShortBinBytes:
		m.push(Bytes(m.take(m.uint(1), "bytes")))
	case opBinBytes:
		m.push(Bytes(m.take(m.uint(4), "bytes")))
	case opBinBytes8, opByteArray8:
		m.push(Bytes(m.take(m.uint(8), "bytes")))
	case opString:
		m.push(m.quoted())
	case opUnicode:
		m.push(unescapeUnicode(m.line("a string")))
	default:
		return false
	}
	return true
}

func (m *machine) unicode(n uint64) string {
	b := m.take(n, "a string")
	if !utf8.Valid(b) {
		m.fail("a string is not valid UTF-8")
	}
	return share(b)
}

// quoted reads the text form of a byte string: a Python literal in single or double quotes.
func (m *machine) quoted() string {
	text := m.line("a string")
	n := len(text)
	if n < 2 || text[0] != text[n-1] || text[0] != '\'' && text[0] != '"' {
		m.fail("%.40q is not a quoted string", text)
	}
	body := text[1 : n-1]
	if !strings.Contains(body, `\`) {
		return body
	}
	var out strings.Builder
	for quote := text[0]; body != ""; {
		r, multibyte, rest, err := strconv.UnquoteChar(body, quote)
		if err != nil {
			m.fail("%.40q is not a quoted string", text)
		}
		if r < utf8.RuneSelf || !multibyte {
			out.WriteByte(byte(r))
		} else {
			out.WriteRune(r)
		}
		body = rest
	}
	return out.String()
}

// unescapeUnicode decodes Python's raw-unicode-escape: \u and \U are escapes, every other byte is
// a character of Latin-1.
func unescapeUnicode(s string) string {
	var out strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+1 < len(s) {
			end := i + 2 + map[byte]int{'u': 4, 'U': 8}[s[i+1]]
			if end > i+2 && end <= len(s) {
				if r, err := strconv.ParseUint(s[i+2:end], 16, 32); err == nil {
					out.WriteRune(rune(r))
					i = end - 1
					continue
				}
			}
		}
		out.WriteRune(rune(s[i]))
	}
	return out.String()
}
