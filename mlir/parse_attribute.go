package mlir

import (
	"math/big"
	"slices"
	"strconv"
	"strings"
)

// Attr reads an attribute.
func (p *Parser) Attr() Attribute {
	if !p.enter() {
		return bad{}
	}
	defer p.leave()
	switch p.tok.kind {
	case tokenInt, tokenFloat:
		return p.numberAttr(false)
	case tokenString:
		return p.stringAttr()
	case tokenAt:
		return p.symbolRef()
	case tokenHash:
		return p.dialectAttr()
	case tokenName:
		if a := p.keywordAttr(p.spell(p.tok)); a != nil {
			return a
		}
	case tokenPunct:
		switch p.spell(p.tok) {
		case "[":
			return p.ArrayAttr()
		case "{":
			return DictAttr(p.attrDict(nil))
		case "-":
			p.advance()
			return p.numberAttr(true)
		}
	}
	if p.nextIsType() || p.is("(") {
		return TypeAttr{p.Type()}
	}
	p.unexpected("an attribute")
	return bad{}
}

func (p *Parser) keywordAttr(word string) Attribute {
	switch word {
	case "true", "false":
		p.advance()
		return Bool(word == "true")
	case "unit":
		p.advance()
		return UnitAttr{}
	case "affine_map", "affine_set":
		return p.affineAttr()
	case "array":
		return p.denseArray()
	case "dense":
		return p.denseAttr()
	case "dense_resource":
		return p.resourceAttr()
	case "strided":
		return p.stridedAttr()
	case "loc":
		return LocationAttr{p.location()}
	case "sparse", "distinct":
		return p.verbatimAttr()
	}
	return nil
}

// ArrayAttr reads [a, b].
func (p *Parser) ArrayAttr() ArrayAttr {
	a := ArrayAttr{}
	p.List("[", "]", func() { a = append(a, p.Attr()) })
	return a
}

// AttrDict reads {a = 1, b} if it comes next.
func (p *Parser) AttrDict() Attrs { return p.AttrDictWithWords(nil) }

// AttrDictWithWords is [Parser.AttrDict] for an operation that writes some attributes as words: given a name and
// the word behind it, word returns the attribute, or nil for what is read as usual.
func (p *Parser) AttrDictWithWords(word func(name, text string) Attribute) Attrs {
	if !p.is("{") {
		return nil
	}
	return p.attrDict(word)
}

// AttrDictWithKeyword reads attributes {a = 1, b}, if the keyword comes next.
func (p *Parser) AttrDictWithKeyword() Attrs {
	if !p.Accept("attributes") {
		return nil
	}
	return p.attrDict(nil)
}

// AttrDictOrAlias reads {a = 1, b}, or the alias of a dictionary.
func (p *Parser) AttrDictOrAlias() Attrs {
	if p.tok.kind != tokenHash {
		return p.attrDict(nil)
	}
	pos := p.tok.start
	d, ok := p.Attr().(DictAttr)
	if !ok {
		p.errorAt(pos, "expected a dictionary of attributes")
	}
	return slices.Clone(Attrs(d))
}

func (p *Parser) attrDict(word func(name, text string) Attribute) Attrs {
	var attrs Attrs
	seen := map[string]bool{}
	p.List("{", "}", func() {
		pos := p.tok.start
		name := ""
		if p.tok.kind == tokenString {
			if name = p.Str(); name == "" {
				p.errorAt(pos, "an attribute needs a name")
			}
		} else {
			name = p.Keyword()
		}
		if seen[name] {
			p.errorAt(pos, "attribute %q occurs twice", name)
		}
		seen[name] = true
		n := Named{name, UnitAttr{}}
		if p.Accept("=") {
			var known Attribute
			if text := p.NextKeyword(); text != "" && word != nil {
				known = word(name, text)
			}
			if n.Value = known; known != nil {
				p.Keyword()
			} else {
				n.Value = p.Attr()
			}
		}
		attrs = append(attrs, n)
	})
	return attrs
}

