package mlir

import "strings"

// expandAliases returns a part of the text that is kept as it is, but for its aliases:
// the text of a dialect attribute may name some, and is written where they are not
// defined.
func (p *Parser) expandAliases(start, end int) string {
	var out strings.Builder
	kept := start
	l := lexer{text: p.text[:end], pos: start}
	for l.pos < end {
		t := l.next()
		if t.kind != tokenHash && t.kind != tokenBang {
			continue
		}
		if text, ok := p.aliasText(p.text[t.start:t.end], t.start); ok {
			out.WriteString(p.text[kept:t.start])
			out.WriteString(text)
			kept = t.end
		}
	}
	if kept == start {
		return p.text[start:end]
	}
	out.WriteString(p.text[kept:end])
	return out.String()
}

// aliasText returns what #name or !name stands for.
func (p *Parser) aliasText(alias string, pos int) (string, bool) {
	name := alias[1:]
	if alias[0] == '!' {
		t, ok := p.typeAliases[name]
		if !ok {
			return "", false
		}
		p.charge(alias)
		return t.String(), true
	}
	a, ok := p.attrAliases[name]
	if !ok {
		if a, ok = p.laterAlias(name, pos); !ok {
			return "", false
		}
	}
	p.charge(alias)
	return a.String(), true
}

// laterAlias reads the definition of a location's alias, which comes at the end of the text, after its uses.
func (p *Parser) laterAlias(name string, pos int) (Attribute, bool) {
	if p.laterAliases == nil {
		p.laterAliases = map[string]int{}
		for at := pos; ; {
			i := strings.Index(p.text[at:], "\n#")
			if i < 0 {
				break
			}
			at += i + 2
			line := p.text[at:]
			if end := strings.IndexByte(line, '\n'); end >= 0 {
				line = line[:end]
			}
			if word, value, ok := strings.Cut(line, " = "); ok && strings.HasPrefix(value, "loc(") {
				p.laterAliases[word] = at + len(word) + len(" = ")
			}
		}
	}
	at, ok := p.laterAliases[name]
	if !ok {
		return nil, false
	}
	delete(p.laterAliases, name) // it is no part of itself
	saved, token := p.lexer, p.tok
	p.reset(at)
	a := p.Attr()
	if p.Failed() {
		return nil, false
	}
	p.laterAliases[name] = at
	p.lexer, p.tok = saved, token
	return a, true
}
