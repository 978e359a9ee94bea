package mapper_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/mapper"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
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

// Streams of a product find ways through the switches of the tiles.
func ExampleChoice_Program_routes() {
	m, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	bf16 := workload.Operand{DType: dtype.BF16}
	c, err := mapper.Map(m, &workload.Kernel{Name: "gemm", Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 1, M: 1024, N: 1024, K: 1024, A: bf16, B: bf16, Acc: dtype.F32, Out: dtype.BF16}})
	if err != nil {
		panic(err)
	}
	p, err := c.Program()
	if err != nil {
		panic(err)
	}
	p.Lower()
	r := p.Route()
	fmt.Printf("%d streams, %d switches more than on the shortest ways, at most %d of %d ports taken, %d shared\n",
		len(r.Streams), r.Detours, r.Used, r.Of, len(r.Shared))
	// Output:
	// 64 streams, 0 switches more than on the shortest ways, at most 4 of 4 ports taken, 0 shared
}

// A product of 128 rows takes its left operand from the mem tiles of eight columns, 16 rows in each.
func ExampleMapRetained() {
	m, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	f32 := workload.Operand{DType: dtype.F32}
	w := &workload.Kernel{Name: "gemm", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 128, N: 256, K: 512, A: f32, B: f32, Acc: dtype.F32, Out: dtype.F32}}
	c, err := mapper.MapRetained(m, w, mapper.Retention{In: mapping.Retained{Row: 1}, Cols: 8, Block: 16})
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Timing.ReadL3 == 512*256*4, c.Mapping.TM, c.Mapping.In)
	// Output: true 16 {1 0 0}
}
