package build_test

import (
	"fmt"
	"log"
	"strings"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/program/build"
	"github.com/go-acap/acap/device/acap/workload"
)

// A mapped kernel becomes programs of cores and the object FIFOs between them. A mapping with tiles too large for the
// memory of a core is refused with the reason.
func ExampleProgram() {
	m, err := machine.Preset("npu2")
	if err != nil {
		log.Fatal(err)
	}
	bf16 := workload.Operand{DType: dtype.BF16}
	w := &workload.Kernel{Name: "gemm", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 512, N: 512, K: 512, A: bf16, B: bf16, Acc: dtype.F32, Out: dtype.BF16}}
	c, err := mapper.Map(m, w)
	if err != nil {
		log.Fatal(err)
	}
	p, err := build.Program(m, w, c.Mapping)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(p.Cores), "cores,", len(p.FIFOs), "FIFOs:", p.Verify())
	large := c.Mapping
	large.TM, large.TN = 512, 512
	reason, _, _ := strings.Cut(build.Check(m, w, large).Error(), ": stack")
	fmt.Println(reason)
	// Output:
	// 32 cores, 64 FIFOs: <nil>
	// program gemm: tile (0, 1) needs 4227072 of 524288 bytes
}