// numberAttr reads a number with an optional type: i64 and f64 are the defaults.
func (p *Parser) numberAttr(negative bool) Attribute {
	pos, tok := p.tok.start, p.tok
	if tok.kind != tokenInt && tok.kind != tokenFloat {
		p.unexpected("a number")
		return bad{}
	}
	p.advance()
	var t Type = I64
	if tok.kind == tokenFloat {
		t = F64
	}
	if p.Accept(":") {
		t = p.Type()
	}
	switch t.(type) {
	case FloatType:
		if _, known := formatOf(t); !known && tok.kind == tokenInt {
			return p.wideBits(tok, negative, t)
		}
		return FloatAttr{p.floatLiteral(tok, negative, t), t}
	case IntegerType, IndexType:
		if BitWidth(t) > 64 && tok.kind == tokenInt {
			return p.wideInteger(tok, negative, t)
		}
		return IntegerAttr{p.intLiteral(tok, negative, t), t}
	}
	p.errorAt(pos, "a number cannot be of type %s", t)
	return bad{}
}

// wideInteger returns a value of a type of more than 64 bits: as a number if 64 bits
// hold it, else as text.
func (p *Parser) wideInteger(tok token, negative bool, t Type) Attribute {
	n, ok := new(big.Int), false
	if digits := p.spell(tok); len(digits) <= BitWidth(t) { // else it cannot fit
		n, ok = n.SetString(digits, 0)
	}
	if negative && ok {
		n.Neg(n)
	}
	if !ok || n.BitLen() > BitWidth(t) || negative && n.Sign() == 0 {
		p.errorAt(tok.start, "integer out of range for %s", t)
		return bad{}
	}
	if n.IsInt64() {
		return IntegerAttr{n.Int64(), t}
	}
	return OpaqueAttr{n.String() + " : " + t.String(), t}
}

// wideBits returns the bits of a float of more than 64 bits, as text.
func (p *Parser) wideBits(tok token, negative bool, t Type) Attribute {
	digits, hex := strings.CutPrefix(p.spell(tok), "0x")
	switch digits = strings.TrimLeft(digits, "0"); {
	case !hex:
		p.errorAt(tok.start, "a value of type %s needs a decimal point", t)
	case negative:
		p.errorAt(tok.start, "the bits of a float have no minus sign")
	case 4*len(digits) > BitWidth(t):
		p.errorAt(tok.start, "the bits do not fit type %s", t)
	default:
		return OpaqueAttr{p.spell(tok) + " : " + t.String(), t}
	}
	return bad{}
}

// floatLiteral converts a token to a value of a floating type; 0x gives the bits.
func (p *Parser) floatLiteral(tok token, negative bool, t Type) float64 {
	text := p.spell(tok)
	format, known := formatOf(t)
	if tok.kind == tokenInt {
		bits, err := parseUint(text)
		switch {
		case !strings.HasPrefix(text, "0x"):
			p.errorAt(tok.start, "a value of type %s needs a decimal point", t)
		case negative:
			p.errorAt(tok.start, "the bits of a float have no minus sign")
		case !known || err != nil || format.Bits < 64 && bits>>format.Bits != 0:
			p.errorAt(tok.start, "the bits do not fit type %s", t)
		default:
			return format.Decode(bits)
		}
		return 0
	}
	size := 64
	if format.Bits == 32 {
		size = 32
	}
	// Beyond the range the value is infinite, as in LLVM.
	v, err := strconv.ParseFloat(text, size)
	if err != nil && v == 0 {
		p.errorAt(tok.start, "malformed number %s", abbreviate(text))
	}
	if negative {
		v = -v
	}
	if known {
		v = format.Round(v)
	}
	return v
}

// intLiteral converts a token to a value of an integer type. A signless type takes
// what fits either as a signed or as an unsigned number.
func (p *Parser) intLiteral(tok token, negative bool, t Type) int64 {
	if tok.kind != tokenInt {
		p.errorAt(tok.start, "a value of type %s cannot have a decimal point", t)
		return 0
	}
	n, err := parseUint(p.spell(tok))
	width, signedness := 64, Signed
	if i, ok := t.(IntegerType); ok {
		width, signedness = min(i.Width, 64), i.Signedness
		if i.Width > 64 {
			signedness = Signed // values beyond 64 bits are not supported
		}
	}
	var half uint64 // i0 holds nothing but zero
	if width > 0 {
		half = 1 << (width - 1)
	}
	fits := err == nil && (n == 0 || n <= 2*half-1 && width > 0)
	switch {
	case negative:
		fits = fits && n <= half && n != 0 && signedness != Unsigned
		n = -n
	case signedness == Signed:
		fits = fits && (n < half || n == 0)
	}
	if !fits {
		p.errorAt(tok.start, "integer out of range for %s", t)
		return 0
	}
	shift := 64 - width
	if signedness == Unsigned || width == 1 && signedness == Signless {
		return int64(n << shift >> shift)
	}
	return int64(n<<shift) >> shift
}

