package acap

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

// describe returns what a kernel asks of the array. Where it is the array that turns bf16 to block floating point, in
// registers, constant operands are not packed so in memory.
func (a *Array) describe(name string, k kernel.Kernel) (*workload.Kernel, error) {
	w, err := describe.Kernel(name, k)
	if err != nil || !a.machine.Compute.Emulate || a.config.Weights() != dtype.Plain || w.Kind != workload.KindContraction {
		return w, err
	}
	for _, o := range []*workload.Operand{&w.Contraction.A, &w.Contraction.B} {
		if o.DType == dtype.BF16 && o.Format == dtype.BFP16 {
			o.Format, o.Rounded = dtype.Plain, dtype.BFP16
		}
	}
	return w, nil
}
