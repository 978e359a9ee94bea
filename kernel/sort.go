package kernel

import (
	"math/bits"

	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Sort](5, "sort") }

// Sort orders every line, stably also if it is descending, and gives places First to
// First+Count-1 of it with the positions that the elements had. NaN is larger than
// any number; -0 equals 0. Ports: 0 X, 1 Values, 2 Positions (i64), all dense.
type Sort struct {
	Name string
	Lines
	First, Count         int
	Descending, Unsigned bool
	X, Values, Positions Port
}

// Ports implements [Kernel].
func (s *Sort) Ports() []Port { return []Port{s.X, s.Values, s.Positions} }

func (s *Sort) verify(v *verifier) {
	v.extents("lines", s.Outer, s.N, s.Inner)
	if s.First < 0 || s.Count < 0 || s.First > s.N-s.Count || s.N >= 1<<32 {
		v.fail("places %d to %d of lines of %d", s.First, s.First+s.Count, s.N)
		return
	}
	picked := s.With(s.Count).Elements()
	v.dense("x", s.X, s.Elements(), false)
	v.dense("values", s.Values, picked, true)
	v.dense("positions", s.Positions, picked, true)
	if s.X.DType != s.Values.DType || s.Positions.DType != dtype.I64 {
		v.fail("sort of %s into %s and %s", s.X.DType, s.Values.DType, s.Positions.DType)
	}
}

// String implements [Kernel].
func (s *Sort) String() string { return text(s) }
func (s *Sort) named() *string { return &s.Name }

func (s *Sort) form(f *form) {
	s.Lines.form(f)
	f.int("first", &s.First)
	f.int("count", &s.Count)
	f.bool("descending", &s.Descending)
	f.bool("unsigned", &s.Unsigned)
	f.operand("x", s.X.form)
	f.operand("values", s.Values.form)
	f.operand("positions", s.Positions.form)
}

// Account implements [Kernel]: merges compare each element.
func (s *Sort) Account() Account {
	merges := bits.Len(uint(max(s.N-1, 1)))
	return wholes("sort", int64(s.Elements())*int64(merges), s.Ports())
}

// Along implements [LineByLine].
func (s *Sort) Along(port int) Lines {
	if port == 0 {
		return s.Lines
	}
	return s.With(s.Count)
}

// OnLines implements [LineByLine].
func (s *Sort) OnLines(outer, inner int) Kernel {
	c := *s
	c.Outer, c.Inner = outer, inner
	picked := c.With(s.Count).Elements()
	c.X.Len, c.Values.Len, c.Positions.Len = c.Elements(), picked, picked
	return &c
}
