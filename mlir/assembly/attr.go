package assembly

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/go-acap/acap/mlir"
)

// attr describes an attribute: its kind, its default as text, and the values of an
// enumeration or the prefix of a dialect attribute.
type attr struct {
	name, kind string
	optional   bool
	def        string
	words      []string
	prefix     string
	bounded    bool
	low, high  int // bounds of an integer, or of how many a list holds
}

// attrOf reads "alignment: i64?" or "nontemporal: bool = false".
func attrOf(text string) attr {
	head, def, _ := strings.Cut(text, "=")
	name, kind, _ := strings.Cut(head, ":")
	a := attr{name: strings.TrimSpace(name), kind: strings.TrimSpace(kind), def: strings.TrimSpace(def)}
	if k, ok := strings.CutSuffix(a.kind, "?"); ok {
		a.kind, a.optional = k, true
	}
	if fn, arg, ok := strings.Cut(strings.TrimSuffix(a.kind, ")"), "("); ok {
		a.kind = fn
		if fn == "word" || fn == "param" {
			arg = strings.TrimSpace(arg)
		}
		switch {
		case fn == "enum":
			a.words = strings.Split(arg, "|")
		case fn == "ints" || a.integer() != nil:
			low, high, span := strings.Cut(arg, "..")
			a.low, _ = strconv.Atoi(low)
			if !span {
				high = low
			}
			a.bounded = true
			if a.high, _ = strconv.Atoi(high); high == "" {
				a.high = math.MaxInt
			}
		default:
			a.prefix = arg
		}
	}
	if a.kind == "" {
		a.kind = "any"
	}
	return a
}

// integer returns the type of an integer kind.
func (a *attr) integer() mlir.Type {
	switch a.kind {
	case "i1", "i8", "i16", "i32", "i64":
		bits, _ := strconv.Atoi(a.kind[1:])
		return mlir.IntegerType{Width: bits}
	case "index":
		return mlir.Index
	}
	return nil
}

// next reports whether the attribute may come next.
func (a *attr) next(p *mlir.Parser) bool {
	switch a.kind {
	case "sym", "name":
		return p.NextSymbol()
	case "str":
		return p.NextString()
	case "ints", "array", "groups":
		return p.Next("[")
	case "param":
		return p.Next("<") || p.NextAttrName()
	case "enum":
		return slices.Contains(a.words, p.NextKeyword()) || p.NextString()
	case "word":
		return p.NextKeyword() != ""
	}
	return a.integer() != nil && p.NextInteger()
}

func (a *attr) parse(p *mlir.Parser) mlir.Attribute {
	if t := a.integer(); t != nil {
		return p.IntOf(t)
	}
	switch a.kind {
	case "bool":
		if p.Accept("true") {
			return mlir.Bool(true)
		}
		if p.NextInteger() { // 0 or 1, of type i1
			return mlir.Bool(p.Int() != 0)
		}
		p.Expect("false")
		return mlir.Bool(false)
	case "str":
		return mlir.StringAttr(p.Str())
	case "name":
		return mlir.StringAttr(p.Symbol())
	case "type":
		return mlir.TypeAttr{Type: p.Type()}
	case "unit":
		return mlir.UnitAttr{}
	case "ints":
		list := mlir.DenseArrayAttr{Elem: mlir.I64, Ints: []int64{}}
		p.List("[", "]", func() { list.Ints = append(list.Ints, int64(p.Int())) })
		return list
	case "enum":
		word := ""
		if p.NextString() {
			word = p.Str()
		} else {
			word = p.Keyword()
		}
		n := slices.Index(a.words, word)
		if n < 0 && !p.Failed() {
			p.Errorf("%s is %q, and not one of %s", a.name, word, strings.Join(a.words, ", "))
		}
		return mlir.IntegerAttr{Value: int64(n), Type: mlir.I64}
	case "word":
		if p.NextAttrName() {
			return p.Attr()
		}
		return p.KeptAttr(a.open() + p.Keyword() + ">")
	case "param":
		if p.NextAttrName() {
			return p.Attr()
		}
		return p.KeptAttr("#" + a.prefix + p.Bracketed())
	}
	return p.Attr()
}

// body returns the text in the brackets of a dialect attribute.
func (a *attr) body(v mlir.Attribute) (string, bool) {
	if a.kind == "word" {
		text, ok := strings.CutPrefix(v.String(), a.open())
		return strings.TrimSuffix(text, ">"), ok
	}
	return strings.CutPrefix(v.String(), "#"+a.prefix)
}

// open is what stands before the word of an attribute: #vector.kind<, or
// #index<cmp_predicate and a space where the dialect has its own brackets.
func (a *attr) open() string {
	if open, ok := strings.CutSuffix(a.prefix, ">"); ok {
		return "#" + open + " "
	}
	return "#" + a.prefix + "<"
}

