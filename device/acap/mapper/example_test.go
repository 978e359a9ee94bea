package mapper_test

import (
	"fmt"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/tensor/dtype"
)

func ExampleMap() {
	m, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	bf16 := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "gemm", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 1024, N: 1024, K: 1024, A: bf16, B: bf16,
			Acc: dtype.F32, Out: dtype.BF16}}
	c, err := mapper.Map(m, w)
	if err != nil {
		panic(err)
	}
	p, err := c.Program()
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Mapping.Cores(), "cores,", c.Timing.Bound, "bound,", len(c.Runners), "runners-up")
	fmt.Println(len(p.Cores), "core programs,", len(p.FIFOs), "FIFOs")
	// Output:
	// 32 cores, compute bound, 5 runners-up
	// 32 core programs, 64 FIFOs
}
