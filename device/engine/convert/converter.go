package convert

import (
	"fmt"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/base/shape"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/mlir"
)

// converter makes the graph of a function.
type converter struct {
	*graph.Graph
	// uses counts the uses of each value of the function, to know when its memory
	// may be written.
	uses   func() map[*mlir.Value]int
	values map[*mlir.Value]graph.View
	piece  *piece // that the graph is of, or nil
	fixed  bool   // sums are in a fixed order
	padded map[*graph.Tensor]padded
	owned  map[*mlir.Value]bool       // values on memory of their own, written by insertions
	copies map[*graph.Tensor][]copied // that products read, and none writes
	parts  map[*graph.Tensor]copied   // that insertions write, by the tensor of the copy
	op     *mlir.Operation            // the operation that is being converted
	err    error
}

// add appends a node of the operation that is being converted.
func (g *converter) add(n *graph.Node) *graph.Node {
	if n.Op == nil {
		n.Op = g.op
	}
	return g.Graph.Add(n)
}

// fail keeps the first error.
func (g *converter) fail(format string, args ...any) {
	if g.err == nil {
		g.err = &graph.Error{Op: g.op.Name, Loc: g.op.Loc, Message: fmt.Sprintf(format, args...)}
	}
}

// mostElements bounds the elements of a value: with more, a loop over them would take hours.
const mostElements = 1 << 40

// failSize says that a value of the given extents is too large: for the memory, or for any.
func (g *converter) failSize(d dtype.DType, dims []int) {
	bytes := int64(d.Size())
	for _, n := range dims {
		bytes = buf.MulBytes(bytes, int64(n))
	}
	g.fail("a value of shape %s has more than 2^40 elements", shape.String(dims))
	if err := buf.CheckBytes(bytes, "a value of shape "+shape.String(dims)); err != nil {
		g.err = &graph.Error{Op: g.op.Name, Loc: g.op.Loc, Message: err.Error(), Cause: err}
	}
}
