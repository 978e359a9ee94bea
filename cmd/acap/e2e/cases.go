package e2e

import (
	"context"
	"math/rand/v2"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/cmd/acap/conformance"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
)

// testCase is a program of the end-to-end suite: a Go function on tensors.
type testCase struct {
	name   string
	inputs [][]int // shapes of f32 tensors from a normal distribution
	f      func(x []*tensor.Tensor) []*tensor.Tensor
}

func one(t *tensor.Tensor) []*tensor.Tensor { return []*tensor.Tensor{t} }

// cases are the programs of the suite. Each has something that the others lack.
var cases = []testCase{
	{"add_broadcast", [][]int{{2, 3, 4}, {3, 1}}, func(x []*tensor.Tensor) []*tensor.Tensor { return one(x[0].Add(x[1])) }},
	{"arithmetic", [][]int{{5, 7}, {5, 7}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(x[0].Mul(x[1]).Sub(x[0]).Div(x[1].Abs().Add(x[0].Exp())))
	}},
	{"matmul", [][]int{{17, 33}, {33, 9}}, func(x []*tensor.Tensor) []*tensor.Tensor { return one(x[0].MatMul(x[1])) }},
	{"matmul_batched", [][]int{{3, 5, 8}, {3, 8, 6}}, func(x []*tensor.Tensor) []*tensor.Tensor { return one(x[0].MatMul(x[1])) }},
	{"linear_relu", [][]int{{4, 16}, {16, 8}, {8}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(x[0].MatMul(x[1]).Add(x[2]).ReLU())
	}},
	{"softmax", [][]int{{6, 10}}, func(x []*tensor.Tensor) []*tensor.Tensor { return one(x[0].Softmax(1)) }},
	{"gelu_tanh_sigmoid", [][]int{{31}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].GELU(), x[0].Tanh(), x[0].Sigmoid()}
	}},
	{"reductions", [][]int{{4, 5, 6}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return []*tensor.Tensor{x[0].Sum(), x[0].Mean()}
	}},
	{"transpose_view", [][]int{{4, 6}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(x[0].Transpose(0, 1).Reshape([]int{3, 8}).Neg())
	}},
	{"attention", [][]int{{2, 8, 16}, {2, 8, 16}, {2, 8, 16}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(x[0].MatMul(x[1].Transpose(1, 2)).Softmax(2).MatMul(x[2]))
	}},
	{"convolution", [][]int{{1, 3, 12, 12}, {4, 3, 3, 3}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(tensor.Call("conv2d", x[0], x[1])[0].ReLU())
	}},
	{"max_pool", [][]int{{1, 2, 8, 8}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(tensor.Call("max_pool2d", x[0], []int{2, 2})[0])
	}},
	{"sort", [][]int{{3, 9}}, func(x []*tensor.Tensor) []*tensor.Tensor { return tensor.Call("sort", x[0]) }},
	{"running_sum", [][]int{{3, 9}}, func(x []*tensor.Tensor) []*tensor.Tensor { return tensor.Call("cumsum", x[0], 1) }},
	{"inverse", [][]int{{4, 4}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		return one(tensor.Call("linalg_inv", x[0])[0].MatMul(x[0]))
	}},
	{"positions", [][]int{{5, 11}}, func(x []*tensor.Tensor) []*tensor.Tensor { return tensor.Call("argmax", x[0], 1) }},
	{"in_place_through_a_view", [][]int{{4, 4}, {4}}, func(x []*tensor.Tensor) []*tensor.Tensor {
		y := x[0].Add(x[0])
		tensor.Call("copy_", y.Select(0, 1), x[1])
		return one(y)
	}},
}

// on runs a case's function on a device.
func (c *testCase) on(d device.Device, data []*tensor.Tensor) []*tensor.Tensor {
	x := make([]*tensor.Tensor, len(data))
	for i, t := range data {
		x[i] = t.To(d)
	}
	return c.f(x)
}

// program records a case and computes what it should give, call by call on the host.
func (c *testCase) program(seed uint64) (p Program, err error) {
	defer conformance.CatchPanic(&err)
	r := rand.New(rand.NewPCG(seed, 5))
	var data []*tensor.Tensor
	for _, dims := range c.inputs {
		t := tensor.Zeros(dims...)
		x := tensor.Data[float32](t)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		data = append(data, tensor.FromSlice(x, dims...))
	}
	var want []*buf.Buffer
	for _, t := range c.on(host.Device(), data) {
		b, err := t.Buffer(context.Background())
		if err != nil {
			return p, err
		}
		want = append(want, b)
	}
	var values []lazy.Value
	for _, t := range c.on(acap.Device(), data) {
		values = append(values, t)
	}
	text := string(lazy.GetMLIR(values...))
	inputs := lazy.Inputs(values...)
	p.Name = c.name
	p.open = func() (opened, error) {
		module, err := mlir.Parse(c.name, []byte(text))
		return opened{module, inputs, want}, err
	}
	return p, nil
}
