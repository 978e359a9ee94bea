package kernel

import (
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

// form is the text or the bytes that a kernel's fields are written to or read from. A kind says once, in its method
// form, which fields it has, in the order of the bytes; in the text attributes come first, and operands may come in any
// order.
type form struct {
	wire *wire.Coder // of bytes, or nil
	read *decoder    // of text that is read, or nil
	at   *item       // what is read
	// missing are operands that the text does not have.
	missing []string
	// The text is a line of words, and a block if one is open.
	words []string
	open  bool
	block []*form
}

// text is the text of a kernel.
func text(k Kernel) string {
	f := &form{words: []string{kinds[numberOf(k)].word, strconv.Quote(NameOf(k))}, open: true}
	k.form(f)
	var b strings.Builder
	f.print(&b, "")
	return b.String()
}

func (f *form) print(b *strings.Builder, indent string) {
	b.WriteString(indent + strings.Join(f.words, " "))
	if f.open {
		b.WriteString(" {\n")
		for _, line := range f.block {
			line.print(b, indent+"  ")
		}
		b.WriteString(indent + "}")
	}
	b.WriteString("\n")
}

// line adds a line of words to the block that is written.
func (f *form) line(words ...string) *form {
	l := &form{words: words}
	f.block = append(f.block, l)
	return l
}

// attribute codes a field that has a name and a value in the text. Reading sets the field to the value.
func (f *form) attribute(key string, code func(c *wire.Coder), read func(d *decoder), value func() string) {
	switch {
	case f.wire != nil:
		code(f.wire)
	case f.read != nil:
		read(f.read)
	default:
		f.words = append(f.words, key+"="+value())
	}
}

func (f *form) int(key string, v *int) {
	f.attribute(key, func(c *wire.Coder) { c.Int(v) }, func(d *decoder) { *v = d.int(f.at, key) },
		func() string { return strconv.Itoa(*v) })
}

func (f *form) bool(key string, v *bool) {
	f.attribute(key, func(c *wire.Coder) { c.Bool(v) }, func(d *decoder) { *v = d.int(f.at, key) != 0 },
		func() string { return strconv.Itoa(number01(*v)) })
}

func (f *form) float(key string, v *float64) {
	f.attribute(key, func(c *wire.Coder) { c.Float64(v) }, func(d *decoder) { *v = d.float(f.at, key) },
		func() string { return strconv.FormatFloat(*v, 'g', -1, 64) })
}

func (f *form) dtype(key string, v *dtype.DType) {
	f.attribute(key, func(c *wire.Coder) { dtypeField(c, v) }, func(d *decoder) { *v = d.dtype(f.at, f.at.attr(key)) }, v.String)
}

func (f *form) fold(key string, v *FoldKind) {
	f.attribute(key, func(c *wire.Coder) { wire.Small(c, v, numFolds) }, func(d *decoder) { *v = d.fold(f.at, key) }, v.String)
}

// list codes a list of any length, and listOf one of these numbers.
func (f *form) list(key string, v *[]int) {
	f.attribute(key, func(c *wire.Coder) { c.Ints(v) }, func(d *decoder) { *v = d.ints(f.at, key, -1) }, list(*v).String)
}

func (f *form) listOf(key string, numbers ...*int) {
	f.attribute(key, func(c *wire.Coder) { ints(c, numbers...) }, func(d *decoder) {
		for i, n := range d.ints(f.at, key, len(numbers)) {
			*numbers[i] = n
		}
	}, func() string {
		var l list
		for _, n := range numbers {
			l = append(l, *n)
		}
		return l.String()
	})
}

// unless codes a field that the text does not have if it is zero.
func (f *form) unless(zero bool, key string, field func()) {
	if f.read != nil {
		_, given := f.at.attrs[key]
		zero = !given
	}
	if f.wire != nil || !zero {
		field()
	}
}

// operand codes what has a line in the text that begins with a word.
func (f *form) operand(word string, fields func(f *form)) {
	switch {
	case f.wire != nil:
		fields(f)
	case f.read == nil:
		fields(f.line(word))
	default:
		switch list := f.take(func(w string) bool { return w == word }); len(list) {
		case 0:
			f.missing = append(f.missing, word)
		case 1:
			fields(&form{read: f.read, at: list[0]})
		default:
			f.read.fail(list[1], "operand %s is given twice", word)
		}
	}
}

// optional is operand for a matrix that may be missing. The fields of more are in its line.
func (f *form) optional(word string, m **Matrix, more func(f *form)) {
	if f.wire != nil {
		wire.Optional(f.wire, m, func(m *Matrix) { m.form(f) })
		more(f)
		return
	}
	if f.read != nil && slices.ContainsFunc(f.at.block, func(i *item) bool { return i.word() == word }) {
		*m = new(Matrix)
	}
	if *m != nil {
		f.operand(word, func(f *form) {
			(*m).form(f)
			more(f)
		})
	}
}

// take returns the items of the block that is read whose first words are wanted.
func (f *form) take(want func(word string) bool) (list []*item) {
	for _, i := range f.at.block {
		if !i.taken && want(i.word()) {
			i.taken, list = true, append(list, i)
		}
	}
	return list
}

// rest refuses the items of the block that no field has taken, and operands that are missing.
func (f *form) rest() {
	if f.read != nil {
		for _, i := range f.take(func(string) bool { return true }) {
			f.read.fail(i, "unexpected %q", i.word())
		}
		for _, word := range f.missing {
			f.read.fail(f.at, "operand %s is missing", word)
		}
	}
}

// lines codes a list whose elements have lines, or blocks, in the text that begin with one of some words.
func lines[T any](f *form, list *[]T, fields func(f *form, v *T), words ...string) {
	switch {
	case f.wire != nil:
		wire.Slice(f.wire, list, func(v *T) { fields(f, v) })
	case f.read == nil:
		for i := range *list {
			fields(f.line(), &(*list)[i])
		}
	default:
		for _, i := range f.take(func(w string) bool { return slices.Contains(words, w) }) {
			var v T
			sub := form{read: f.read, at: i}
			fields(&sub, &v)
			sub.rest()
			*list = append(*list, v)
		}
	}
}

// accesses codes ports with strides, of inner loops too or not.
func (f *form) accesses(list *[]Access, inner bool) {
	lines(f, list, func(f *form, a *Access) {
		if f.wire == nil && f.read == nil {
			f.words = append(f.words, "port")
		}
		a.Port.form(f)
		f.int("offset", &a.Offset)
		f.list("outer", &a.Outer)
		if inner || f.wire != nil {
			f.list("inner", &a.Inner)
		}
	}, "port")
}

func (p *Port) form(f *form) {
	switch {
	case f.read != nil:
		*p = f.read.port(f.at)
	case f.wire == nil:
		f.words = append(f.words, p.String())
	default:
		dtypeField(f.wire, &p.DType)
		f.wire.Bool(&p.Write)
		f.wire.Int(&p.Len)
		f.wire.Bool(&p.Const)
		wire.Small(f.wire, &p.Format, dtype.NumFormats)
	}
}

// form codes the instructions of a body. In a stage lines of other words follow.
func (b *Body) form(f *form) {
	switch {
	case f.wire != nil:
		wire.Slice(f.wire, (*[]Instr)(b), func(i *Instr) {
			wire.Small(f.wire, &i.Op, numOps)
			dtypeField(f.wire, &i.Type)
			ints(f.wire, &i.A, &i.B, &i.C, &i.Port)
			f.wire.Uint64(&i.Imm)
		})
	case f.read != nil:
		for _, i := range f.take(func(w string) bool { return w != "reduce" && w != "keep" }) {
			*b = append(*b, f.read.instr(i, len(*b)))
		}
	default:
		for n := range *b {
			if i := &(*b)[n]; i.Op == Store {
				f.line(i.String())
			} else {
				f.line(value(n), "=", i.String())
			}
		}
	}
}
