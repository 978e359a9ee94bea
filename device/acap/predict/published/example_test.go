package published_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/machine"
	"github.com/go-acap/acap/device/acap/predict/published"
	"github.com/go-acap/acap/device/acap/timing"
)

// A published kernel is told by its name, its type and its size; on four cores it takes longer than on all.
func Example() {
	npu2, err := machine.Preset("npu2")
	if err != nil {
		panic(err)
	}
	k := published.Pointwise("gelu", dtype.BF16, 1<<20)
	var seconds []float64
	for _, cores := range []int{4, 0} { // 0 is as many as are best
		g, err := published.Ours(npu2, &k, cores)
		if err != nil {
			panic(err)
		}
		t, err := timing.Estimate(npu2, &k, g)
		if err != nil {
			panic(err)
		}
		seconds = append(seconds, t.Seconds)
	}
	fmt.Println(k.Kind, published.IsPointwise("gelu"), seconds[0] > seconds[1])
	// Output: pointwise true true
}
