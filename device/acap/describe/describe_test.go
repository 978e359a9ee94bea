package describe_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/describe"
	"github.com/go-acap/acap/device/acap/workload"
	"github.com/go-acap/acap/kernel"
)

func port(n int, write bool) kernel.Port {
	return kernel.Port{DType: dtype.F32, Len: n, Write: write}
}

// chain is exp(x + b) over 8 × 16 with b of 16 elements.
func chain() *kernel.Nest {
	return &kernel.Nest{Name: "chain", Outer: []int{8, 16}, Access: []kernel.Access{
		{Port: port(128, false), Outer: []int{16, 1}}, {Port: port(16, false), Outer: []int{0, 1}},
		{Port: port(128, true), Outer: []int{16, 1}},
	}, Stages: []kernel.Stage{{Body: kernel.Body{
		{Op: kernel.Load, Type: dtype.F32}, {Op: kernel.Load, Type: dtype.F32, Port: 1},
		{Op: kernel.Add, Type: dtype.F32, A: 0, B: 1}, {Op: kernel.Exp, Type: dtype.F32, A: 2},
		{Op: kernel.Store, Type: dtype.F32, A: 3, Port: 2},
	}}}}
}

func TestPointwise(t *testing.T) {
	w, err := describe.Kernel("chain", chain())
	require.NoError(t, err)
	require.Equal(t, workload.KindPointwise, w.Kind)
	require.EqualValues(t, 128, w.Pointwise.Elements)
	require.Equal(t, workload.Mix{Simple: 1, Transcendental: 1}, w.Pointwise.Ops)
	require.EqualValues(t, 4*(128+16), w.ReadBytes(), "the broadcast operand is read once")
	require.EqualValues(t, 4*128, w.WriteBytes())
}

func TestMove(t *testing.T) {
	n := &kernel.Nest{Name: "transpose", Outer: []int{16, 8}, Access: []kernel.Access{
		{Port: port(128, false), Outer: []int{1, 16}}, {Port: port(128, true), Outer: []int{8, 1}},
	}, Stages: []kernel.Stage{{Body: kernel.Body{
		{Op: kernel.Load, Type: dtype.F32}, {Op: kernel.Store, Type: dtype.F32, Port: 1},
	}}}}
	w, err := describe.Kernel("transpose", n)
	require.NoError(t, err)
	require.Equal(t, workload.KindMove, w.Kind)
	require.Equal(t, 1, w.Move.ReadRun)
	require.Equal(t, 128, w.Move.WriteRun)
}

func TestRows(t *testing.T) {
	n := &kernel.Nest{Name: "sum", Outer: []int{8}, Inner: []int{16}, Access: []kernel.Access{
		{Port: port(128, false), Outer: []int{16}, Inner: []int{1}},
		{Port: port(8, true), Outer: []int{1}, Inner: []int{0}},
	}, Stages: []kernel.Stage{
		{Body: kernel.Body{{Op: kernel.Load, Type: dtype.F32}},
			Reduce: []kernel.Reduction{{Kind: kernel.ReduceSum, Type: dtype.F32}}},
		{Once: true, Body: kernel.Body{{Op: kernel.Acc, Type: dtype.F32},
			{Op: kernel.Store, Type: dtype.F32, Port: 1}}},
	}}
	w, err := describe.Kernel("sum", n)
	require.NoError(t, err)
	require.Equal(t, workload.KindNormalize, w.Kind)
	require.Equal(t, [3]int{8, 16, 1}, [3]int{w.Normalize.Rows, w.Normalize.Cols, w.Normalize.Passes})
	require.EqualValues(t, 4*8, w.WriteBytes())
}

func TestContraction(t *testing.T) {
	c := &kernel.Contraction{Name: "mm", Batch: []int{3}, M: 4, N: 5, K: 6, Acc: dtype.F32,
		A: kernel.Matrix{Port: port(72, false), Batch: []int{24}, Row: 6, Col: 1},
		B: kernel.Matrix{Port: kernel.Port{DType: dtype.F32, Len: 30, Const: true}, Batch: []int{0}, Row: 1, Col: 6},
		Epilogue: kernel.Epilogue{Access: []kernel.Access{{Port: port(60, true), Outer: []int{20, 5, 1}}},
			Body: kernel.Body{{Op: kernel.Input, Type: dtype.F32}, {Op: kernel.Store, Type: dtype.F32, Port: 2}}}}
	w, err := describe.Kernel("mm", c)
	require.NoError(t, err)
	require.EqualValues(t, 3*4*5*6, w.MACs())
	b := w.Contraction.B
	require.True(t, b.Transposed && b.Shared && b.Constant)
	require.False(t, w.Contraction.A.Shared)
}

func TestConvolution(t *testing.T) {
	c := &kernel.Convolution{Name: "conv", N: 1, C: 3, H: 8, W: 8, K: 4, P: 4, Q: 4, R: 3, S: 3,
		Stride: [2]int{2, 2}, Dilation: [2]int{1, 1}, Pad: [2]int{1, 1}, Groups: 1, Acc: dtype.F32,
		X: kernel.Image{Port: port(192, false)}, Filter: kernel.Image{Port: port(108, false)}}
	w, err := describe.Kernel("conv", c)
	require.NoError(t, err)
	require.Equal(t, 4, w.Convolution.OutH())
	require.Equal(t, 0, w.Convolution.PadBottom, "the last window ends inside the input")
	require.EqualValues(t, 4*4*4*3*9, w.MACs())
}

func ExampleKernel() {
	w, err := describe.Kernel("chain", chain())
	fmt.Println(w.Kind, w.Ops(), err)
	// Output: pointwise 256 <nil>
}
