package kernel

import (
	"github.com/go-acap/acap/base/dtype"
)

func init() { register[Scan](4, "scan") }

// Scan gives at every place of every line the fold of the elements up to it, in the order of the line. Floating sums,
// products and logaddexp are folded in f64 and rounded where they are stored. Of an extreme it may give the position
// instead, the last so far. Ports: 0 X, 1 Out, both dense and of one type; positions are i64.
type Scan struct {
	Name string
	Lines
	Fold     FoldKind
	Unsigned bool // how integers compare
	// Positions says that Out gets, for each element, the position of the extreme of the elements up to it. Of equal
	// extremes the last one counts. A NaN is an extreme, and the last NaN counts.
	Positions bool
	X, Out    Port
}

// Ports implements [Kernel].
func (s *Scan) Ports() []Port { return []Port{s.X, s.Out} }

func (s *Scan) verify(v *verifier) {
	v.extents("lines", s.Outer, s.N, s.Inner)
	v.dense("x", s.X, s.Elements(), false)
	v.dense("out", s.Out, s.Elements(), true)
	into := s.X.DType
	if s.Positions {
		into = dtype.I64
	}
	switch {
	case s.Out.DType != into:
		v.fail("scan of %s into %s, not %s", s.X.DType, s.Out.DType, into)
	case s.Positions && s.Fold != FoldMax && s.Fold != FoldMin:
		v.fail("positions of a scan by %s", s.Fold)
	case s.Fold >= FoldAssign:
		v.fail("scan by %s", s.Fold)
	case s.Fold == FoldLogAddExp && !s.X.DType.IsFloat():
		v.fail("logaddexp of %s", s.X.DType)
	}
}

// String implements [Kernel].
func (s *Scan) String() string { return text(s) }
func (s *Scan) named() *string { return &s.Name }

func (s *Scan) form(f *form) {
	s.Lines.form(f)
	f.fold("fold", &s.Fold)
	f.bool("unsigned", &s.Unsigned)
	f.bool("positions", &s.Positions)
	f.operand("x", s.X.form)
	f.operand("out", s.Out.form)
}

// Account implements [Kernel]: one fold for each element.
func (s *Scan) Account() Account { return wholes("scan", int64(s.Elements()), s.Ports()) }

// Along implements [LineByLine].
func (s *Scan) Along(int) Lines { return s.Lines }

// OnLines implements [LineByLine].
func (s *Scan) OnLines(outer, inner int) Kernel {
	c := *s
	c.Outer, c.Inner = outer, inner
	c.X.Len, c.Out.Len = c.Elements(), c.Elements()
	return &c
}
