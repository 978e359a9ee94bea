package npy

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

const (
	magic = "\x93NUMPY"
	// maxHeader bounds the text of a header, in bytes. Headers of plain arrays are 54 to 118.
	maxHeader = 64 << 10
	// maxRank is NumPy's own bound on dimensions.
	maxRank = 64
)

// header describes the array that follows it.
type header struct {
	dtype     dtype.DType
	bigEndian bool
	fortran   bool
	shape     []int
	offset    int64 // of the data in the file, in bytes
}

// Error is a fault of an .npy file.
type Error struct {
	Offset  int64 // in bytes
	Message string
}

func (e *Error) Error() string { return fmt.Sprintf("npy: byte %d: %s", e.Offset, e.Message) }

func failf(offset int, format string, args ...any) error {
	return &Error{int64(offset), fmt.Sprintf(format, args...)}
}

func readHeader(r io.Reader) (*header, error) {
	var start [8]byte
	if n, err := io.ReadFull(r, start[:]); err != nil {
		return nil, failf(n, "the file ends inside of its signature: %v", err)
	}
	if string(start[:6]) != magic {
		return nil, failf(0, "not an .npy file: it starts with %q instead of %q", start[:6], magic)
	}
	width := 4
	switch version := start[6]; version {
	case 1:
		width = 2
	case 2, 3:
	default:
		return nil, failf(6, "format version %d is not one of 1, 2, 3", version)
	}
	if start[7] != 0 {
		return nil, failf(7, "format version %d.%d is not one of 1.0, 2.0, 3.0", start[6], start[7])
	}
	var length [4]byte
	if n, err := io.ReadFull(r, length[:width]); err != nil {
		return nil, failf(8+n, "the file ends inside of the header's length: %v", err)
	}
	size := binary.LittleEndian.Uint32(length[:])
	if size > maxHeader {
		return nil, failf(8, "a header of %d bytes exceeds the limit of %d", size, maxHeader)
	}
	text := make([]byte, size)
	if n, err := io.ReadFull(r, text); err != nil {
		return nil, failf(8+width+n, "the file ends inside of its header: %v", err)
	}
	h, err := parseHeader(string(text), 8+width)
	if err != nil {
		return nil, err
	}
	h.offset = int64(8 + width + len(text))
	return h, nil
}

// parseHeader reads the Python dict literal of a header, which starts at byte base of the file.
func parseHeader(text string, base int) (*header, error) {
	p := &literal{text: text, base: base}
	h := &header{}
	var seen []string
	err := p.dict(func(key string) error {
		if slices.Contains(seen, key) {
			return p.fail("%q appears twice", key)
		}
		seen = append(seen, key)
		switch key {
		case "descr":
			return p.descriptor(h)
		case "fortran_order":
			return p.bool(&h.fortran)
		case "shape":
			return p.tuple(&h.shape)
		}
		return p.fail("%q is not a key of an .npy header", key)
	})
	if err != nil {
		return nil, err
	}
	for _, key := range []string{"descr", "fortran_order", "shape"} {
		if !slices.Contains(seen, key) {
			return nil, failf(base, "the header has no %q", key)
		}
	}
	if err := shape.Check(h.shape); err != nil {
		return nil, failf(base, "%v", err)
	}
	return h, nil
}

// literal is a reader of the few Python literals that headers are made of.
type literal struct {
	text string
	pos  int
	base int
}

func (p *literal) fail(format string, args ...any) error {
	return failf(p.base+p.pos, format, args...)
}

func (p *literal) skipSpace() {
	for p.pos < len(p.text) && strings.IndexByte(" \t\r\n\f", p.text[p.pos]) >= 0 {
		p.pos++
	}
}

// accept consumes token if it comes next.
func (p *literal) accept(token string) bool {
	p.skipSpace()
	if !strings.HasPrefix(p.text[p.pos:], token) {
		return false
	}
	p.pos += len(token)
	return true
}

