package placement_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/placement"
	"github.com/go-acap/acap/device/acap/schedule"
	"github.com/go-acap/acap/device/engine"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Two products follow each other on an NPU of 32 cores. The report has a row for each kernel, with its mapping; kernels
// as small as these wait for the host.
func ExampleNew() {
	module, err := mlir.Parse("f.mlir", []byte(`
func.func @f(%x: tensor<256x512xbf16>, %v: tensor<512x512xbf16>, %w: tensor<512x512xbf16>) -> tensor<256x512xbf16> {
  %zero = arith.constant 0.0 : bf16
  %e = tensor.empty() : tensor<256x512xbf16>
  %zeros = linalg.fill ins(%zero : bf16) outs(%e : tensor<256x512xbf16>) -> tensor<256x512xbf16>
  %0 = linalg.matmul ins(%x, %v : tensor<256x512xbf16>, tensor<512x512xbf16>) outs(%zeros : tensor<256x512xbf16>) -> tensor<256x512xbf16>
  %1 = linalg.matmul ins(%0, %w : tensor<256x512xbf16>, tensor<512x512xbf16>) outs(%zeros : tensor<256x512xbf16>) -> tensor<256x512xbf16>
  return %1 : tensor<256x512xbf16>
}`))
	if err != nil {
		log.Fatal(err)
	}
	p, err := engine.Compile(module.Func("f"), engine.Options{Backend: portable.Compile})
	if err != nil {
		log.Fatal(err)
	}
	defer p.Close()
	m, err := machine.Preset("npu2")
	if err != nil {
		log.Fatal(err)
	}
	plan := placement.New(&placement.Array{Machine: m, Inputs: 1},
		placement.Program{Groups: []placement.Group{{Kernels: p.Kernels(), Turns: schedule.Turns{}}}}, nil)
	r := plan.Report()
	for _, k := range r.Kernels {
		fmt.Println(k.Name, "on", k.Mapping.Cores(), "cores,", k.Timing.Bound, "bound")
	}
	total := r.Total()
	fmt.Println(total.MACs, "multiply-adds in", total.Calls, "call")
	// Output:
	// k0_matmul on 32 cores, host bound
	// k1_matmul on 32 cores, host bound
	// 134217728 multiply-adds in 1 call
}
