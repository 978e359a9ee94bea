package emit

import (
	"encoding/binary"
	"math"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/engine/graph"
	"github.com/go-acap/acap/kernel"
)

// TestSparse: weights have at most two values that are not zero of every four along the sum, wherever they lie and
// whatever they were converted from.
func TestSparse(t *testing.T) {
	bytes := func(v ...int8) *graph.Tensor {
		data := make([]byte, len(v))
		for i := range v {
			data[i] = byte(v[i])
		}
		return &graph.Tensor{Kind: graph.Constant, DType: dtype.I8, Size: len(v), Data: data}
	}
	floats := func(v ...float32) *graph.Tensor {
		var data []byte
		for _, f := range v {
			data = binary.LittleEndian.AppendUint32(data, math.Float32bits(f))
		}
		return &graph.Tensor{Kind: graph.Constant, DType: dtype.F32, Size: len(v), Data: data}
	}
	minus := float32(math.Copysign(0, -1))
	// to is 2 × 4 elements as another type: in their order, or transposed.
	to := func(from *graph.Tensor, transposed bool, op kernel.Op) *graph.Tensor {
		strides := []int{4, 1}
		if transposed {
			strides = []int{1, 2}
		}
		n := &graph.Node{Kind: graph.Pointwise, Extents: []int{2, 4}, Par: 2, Ins: []graph.Access{{Tensor: from, Strides: []int{4, 1}}},
			Body: kernel.Body{{Op: kernel.Load}, {Op: op}}}
		out := &graph.Tensor{DType: dtype.BF16, Size: 8, Writers: []*graph.Node{n}}
		n.Outs = []graph.Output{{Access: graph.Access{Tensor: out, Strides: strides}}}
		return out
	}
	rows := []int{4, 1} // n, k: a row of four along the sum
	pruned := floats(1, 0, minus, 2, 0, 3, 0, 0)
	for _, c := range []struct {
		name    string
		t       *graph.Tensor
		strides []int
		k       int
		want    bool
	}{
		{"two of four", bytes(1, 0, 0, 2, 0, 3, 4, 0), rows, 4, true},
		{"fewer", bytes(0, 0, 0, 0, 0, 0, 4, 0), rows, 4, true},
		{"three of four", bytes(1, 0, 0, 2, 0, 3, 4, 5), rows, 4, false},
		{"three at the start", bytes(1, 1, 0, 2, 0, 3, 4, 0), rows, 4, false},
		{"not along the sum", bytes(1, 0, 0, 2, 1, 0, 0, 2), []int{1, 2}, 4, true},
		{"along the other dimension alone", bytes(1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0, 1, 1, 0, 0), []int{1, 4}, 4, false},
		{"a rest of two", bytes(1, 0, 0, 2, 1, 1, 1, 0, 0, 2, 1, 1), []int{6, 1}, 6, true},
		{"f32 has no such multipliers", pruned, rows, 4, false},
		{"converted, with -0", to(pruned, false, kernel.Cast), rows, 4, true},
		{"converted and transposed", to(pruned, true, kernel.Cast), []int{1, 2}, 4, true},
		{"converted and transposed, read in another order", to(floats(1, 1, 0, 0, 1, 1, 0, 0), true, kernel.Cast), rows, 4, false},
		{"the same in its order", to(floats(1, 1, 0, 0, 1, 1, 0, 0), true, kernel.Cast), []int{1, 2}, 4, true},
		{"converted, dense", to(floats(1, 0, 3, 2, 0, 3, 0, 0), false, kernel.Cast), rows, 4, false},
		{"computed", to(pruned, false, kernel.Exp), rows, 4, false},
		{"an argument", &graph.Tensor{Kind: graph.Argument, DType: dtype.I8, Size: 8}, rows, 4, false},
	} {
		n := 2
		if len(c.t.Data) == 16 {
			n = 4
		}
		require.Equal(t, c.want, sparse(&graph.Access{Tensor: c.t, Strides: c.strides}, []int{n, c.k}, 1), c.name)
	}
}
