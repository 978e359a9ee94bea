package kernel

import "github.com/go-acap/acap/base/dtype"

// Scan gives at every place of every line the fold of the elements up to it, in the
// order of the line. Floating sums, products and logaddexp are folded in f64 and
// rounded where they are stored. Of an extreme it may give the position instead, the
// last so far. Ports: 0 X, 1 Out, both dense and of one type; positions are i64.
type Scan struct {
	Name string
	Lines
	Fold     FoldKind
	Unsigned bool // how integers compare
	// Positions says that Out gets the position in the line of the last element so far that
	// is the extreme of those up to it; of NaNs, which are extremes, that of the last one.
	Positions bool
	X, Out    Port
}

// scanOperands are the names of the ports.
var scanOperands = []string{"x", "out"}

// Ports implements [Kernel].
func (s *Scan) Ports() []Port { return []Port{s.X, s.Out} }

// String implements [Kernel].
func (s *Scan) String() string {
	var p printer
	p.open("scan %q lines=%s fold=%s unsigned=%d positions=%d", s.Name, s.list(), s.Fold,
		number01(s.Unsigned), number01(s.Positions))
	return p.operands(scanOperands, s.Ports())
}

func (d *decoder) scan(it *item, name string) *Scan {
	s := &Scan{Name: name, Lines: d.lines(it), Fold: d.fold(it), Unsigned: d.int(it, "unsigned") != 0,
		Positions: d.int(it, "positions") != 0}
	d.dense(it, scanOperands, &s.X, &s.Out)
	return s
}

func (v *verifier) scan(s *Scan) {
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
