package mlir

import (
	"bytes"
	"math"
	"strings"
)

// denseAttr reads dense<elements> : type. The type stands behind the elements, so
// they are skipped first and read when it is known.
func (p *Parser) denseAttr() Attribute {
	start, open, end := p.skipElements()
	p.Expect(":")
	typePos := p.tok.start
	t := p.Type()
	if p.Failed() {
		return bad{}
	}
	return p.denseElements(start, open, end, typePos, t)
}

// denseOf reads dense<elements> whose type is known.
func (p *Parser) denseOf(t Type) Attribute {
	start, open, end := p.skipElements()
	if p.Failed() {
		return bad{}
	}
	return p.denseElements(start, open, end, start, t)
}

// skipElements moves behind dense<…> and returns where it begins, its bracket opens,
// and it ends.
func (p *Parser) skipElements() (start, open, end int) {
	start = p.tok.start
	p.advance()
	if !p.is("<") {
		p.unexpected("'<'")
		return
	}
	open = p.tok.start
	n := balanced(p.text[open:])
	if n < 0 {
		p.Errorf("unbalanced brackets in dense elements")
		return
	}
	end = open + n
	p.reset(end)
	return start, open, end
}

func (p *Parser) denseElements(start, open, end, typePos int, t Type) Attribute {
	shape, elem, ok := ShapeOf(t)
	count, static := NumElements(shape)
	switch {
	case !ok || !static:
		p.errorAt(typePos, "dense elements need a static tensor or vector type, not %s", t)
		return bad{}
	}
	behind := p.tok.start
	p.reset(open + 1)
	d := denseParser{Parser: p, elem: elem, size: ElementSize(elem)}
	if d.size == 0 {
		d.value(shape, count)
	} else if data, n, ok := readPlainList(p.text[open+1:end-1], shape, elem); ok {
		d.data = data
		p.reset(open + 1 + n)
	} else {
		d.value(shape, count)
	}
	if !p.Failed() && p.tok.start != end-1 {
		p.unexpected("'>'")
	}
	if p.Failed() {
		return bad{}
	}
	p.reset(behind)
	if d.size == 0 {
		return OpaqueAttr{strings.Clone(p.text[start:end]) + " : " + t.String(), t}
	}
	a, err := NewDense(t, d.data)
	if err != nil {
		p.errorAt(open, "%v", err)
		return bad{}
	}
	return a
}

// denseParser reads the elements of one dense attribute.
type denseParser struct {
	*Parser
	elem Type
	size int // bytes of an element; 0 for elements that are kept as text
	data []byte
}

// value reads a splat, a nested list, a hex blob, or nothing for no elements.
func (d *denseParser) value(shape []int, count int) {
	switch {
	case d.is(">"):
		if count != 0 {
			d.Errorf("%d elements expected, none found", count)
		}
	case d.is("["):
		// The text bounds the allocation: an element takes at least two bytes of it.
		d.data = make([]byte, 0, d.size*min(count, (len(d.text)-d.pos)/2+1))
		d.list(shape, 0)
	case d.tok.kind == tokenString && !d.strings():
		d.blob(count)
	case d.is("("):
		d.pair()
		if n := len(d.data) / max(d.size, 1); !d.Failed() && (n*d.size != len(d.data) || n != count && n != 1) {
			d.Errorf("the pairs do not make %d elements", count)
		}
	default:
		d.element()
	}
	if count == 0 {
		d.data = nil // one value for all of no elements
	}
}

// list reads one bracket level; the extents of the type bound the nesting.
func (d *denseParser) list(shape []int, level int) {
	if level >= len(shape) {
		d.Errorf("more nested lists than dimensions")
		return
	}
	if !d.enter() {
		return
	}
	defer d.leave()
	n := 0
	d.List("[", "]", func() {
		n++
		switch {
		case n > shape[level]:
			d.Errorf("more than %d elements in dimension %d", shape[level], level)
		case level == len(shape)-1 && !d.is("["):
			d.element()
		default:
			d.list(shape, level+1)
		}
	})
	if n < shape[level] {
		d.Errorf("%d elements in dimension %d, expected %d", n, level, shape[level])
	}
}

// strings reports whether the elements are strings: those of types that are neither numbers nor complex.
func (d *denseParser) strings() bool {
	switch d.elem.(type) {
	case IntegerType, IndexType, FloatType, ComplexType:
		return false
	}
	return true
}

func (d *denseParser) element() {
	if d.strings() {
		if d.tok.kind != tokenString {
			d.unexpected("a string, which is how elements of " + d.elem.String() + " are written")
			return
		}
		d.advance()
		return
	}
	c, isComplex := d.elem.(ComplexType)
	if !isComplex {
		d.scalar(d.elem)
		return
	}
	if !d.is("(") { // a real number stands for both parts of nothing: refuse it
		d.unexpected("a complex number (re, im)")
		return
	}
	d.advance()
	d.scalar(c.Elem)
	d.Expect(",")
	d.scalar(c.Elem)
	d.Expect(")")
}