func (p *literal) expect(token string) error {
	if !p.accept(token) {
		return p.fail("the header's syntax is wrong: %q expected", token)
	}
	return nil
}

func (p *literal) dict(entry func(key string) error) error {
	if err := p.expect("{"); err != nil {
		return err
	}
	for !p.accept("}") {
		key, err := p.string()
		if err != nil {
			return err
		}
		if err := p.expect(":"); err != nil {
			return err
		}
		if err := entry(key); err != nil {
			return err
		}
		if !p.accept(",") {
			if err := p.expect("}"); err != nil {
				return err
			}
			break
		}
	}
	if p.skipSpace(); p.pos != len(p.text) {
		return p.fail("text follows the header's dict")
	}
	return nil
}

func (p *literal) string() (string, error) {
	for _, quote := range []string{"'", `"`} {
		if p.accept(quote) {
			n := strings.Index(p.text[p.pos:], quote)
			if n < 0 {
				return "", p.fail("a string is not closed")
			}
			s := p.text[p.pos : p.pos+n]
			p.pos += n + 1
			return s, nil
		}
	}
	return "", p.fail("the header's syntax is wrong: a string expected")
}

func (p *literal) bool(to *bool) error {
	switch {
	case p.accept("True"):
		*to = true
	case p.accept("False"):
		*to = false
	default:
		return p.fail("the header's syntax is wrong: True or False expected")
	}
	return nil
}

func (p *literal) tuple(to *[]int) error {
	if err := p.expect("("); err != nil {
		return err
	}
	*to = []int{}
	for !p.accept(")") {
		if len(*to) == maxRank {
			return p.fail("more than %d dimensions", maxRank)
		}
		n, err := p.extent()
		if err != nil {
			return err
		}
		*to = append(*to, n)
		if !p.accept(",") {
			if len(*to) == 1 {
				return p.fail("the header's syntax is wrong: a tuple of one extent has a comma behind it")
			}
			return p.expect(")")
		}
	}
	return nil
}

func (p *literal) extent() (int, error) {
	p.skipSpace()
	end := p.pos
	for end < len(p.text) && p.text[end] >= '0' && p.text[end] <= '9' {
		end++
	}
	digits := p.text[p.pos:end]
	n, err := strconv.Atoi(digits)
	if err != nil || n > 0 && digits[0] == '0' { // Python refuses a zero ahead of other digits, which was octal once
		return 0, p.fail("the header's syntax is wrong: an extent expected")
	}
	p.pos = end
	p.accept("L") // Python 2 wrote long integers so
	return n, nil
}

func (p *literal) descriptor(h *header) error {
	if p.skipSpace(); p.pos < len(p.text) && p.text[p.pos] == '[' {
		return p.fail("arrays of records are not supported")
	}
	start := p.pos
	text, err := p.string()
	if err != nil {
		return err
	}
	kind := text
	if text != "" && strings.IndexByte("<>=|", text[0]) >= 0 {
		kind = text[1:]
		h.bigEndian = text[0] == '>'
	}
	for d, name := range descriptors {
		if name != "" && name[1:] == kind {
			h.dtype = dtype.DType(d)
			return nil
		}
	}
	p.pos = start
	if kind == "V2" {
		return p.fail("element type %q is untyped, perhaps bfloat16: save the array as f32", text)
	}
	return p.fail("element type %q is not supported", text)
}

// descriptors are NumPy's names of the element types, in the byte order that is written.
var descriptors = [...]string{
	dtype.Bool: "|b1", dtype.U8: "|u1", dtype.I8: "|i1", dtype.U16: "<u2", dtype.I16: "<i2",
	dtype.U32: "<u4", dtype.I32: "<i4", dtype.U64: "<u8", dtype.I64: "<i8", dtype.F16: "<f2", dtype.F32: "<f4", dtype.F64: "<f8",
	dtype.C64: "<c8", dtype.C128: "<c16",
}
