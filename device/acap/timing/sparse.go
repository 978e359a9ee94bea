package timing

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// Stored returns a kernel as a machine stores its operands. Of a product whose right operand has two zeros of every
// four values that is as elements on a machine whose multipliers do not skip zeros at a rate of their own, and where
// cells, which are whole, take no less.
func Stored(m *machine.Machine, w *workload.Kernel) *workload.Kernel {
	if w.Kind != workload.KindContraction || w.Contraction.B.Format != dtype.Sparse24 {
		return w
	}
	plain := *w
	c := &plain.Contraction
	c.B.Format, c.B.Zeros = dtype.Plain, true
	_, skips := m.Compute.MACs[c.A.DType.String()+"x"+dtype.Sparse24.String()]
	if skips && c.A.DType.Size() == c.B.DType.Size() && w.Contraction.B.Bytes(c.K, c.N) < c.B.Bytes(c.K, c.N) {
		return w
	}
	return &plain
}
