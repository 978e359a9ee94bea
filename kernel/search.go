package kernel

import (
	"math/bits"

	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Search](9, "search") }

// Search gives every value its place in a sorted line: the number of elements of the line that come before the value.
// An element comes before a greater value, with Right before an equal one too, and before a NaN always. A line is in
// ascending order and has no NaN: places in other lines mean nothing. Ports: 0 Values, 1 Sequence, 2 Out (i64), all
// dense. Values and Sequence have one type, which is not a half type.
type Search struct {
	Name                  string
	Outer                 int // lines
	N, M                  int // elements of a line, and values that are looked for in it
	Right, Unsigned       bool
	Values, Sequence, Out Port
}

// Ports implements [Kernel].
func (s *Search) Ports() []Port { return []Port{s.Values, s.Sequence, s.Out} }

func (s *Search) verify(v *verifier) {
	v.extents("elements of lines", s.Outer, s.N)
	v.extents("values of lines", s.Outer, s.M)
	v.dense("values", s.Values, s.Outer*s.M, false)
	v.dense("sequence", s.Sequence, s.Outer*s.N, false)
	v.dense("out", s.Out, s.Outer*s.M, true)
	switch d := s.Sequence.DType; {
	case d != s.Values.DType || s.Out.DType != dtype.I64:
		v.fail("search of %s in %s into %s, where values have the type of the sequence and places are i64", s.Values.DType, d, s.Out.DType)
	case d.IsFloat() && d != dtype.F32 && d != dtype.F64:
		v.fail("search in %s: widen the values to f32 first", d)
	}
}

// String implements [Kernel].
func (s *Search) String() string { return text(s) }
func (s *Search) named() *string { return &s.Name }

func (s *Search) form(f *form) {
	f.int("lines", &s.Outer)
	f.int("length", &s.N)
	f.int("each", &s.M)
	f.bool("right", &s.Right)
	f.bool("unsigned", &s.Unsigned)
	f.operand("values", s.Values.form)
	f.operand("sequence", s.Sequence.form)
	f.operand("out", s.Out.form)
}

// Account implements [Kernel]: a value is compared once in each halving of its line.
func (s *Search) Account() Account {
	return wholes("search", int64(s.Values.Len)*int64(bits.Len(uint(s.N))), s.Ports())
}

// Along implements [LineByLine].
func (s *Search) Along(port int) Lines {
	if port == 1 {
		return Lines{s.Outer, s.N, 1}
	}
	return Lines{s.Outer, s.M, 1}
}

// OnLines implements [LineByLine].
func (s *Search) OnLines(outer, inner int) Kernel {
	c := *s
	c.Outer = outer * inner // lines lie one behind the other: inner is 1 wherever there are two of them
	c.Sequence.Len, c.Values.Len, c.Out.Len = c.Outer*c.N, c.Outer*c.M, c.Outer*c.M
	return &c
}
