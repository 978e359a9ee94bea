package plan_test

import (
	"fmt"

	"github.com/go-acap/acap/tensor/distributed/plan"
)

// A step of 30 ms with 100 MB of gradients, over links of 100 Gbit/s.
func Example() {
	link := plan.Link{Latency: 5e-6, Bandwidth: 12.5e9}
	step := plan.Step{Forward: 0.01, Backward: 0.02, Bytes: 100e6, Bucket: 25e6}
	for _, r := range []plan.Reduction{plan.Ring(link), plan.Tree(link)} {
		c := step.On(64, r)
		fmt.Printf("%s: %.1f ms, with overlap %.1f ms\n", c.Reduction, c.After*1e3, c.Overlap*1e3)
	}
	// Output:
	// ring: 48.3 ms, with overlap 34.6 ms
	// tree: 126.2 ms, with overlap 111.2 ms
}

// A ring of two ranks sends each half of the gradients twice: 90 microseconds beside 30 milliseconds.
func ExampleStep_UpTo() {
	link := plan.Link{Latency: 5e-6, Bandwidth: 12.5e9}
	step := plan.Step{Forward: 0.01, Backward: 0.02, Bytes: 1e6, Bucket: 1e6}
	for _, c := range step.UpTo(8, plan.Ring(link)) {
		fmt.Printf("%d ranks compute %.1f%% of the time, %.2f times as fast as one\n", c.Ranks, 100*c.Share, c.Speedup)
	}
	// Output:
	// 2 ranks compute 99.7% of the time, 1.99 times as fast as one
	// 4 ranks compute 99.5% of the time, 3.98 times as fast as one
	// 8 ranks compute 99.3% of the time, 7.94 times as fast as one
}