func (a *attr) print(p *mlir.Printer, v mlir.Attribute) {
	switch v := v.(type) {
	case mlir.IntegerAttr:
		if a.integer() != nil {
			p.Text(strconv.FormatInt(v.Value, 10))
			return
		}
		if a.kind == "enum" && v.Value >= 0 && v.Value < int64(len(a.words)) {
			p.Text(a.words[v.Value])
			return
		}
	case mlir.StringAttr:
		if a.kind == "name" {
			p.Symbol(string(v))
			return
		}
	case mlir.DenseArrayAttr:
		if a.kind == "ints" {
			parts := make([]string, len(v.Ints))
			for i, n := range v.Ints {
				parts[i] = strconv.FormatInt(n, 10)
			}
			p.Text("[" + strings.Join(parts, ", ") + "]")
			return
		}
	}
	if a.prefix != "" {
		if text, ok := a.body(v); ok {
			p.Text(text)
			return
		}
	}
	p.Attr(v)
}

// within reports whether n keeps the bounds.
func (a *attr) within(n int) bool { return !a.bounded || n >= a.low && n <= a.high }

// span is the bounds as text: 4, 0 to 3, or 1 on.
func (a *attr) span() string {
	switch a.high {
	case a.low:
		return strconv.Itoa(a.low)
	case math.MaxInt:
		return strconv.Itoa(a.low) + " on"
	}
	return strconv.Itoa(a.low) + " to " + strconv.Itoa(a.high)
}

func asList(v mlir.Attribute) mlir.ArrayAttr {
	list, _ := v.(mlir.ArrayAttr)
	return list
}

// isDefault reports whether v is what an absent attribute stands for.
func (a *attr) isDefault(v mlir.Attribute) bool {
	switch {
	case a.def == "":
		return false
	case a.kind == "enum":
		n, ok := v.(mlir.IntegerAttr)
		return ok && n.Value == int64(slices.Index(a.words, a.def))
	case a.prefix != "":
		text, ok := a.body(v)
		return ok && strings.Trim(text, "<>") == a.def
	}
	text, _, _ := strings.Cut(v.String(), " : ")
	return text == a.def
}

// check reports an attribute that is absent or of another kind.
func (a *attr) check(v mlir.Attribute) error {
	if v == nil {
		if a.optional || a.def != "" || a.kind == "unit" {
			return nil
		}
		return fmt.Errorf("requires attribute '%s'", a.name)
	}
	ok := true
	switch a.kind {
	case "bool":
		n, is := v.(mlir.IntegerAttr)
		ok = is && mlir.SameType(n.Type, mlir.I1)
	case "str", "name":
		_, ok = v.(mlir.StringAttr)
	case "sym":
		_, ok = v.(mlir.SymbolRefAttr)
	case "type":
		_, ok = v.(mlir.TypeAttr)
	case "word":
		if _, ok = a.body(v); !ok {
			return fmt.Errorf("attribute '%s' is %s, and not %s...>", a.name, v, a.open())
		}
	case "unit":
		_, ok = v.(mlir.UnitAttr)
	case "ints":
		var list mlir.DenseArrayAttr
		list, ok = v.(mlir.DenseArrayAttr)
		ok = ok && mlir.SameType(list.Elem, mlir.I64)
		if ok && !a.within(len(list.Ints)) {
			return fmt.Errorf("attribute '%s' has %d numbers, not %s", a.name, len(list.Ints), a.span())
		}
	case "array":
		_, ok = v.(mlir.ArrayAttr)
	case "groups":
		_, ok = v.(mlir.ArrayAttr)
		for _, list := range asList(v) {
			ints, array := list.(mlir.ArrayAttr)
			ok = ok && array && !slices.ContainsFunc(ints, func(e mlir.Attribute) bool {
				n, is := e.(mlir.IntegerAttr)
				return !is || !mlir.SameType(n.Type, mlir.I64)
			})
		}
	case "float":
		_, ok = v.(mlir.FloatAttr)
	case "map":
		_, ok = v.(mlir.AffineMapAttr)
	case "elements":
		switch v.(type) {
		case mlir.DenseAttr, mlir.ResourceAttr, mlir.OpaqueAttr:
		default:
			ok = false
		}
	case "enum":
		n, is := v.(mlir.IntegerAttr)
		ok = is && n.Value >= 0 && n.Value < int64(len(a.words))
	default:
		if t := a.integer(); t != nil {
			n, is := v.(mlir.IntegerAttr)
			ok = is && mlir.SameType(n.Type, t)
			if ok && !a.within(int(n.Value)) {
				return fmt.Errorf("attribute '%s' is %d, and not from %s", a.name, n.Value, a.span())
			}
		}
	}
	if !ok {
		return fmt.Errorf("attribute '%s' is no %s", a.name, a.kind)
	}
	return nil
}
