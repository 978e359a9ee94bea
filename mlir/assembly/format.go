package assembly

import (
	"slices"
	"strings"
)

// element is a piece of a format.
type element interface {
	parse(r *Reader)
	print(w *Writer)
	// next reports whether the element may come next in the text.
	next(r *Reader) bool
	// present reports whether the operation has what the element shows.
	present(w *Writer) bool
}

type (
	literal    struct{ text string }
	space      struct{ text string } // written between literals: "" for none
	reference  struct{ name string } // of an operand, attribute or region
	typeOf     struct{ name string }
	attrDict   struct{ keyword bool }
	functional struct{ in, out string }
	optional   struct {
		elements, otherwise []element
		anchor              int
	}
	directive struct {
		Directive
		args []string
	}
)

// formatReader reads a format. A format that it cannot read is a mistake of the program.
type formatReader struct {
	spec *spec
	text string
	pos  int
}

func (f *formatReader) fail(what string) {
	panic("BUG: assembly: " + f.spec.op.Name + ": " + what + " at " + f.text[f.pos:])
}

func (f *formatReader) skip() {
	for f.pos < len(f.text) && strings.IndexByte(" \n\t", f.text[f.pos]) >= 0 {
		f.pos++
	}
}

func (f *formatReader) accept(text string) bool {
	f.skip()
	if strings.HasPrefix(f.text[f.pos:], text) {
		f.pos += len(text)
		return true
	}
	return false
}

func (f *formatReader) expect(text string) {
	if !f.accept(text) {
		f.fail("no " + text)
	}
}

func (f *formatReader) word() string {
	f.skip()
	start := f.pos
	for f.pos < len(f.text) && (f.text[f.pos] == '_' || f.text[f.pos] == '-' || isAlnum(f.text[f.pos])) {
		f.pos++
	}
	if start == f.pos {
		f.fail("no word")
	}
	return f.text[start:f.pos]
}

func isAlnum(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9' }

// elements reads up to the end, or to the closing parenthesis of a group.
func (f *formatReader) elements(depth int) []element {
	var list []element
	for {
		f.skip()
		if f.pos == len(f.text) || depth > 0 && f.text[f.pos] == ')' {
			return list
		}
		list = append(list, f.element(depth))
	}
}

func (f *formatReader) element(depth int) element {
	switch {
	case f.accept("`"):
		end := strings.IndexByte(f.text[f.pos:], '`')
		text := f.text[f.pos : f.pos+end]
		f.pos += end + 1
		if strings.TrimSpace(text) == "" {
			return space{text}
		}
		return literal{text}
	case f.accept("$"):
		return f.named(f.word())
	case f.accept("("):
		return f.group(depth)
	case f.accept("custom<"):
		name := f.word()
		f.expect(">")
		d, ok := Directives[name]
		if !ok {
			f.fail("unknown directive " + name)
		}
		e := &directive{Directive: d}
		f.expect("(")
		for !f.accept(")") {
			f.accept(",")
			if f.accept("type($") {
				e.args = append(e.args, "type:"+f.word())
				f.expect(")")
				continue
			}
			f.expect("$")
			name := f.word()
			f.spec.shown[name] = true
			e.args = append(e.args, name)
		}
		return e
	}
	switch word := f.word(); word {
	case "attr-dict":
		return attrDict{}
	case "attr-dict-with-keyword":
		return attrDict{true}
	case "operands", "results":
		return reference{word}
	case "type":
		f.expect("(")
		f.accept("$")
		name := f.word()
		f.expect(")")
		return typeOf{name}
	case "functional-type":
		e := functional{}
		f.expect("(")
		f.accept("$")
		e.in = f.word()
		f.expect(",")
		f.accept("$")
		e.out = f.word()
		f.expect(")")
		return e
	}
	f.fail("unknown word")
	return nil
}

func (f *formatReader) named(name string) element {
	known := find(f.spec.operands, name) >= 0 ||
		slices.ContainsFunc(f.spec.regions, func(r region) bool { return r.name == name })
	if !known {
		if f.spec.attr(name) == nil {
			f.fail("unknown name " + name)
		}
		f.spec.shown[name] = true
	}
	return reference{name}
}

// group reads elements^ )? or elements ) : ( elements )?, the parenthesis being read.
func (f *formatReader) group(depth int) element {
	g := &optional{anchor: -1}
	for !f.accept(")") {
		g.elements = append(g.elements, f.element(depth+1))
		if f.accept("^") {
			g.anchor = len(g.elements) - 1
		}
	}
	if f.accept(":") {
		f.expect("(")
		g.otherwise = f.elements(depth + 1)
		f.expect(")")
	}
	f.expect("?")
	if g.anchor < 0 {
		f.fail("a group without anchor")
	}
	return g
}

func (s *spec) attr(name string) *attr {
	for i := range s.attrs {
		if s.attrs[i].name == name {
			return &s.attrs[i]
		}
	}
	return nil
}
