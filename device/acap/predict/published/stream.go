package published

import (
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/mapping"
	"github.com/go-acap/acap/device/acap/workload"
)

// bodies are pointwise kernels by their names: how many inputs a kernel has, and the operations of an element.
var bodies = map[string]struct {
	ins int
	ops workload.Mix
}{
	"eltwise_add": {2, workload.Mix{Simple: 1}},
	"eltwise_mul": {2, workload.Mix{Simple: 1}},
	"silu_mul":    {2, workload.Mix{Simple: 3, Divide: 1, Transcendental: 1}},
	"gelu":        {1, workload.Mix{Simple: 6, Transcendental: 1}},
	"relu":        {1, workload.Mix{Simple: 3}},
	"silu":        {1, workload.Mix{Simple: 5, Divide: 1, Transcendental: 1}},
	"sigmoid":     {1, workload.Mix{Simple: 4, Divide: 1, Transcendental: 1}},
	"tanh":        {1, workload.Mix{Simple: 2, Transcendental: 1}},
	"exp":         {1, workload.Mix{Simple: 2, Transcendental: 1}},
}

// IsPointwise reports whether there is a pointwise kernel of a name: a sum, a product or an activation.
func IsPointwise(name string) bool {
	_, ok := bodies[name]
	return ok
}

// Pointwise is the pointwise kernel of a name on the given number of elements of one type.
func Pointwise(name string, t dtype.DType, elements int) workload.Kernel {
	b := bodies[name]
	stream := workload.Stream{DType: t, Elements: int64(elements)}
	p := workload.Pointwise{Elements: int64(elements), DType: t, Ops: b.ops, Out: []workload.Stream{stream}}
	for range b.ins {
		p.In = append(p.In, stream)
	}
	return workload.Kernel{Name: name, Kind: workload.KindPointwise, Pointwise: p}
}

// Rows is a kernel over rows of one type: rope, rmsnorm, layernorm or softmax.
func Rows(name string, t dtype.DType, rows, width int) workload.Kernel {
	all := workload.Stream{DType: t, Elements: int64(rows) * int64(width)}
	parameter := workload.Stream{DType: t, Elements: int64(width), Constant: true}
	n := workload.Normalize{Rows: rows, Cols: width, DType: t, Out: []workload.Stream{all}}
	switch name {
	case "rope": // the table of sines and cosines is as large as the input
		n.Passes, n.In = 1, []workload.Stream{all, all}
		n.Ops.Simple = 3
	case "rmsnorm":
		n.Passes, n.In = 2, []workload.Stream{all, parameter}
		n.Ops.Simple, n.RowOps.Divide = 4, 1
	case "layernorm":
		n.Passes, n.In = 3, []workload.Stream{all, parameter, parameter}
		n.Ops.Simple, n.RowOps.Divide = 7, 1
	case "softmax":
		n.Passes, n.In = 3, []workload.Stream{all}
		n.Ops = workload.Mix{Simple: 6, Divide: 1, Transcendental: 1}
	}
	return workload.Kernel{Name: name, Kind: workload.KindNormalize, Normalize: n}
}

// Split maps a pointwise kernel, or one over rows, to columns and rows of cores; a core takes tile elements or rows at
// a time.
func Split(kind workload.Kind, cols, rows, tile int) mapping.Mapping {
	return mapping.Mapping{Kind: kind, Cols: cols, Rows: rows, Tile: tile, Depth: 2}
}
