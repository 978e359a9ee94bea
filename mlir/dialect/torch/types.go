package torch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// plain are the types without parameters.
var plain = strings.Fields(`int float bool str none number any Device Generator LinearParams qint8 quint8 qint16 qint32
	quint4x2 quint2x4 bits1x8 bits2x4 bits4x2 bits8 bits16`)

// parseType reads a type into one spelling: !torch.vtensor<[2,?],f32>, !torch.list<optional<int>>.
func parseType(p *mlir.Parser, mnemonic string) mlir.Type {
	text := spelling(p, mnemonic)
	if p.Failed() {
		return nil
	}
	return Type(text)
}

// spelling reads what follows a mnemonic.
func spelling(p *mlir.Parser, mnemonic string) string {
	switch mnemonic {
	case "tensor", "vtensor":
		return mnemonic + tensorParameters(p)
	case "list", "optional":
		p.Expect("<")
		inner := contained(p)
		p.Expect(">")
		return mnemonic + "<" + inner + ">"
	case "tuple", "union", "dict":
		var parts []string
		p.List("<", ">", func() { parts = append(parts, contained(p)) })
		if mnemonic == "dict" && len(parts) != 2 && !p.Failed() {
			p.Errorf("a dict has a type of keys and one of values")
		}
		return mnemonic + "<" + strings.Join(parts, ", ") + ">"
	case "nn.Module":
		if !p.Accept("<") {
			return mnemonic
		}
		name := p.Str()
		p.Expect(">")
		return mnemonic + "<" + mlir.StringAttr(name).String() + ">"
	}
	if !slices.Contains(plain, mnemonic) {
		p.Errorf("there is no type !torch.%s", mnemonic)
	}
	return mnemonic
}

// contained reads a type within another, with or without the name of the dialect.
func contained(p *mlir.Parser) string {
	if word := p.NextKeyword(); word != "" {
		return spelling(p, p.Keyword())
	}
	t := p.Type()
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "torch" {
		p.Errorf("expected a type of the dialect, not %s", t)
	}
	return o.Text
}

// tensorParameters reads <[2,?],f32>, <*,f32>, <unk,unk>, <[2],unk,encoding>, or nothing.
func tensorParameters(p *mlir.Parser) string {
	if !p.Accept("<") {
		return ""
	}
	shape, known := "*", false
	rank := -1
	switch {
	case p.Accept("*"):
	case p.Next("unk") || p.Next("unit"):
		p.Keyword()
	default:
		var extents []string
		p.List("[", "]", func() {
			if p.Accept("?") {
				extents = append(extents, "?")
				return
			}
			n := p.Int()
			if n < -1 {
				p.Errorf("an extent must not be negative")
			}
			text := strconv.Itoa(n)
			if n == -1 {
				text = "?"
			}
			extents = append(extents, text)
		})
		shape, known, rank = "["+strings.Join(extents, ",")+"]", true, len(extents)
	}
	p.Expect(",")
	elem := "unk"
	if p.Next("unk") || p.Next("unit") {
		p.Keyword()
	} else {
		t := p.Type()
		if !isElement(t) {
			p.Errorf("a tensor does not hold elements of type %s", t)
		}
		elem = t.String()
		known = true
	}
	text := "<" + shape + "," + elem
	if p.Accept(",") {
		a := p.Attr()
		encoding, _ := a.(mlir.OpaqueAttr)
		if !strings.HasPrefix(encoding.Text, "#sparse_tensor.encoding<") {
			p.Errorf("an encoding must be one of sparse tensors, not %s", a)
		} else if n := strings.Count(strings.SplitN(encoding.Text, "->", 2)[0], ",") + 1; rank >= 0 && n != rank {
			p.Errorf("the encoding has %d dimensions, and the tensor %d", n, rank)
		}
		text += "," + a.String()
		known = true
	}
	p.Expect(">")
	if !known {
		return ""
	}
	return text + ">"
}

// isElement reports whether a tensor holds elements of a type.
func isElement(t mlir.Type) bool {
	switch t := t.(type) {
	case mlir.IntegerType:
		return t.Signedness != mlir.Signless || t.Width == 1
	case mlir.FloatType, mlir.ComplexType:
		return true
	case mlir.OpaqueType:
		return t.Dialect == "torch" && slices.Contains(plain, t.Text) && strings.ContainsAny(t.Text, "0123456789")
	}
	return false
}

