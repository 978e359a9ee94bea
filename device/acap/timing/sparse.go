package timing

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/workload"
)

// Stored has the right operand of a product lie in memory as elements, though of every four values two are zero, on a machine whose
// multipliers do not skip zeros at a rate of their own, and where cells, which are whole, take no less.
func Stored(m *machine.Machine, w *workload.Kernel) {
	if w.Kind != workload.KindContraction || w.Contraction.B.Format != dtype.Sparse24 {
		return
	}
	c := &w.Contraction
	dense := c.B
	dense.Format, dense.Zeros = dtype.Plain, true
	_, skips := m.Compute.MACs[c.A.DType.String()+"x"+dtype.Sparse24.String()]
	if !skips || c.A.DType.Size() != c.B.DType.Size() || c.B.Bytes(c.K, c.N) >= dense.Bytes(c.K, c.N) {
		c.B = dense
	}
}
