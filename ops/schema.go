package ops

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Schema is a parsed ATen schema, for example
//
//	add.Tensor(Tensor self, Tensor other, *, Scalar alpha=1) -> Tensor
type Schema struct {
	Name     string // "add"
	Overload string // "Tensor"; empty for the default overload
	Params   []Param
	Returns  []Return
}

// Param is one parameter.
type Param struct {
	Name     string
	Type     ParamType
	List     bool // Tensor[], int[2], float[], …
	Optional bool // T?; an optional list as a whole for List
	ElemOpt  bool // Tensor?[]: entries may be absent
	KwOnly   bool
	Alias    byte // 'a' of Tensor(a) or Tensor(a!), or 0
	Write    bool // Tensor(a!)
	HasDef   bool
	Default  Arg
}

// Return is one result.
type Return struct {
	Name  string
	Type  ParamType
	List  bool
	Alias byte
	Write bool
}

// ParamType is the base type of a parameter or result.
type ParamType uint8

// The base types of ATen schemas.
const (
	TypeTensor ParamType = iota
	TypeInt
	TypeFloat
	TypeBool
	TypeScalar
	TypeString
	TypeDType
	TypeLayout
	TypeDevice
	TypeMemoryFormat
	TypeGenerator
)

var typeNames = map[string]ParamType{
	"Tensor": TypeTensor, "int": TypeInt, "SymInt": TypeInt, "float": TypeFloat,
	"bool": TypeBool, "Scalar": TypeScalar, "str": TypeString, "ScalarType": TypeDType,
	"Layout": TypeLayout, "Device": TypeDevice, "MemoryFormat": TypeMemoryFormat,
	"Generator": TypeGenerator, "number": TypeScalar,
}

// FullName returns "add.Tensor", or "relu" for a default overload.
func (s *Schema) FullName() string {
	if s.Overload == "" {
		return s.Name
	}
	return s.Name + "." + s.Overload
}

// tensors returns how many parameters are tensors or lists of tensors, and whether a call has to say how many
// each of them is.
func (s *Schema) tensors() (count int, segmented bool) {
	for i := range s.Params {
		if q := &s.Params[i]; q.Type == TypeTensor {
			count++
			segmented = segmented || q.List || q.Optional
		}
	}
	return count, segmented
}

// ParseSchema reads an ATen schema string, "relu(Tensor self) -> Tensor" for one. The error has the text and what is
// wrong with it.
func ParseSchema(text string) (*Schema, error) {
	p := schemaParser{text: text}
	s := p.schema()
	if p.err != nil {
		return nil, fmt.Errorf("schema %q: %w", text, p.err)
	}
	return s, nil
}

type schemaParser struct {
	text string
	pos  int
	err  error
}

func (p *schemaParser) fail(format string, args ...any) {
	if p.err == nil {
		p.err = fmt.Errorf("column %d: %s", p.pos+1, fmt.Sprintf(format, args...))
	}
}

func (p *schemaParser) space() {
	for p.pos < len(p.text) && p.text[p.pos] == ' ' {
		p.pos++
	}
}

func (p *schemaParser) accept(token string) bool {
	p.space()
	if strings.HasPrefix(p.text[p.pos:], token) {
		p.pos += len(token)
		return true
	}
	return false
}

func (p *schemaParser) expect(token string) {
	if !p.accept(token) {
		p.fail("expected %q", token)
	}
}

func isWord(c byte) bool {
	return c == '_' || c >= '0' && c <= '9' || c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z'
}

func (p *schemaParser) word() string {
	p.space()
	start := p.pos
	for p.pos < len(p.text) && isWord(p.text[p.pos]) {
		p.pos++
	}
	if start == p.pos {
		p.fail("expected a name")
	}
	return p.text[start:p.pos]
}

func (p *schemaParser) schema() *Schema {
	s := &Schema{Name: p.word()}
	if p.accept("::") {
		s.Name += "." + p.word()
	}
	if p.accept(".") {
		s.Overload = p.word()
	}
	p.expect("(")
	kwOnly := false
	for p.err == nil && !p.accept(")") {
		if len(s.Params) > 0 || kwOnly {
			p.expect(",")
		}
		if p.accept("*") {
			kwOnly = true
			continue
		}
		s.Params = append(s.Params, p.param(kwOnly))
	}
	s.Params = slices.Clone(s.Params) // there are thousands, for good: no room to grow
	p.expect("->")
	s.Returns = p.returns()
	p.space()
	if p.err == nil && p.pos != len(p.text) {
		p.fail("unexpected %q", p.text[p.pos:])
	}
	return s
}

