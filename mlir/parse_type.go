package mlir

import (
	"strconv"
	"strings"
	"unicode/utf8"
)

// maxWidth is the widest integer type, as in MLIR.
const maxWidth = 1<<24 - 1

// Type reads a type.
func (p *Parser) Type() Type {
	if p.is("(") {
		return p.FunctionType()
	}
	return p.nonFunctionType()
}

// bad is what the parser returns for a type or attribute after an error.
type bad struct{}

func (bad) String() string { return "<<error>>" }

func (p *Parser) nonFunctionType() Type {
	if !p.enter() {
		return bad{}
	}
	defer p.leave()
	switch p.tok.kind {
	case tokenBang:
		return p.dialectType()
	case tokenName:
		if t := p.builtinType(p.spell(p.tok)); t != nil {
			return t
		}
	}
	p.unexpected("a type")
	return bad{}
}

// TypeList reads types separated by commas.
func (p *Parser) TypeList() []Type {
	types := []Type{p.Type()}
	for p.Accept(",") {
		types = append(types, p.Type())
	}
	return types
}

// ResultTypes reads the types behind an arrow: one, or a list in parentheses.
func (p *Parser) ResultTypes() []Type {
	if !p.is("(") {
		return []Type{p.nonFunctionType()}
	}
	types := []Type{}
	p.List("(", ")", func() { types = append(types, p.Type()) })
	return types
}

// FunctionType reads (A, B) -> C.
func (p *Parser) FunctionType() FunctionType {
	if !p.enter() {
		return FunctionType{}
	}
	defer p.leave()
	var t FunctionType
	p.List("(", ")", func() { t.Inputs = append(t.Inputs, p.Type()) })
	p.Expect("->")
	t.Results = p.ResultTypes()
	return t
}

var simpleTypes = map[string]Type{
	"index": Index, "none": NoneType{}, "f80": FloatType{"f80"}, "f128": FloatType{"f128"},
	"i1": I1, "i8": I8, "i16": I16, "i32": I32, "i64": I64, "ui8": UI8,
}

func init() {
	for name := range floatFormats {
		simpleTypes[name] = FloatType{name}
	}
}

// nextIsType reports whether the current token can begin a type.
func (p *Parser) nextIsType() bool {
	switch p.tok.kind {
	case tokenBang:
		return true
	case tokenName:
		word := p.spell(p.tok)
		if _, ok := simpleTypes[word]; ok {
			return true
		}
		switch word {
		case "tensor", "vector", "memref", "complex", "tuple":
			return true
		}
		_, ok := integerType(word)
		return ok
	}
	return false
}

func (p *Parser) builtinType(word string) Type {
	if t, ok := simpleTypes[word]; ok {
		p.advance()
		return t
	}
	switch word {
	case "tensor":
		return p.tensorType()
	case "vector":
		return p.vectorType()
	case "memref":
		return p.memrefType()
	case "complex":
		p.advance()
		p.Expect("<")
		pos := p.tok.start
		t := ComplexType{p.Type()}
		p.refuse(pos, CheckElement(t))
		p.Expect(">")
		return t
	case "tuple":
		p.advance()
		var t TupleType
		p.List("<", ">", func() { t.Elems = append(t.Elems, p.Type()) })
		return t
	}
	if t, ok := integerType(word); ok {
		if t.Width > maxWidth {
			p.Errorf("integer types have at most %d bits", maxWidth)
		}
		p.advance()
		return t
	}
	return nil
}

// integerType reads i32, si8, ui16.
func integerType(word string) (IntegerType, bool) {
	var t IntegerType
	digits := word
	switch {
	case strings.HasPrefix(word, "si"):
		t.Signedness, digits = Signed, word[2:]
	case strings.HasPrefix(word, "ui"):
		t.Signedness, digits = Unsigned, word[2:]
	case strings.HasPrefix(word, "i"):
		digits = word[1:]
	default:
		return t, false
	}
	if digits == "" || !isDigit(digits[0]) {
		return t, false
	}
	n, err := strconv.ParseUint(digits, 10, 31)
	t.Width = int(n)
	return t, err == nil
}

// tensorType reads tensor<2x?xf32, encoding> and tensor<*xf32>.
func (p *Parser) tensorType() Type {
	p.advance()
	p.Expect("<")
	if p.is("*") {
		t := UnrankedTensorType{p.unranked()}
		p.refuse(p.tok.start, CheckElement(t))
		p.Expect(">")
		return t
	}
	shape, _ := p.dimensions(false)
	pos := p.tok.start
	t := TensorType{Shape: shape, Elem: p.Type()}
	p.refuse(pos, CheckElement(t))
	if p.Accept(",") {
		t.Encoding = p.Attr()
		p.encoding(t)
	}
	p.Expect(">")
	return t
}