func (p *Parser) stringAttr() Attribute {
	text := p.Str()
	if !p.is(":") {
		return StringAttr(text)
	}
	p.advance()
	t := p.Type()
	return OpaqueAttr{quote(text) + " : " + t.String(), t}
}

func (p *Parser) symbolRef() Attribute {
	ref := SymbolRefAttr{p.Symbol()}
	for p.Accept("::") {
		ref = append(ref, p.Symbol())
	}
	return ref
}

// dialectAttr reads #alias, #dialect.mnemonic<…> or #dialect<…>.
func (p *Parser) dialectAttr() Attribute {
	start := p.tok.start
	name := p.spell(p.tok)[1:]
	if a, ok := p.attrAliases[name]; ok {
		p.charge("#" + name)
		p.advance()
		return a
	}
	prefix, mnemonic, dotted := strings.Cut(name, ".")
	if d := dialects[prefix]; dotted && d != nil && d.ParseAttr != nil {
		p.advance()
		if a := d.ParseAttr(p, mnemonic); a != nil || p.Failed() {
			return a
		}
		p.reset(start)
	}
	text := p.dialectText()
	if p.Failed() {
		return bad{}
	}
	if !dotted && text == name {
		p.errorAt(start, "undefined attribute alias #%s", name)
		return bad{}
	}
	a := OpaqueAttr{Text: "#" + text}
	if p.Accept(":") {
		a.Type = p.Type()
		a.Text += " : " + a.Type.String()
	}
	a.Text = p.intern(a.Text)
	p.checkAttr(start, a)
	return a
}

// KeptAttr is the attribute of a dialect that a custom form writes without its prefix, and that is kept as text, such
// as "#arith.fastmath<fast>". The dialect may refuse the text, which ends in front of the current token.
func (p *Parser) KeptAttr(text string) OpaqueAttr {
	a := OpaqueAttr{Text: p.intern(text)}
	p.checkAttr(p.tok.start, a)
	return a
}

// checkAttr lets the dialect of an attribute refuse it.
func (p *Parser) checkAttr(pos int, a OpaqueAttr) {
	name := strings.TrimPrefix(a.Text, "#")
	if d := dialects[name[:max(0, strings.IndexAny(name, ".<"))]]; d != nil && d.CheckAttr != nil {
		p.refuse(pos, d.CheckAttr(a))
	}
}

func (p *Parser) affineAttr() Attribute {
	wantSet := p.is("affine_set")
	p.advance()
	p.Expect("<")
	m, set := p.affineMapOrSet()
	p.Expect(">")
	switch {
	case wantSet != (set != nil):
		p.Errorf("affine_map holds a map, affine_set a set")
		return bad{}
	case wantSet:
		return AffineSetAttr{*set}
	}
	return AffineMapAttr{m}
}

func (p *Parser) stridedAttr() Attribute {
	p.advance()
	p.Expect("<")
	a := StridedAttr{Strides: []int{}}
	p.List("[", "]", func() { a.Strides = append(a.Strides, p.intOrDynamic()) })
	if p.Accept(",") {
		p.Expect("offset")
		p.Expect(":")
		a.Offset = p.intOrDynamic()
	}
	p.Expect(">")
	return a
}

func (p *Parser) intOrDynamic() int {
	if p.Accept("?") {
		return DynamicStride
	}
	return p.Int()
}

// verbatimAttr keeps a builtin attribute that has no Go form: a name, brackets,
// and for elements a type.
func (p *Parser) verbatimAttr() Attribute {
	start, end := p.tok.start, p.tok.end
	if !strings.HasPrefix(p.text[end:], "<") && !strings.HasPrefix(p.text[end:], "[") {
		p.unexpected("an attribute")
		return bad{}
	}
	for end < len(p.text) && (p.text[end] == '<' || p.text[end] == '[') {
		n := balanced(p.text[end:])
		if n < 0 {
			p.Errorf("unbalanced brackets")
			return bad{}
		}
		end += n
	}
	p.reset(end)
	text := p.text[start:end]
	var t Type
	if p.Accept(":") {
		t = p.Type()
		text += " : " + t.String()
	}
	return OpaqueAttr{strings.Clone(text), t}
}