// parts takes a type with parameters apart: list<int> into list and int.
func parts(t mlir.Type) (name string, inner []mlir.Type) {
	o, ok := t.(mlir.OpaqueType)
	if !ok || o.Dialect != "torch" {
		return "", nil
	}
	name, rest, found := strings.Cut(o.Text, "<")
	if !found || name == "vtensor" || name == "tensor" || name == "nn.Module" {
		return name, nil
	}
	depth, start := 0, 0
	rest = strings.TrimSuffix(rest, ">")
	for i, c := range rest + "," {
		switch {
		case c == '<' || c == '[':
			depth++
		case c == '>' || c == ']':
			depth--
		case c == ',' && depth == 0:
			if field := strings.TrimSpace(rest[start:i]); field != "" {
				inner = append(inner, Type(field))
			}
			start = i + 1
		}
	}
	return name, inner
}

// Kind is the name of a type without its parameters: vtensor, list, int. Types of other dialects have none.
func Kind(t mlir.Type) string {
	name, _ := parts(t)
	return name
}

// IsSubtype reports whether every value of type a is one of type b: of an optional type, of a tensor that says
// less, of a number.
func IsSubtype(a, b mlir.Type) bool {
	if mlir.SameType(a, b) {
		return true
	}
	name, inner := parts(a)
	super, outer := parts(b)
	switch {
	case super == "any":
		return true
	case super == "number":
		return name == "int" || name == "float"
	case name == "union":
		return !slices.ContainsFunc(inner, func(t mlir.Type) bool { return !IsSubtype(t, b) })
	case name == "optional" && super == "union":
		return IsSubtype(Type("none"), b) && IsSubtype(inner[0], b)
	case super == "union":
		return slices.ContainsFunc(outer, func(t mlir.Type) bool { return IsSubtype(a, t) })
	case super == "optional":
		if name == "optional" {
			return IsSubtype(inner[0], outer[0])
		}
		return name == "none" || IsSubtype(a, outer[0])
	case name == "tuple" && super == "tuple":
		return slices.EqualFunc(inner, outer, IsSubtype)
	case super == "nn.Module":
		return name == super && len(b.String()) == len("!torch.nn.Module")
	case name == super && (name == "vtensor" || name == "tensor"):
		return saysMore(a, b)
	}
	return false
}

// saysMore reports whether every tensor of type a is a tensor of type b.
func saysMore(a, b mlir.Type) bool {
	x, y := tensorParts(a), tensorParts(b)
	if y.elem != "" && x.elem != y.elem {
		return false
	}
	if y.shape == nil {
		return true
	}
	return x.shape != nil && slices.EqualFunc(x.shape, y.shape, func(m, n string) bool { return m == n || n == "?" })
}

// tensorText is a tensor type in parts: extents, nil where the rank is not known, and the element type, "" likewise.
type tensorText struct {
	shape []string
	elem  string
}

func tensorParts(t mlir.Type) tensorText {
	o, _ := t.(mlir.OpaqueType)
	_, body, ok := strings.Cut(strings.TrimSuffix(o.Text, ">"), "<")
	if !ok {
		return tensorText{}
	}
	var out tensorText
	if rest, ranked := strings.CutPrefix(body, "["); ranked {
		var extents string
		extents, body, _ = strings.Cut(rest, "]")
		if out.shape = []string{}; extents != "" {
			out.shape = strings.Split(extents, ",")
		}
	}
	_, out.elem, _ = strings.Cut(body, ",")
	out.elem, _, _ = strings.Cut(out.elem, ",#")
	if out.elem == "unk" {
		out.elem = ""
	}
	return out
}

// castable reports whether a cast between two types can succeed: one is a subtype of the other, or both are tensor
// types that do not contradict each other.
func castable(a, b mlir.Type) bool {
	if IsSubtype(a, b) || IsSubtype(b, a) {
		return true
	}
	if n := Kind(a); n != Kind(b) || n != "vtensor" && n != "tensor" {
		return false
	}
	x, y := tensorParts(a), tensorParts(b)
	if x.elem != "" && y.elem != "" && x.elem != y.elem {
		return false
	}
	return x.shape == nil || y.shape == nil ||
		slices.EqualFunc(x.shape, y.shape, func(m, n string) bool { return m == n || m == "?" || n == "?" })
}

// verifyDerefine checks that a value is given a type that says less.
func verifyDerefine(op *mlir.Operation) error {
	if from, to := op.Operands[0].Type, op.Results[0].Type; !IsSubtype(from, to) {
		return fmt.Errorf("%s is no %s", from, to)
	}
	return nil
}

// verifyCast checks that a cast can succeed.
func verifyCast(op *mlir.Operation) error {
	if from, to := op.Operands[0].Type, op.Results[0].Type; !castable(from, to) {
		return fmt.Errorf("%s cannot be %s", from, to)
	}
	return nil
}