// encoding lets the dialect of an encoding refuse the tensor.
func (p *Parser) encoding(t TensorType) {
	a, ok := t.Encoding.(OpaqueAttr)
	if !ok {
		return
	}
	prefix := strings.TrimPrefix(a.Text, "#")
	if d := dialects[prefix[:max(0, strings.IndexAny(prefix, ".<"))]]; d != nil && d.CheckEncoding != nil {
		p.refuse(p.tok.start, d.CheckEncoding(t))
	}
}

// refuse reports an error, if there is one and the parser has not failed before.
func (p *Parser) refuse(pos int, err error) {
	if err != nil && !p.Failed() {
		p.errorAt(pos, "%v", err)
	}
}

// unranked reads *xT.
func (p *Parser) unranked() Type {
	p.Expect("*")
	p.by()
	return p.Type()
}

func (p *Parser) vectorType() Type {
	p.advance()
	p.Expect("<")
	pos := p.tok.start
	shape, scalable := p.dimensions(true)
	for _, d := range shape {
		if d <= 0 {
			p.errorAt(pos, "vector types have static positive extents")
		}
	}
	pos = p.tok.start
	t := VectorType{Shape: shape, Scalable: scalable, Elem: p.Type()}
	p.refuse(pos, CheckElement(t))
	p.Expect(">")
	return t
}

// memrefType reads memref<2x?xf32, layout, space> and memref<*xf32, space>.
func (p *Parser) memrefType() Type {
	p.advance()
	p.Expect("<")
	if p.is("*") {
		t := UnrankedMemRefType{Elem: p.unranked()}
		p.refuse(p.tok.start, CheckElement(t))
		if p.Accept(",") {
			t.Space = p.Attr()
		}
		p.Expect(">")
		return t
	}
	shape, _ := p.dimensions(false)
	pos := p.tok.start
	t := MemRefType{Shape: shape, Elem: p.Type()}
	p.refuse(pos, CheckElement(t))
	for p.Accept(",") {
		switch a := p.Attr(); a.(type) {
		case AffineMapAttr, StridedAttr:
			if t.Layout != nil || t.Space != nil {
				p.Errorf("a memref has one layout, before its memory space")
			}
			t.Layout = a
			if m, ok := a.(AffineMapAttr); ok && m.Map.Dims != len(shape) {
				p.Errorf("the layout has %d dimensions, and the memref %d", m.Map.Dims, len(shape))
			}
			if s, ok := a.(StridedAttr); ok && len(s.Strides) != len(shape) {
				p.Errorf("the layout has %d strides, and the memref %d dimensions", len(s.Strides), len(shape))
			}
		default:
			if t.Space != nil {
				p.Errorf("a memref has one memory space")
			}
			t.Space = a
		}
	}
	if n, ok := t.Space.(IntegerAttr); ok && n.Value == 0 {
		t.Space = nil // the space that a memref is in anyway
	}
	if a, ok := t.Layout.(AffineMapAttr); ok && a.Map.isIdentity(len(shape)) {
		t.Layout = nil // and the layout that it has anyway
	}
	p.Expect(">")
	return t
}

// dimensions reads 2x?x[4]x, up to the element type. Only vectors have scalable
// extents; scalable is nil if there is none.
func (p *Parser) dimensions(vector bool) (shape []int, scalable []bool) {
	shape = []int{}
	any := false
	for !p.Failed() {
		if !vector {
			shape = p.closeExtents(shape)
		}
		inBrackets := vector && p.Accept("[")
		switch {
		case p.tok.kind == tokenInt:
			shape = append(shape, p.extent())
		case !vector && p.Accept("?"):
			shape = append(shape, Dynamic)
		case inBrackets:
			p.unexpected("an extent")
		default:
			if !any {
				scalable = nil
			}
			return shape, scalable
		}
		if inBrackets {
			p.Expect("]")
			any = true
		}
		scalable = append(scalable, inBrackets)
		p.by()
	}
	return shape, nil
}

// closeExtents reads the extents that stand without spaces, 2x?x4x, in one go: as
// tokens, the rest of a long shape would be scanned again for each.
func (p *Parser) closeExtents(shape []int) []int {
	pos, begin := p.tok.start, p.tok.start
	for {
		end := pos
		if end < len(p.text) && p.text[end] == '?' {
			end++
		} else {
			for end < len(p.text) && isDigit(p.text[end]) {
				end++
			}
		}
		if end == pos || end == len(p.text) || p.text[end] != 'x' {
			break
		}
		n := Dynamic
		if p.text[pos] != '?' {
			extent, err := strconv.ParseUint(p.text[pos:end], 10, 63)
			if err != nil {
				p.errorAt(pos, "extent out of range")
				return shape
			}
			n = int(extent)
		}
		shape = append(shape, n)
		pos = end + 1
	}
	if pos > begin {
		p.reset(pos)
	}
	return shape
}

