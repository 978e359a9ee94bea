package mlir

import (
	"fmt"
	"strings"
)

// Flags is an optional attribute of an operation whose value is a list of
// words, and which has a form of its own: fastmath<nnan,ninf> is written for
// fastmath = #arith.fastmath<nnan,ninf>. The word none is the same as no
// attribute. The zero value is an operation without flags.
type Flags struct {
	Attr      string // name of the attribute
	Keyword   string // word in front of the brackets, and name of the attribute's value in the dialect arith
	Separator string // text between two words
}

// FastMath are the assumptions that an operation on floats may make.
var FastMath = Flags{Attr: "fastmath", Keyword: "fastmath", Separator: ","}

// prefix is what the text of a value begins with.
func (f Flags) prefix() string { return "#arith." + f.Keyword + "<" }

// none is the value without a flag.
func (f Flags) none() string { return f.prefix() + "none>" }

// Parse reads the flags of op where the next token is their keyword.
func (f Flags) Parse(p *Parser, op *Operation) {
	if f.Attr == "" || !p.Accept(f.Keyword) {
		return
	}
	var words []string
	p.List("<", ">", func() { words = append(words, p.Keyword()) })
	if value := p.KeptAttr(f.prefix() + strings.Join(words, f.Separator) + ">"); value.Text != f.none() {
		op.Attrs = append(op.Attrs, Named{Name: f.Attr, Value: value})
	}
}

// None reports whether op has the flags none.
func (f Flags) None(op *Operation) bool {
	a, ok := op.Attrs.Get(f.Attr).(OpaqueAttr)
	return ok && a.Text == f.none()
}

// Print writes the flags of op with a space in front. The caller leaves the
// attribute out of the dictionary.
func (f Flags) Print(p *Printer, op *Operation) {
	if a, ok := op.Attrs.Get(f.Attr).(OpaqueAttr); ok && !f.None(op) {
		p.Text(" " + strings.TrimPrefix(a.Text, "#arith."))
	}
}

// Verify reports an attribute of op that is no list of these flags. The
// dialect arith refuses unknown words when the text is read.
func (f Flags) Verify(op *Operation) error {
	value := op.Attrs.Get(f.Attr)
	if a, ok := value.(OpaqueAttr); value == nil || ok && strings.HasPrefix(a.Text, f.prefix()) {
		return nil
	}
	return fmt.Errorf("needs %s...> as its %s, not %s", f.prefix(), f.Attr, value)
}
