package mlir

import (
	"encoding/hex"
	"io"
	"slices"
	"strings"
)

// Spelling selects the names of builtin operations.
type Spelling uint8

const (
	// Modern is what mlir-opt of LLVM 19 reads and writes: func.func.
	Modern Spelling = iota
	// ACAP2019 is the text of PyTorch/ACAP, of 2019: func.
	ACAP2019
)

// PrintOptions selects the form of the text. The zero value is what
// mlir-opt-19 -allow-unregistered-dialect reads: custom forms for the dialects
// that it knows, the generic form for the others.
type PrintOptions struct {
	// Generic prints every operation in the generic form.
	Generic bool
	// Pretty uses the custom forms of dialects that upstream lacks, too.
	Pretty   bool
	Spelling Spelling
	// Locations prints loc(…) behind each operation.
	Locations bool
	// ElideLargerThan leaves out the values of constants of more elements; the
	// result can be read but not run. 0 keeps all.
	ElideLargerThan int
}

// Print writes op, usually a module, and a final newline. An error is one of w.
func Print(w io.Writer, op *Operation, opts PrintOptions) error {
	p := &Printer{w: w, opts: opts, dialect: []string{"builtin"}}
	if op.Block == nil {
		p.numberFrom(op)
		p.collectAliases(op)
	} else {
		root := op
		for root.Parent() != nil {
			root = root.Parent()
		}
		p.numberFrom(root)
		p.dialect[0] = defaultDialect(op.Parent())
	}
	p.operation(op)
	p.Text("\n")
	p.resourceSection()
	p.flush()
	return p.err
}

// Text returns the text that [Print] writes.
func (op *Operation) Text(opts PrintOptions) string {
	var b strings.Builder
	Print(&b, op, opts) // a Builder gives no error
	return b.String()
}

// String returns the default form without the final newline. For an operation
// inside another one, the values are named as in the whole.
func (op *Operation) String() string {
	return strings.TrimSuffix(op.Text(PrintOptions{}), "\n")
}

// Printer writes MLIR's text. Dialects use it in their custom forms.
type Printer struct {
	w       io.Writer
	err     error
	buf     []byte
	opts    PrintOptions
	indent  int
	values  map[*Value]string
	blocks  map[*Block]string
	aliases map[string]string       // text of an attribute to its alias
	dialect []string                // default dialects, innermost last
	affine  func(kind, text string) // set while only the uses of maps and sets matter

	resources    []ResourceAttr
	resourceKeys map[string]int // position in resources
}

const flushSize = 1 << 16

// Text appends text as it is.
func (p *Printer) Text(text string) {
	p.buf = append(p.buf, text...)
	if len(p.buf) >= flushSize {
		p.flush()
	}
}

func (p *Printer) flush() {
	if p.err == nil && len(p.buf) > 0 {
		_, p.err = p.w.Write(p.buf)
	}
	p.buf = p.buf[:0]
}

// hexText appends bytes as upper-case hex digits, in pieces.
func (p *Printer) hexText(data []byte) {
	for chunk := range slices.Chunk(data, flushSize/2) {
		p.buf = appendHex(p.buf, chunk)
		p.flush()
	}
}

func appendHex(dst, data []byte) []byte {
	start := len(dst)
	dst = hex.AppendEncode(dst, data)
	for i := start; i < len(dst); i++ {
		if dst[i] >= 'a' {
			dst[i] -= 'a' - 'A'
		}
	}
	return dst
}

// Newline begins a line at the current indentation.
func (p *Printer) Newline() {
	p.Text("\n")
	for range p.indent {
		p.Text("  ")
	}
}

// Value appends the name of a value.
func (p *Printer) Value(v *Value) {
	name, ok := p.values[v]
	if !ok {
		p.Text("%<<unknown>>")
		return
	}
	p.Text("%")
	p.Text(name)
}

// Values appends names separated by commas.
func (p *Printer) Values(values []*Value) {
	for i, v := range values {
		if i > 0 {
			p.Text(", ")
		}
		p.Value(v)
	}
}

// Type appends a type.
func (p *Printer) Type(t Type) { p.Text(t.String()) }

