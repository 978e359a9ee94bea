package mlir

import "strings"

// The text that aliases stand for, all uses together, is bounded: a few lines that
// each name the one before twice would otherwise grow without limit. The bound is
// expansionBase bytes and expansionFactor times the text.
const (
	expansionBase   = 16 << 20
	expansionFactor = 64
)

// module reads a whole file: operations, aliases and resources.
func (p *Parser) module() *Operation {
	module := NewModule()
	p.pushScope()
	p.pushRegion()
	body := module.Body()
	for !p.Failed() && p.tok.kind != tokenEOF {
		switch {
		case p.tok.kind == tokenHash:
			p.attrAlias()
		case p.tok.kind == tokenBang:
			p.typeAlias()
		case p.is("{-#"):
			p.resourceSection()
		default:
			p.operation(body)
		}
	}
	p.popScope()
	if len(body.Ops) == 1 && body.Ops[0].Name == module.Name {
		module = body.Ops[0]
		module.Block = nil
	}
	return module
}

// attrAlias reads #name = attribute.
func (p *Parser) attrAlias() {
	name := p.aliasName(p.attrAliases[p.spell(p.tok)[1:]] != nil)
	a := p.Attr()
	if p.Failed() {
		return
	}
	p.attrAliases[name] = a
	p.aliasSize["#"+name] = expansion(a)
}

// typeAlias reads !name = type.
func (p *Parser) typeAlias() {
	name := p.aliasName(p.typeAliases[p.spell(p.tok)[1:]] != nil)
	t := p.Type()
	if p.Failed() {
		return
	}
	p.typeAliases[name] = t
	p.aliasSize["!"+name] = len(t.String())
}

func (p *Parser) aliasName(known bool) string {
	text := p.spell(p.tok)
	if known {
		p.Errorf("alias %s is defined twice", text)
	}
	if strings.Contains(text, ".") {
		p.Errorf("alias %s has a dot, which is for names of dialects", text)
	}
	name := p.intern(text[1:])
	p.advance()
	p.Expect("=")
	return name
}

// expansion is the length of an attribute's text; elements are shared between the
// uses of an alias and do not count.
func expansion(a Attribute) int {
	switch a.(type) {
	case DenseAttr, ResourceAttr:
		return 64
	}
	return len(a.String())
}

// charge counts the use of an alias, named with its sigil.
func (p *Parser) charge(alias string) {
	p.expanded += p.aliasSize[alias]
	if limit := expansionBase + expansionFactor*len(p.text); p.expanded > limit {
		p.Errorf("the aliases stand for more than %d MB of text", limit>>20)
	}
}

// finish resolves what could stand at the end of the text.
func (p *Parser) finish(module *Operation) {
	p.finishLocations()
	if p.useResource && !p.Failed() {
		p.finishResources(module)
	}
}
