package bytecode

import (
	"math"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// floats are the floating-point types by number of the builtin dialect.
var floats = map[uint64]string{3: "bf16", 4: "f16", 5: "f32", 6: "f64", 7: "f80", 8: "f128"}

// kDynamic is the extent that is not known.
const kDynamic = math.MinInt64

// shape reads extents.
func (r *reader) shape(c *cursor) []int {
	return list(c, func() int {
		if n := c.signed(); n != kDynamic {
			return int(n)
		}
		return mlir.Dynamic
	})
}

func (r *reader) typeList(c *cursor) []mlir.Type {
	return list(c, func() mlir.Type { return r.typ(c) })
}

func (r *reader) builtinType(c *cursor) mlir.Type {
	switch code := c.varint(); code {
	case 0:
		v := c.varint()
		if v&3 > uint64(mlir.Unsigned) || v>>2 >= 1<<24 {
			c.failf("an integer type of %d bits with the sign %d", v>>2, v&3)
		}
		return mlir.IntegerType{Width: int(v >> 2), Signedness: mlir.Signedness(v & 3)}
	case 1:
		return mlir.Index
	case 2:
		return mlir.FunctionType{Inputs: r.typeList(c), Results: r.typeList(c)}
	case 9:
		return mlir.ComplexType{Elem: r.typ(c)}
	case 10:
		return r.memref(c, nil)
	case 11:
		return r.memref(c, r.attr(c))
	case 12:
		return mlir.NoneType{}
	case 13:
		return mlir.TensorType{Shape: r.shape(c), Elem: r.typ(c)}
	case 14:
		encoding := r.attr(c)
		return mlir.TensorType{Shape: r.shape(c), Elem: r.typ(c), Encoding: encoding}
	case 15:
		return mlir.TupleType{Elems: r.typeList(c)}
	case 16:
		return mlir.UnrankedMemRefType{Elem: r.typ(c)}
	case 17:
		space := r.attr(c)
		return mlir.UnrankedMemRefType{Elem: r.typ(c), Space: space}
	case 18:
		return mlir.UnrankedTensorType{Elem: r.typ(c)}
	case 19:
		return mlir.VectorType{Shape: r.shape(c), Elem: r.typ(c)}
	case 20:
		scalable := list(c, func() bool { return c.byte() != 0 })
		return mlir.VectorType{Scalable: scalable, Shape: r.shape(c), Elem: r.typ(c)}
	default:
		if name := floats[code]; name != "" {
			return mlir.FloatType{Name: name}
		}
		c.failf("a builtin type %d", code)
		return nil
	}
}

func (r *reader) memref(c *cursor, space mlir.Attribute) mlir.Type {
	t := mlir.MemRefType{Shape: r.shape(c), Elem: r.typ(c), Space: space}
	layout := r.attr(c)
	if m, ok := layout.(mlir.AffineMapAttr); ok && mlir.SameAttr(m, mlir.AffineMapAttr{Map: mlir.Identity(len(t.Shape))}) {
		return t
	}
	t.Layout = layout
	return t
}

// integer reads a number of a type's width.
func (r *reader) integer(c *cursor, t mlir.Type) int64 {
	width := 64
	if i, ok := t.(mlir.IntegerType); ok {
		width = i.Width
	}
	return r.word(c, width)
}

func (r *reader) word(c *cursor, width int) int64 {
	switch {
	case width <= 8:
		return int64(int8(c.byte()))
	case width <= 64:
		return c.signed()
	}
	words := list(c, c.signed)
	for _, w := range words[min(1, len(words)):] {
		if w != 0 {
			c.failf("an integer of more than 64 bits")
		}
	}
	if len(words) == 0 {
		return 0
	}
	return words[0]
}

// float reads a number of a floating-point type.
func (r *reader) float(c *cursor, t mlir.Type) float64 {
	f, ok := t.(mlir.FloatType)
	if !ok || f.Width() > 64 {
		c.failf("a number of type %s", t)
	}
	bits := uint64(r.word(c, f.Width()))
	if w := f.Width(); w < 64 {
		bits &= 1<<w - 1
	}
	return f.Decode(bits)
}

func (r *reader) attrList(c *cursor) []mlir.Attribute {
	return list(c, func() mlir.Attribute { return r.attr(c) })
}

// text returns what an attribute that must be a string says.
func (r *reader) text(c *cursor, a mlir.Attribute) string {
	s, ok := a.(mlir.StringAttr)
	if !ok {
		c.failf("%v is no string", a)
	}
	return string(s)
}

func (r *reader) dictionary(c *cursor) mlir.Attrs {
	return mlir.Attrs(list(c, func() mlir.Named {
		name := r.text(c, r.attr(c))
		return mlir.Named{Name: name, Value: r.attr(c)}
	}))
}

func (r *reader) builtinAttr(c *cursor) mlir.Attribute {
	switch code := c.varint(); code {
	case 0:
		return mlir.ArrayAttr(r.attrList(c))
	case 1:
		return mlir.DictAttr(r.dictionary(c))
	case 2:
		return mlir.StringAttr(r.string(c))
	case 3:
		s := r.string(c)
		r.typ(c)
		return mlir.StringAttr(s)
	case 4:
		return mlir.SymbolRefAttr{r.text(c, r.attr(c))}
	case 5:
		ref := mlir.SymbolRefAttr{r.text(c, r.attr(c))}
		for _, leaf := range r.attrList(c) {
			name, _ := leaf.(mlir.SymbolRefAttr)
			ref = append(ref, name...)
		}
		return ref
	case 6:
		return mlir.TypeAttr{Type: r.typ(c)}
	case 7:
		return mlir.UnitAttr{}
	case 8:
		t := r.typ(c)
		v := r.integer(c, t)
		if i, ok := t.(mlir.IntegerType); ok && (i.Width == 1 || i.Signedness == mlir.Unsigned && i.Width < 64) {
			v &= 1<<i.Width - 1
		}
		return mlir.IntegerAttr{Value: v, Type: t}
	case 9:
		t := r.typ(c)
		return mlir.FloatAttr{Value: r.float(c, t), Type: t}
	case 10, 11, 12, 13, 14, 15, 22:
		return r.location(c, code)
	case 16:
		t := r.typ(c)
		h := at(c, r.handles, c.varint())
		return mlir.ResourceAttr{Key: h.key, Type: t, Data: h.data}
	case 17:
		return r.denseArray(c)
	case 18:
		t := r.typ(c)
		return r.dense(c, t, c.bytes(c.varint()))
	case 19:
		return r.denseTexts(c)
	case 20:
		return r.sparse(c)
	default:
		c.failf("a builtin attribute %d", code)
		return nil
	}
}

// denseTexts reads a tensor of texts.
func (r *reader) denseTexts(c *cursor) mlir.Attribute {
	t := r.typ(c)
	c.varint() // whether one stands for all
	var texts []string
	for _, s := range list(c, func() string { return r.string(c) }) {
		texts = append(texts, mlir.StringAttr(s).String())
	}
	text := strings.Join(texts, ", ")
	if len(texts) != 1 {
		text = "[" + text + "]"
	}
	return r.written(c, "dense<"+text+"> : "+t.String())
}

// sparse reads a tensor by the indices and the values of its elements.
func (r *reader) sparse(c *cursor) mlir.Attribute {
	t := r.typ(c)
	inner := func(a mlir.Attribute) string {
		text, _, _ := strings.Cut(strings.TrimPrefix(a.String(), "dense<"), "> : ")
		return text
	}
	indices := inner(r.attr(c))
	return r.written(c, "sparse<"+indices+", "+inner(r.attr(c))+"> : "+t.String())
}

// written is the attribute of a text.
func (r *reader) written(c *cursor, text string) mlir.Attribute {
	a, err := mlir.ParseAttribute(text)
	if err != nil {
		c.failf("%w", err)
	}
	return a
}

// location reads a place in a source.
func (r *reader) location(c *cursor, code uint64) mlir.Attribute {
	of := func(a mlir.Attribute) mlir.Location {
		l, _ := a.(mlir.LocationAttr)
		return l.Loc
	}
	switch code {
	case 10:
		callee := of(r.attr(c))
		callee.Callers = append(callee.Callers, of(r.attr(c)))
		return mlir.LocationAttr{Loc: callee}
	case 11:
		file := r.text(c, r.attr(c))
		return mlir.LocationAttr{Loc: mlir.Location{File: file, Line: int(c.varint()), Col: int(c.varint())}}
	case 12, 13:
		var l mlir.Location
		for _, a := range r.attrList(c) {
			l.Fused = append(l.Fused, of(a))
		}
		if code == 13 {
			r.attr(c)
		}
		return mlir.LocationAttr{Loc: l}
	case 14:
		name := r.text(c, r.attr(c))
		l := of(r.attr(c))
		if l.Name == "" {
			l.Name = name
		}
		return mlir.LocationAttr{Loc: l}
	case 22:
		file := r.text(c, r.attr(c))
		places := list(c, c.varint)
		l := mlir.Location{File: file}
		if len(places) > 0 {
			l.Line = int(places[0])
		}
		if len(places) > 1 {
			l.Col = int(places[1])
		}
		if n := len(places); n > 2 { // an end: its column, or its line and column
			l.EndLine, l.EndCol = l.Line, int(places[n-1])
			if n > 3 {
				l.EndLine = int(places[2])
			}
		}
		return mlir.LocationAttr{Loc: l}
	}
	return mlir.LocationAttr{}
}

func (r *reader) denseArray(c *cursor) mlir.Attribute {
	a := mlir.DenseArrayAttr{Elem: r.typ(c)}
	n := c.varint()
	data := c.bytes(c.varint())
	size := (max(mlir.BitWidth(a.Elem), 1) + 7) / 8
	if size > 8 {
		c.failf("an array of elements of type %s", a.Elem)
	}
	if uint64(len(data)) != n*uint64(size) {
		c.failf("%d bytes for %d elements of type %s", len(data), n, a.Elem)
	}
	a.Ints = make([]int64, 0)
	f, float := a.Elem.(mlir.FloatType)
	for ; len(data) > 0; data = data[size:] {
		var v uint64
		for i := range size {
			v |= uint64(data[i]) << (8 * i)
		}
		if float {
			a.Floats = append(a.Floats, f.Decode(v))
			continue
		}
		shift := 64 - 8*size
		a.Ints = append(a.Ints, int64(v<<shift)>>shift)
	}
	if float {
		a.Ints = nil
	}
	return a
}

// dense makes elements of their bytes; bools are bits, or bytes in files of newer programs.
func (r *reader) dense(c *cursor, t mlir.Type, data []byte) mlir.Attribute {
	shape, elem, ok := mlir.ShapeOf(t)
	if !ok {
		c.failf("elements of type %s", t)
	}
	n := 1
	for _, e := range shape {
		if e < 0 || e > 0 && n > math.MaxInt32/e {
			c.failf("elements of type %s", t)
		}
		n *= e
	}
	if packed := (n + 7) / 8; mlir.SameType(elem, mlir.I1) && len(data) != n || n == 1 && len(data) == 1 && mlir.SameType(elem, mlir.I1) {
		data = unpacked(data, n, packed)
	}
	a, err := mlir.NewDense(t, data)
	if err != nil {
		c.failf("%w", err)
	}
	return a
}

// unpacked returns bools from bytes with eight each, the first in the lowest bit; a single byte may stand for all.
func unpacked(bits []byte, n, packed int) []byte {
	if len(bits) == 1 && (packed > 1 || bits[0] == 0xff || bits[0] == 0) {
		return []byte{bits[0] & 1}
	}
	if len(bits) != packed {
		return bits // which is refused
	}
	out := make([]byte, n)
	for i := range out {
		out[i] = bits[i/8] >> (i % 8) & 1
	}
	return out
}
