package graph_test

import (
	"fmt"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
)

// Transposes, slices and reshapes move no element: they change offset and strides.
func ExampleView() {
	show := func(v graph.View) {
		fmt.Println("shape", v.Shape(), "offset", v.Offset, "dimensions", v.Dims)
	}
	x := graph.Whole(graph.NewTensor(dtype.F32, []int{4, 6}), []int{4, 6})
	show(x)
	columns := x.Permute([]int{1, 0})
	show(columns)
	part, _ := columns.Slice(0, 1, 2, 3) // columns 1 and 4
	show(part)
	show(columns.Collapse([][]int{{0, 1}})) // no single stride leads through all elements
	// Output:
	// shape [4 6] offset 0 dimensions [[{4 6}] [{6 1}]]
	// shape [6 4] offset 0 dimensions [[{6 1}] [{4 6}]]
	// shape [2 4] offset 1 dimensions [[{2 3}] [{4 6}]]
	// shape [24] offset 0 dimensions [[{6 1} {4 6}]]
}