// extent reads one static extent. The text 0x4 is the extent 0 and an x here, not
// a hex number.
func (p *Parser) extent() int {
	text := p.spell(p.tok)
	if strings.HasPrefix(text, "0x") {
		p.reset(p.tok.start + 1)
		return 0
	}
	n, err := strconv.ParseUint(text, 10, 63)
	if err != nil {
		p.Errorf("extent out of range")
	}
	p.advance()
	return int(n)
}

// by reads the x between extents, which may begin a longer token such as x4xf32
// or xf32.
func (p *Parser) by() {
	if p.tok.kind != tokenName || p.text[p.tok.start] != 'x' {
		p.unexpected("'x' between the extents of a shape")
		return
	}
	p.reset(p.tok.start + 1)
}

// dialectType reads !alias, !dialect.mnemonic<…> or !dialect<…>.
func (p *Parser) dialectType() Type {
	start := p.tok.start
	name := p.spell(p.tok)[1:]
	if t, ok := p.typeAliases[name]; ok {
		p.charge("!" + name)
		p.advance()
		return t
	}
	prefix, mnemonic, dotted := strings.Cut(name, ".")
	if d := dialects[prefix]; dotted && d != nil && d.ParseType != nil {
		p.advance()
		if t := d.ParseType(p, mnemonic); t != nil {
			return t
		}
		if p.Failed() {
			return bad{}
		}
		p.reset(start) // the dialect leaves it as text
	}
	text := p.dialectText()
	if p.Failed() {
		return bad{}
	}
	if !dotted && text == name {
		p.errorAt(start, "undefined type alias !%s", name)
		return bad{}
	}
	rest := strings.TrimPrefix(text[len(prefix):], ".")
	t := OpaqueType{Dialect: p.intern(prefix), Text: p.intern(rest)}
	if d := dialects[prefix]; d != nil && d.CheckType != nil {
		p.refuse(start, d.CheckType(t))
	}
	return t
}

// dialectText returns the source of a dialect symbol behind its sigil, with the
// balanced text in angle brackets that follows immediately, and moves behind it.
// Aliases in the brackets are replaced by what they stand for.
func (p *Parser) dialectText() string {
	start := p.tok.start + 1
	end := p.tok.end
	if strings.HasPrefix(p.text[end:], "<") {
		n := balanced(p.text[end:])
		if n < 0 {
			p.Errorf("unbalanced brackets")
			return ""
		}
		end += n
	}
	text := p.text[start:p.tok.end] + p.expandAliases(p.tok.end, end)
	p.reset(end)
	return pretty(oneLine(text))
}

// pretty writes dialect<mnemonic<…>> as dialect.mnemonic<…>, which is the same
// symbol. Any other text stays.
func pretty(text string) string {
	name, body, ok := strings.Cut(strings.TrimSuffix(text, ">"), "<")
	if !ok || strings.Contains(name, ".") || body == "" || !isLetter(body[0]) {
		return text
	}
	rest := strings.TrimLeftFunc(body, func(r rune) bool {
		return r == '.' || r == '_' || r < utf8.RuneSelf && isLetter(byte(r)) || '0' <= r && r <= '9'
	})
	if rest != "" && (rest[0] != '<' || rest[len(rest)-1] != '>') {
		return text
	}
	return name + "." + body
}

// oneLine joins the lines of a text by spaces, so that it is the same text however it was broken. One with
// comments stays.
func oneLine(text string) string {
	if !strings.ContainsAny(text, "\n\r") || strings.Contains(text, "//") {
		return text
	}
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i, l := range lines {
		lines[i] = strings.TrimSpace(l)
	}
	return strings.Join(lines, " ")
}

// balanced returns the length of the text from an opening bracket to its match,
// strings skipped, or -1. The arrow "->" is no bracket.
func balanced(text string) int {
	var open []byte
	for i := 0; i < len(text); i++ {
		switch c := text[i]; c {
		case '<', '(', '[', '{':
			open = append(open, c)
		case '-':
			if i+1 < len(text) && text[i+1] == '>' {
				i++
			}
		case '>', ')', ']', '}':
			if !matches(open[len(open)-1], c) {
				return -1
			}
			if open = open[:len(open)-1]; len(open) == 0 {
				return i + 1
			}
		case '"':
			l := lexer{text: text, pos: i}
			if l.stringLiteral() == tokenBad {
				return -1
			}
			i = l.pos - 1
		case 0:
			return -1
		}
	}
	return -1
}

func matches(open, closing byte) bool {
	switch open {
	case '(':
		return closing == ')'
	}
	return closing == open+2 // < > [ ] { } are two apart in ASCII
}
