package kernel

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
)

func init() { register[Scatter](6, "scatter") }

// Scatter copies Into to Out and folds every update into one element of it: the one at the update's own place, but
// along Axis at the index. Updates come in row-major order. An extent of the index that is 1 stands for the updates'
// extent. An index outside the axis is a fault. Ports: 0 Updates, 1 Index (i64), 2 Into, 3 Out, all dense.
type Scatter struct {
	Name                         string
	Fold                         FoldKind
	Unsigned                     bool // how integers compare
	Axis                         int
	Extents, IndexExtents        []int // of the updates and of the index
	IntoExtents                  []int
	Updates, Index, Into, Result Port
}

// Ports implements [Kernel].
func (s *Scatter) Ports() []Port { return []Port{s.Updates, s.Index, s.Into, s.Result} }

func (s *Scatter) verify(v *verifier) {
	rank := len(s.IntoExtents)
	if len(s.Extents) != rank || len(s.IndexExtents) != rank || s.Axis < 0 || s.Axis >= rank {
		v.fail("axis %d of updates %v at %v into %v", s.Axis, s.Extents, s.IndexExtents, s.IntoExtents)
		return
	}
	v.extents("updates", s.Extents...)
	v.extents("index", s.IndexExtents...)
	v.extents("into", s.IntoExtents...)
	if v.err != nil {
		return
	}
	for d, n := range s.Extents {
		if i := s.IndexExtents[d]; i != n && i != 1 || d != s.Axis && n > s.IntoExtents[d] {
			v.fail("dimension %d: %d updates at %d indices into %d elements", d, n, i, s.IntoExtents[d])
			return
		}
	}
	v.dense("updates", s.Updates, shape.Size(s.Extents), false)
	v.dense("index", s.Index, shape.Size(s.IndexExtents), false)
	v.dense("into", s.Into, shape.Size(s.IntoExtents), false)
	v.dense("out", s.Result, shape.Size(s.IntoExtents), true)
	d := s.Into.DType
	if s.Updates.DType != d || s.Result.DType != d || s.Index.DType != dtype.I64 {
		v.fail("scatter of %s at %s into %s and %s", s.Updates.DType, s.Index.DType, d, s.Result.DType)
	}
	if s.Fold == FoldLogAddExp {
		v.fail("no scatter by %s", s.Fold)
	}
}

// String implements [Kernel].
func (s *Scatter) String() string { return text(s) }
func (s *Scatter) named() *string { return &s.Name }

func (s *Scatter) form(f *form) {
	f.fold("fold", &s.Fold)
	f.bool("unsigned", &s.Unsigned)
	f.int("axis", &s.Axis)
	f.list("updates", &s.Extents)
	f.list("index", &s.IndexExtents)
	f.list("into", &s.IntoExtents)
	f.operand("updates", s.Updates.form)
	f.operand("index", s.Index.form)
	f.operand("into", s.Into.form)
	f.operand("out", s.Result.form)
}

// Account implements [Kernel]: one fold for each update.
func (s *Scatter) Account() Account { return wholes("scatter", product(s.Extents), s.Ports()) }

// Overwrites implements [InPlace]: the kernel copies Into first.
func (s *Scatter) Overwrites(in, out int) bool { return in == 2 }
