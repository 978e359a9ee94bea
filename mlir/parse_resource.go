package mlir

import (
	"encoding/binary"
	"math/bits"
)

// resourceAlignment is the length of the alignment, a little-endian number, that
// stands before the bytes of a resource.
const resourceAlignment = 4

// resourceAttr reads dense_resource<key> : type.
func (p *Parser) resourceAttr() Attribute {
	key := p.resourceName()
	p.Expect(":")
	return p.resource(key, p.Type())
}

// resourceOf reads dense_resource<key> whose type is known, and may stand there all the same.
func (p *Parser) resourceOf(t Type) Attribute {
	key := p.resourceName()
	if p.Accept(":") {
		t = p.Type()
	}
	return p.resource(key, t)
}

func (p *Parser) resourceName() string {
	p.advance()
	p.Expect("<")
	key := p.resourceKey()
	p.Expect(">")
	return key
}

func (p *Parser) resource(key string, t Type) Attribute {
	a := ResourceAttr{Key: key, Type: t}
	if _, _, ok := ShapeOf(a.Type); !ok && !p.Failed() {
		p.Errorf("a resource is a tensor or vector, not %s", a.Type)
	}
	p.useResource = true
	return a
}

func (p *Parser) resourceKey() string {
	if p.tok.kind == tokenString {
		return p.Str()
	}
	return p.Keyword()
}

// resourceSection reads {-# section: {dialect: {key: "0x…"}} #-} and keeps the
// resources of the builtin dialect.
func (p *Parser) resourceSection() {
	p.advance()
	for !p.Failed() && p.tok.kind != tokenPunct {
		pos, section := p.tok.start, p.Keyword()
		if !p.Failed() && section != "dialect_resources" && section != "external_resources" {
			p.errorAt(pos, "expected dialect_resources or external_resources, found %s", section)
		}
		p.Expect(":")
		p.List("{", "}", func() {
			dialect := p.resourceKey()
			p.Expect(":")
			p.List("{", "}", func() {
				p.resourceEntry(section == "dialect_resources" && dialect == "builtin")
			})
		})
		if !p.Accept(",") {
			break
		}
	}
	if p.tok.kind != tokenPunct || p.spell(p.tok) != "#-}" {
		p.unexpected("'#-}'")
		return
	}
	p.advance()
}

func (p *Parser) resourceEntry(keep bool) {
	key := p.resourceKey()
	p.Expect(":")
	pos := p.tok.start
	if !keep && p.tok.kind != tokenString {
		p.Attr() // a number or a bool
		return
	}
	if p.tok.kind != tokenString {
		p.unexpected("a string of hex digits")
		return
	}
	literal := p.spell(p.tok)
	p.advance()
	if !keep {
		return
	}
	data, ok := decodeHex(literal[1 : len(literal)-1])
	switch {
	case !ok || len(data) < resourceAlignment:
		p.errorAt(pos, "expected 0x and at least %d bytes in hex", resourceAlignment)
	case bits.OnesCount32(binary.LittleEndian.Uint32(data)) > 1:
		p.errorAt(pos, "the first %d bytes are the alignment, which is a power of two and not %d",
			resourceAlignment, binary.LittleEndian.Uint32(data))
	case p.resources[key] != nil:
		p.errorAt(pos, "resource %q is defined twice", key)
	case p.resources == nil:
		p.resources = map[string][]byte{}
	}
	if !p.Failed() {
		p.resources[key] = data[resourceAlignment:]
	}
}

// finishResources gives every resource attribute its bytes. Keys that the text
// does not define stay without, as elided ones are.
func (p *Parser) finishResources(module *Operation) {
	module.Walk(func(op *Operation) {
		for i, n := range op.Attrs {
			op.Attrs[i].Value = p.resolveResource(op, n.Value)
		}
	})
}

func (p *Parser) resolveResource(op *Operation, a Attribute) Attribute {
	switch a := a.(type) {
	case ResourceAttr:
		data, ok := p.resources[a.Key]
		if !ok {
			return a
		}
		shape, elem, _ := ShapeOf(a.Type)
		n, static := NumElements(shape)
		size := ElementSize(elem)
		if !static || size == 0 || len(data)%size != 0 || len(data)/size != n {
			p.diags.add(op.Loc, "resource %q of %d bytes does not hold a %s",
				a.Key, len(data), a.Type)
		}
		a.Data = data
		return a
	case ArrayAttr:
		for i := range a {
			a[i] = p.resolveResource(op, a[i])
		}
	case DictAttr:
		for i := range a {
			a[i].Value = p.resolveResource(op, a[i].Value)
		}
	}
	return a
}
