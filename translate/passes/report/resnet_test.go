package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/translate/passes/report"
)

// network appends layers whose weights are arguments of its function.
type network struct {
	ops.Emit
	body *mlir.Block
}

func (n network) weight(dims ...int) ops.Value {
	return ops.IRValue{V: n.body.AddArg(mlir.Tensor(dtype.F32, dims))}
}

// layer is a convolution without bias, and a batch norm in inference.
func (n network) layer(x ops.Value, channels, kernel, stride int) ops.Value {
	x = n.Call("conv2d", x, n.weight(channels, x.Type().Shape[1], kernel, kernel), nil, []int{stride, stride},
		[]int{kernel / 2, kernel / 2})
	return n.Call("batch_norm", x, n.weight(channels), n.weight(channels), n.weight(channels), n.weight(channels),
		false, 0.1, 1e-5, true)
}

// block adds what two layers make of x to x, or to a convolution of it where the shape changes.
func (n network) block(x ops.Value, channels, stride int) ops.Value {
	y := n.layer(n.Call("relu", n.layer(x, channels, 3, stride)), channels, 3, 1)
	if stride > 1 {
		x = n.layer(x, channels, 1, stride)
	}
	return n.Call("relu", n.Add(y, x))
}

// TestResNet18 counts the network of He et al. (2015) for pictures of 224 by 224: 1.8 thousand million
// multiplications and the parameters that its publication gives.
func TestResNet18(t *testing.T) {
	module := mlir.NewModule()
	f := mlir.NewOp("func.func", nil, nil, nil)
	module.Body().Append(f)
	body := f.AddRegion().AddBlock()
	n := network{ops.Emit{Builder: ops.Appender{Builder: mlir.At(body)}}, body}
	x := n.Call("relu", n.layer(n.weight(1, 3, 224, 224), 64, 7, 2))
	x = n.Call("max_pool2d", x, []int{3, 3}, []int{2, 2}, []int{1, 1})
	for i, channels := range []int{64, 128, 256, 512} {
		x = n.block(x, channels, min(i+1, 2))
		x = n.block(x, channels, 1)
	}
	x = n.Call("flatten.using_ints", n.Call("adaptive_avg_pool2d", x, []int{1, 1}), 1, -1)
	x = n.Call("linear", x, n.weight(1000, 512), n.weight(1000))
	results := []*mlir.Value{ops.ToIR(x)}
	body.Append(mlir.NewOp("func.return", results, nil, nil))
	f.Attrs = mlir.Attrs{{Name: "sym_name", Value: mlir.StringAttr("main")},
		{Name: "function_type", Value: mlir.TypeAttr{Type: mlir.FunctionType{
			Inputs: mlir.TypesOf(body.Args), Results: mlir.TypesOf(results)}}}}
	require.NoError(t, mlir.Verify(module))
	sums := report.Statistics{}
	for _, layer := range report.Operators(module) {
		for name, count := range layer {
			sums[name] += count
		}
	}
	require.EqualValues(t, 1_814_073_344, sums["ops:MAC"])
	require.EqualValues(t, 11_689_512, sums["parameters_in"])
}
