package trace_test

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/trace"
)

// A recorded call runs nothing; other data makes the same program.
func ExampleCollect() {
	record := func(data ...float32) *trace.Graph {
		x := trace.Leaf(buf.From(data, len(data)))
		n, err := trace.Record(ops.MustLookup("relu"), ops.TensorArg(x))
		if err != nil {
			panic(err)
		}
		return trace.Collect([]ops.Value{n})
	}
	g := record(1, -2)
	fmt.Println(len(g.Nodes), len(g.Leaves), g.Key == record(3, 4).Key, g.Key == record(1, 2, 3).Key)
	// Output: 1 1 true false
}
