package plan_test

import (
	"fmt"
	"log"

	"github.com/go-acap/acap/device/engine/convert"
	"github.com/go-acap/acap/device/engine/fuse"
	"github.com/go-acap/acap/device/engine/plan"
	"github.com/go-acap/acap/kernel/portable"
	"github.com/go-acap/acap/mlir"
	_ "github.com/go-acap/acap/mlir/dialect"
)

// Four operations in a row, each in a kernel of its own, pass three values on. A value ends where the next one begins,
// so one place in the arena is enough for all three.
func ExamplePlan_Make() {
	module, err := mlir.Parse("f.mlir", []byte(`func.func @f(%x: tensor<1024xf32>) -> tensor<1024xf32> {
  %0 = math.exp %x : tensor<1024xf32>
  %1 = math.sin %0 : tensor<1024xf32>
  %2 = math.log %1 : tensor<1024xf32>
  %3 = math.cos %2 : tensor<1024xf32>
  return %3 : tensor<1024xf32>
}`))
	if err != nil {
		log.Fatal(err)
	}
	g, err := convert.Function(module.Func("f"), 100, false)
	if err != nil {
		log.Fatal(err)
	}
	const apart = true
	fuse.Clusters(g, apart, nil)
	p := &plan.Plan{}
	if err := p.Make(g, &plan.Options{Backend: portable.Compile}, new(plan.Watch)); err != nil {
		log.Fatal(err)
	}
	for _, s := range p.Steps {
		fmt.Println(s.Name)
		defer s.Free()
	}
	fmt.Println(p.ArenaBytes, "bytes between kernels")
	// Output:
	// k0_pointwise
	// k1_pointwise
	// k2_pointwise
	// k3_pointwise
	// 4096 bytes between kernels
}