// pair reads (x, y), where each is a number or a pair: without square brackets, pairs of
// pairs list all numbers of the elements in order.
func (d *denseParser) pair() {
	if !d.enter() {
		return
	}
	defer d.leave()
	number := d.elem
	if c, ok := d.elem.(ComplexType); ok {
		number = c.Elem
	}
	part := func() {
		if d.is("(") {
			d.pair()
		} else {
			d.scalar(number)
		}
	}
	d.Expect("(")
	part()
	d.Expect(",")
	part()
	d.Expect(")")
}

func (d *denseParser) scalar(t Type) {
	if d.tok.kind == tokenName && SameType(t, I1) && (d.is("true") || d.is("false")) {
		d.data = appendIntElement(d.data, int64(btoi(d.is("true"))), t)
		d.advance()
		return
	}
	negative := d.Accept("-")
	tok := d.tok
	if tok.kind != tokenInt && tok.kind != tokenFloat {
		d.unexpected("a number")
		return
	}
	_, isFloat := t.(FloatType)
	switch _, known := formatOf(t); {
	case isFloat && !known && tok.kind == tokenInt:
		d.wideBits(tok, negative, t)
	case isFloat && !known:
		d.floatLiteral(tok, negative, t)
	case isFloat:
		d.data = appendFloatElement(d.data, d.floatLiteral(tok, negative, t), t)
	default:
		d.data = appendIntElement(d.data, d.intLiteral(tok, negative, t), t)
	}
	d.advance()
}

func btoi(b bool) int {
	if b {
		return 1
	}
	return 0
}

// blob reads "0x…": the little-endian bytes of all elements, or of one.
func (d *denseParser) blob(count int) {
	pos := d.tok.start
	literal := d.spell(d.tok)
	data, ok := decodeHex(literal[1 : len(literal)-1])
	d.advance()
	switch {
	case !ok:
		d.errorAt(pos, "expected a string of hex digits that begins with 0x")
		return
	case SameType(d.elem, I1):
		data, ok = unpackBits(data, count)
	case d.size == 0: // floats of more than 64 bits, or integers of none
		_, empty := d.elem.(IntegerType)
		ok = !empty
	default:
		ok = len(data) == d.size || count <= math.MaxInt/d.size && len(data) == count*d.size
	}
	if !ok {
		d.errorAt(pos, "the hex string does not hold %d elements of %s", count, d.elem)
		return
	}
	d.data = data
}

// unpackBits turns packed bools into bytes, unless there is a byte for each. A single byte 0 or 255 is a splat.
func unpackBits(packed []byte, count int) ([]byte, bool) {
	if len(packed) == 1 && count != 1 && (packed[0] == 0 || packed[0] == 255) {
		return []byte{packed[0] & 1}, true
	}
	if len(packed) == count && count > 1 { // a byte each, as LLVM writes them since version 22
		for _, b := range packed {
			if b > 1 {
				return nil, false
			}
		}
		return packed, true
	}
	if len(packed) != count/8+btoi(count%8 != 0) {
		return nil, false
	}
	out := bytes.Repeat([]byte{0}, count)
	for i := range out {
		out[i] = packed[i/8] >> (i % 8) & 1
	}
	return out, true
}

// hexDigit maps a byte to its value, and what is no hex digit to 255.
var hexDigit = func() (table [256]byte) {
	for i := range table {
		table[i] = 255
	}
	for i, c := range "0123456789abcdef" {
		table[c] = byte(i)
		if c >= 'a' {
			table[c-'a'+'A'] = byte(i)
		}
	}
	return table
}()

// decodeHex reads "0x" and an even number of hex digits.
func decodeHex(text string) ([]byte, bool) {
	if !strings.HasPrefix(text, "0x") || len(text)%2 != 0 {
		return nil, false
	}
	text = text[2:]
	out := make([]byte, len(text)/2)
	var invalid byte
	for i := range out {
		high, low := hexDigit[text[2*i]], hexDigit[text[2*i+1]]
		invalid |= high | low
		out[i] = high<<4 | low
	}
	return out, invalid&0xF0 == 0
}

// denseArray reads array<i64: 1, 2>.
func (p *Parser) denseArray() Attribute {
	p.advance()
	p.Expect("<")
	a := DenseArrayAttr{Elem: p.Type()}
	_, isFloat := a.Elem.(FloatType)
	if i, isInt := a.Elem.(IntegerType); !isFloat && (!isInt || i.Width > 64 || i.Width != 1 && i.Width%8 != 0) {
		p.Errorf("array<…> holds floats, i1, or integers of 8, 16, … 64 bits, not %s", a.Elem)
		return bad{}
	}
	for first := true; !p.Failed() && !p.is(">"); first = false {
		if first {
			p.Expect(":")
		} else {
			p.Expect(",")
		}
		word := p.NextKeyword()
		if SameType(a.Elem, I1) && (word == "true" || word == "false") {
			a.Ints = append(a.Ints, int64(btoi(word == "true")))
			p.advance()
			continue
		}
		negative := p.Accept("-")
		tok := p.tok
		switch {
		case SameType(a.Elem, I1):
			p.unexpected("true or false")
		case tok.kind != tokenInt && tok.kind != tokenFloat:
			p.unexpected("a number")
		case isFloat:
			a.Floats = append(a.Floats, p.floatLiteral(tok, negative, a.Elem))
		default:
			a.Ints = append(a.Ints, p.intLiteral(tok, negative, a.Elem))
		}
		p.advance()
	}
	p.Expect(">")
	return a
}
