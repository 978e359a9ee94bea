package kernel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/wire"
)

func init() { register[Scan](4, "scan") }

// Scan gives at every place of every line the fold of the elements up to it, in the
// order of the line. Floating sums, products and logaddexp are folded in f64 and
// rounded where they are stored. Of an extreme it may give the position instead, the
// last so far. Ports: 0 X, 1 Out, both dense and of one type; positions are i64.
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

func (s *Scan) decode(d *decoder, it *item) {
	*s = Scan{Name: s.Name, Lines: d.lines(it), Fold: d.fold(it), Unsigned: d.int(it, "unsigned") != 0,
		Positions: d.int(it, "positions") != 0}
	d.dense(it, scanOperands, &s.X, &s.Out)
}

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

func (k *Scan) fields(c *wire.Coder) {
	k.Lines.fields(c)
	wire.Small(c, &k.Fold, numFolds)
	c.Bool(&k.Unsigned)
	c.Bool(&k.Positions)
	portFields(c, &k.X, &k.Out)
}

func (s *Scan) named() *string { return &s.Name }

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
