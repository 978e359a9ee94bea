package describe

import (
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// InPlace is [Kernel] for a kernel that replaces a part of an operand: the result has the operand's memory. A scatter
// of one slice in one run, as the body of a recurrence writes y[t], moves the slice alone, to a place that the
// controller writes into its descriptors, as [Sliced] has it for what is read. Errors are those of [Kernel].
func InPlace(name string, k kernel.Kernel) (*workload.Kernel, error) {
	s, ok := k.(*kernel.Scatter)
	if !ok || !oneRun(s) {
		return Kernel(name, k)
	}
	n := shape.Size(s.Extents)
	w := &workload.Kernel{Name: name, Kind: workload.KindMove,
		Move: workload.Move{Elements: int64(n), DType: s.Into.DType, ReadRun: n, WriteRun: n}}
	w.Classify()
	return w, w.Check()
}

// oneRun reports whether a scatter writes one run of whole words.
func oneRun(s *kernel.Scatter) bool {
	n := shape.Size(s.Extents)
	if s.Fold != kernel.FoldAssign || shape.Size(s.IndexExtents) != 1 || n == 0 || n*s.Into.DType.Size()%word != 0 {
		return false
	}
	for d, extent := range s.Extents {
		if d <= s.Axis && extent != 1 || d > s.Axis && extent != s.IntoExtents[d] {
			return false
		}
	}
	return true
}
