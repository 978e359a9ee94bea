package describe

import (
	"math"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// Lines that do not depend on each other are rows, and a core takes some of the rows; within a line every element waits
// for the one before.

// line is the stream of a tensor whose lines are read one by one.
func line(p kernel.Port, l kernel.Lines) workload.Stream {
	s := workload.Stream{DType: p.DType, Elements: int64(l.Elements()), Constant: p.Const}
	if l.Inner > 1 {
		s.Walk = walkOf(l)
	}
	return s
}

// walkOf is the order in which lines are read one by one.
func walkOf(l kernel.Lines) *workload.Walk {
	return &workload.Walk{Outer: []workload.Loop{{Size: l.Outer, Stride: l.N * l.Inner},
		{Size: l.Inner, Stride: 1}}, Inner: []workload.Loop{{Size: l.N, Stride: l.Inner}}}
}

func rows(l kernel.Lines, t dtype.DType, serial float64) workload.Normalize {
	return workload.Normalize{Rows: l.Outer * l.Inner, Cols: l.N, DType: t, Passes: 1,
		Ops: workload.Mix{Serial: serial}}
}

func scan(w *workload.Kernel, s *kernel.Scan) {
	w.Kind, w.Normalize = workload.KindNormalize, rows(s.Lines, s.X.DType, 1)
	w.Normalize.In = []workload.Stream{line(s.X, s.Lines)}
	w.Normalize.Out = []workload.Stream{{DType: s.Out.DType, Elements: int64(s.Elements())}}
}

// sorting describes a sort by merging: an element takes part in log2 n comparisons.
func sorting(w *workload.Kernel, s *kernel.Sort) {
	w.Kind = workload.KindNormalize
	w.Normalize = rows(s.Lines, s.X.DType, 1+math.Log2(float64(max(1, s.N))))
	w.Normalize.Split = workload.SplitMerges
	w.Normalize.In = []workload.Stream{line(s.X, s.Lines)}
	picked := int64(s.With(s.Count).Elements())
	w.Normalize.Out = []workload.Stream{{DType: s.Values.DType, Elements: picked},
		{DType: s.Positions.DType, Elements: picked}}
}

// scatter describes the lines along the axis of what is scattered into. Lines that
// have no updates take some that mean nothing.
func scatter(w *workload.Kernel, s *kernel.Scatter) {
	into := shape.Size(s.IntoExtents)
	m := s.IntoExtents[s.Axis]
	w.Kind = workload.KindNormalize
	w.Normalize = workload.Normalize{Rows: into / max(1, m), Cols: m, DType: s.Into.DType, Passes: 1,
		Split: workload.SplitRanges,
		Ops:   workload.Mix{Serial: 1 + float64(s.Extents[s.Axis])/float64(max(1, m))}}
	for _, in := range []struct {
		port    kernel.Port
		extents []int
	}{{s.Updates, s.Extents}, {s.Index, s.IndexExtents}, {s.Into, s.IntoExtents}} {
		if shape.Size(in.extents) == 0 {
			continue // nothing to scatter
		}
		walk := ScatterWalk(s, in.extents)
		w.Normalize.In = append(w.Normalize.In, workload.Stream{DType: in.port.DType,
			Elements: int64(walk.Span()), Constant: in.port.Const, Walk: walk})
	}
	w.Normalize.Out = []workload.Stream{{DType: s.Result.DType, Elements: int64(into)}}
}

// ScatterWalk is the order in which an operand of a scatter is read. extents are the operand's. Dimensions other than
// the axis that are longer than 1 are padded to the extents of the scatter's destination.
func ScatterWalk(s *kernel.Scatter, extents []int) *workload.Walk {
	walk := &workload.Walk{}
	padded := Padded(s, extents)
	stride := 1
	for d := len(padded) - 1; d >= 0; d-- {
		l := workload.Loop{Size: s.IntoExtents[d], Stride: stride}
		if padded[d] == 1 {
			l.Stride = 0
		}
		if d == s.Axis {
			l.Size = padded[d]
			walk.Inner = []workload.Loop{l}
		} else {
			walk.Outer = append([]workload.Loop{l}, walk.Outer...)
		}
		stride *= padded[d]
	}
	return walk
}

// Padded returns the extents of an operand of a scatter with space for every line.
func Padded(s *kernel.Scatter, extents []int) []int {
	out := append([]int(nil), extents...)
	for d := range out {
		if d != s.Axis && out[d] > 1 {
			out[d] = s.IntoExtents[d]
		}
	}
	return out
}

// random describes ten rounds of four multiplications and exclusive ors for four
// words.
func random(w *workload.Kernel, r *kernel.Random) {
	w.Kind = workload.KindPointwise
	w.Pointwise = workload.Pointwise{Elements: int64(r.Out.Len), DType: r.Out.DType,
		Ops: workload.Mix{Simple: 20}, Out: []workload.Stream{{DType: r.Out.DType, Elements: int64(r.Out.Len)}},
		In: []workload.Stream{{DType: r.Key.DType, Elements: 1}, {DType: r.Counter.DType, Elements: 1}}}
}

// describeLines describes a kernel that works line by line; a core has whole lines.
func describeLines(w *workload.Kernel, k kernel.LineByLine) {
	ports, lines := k.Ports(), k.Along(0)
	work := float64(k.Account().Work) / float64(max(1, lines.Elements()))
	w.Kind, w.Normalize = workload.KindNormalize, rows(lines, ports[0].DType, work)
	w.Normalize.Split = workload.SplitNever
	for i, p := range ports {
		if p.Write {
			w.Normalize.Out = append(w.Normalize.Out, workload.Stream{DType: p.DType, Elements: int64(p.Len)})
		} else {
			in := k.Along(i)
			s := line(p, in)
			if in.N != lines.N { // its rows have a length of their own
				s.Walk = walkOf(in)
			}
			w.Normalize.In = append(w.Normalize.In, s)
		}
	}
}