// Types appends types separated by commas.
func (p *Printer) Types(types []Type) { p.Text(joinTypes(types)) }

// TypesOf appends the types of values, separated by commas.
func (p *Printer) TypesOf(values []*Value) { p.Types(TypesOf(values)) }

// TypesOf returns the types of values.
func TypesOf(values []*Value) []Type {
	types := make([]Type, len(values))
	for i, v := range values {
		types[i] = v.Type
	}
	return types
}

// FunctionType appends (A, B) -> C for the operands and results of op.
func (p *Printer) FunctionType(op *Operation) {
	p.Type(FunctionType{TypesOf(op.Operands), TypesOf(op.Results)})
}

// Arrow appends " -> T", with parentheses unless there is one type; nothing for
// no types.
func (p *Printer) Arrow(types []Type) {
	if len(types) > 0 {
		p.Text(strings.TrimPrefix(FunctionType{nil, types}.String(), "()"))
	}
}

// Symbol appends @name.
func (p *Printer) Symbol(name string) { p.Text(symbol(name)) }

// OptionalAttrs appends " {a = 1}" with the attributes whose names are not listed,
// or nothing.
func (p *Printer) OptionalAttrs(attrs Attrs, without ...string) {
	var rest Attrs
	for _, n := range attrs {
		if !slices.Contains(without, n.Name) {
			rest = append(rest, n)
		}
	}
	if len(rest) > 0 {
		p.Text(" ")
		p.Attrs(rest)
	}
}

// Attrs appends {a = 1, b}.
func (p *Printer) Attrs(attrs Attrs) {
	p.Text("{")
	for i, n := range attrs {
		if i > 0 {
			p.Text(", ")
		}
		p.NamedAttr(n)
	}
	p.Text("}")
}

// NamedAttr appends a = 1, or the name alone of a unit.
func (p *Printer) NamedAttr(n Named) {
	p.Text(keyOrQuoted(n.Name))
	if _, unit := n.Value.(UnitAttr); !unit {
		p.Text(" = ")
		p.Attr(n.Value)
	}
}

// Attr appends an attribute, by its alias if it has one.
func (p *Printer) Attr(a Attribute) {
	switch a := a.(type) {
	case AffineMapAttr, AffineSetAttr:
		text := a.String()
		if p.affine != nil {
			kind := "#map"
			if _, set := a.(AffineSetAttr); set {
				kind = "#set"
			}
			p.affine(kind, text)
		}
		if alias, ok := p.aliases[text]; ok {
			text = alias
		}
		p.Text(text)
	case ArrayAttr:
		p.Text("[")
		for i, e := range a {
			if i > 0 {
				p.Text(", ")
			}
			p.elementAttr(e)
		}
		p.Text("]")
	case DictAttr:
		p.Attrs(Attrs(a))
	case DenseAttr:
		p.denseAttr(a, " : "+a.Type.String())
	case ResourceAttr:
		p.resourceAttr(a)
	default:
		p.Text(a.String())
	}
}

// elementAttr appends an element of an array, where i64 and f64 go without saying.
func (p *Printer) elementAttr(a Attribute) {
	switch a.(type) {
	case IntegerAttr, FloatAttr:
		p.Text(withoutDefaultType(a))
	default:
		p.Attr(a)
	}
}

func (p *Printer) elided(n int) bool {
	return p.opts.ElideLargerThan > 0 && n > p.opts.ElideLargerThan
}

// denseAttr appends dense<…> and what says its type.
func (p *Printer) denseAttr(a DenseAttr, typed string) {
	switch n := a.Len(); {
	case p.affine != nil:
	case a.IsSplat() || n <= hexElements && !p.elided(n):
		p.Text(strings.TrimSuffix(a.String(), " : "+a.Type.String()))
	case p.elided(n):
		p.Text("dense_resource<__elided__>")
	default:
		p.Text(`dense<"0x`)
		p.hexText(a.packed())
		p.Text(`">`)
	}
	p.Text(typed)
}

// Indented runs f one level of indentation further in.
func (p *Printer) Indented(f func()) {
	p.indent++
	f()
	p.indent--
}