func (p *schemaParser) param(kwOnly bool) Param {
	q := Param{KwOnly: kwOnly}
	q.Type, q.Alias, q.Write = p.base()
	for {
		switch {
		case p.accept("?"):
			if !q.List && strings.HasPrefix(p.text[p.pos:], "[") {
				q.ElemOpt = true
			} else {
				q.Optional = true
			}
			continue
		case p.accept("["):
			q.List = true
			for p.pos < len(p.text) && p.text[p.pos] != ']' {
				p.pos++
			}
			p.expect("]")
			continue
		}
		break
	}
	q.Name = p.word()
	if q.Type == TypeInt && q.Name == "dtype" { // TorchScript's own operators have element types as ints
		q.Type = TypeDType
	}
	if p.accept("=") {
		q.HasDef = true
		q.Default = p.value(&q)
	} else if q.Optional {
		q.Default = Arg{}
	}
	return q
}

func (p *schemaParser) base() (t ParamType, alias byte, write bool) {
	name := p.word()
	t, ok := typeNames[name]
	if !ok {
		p.fail("unknown type %q", name)
	}
	if p.accept("(") {
		if set := p.word(); len(set) == 1 {
			alias = set[0]
		} else {
			p.fail("alias set %q is not a letter", set)
		}
		write = p.accept("!")
		if p.accept("->") {
			p.accept("*")
		}
		p.expect(")")
	}
	return t, alias, write
}

func (p *schemaParser) returns() []Return {
	one := func() Return {
		var r Return
		r.Type, r.Alias, r.Write = p.base()
		if p.accept("[") {
			p.expect("]")
			r.List = true
		}
		p.space()
		if p.pos < len(p.text) && isWord(p.text[p.pos]) {
			r.Name = p.word()
		}
		return r
	}
	if !p.accept("(") {
		return []Return{one()}
	}
	var out []Return
	for p.err == nil && !p.accept(")") {
		if len(out) > 0 {
			p.expect(",")
		}
		out = append(out, one())
	}
	return out
}

// value reads the default of a parameter.
func (p *schemaParser) value(q *Param) Arg {
	if p.accept("[") {
		var ints []int
		for p.err == nil && !p.accept("]") {
			if len(ints) > 0 {
				p.expect(",")
			}
			a := p.scalar(q)
			ints = append(ints, a.Int())
		}
		return listDefault(q.Type, ints)
	}
	a := p.scalar(q)
	if q.List && a.Kind == KindInt {
		return IntsArg([]int{int(a.Int())})
	}
	return a
}

func listDefault(t ParamType, ints []int) Arg {
	if t == TypeBool {
		bools := make([]bool, len(ints))
		for i, v := range ints {
			bools[i] = v != 0
		}
		return BoolsArg(bools)
	}
	return IntsArg(ints)
}

func (p *schemaParser) scalar(q *Param) Arg {
	p.space()
	if p.pos < len(p.text) && (p.text[p.pos] == '"' || p.text[p.pos] == '\'') {
		end := strings.IndexByte(p.text[p.pos+1:], p.text[p.pos])
		if end < 0 {
			p.fail("unterminated string")
			return Arg{}
		}
		s := p.text[p.pos+1 : p.pos+1+end]
		p.pos += end + 2
		return StringArg(s)
	}
	start := p.pos
	for p.pos < len(p.text) &&
		(isWord(p.text[p.pos]) || strings.IndexByte(".+-", p.text[p.pos]) >= 0) {
		p.pos++
	}
	word := p.text[start:p.pos]
	switch word {
	case "None":
		return Arg{}
	case "True", "true":
		return BoolArg(true)
	case "False", "false":
		return BoolArg(false)
	case "Mean":
		return IntArg(1)
	case "Sum":
		return IntArg(2)
	case "contiguous_format", "long", "strided":
		return Arg{}
	}
	if n, err := strconv.ParseInt(word, 10, 64); err == nil {
		if q.Type == TypeFloat {
			return FloatArg(float64(n))
		}
		return IntArg(int(n))
	}
	f, err := strconv.ParseFloat(word, 64)
	if err != nil {
		p.fail("bad default %q", word)
	}
	return FloatArg(f)
}
