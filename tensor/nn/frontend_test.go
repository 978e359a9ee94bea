package nn_test

import (
	"context"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap"
	"github.com/go-acap/acap/lazy"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/tensor"
	"github.com/go-acap/acap/translate/passes/report"
	"github.com/go-acap/acap/translate/passes/simplify"
)

// The tests of PyTorch/ACAP's frontend (llvm/mlir-npcomp, frontends/pytorch/test) have their
// equivalents here: what is exported as MLIR, and what is computed. Those of its passes are
// cmd/acap/testdata/text/report_*.mlir.

// Tensors are inputs and outputs of a program of the tests.
type Tensors = []*tensor.Tensor

// gradients are the gradients of the sum of a value.
func gradients(y *tensor.Tensor, of ...*tensor.Tensor) Tensors {
	return tensor.Grad(Tensors{y.Sum()}, of, nil)
}

// lenet is PyTorch's example for handwritten digits, without dropout.
func lenet(x, w1, b1, w2, b2, w3, b3, w4, b4 *tensor.Tensor) *tensor.Tensor {
	x = x.Conv2d(w1, tensor.Bias(b1)).ReLU().Conv2d(w2, tensor.Bias(b2)).MaxPool2d([]int{2, 2})
	x = x.View([]int{x.Size(0), w3.Size(1)}).Linear(w3, tensor.Bias(b3)).ReLU().Linear(w4, tensor.Bias(b4))
	return x.LogSoftmax(1)
}

// lenetShapes are the input of lenet, for a given picture and channels, and its weights.
func lenetShapes(batch, size, first, second, hidden int) [][]int {
	flat := second * ((size - 4) / 2) * ((size - 4) / 2)
	return [][]int{{batch, 1, size, size}, {first, 1, 3, 3}, {first}, {second, first, 3, 3}, {second},
		{hidden, flat}, {hidden}, {10, hidden}, {10}}
}

func classes(n, of int) *tensor.Tensor {
	c := make([]int64, n)
	for i := range c {
		c[i] = int64(i*7) % int64(of)
	}
	return tensor.FromSlice(c, n)
}

// executed are the programs of the 17 tests that compare the compiled with the plain
// computation.
var executed = []struct {
	name   string
	shapes [][]int
	run    func(x Tensors) Tensors
}{
	{"the sum of two", [][]int{{1, 2, 3, 4}, {1, 2, 3, 4}}, func(x Tensors) Tensors { return Tensors{x[0].Add(x[1])} }},
	{"the sum of three", [][]int{{1, 2, 3}, {1, 2, 3}, {1, 2, 3}}, func(x Tensors) Tensors { return Tensors{x[0].Add(x[1]).Add(x[2])} }},
	{"sums of three views", [][]int{{4, 6}, {2, 12}}, func(x Tensors) Tensors {
		flat, cube, square := x[0].View([]int{24}), x[1].View([]int{2, 3, 4}), x[1].View([]int{4, 6})
		return Tensors{flat.Add(x[1].View([]int{24})), cube.Add(x[0].View([]int{2, 3, 4})), square.Add(x[0])}
	}},
	{"as_strided", [][]int{{5, 5}}, func(x Tensors) Tensors { return Tensors{x[0].AsStrided([]int{2, 3, 2}, []int{1, 2, 7})} }},
	{"a convolution of 7 by 7 with stride and padding", [][]int{{1, 2, 32, 32}, {16, 2, 7, 7}, {16}}, func(x Tensors) Tensors {
		return Tensors{x[0].Conv2d(x[1], tensor.Bias(x[2]), tensor.Stride(2), tensor.Padding(3))}
	}},
	{"the gradients of a convolution's weight and bias", [][]int{{3, 4, 8, 8}, {16, 4, 3, 3}, {16}}, func(x Tensors) Tensors {
		y := x[0].Conv2d(x[1], tensor.Bias(x[2]), tensor.Padding(1))
		return gradients(y.Mul(y), x[1], x[2])
	}},
	{"LeNet", lenetShapes(2, 12, 8, 16, 32), func(x Tensors) Tensors {
		return Tensors{lenet(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])}
	}},
	{"the gradients of LeNet", lenetShapes(2, 12, 8, 16, 32), func(x Tensors) Tensors {
		y := lenet(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])
		loss := y.NLLLoss(classes(2, 10).To(y.Device()))
		return append(gradients(loss, x[1], x[3], x[5], x[7]), loss)
	}},
	{"a linear layer", [][]int{{4, 32}, {16, 32}, {16}}, func(x Tensors) Tensors { return Tensors{x[0].Linear(x[1], tensor.Bias(x[2]))} }},
	{"log_softmax", [][]int{{4, 10}}, func(x Tensors) Tensors { return Tensors{x[0].LogSoftmax(1)} }},
	{"max_pool2d with overlap", [][]int{{1, 8, 16, 16}}, func(x Tensors) Tensors {
		return Tensors{x[0].MaxPool2d([]int{3, 3}, tensor.Stride(2), tensor.Padding(1))}
	}},
	{"the gradients of a perceptron", [][]int{{8, 24}, {16, 24}, {16}, {10, 16}, {10}}, func(x Tensors) Tensors {
		y := x[0].Linear(x[1], tensor.Bias(x[2])).ReLU().Linear(x[3], tensor.Bias(x[4]))
		return gradients(y.LogSoftmax(1).NLLLoss(classes(8, 10).To(y.Device())), x[1:]...)
	}},
	{"a product of matrices", [][]int{{3, 13}, {13, 5}}, func(x Tensors) Tensors { return Tensors{x[0].MM(x[1])} }},
	{"the product of two", [][]int{{1, 2, 3, 4}, {1, 2, 3, 4}}, func(x Tensors) Tensors { return Tensors{x[0].Mul(x[1])} }},
	{"nll_loss", [][]int{{3, 5}}, func(x Tensors) Tensors {
		return Tensors{x[0].LogSoftmax(1).NLLLoss(classes(3, 5).To(x[0].Device()))}
	}},
	{"relu", [][]int{{1, 2, 3, 4}}, func(x Tensors) Tensors { return Tensors{x[0].ReLU()} }},
	{"t", [][]int{{2, 3}}, func(x Tensors) Tensors { return Tensors{x[0].T()} }},
}

// TestFrontendRuns: the array's results agree with the host's in f64, and one program runs, as recorded.
func TestFrontendRuns(t *testing.T) {
	require.Len(t, executed, 17)
	for _, e := range executed {
		t.Run(e.name, func(t *testing.T) {
			tensor.Seed(1)
			var single, double Tensors
			for _, dims := range e.shapes {
				b, err := tensor.Randn(dims...).MulScalar(0.3).Buffer(context.Background())
				require.NoError(t, err)
				single = append(single, tensor.FromBuffer(b).To(acap.Device()).RequiresGrad())
				double = append(double, tensor.FromBuffer(b.Cast(dtype.F64)).RequiresGrad())
			}
			got, want := e.run(single), e.run(double)
			require.Len(t, got, len(want))
			for i := range want {
				require.Equal(t, want[i].Shape(), got[i].Shape())
				x, y := want[i].Float64s(), got[i].Float64s()
				for k := range x {
					require.InDelta(t, x[k], y[k], 1e-5*math.Max(1, math.Abs(x[k])), "element %d of result %d", k, i)
				}
			}
		})
	}
}

// expanded returns inputs on the array that hold no data of their own: zeros, expanded.
func expanded(shapes ...[]int) Tensors {
	var out Tensors
	for _, dims := range shapes {
		out = append(out, tensor.Zeros(1).To(acap.Device()).Expand(dims))
	}
	return out
}

// layersOf are the names of a text's layers, without the views that make inputs.
func layersOf(t *testing.T, text lazy.MLIR) (*mlir.Operation, []string) {
	t.Helper()
	module, err := mlir.Parse("graph.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, report.NameLayers(module))
	var names []string
	module.Walk(func(op *mlir.Operation) {
		if name, ok := op.Attrs.Get("layer_name").(mlir.StringAttr); ok {
			names = append(names, string(name))
		}
	})
	return module, names
}

// TestExportResidual: the layers of a residual block with normalization first have names in
// their order, and the sum takes the input first.
func TestExportResidual(t *testing.T) {
	x := tensor.Zeros(1, 16, 8, 8).To(acap.Device())
	ones := tensor.Ones(16).To(acap.Device())
	w := tensor.Zeros(16, 16, 3, 3).To(acap.Device())
	y := x
	for range 3 {
		y = tensor.Call("native_batch_norm", y, ones, ones, nil, nil, true, 0.1, 1e-5)[0]
		y = y.ReLU().Conv2d(w, tensor.Padding(1))
	}
	text := lazy.GetMLIR(x.Add(y))
	module, names := layersOf(t, text)
	require.Equal(t, []string{"L0-native_batch_norm-0", "L1-relu-0", "L2-conv2d-0", "L3-native_batch_norm-1", "L4-relu-1",
		"L5-conv2d-1", "L6-native_batch_norm-2", "L7-relu-2", "L8-conv2d-2", "L9-add-0"}, withoutOverloads(names))
	body := module.Func("main").Body()
	sum := body.Ops[len(body.Ops)-2]
	require.Equal(t, body.Args[0], sum.Operands[0])
}

// withoutOverloads makes one name of the convolutions that the recording may choose from.
func withoutOverloads(names []string) []string {
	out := slices.Clone(names)
	for i, n := range out {
		out[i] = strings.NewReplacer("_convolution", "conv2d", "-convolution", "-conv2d").Replace(n)
	}
	return out
}

// TestExportThreeAdded: the text of 2019, in which two sums share one constant after CSE.
func TestExportThreeAdded(t *testing.T) {
	x := recordedLeaves([]int{1, 2, 3}, []int{1, 2, 3}, []int{1, 2, 3})
	text, err := lazy.MLIRAt(lazy.StageACAP2019, x[0].Add(x[1]).Add(x[2]))
	require.NoError(t, err)
	module, err := mlir.Parse("graph.mlir", []byte(text))
	require.NoError(t, err)
	require.NoError(t, simplify.CSE(module))
	require.Equal(t, `module {
  func @graph(%arg0: tensor<1x2x3xf32>, %arg1: tensor<1x2x3xf32>, %arg2: tensor<1x2x3xf32>) -> tensor<1x2x3xf32> {
    %0 = "aten.constant"() {type = "i32", value = 1 : i32} : () -> i32
    %1 = "aten.add"(%arg0, %arg1, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    %2 = "aten.add"(%1, %arg2, %0) : (tensor<1x2x3xf32>, tensor<1x2x3xf32>, i32) -> tensor<1x2x3xf32>
    return %2 : tensor<1x2x3xf32>
  }
}`, strings.TrimSpace(module.Text(mlir.PrintOptions{Spelling: mlir.ACAP2019})))
}

// recordedLeaves are tensors with data on the array.
func recordedLeaves(shapes ...[]int) Tensors {
	var out Tensors
	for _, dims := range shapes {
		out = append(out, tensor.FromBuffer(buf.New(dtype.F32, dims)).To(acap.Device()))
	}
	return out
}

// TestExportBatchNorm: a normalization has its three results, of the right types.
func TestExportBatchNorm(t *testing.T) {
	x := recordedLeaves([]int{42, 123, 4, 5}, []int{123}, []int{123})
	y := tensor.Call("native_batch_norm", x[0], x[1], x[2], nil, nil, true, 0.1, 1e-5)
	text := string(lazy.GetMLIR(y[0]))
	require.Regexp(t, `"aten.native_batch_norm"\(%arg0, %arg1, %arg2\) .*\(tensor<42x123x4x5xf32>, tensor<123xf32>, tensor<123xf32>\) -> `+
		`\(tensor<42x123x4x5xf32>, tensor<123xf32>, tensor<123xf32>\)`, text)
}

// TestExportConvBackward: the gradient of a convolution's weight is one convolution, of the
// weight's type.
func TestExportConvBackward(t *testing.T) {
	x := recordedLeaves([]int{3, 4, 8, 8}, []int{16, 4, 3, 3}, []int{16})
	for _, v := range x[1:] {
		v.RequiresGrad()
	}
	grads := gradients(x[0].Conv2d(x[1], tensor.Bias(x[2]), tensor.Padding(1)), x[1], x[2])
	text := string(lazy.GetMLIR(grads[0]))
	require.Equal(t, 1, strings.Count(text, `"aten.convolution"(`), text)
	require.Contains(t, text, "-> tensor<16x4x3x3xf32> {")
}

// TestExportManyOutputs: several values are one function with as many results, in the order asked
// for.
func TestExportManyOutputs(t *testing.T) {
	x := recordedLeaves([]int{2, 3}, []int{2, 3})
	sum := x[0].Add(x[1])
	text := string(lazy.GetMLIR(sum, sum.Mul(x[0]), sum.ReLU()))
	require.Contains(t, text, "return %0, %1, %2 : tensor<2x3xf32>, tensor<2x3xf32>, tensor<2x3xf32>")
}

// resnet18 is the network of He et al. for pictures of 1000 classes.
func resnet18(x *tensor.Tensor) *tensor.Tensor {
	conv := func(x *tensor.Tensor, out, size, stride int) *tensor.Tensor {
		w := expanded([]int{out, x.Size(1), size, size}, []int{out})
		x = x.Conv2d(w[0], tensor.Stride(stride), tensor.Padding(size/2))
		return tensor.Call("native_batch_norm", x, w[1], w[1], nil, nil, true, 0.1, 1e-5)[0]
	}
	x = conv(x, 64, 7, 2).ReLU().MaxPool2d([]int{3, 3}, tensor.Stride(2), tensor.Padding(1))
	for stage := range 4 {
		for block := range 2 {
			out, stride := 64<<stage, 1
			if stage > 0 && block == 0 {
				stride = 2
			}
			y := conv(conv(x, out, 3, stride).ReLU(), out, 3, 1)
			if stride == 2 {
				x = conv(x, out, 1, 2)
			}
			x = x.Add(y).ReLU()
		}
	}
	w := expanded([]int{1000, 512}, []int{1000})
	return x.AdaptiveAvgPool2d([]int{1, 1}).View([]int{x.Size(0), 512}).Linear(w[0], tensor.Bias(w[1]))
}

// vgg11 is the network of Simonyan and Zisserman with normalization.
func vgg11(x *tensor.Tensor) *tensor.Tensor {
	for i, out := range []int{64, 128, 256, 256, 512, 512, 512, 512} {
		w := expanded([]int{out, x.Size(1), 3, 3}, []int{out})
		x = x.Conv2d(w[0], tensor.Bias(w[1]), tensor.Padding(1))
		x = tensor.Call("native_batch_norm", x, w[1], w[1], nil, nil, true, 0.1, 1e-5)[0].ReLU()
		if i < 2 || i%2 == 1 {
			x = x.MaxPool2d([]int{2, 2})
		}
	}
	x = x.AdaptiveAvgPool2d([]int{7, 7}).View([]int{x.Size(0), 512 * 49})
	for _, out := range []int{4096, 4096, 1000} {
		w := expanded([]int{out, x.Size(1)}, []int{out})
		if x = x.Linear(w[0], tensor.Bias(w[1])); out != 1000 {
			x = x.ReLU()
		}
	}
	return x
}

// multiplications are the MACs of a report.
func multiplications(report map[string]report.Statistics) (sum int) {
	for _, s := range report {
		sum += s["ops:MAC"]
	}
	return sum
}

// TestExportNetworks: the networks for pictures give 1000 classes for each of 32, their reports
// the published work. Nothing of them is computed.
func TestExportNetworks(t *testing.T) {
	for _, c := range []struct {
		name string
		net  func(*tensor.Tensor) *tensor.Tensor
		macs int
	}{{"ResNet-18", resnet18, 1_200_750_592}, {"VGG-11", vgg11, 8_844_738_560}} {
		text := lazy.GetMLIR(c.net(expanded([]int{32, 3, 32, 32})[0]))
		require.Contains(t, string(text), "-> tensor<32x1000xf32> {", c.name)
		module, _ := layersOf(t, text)
		require.Equal(t, c.macs, multiplications(report.Operators(module)), c.name)
	}
}

// TestReportConv: the report of a convolution with its parameters.
func TestReportConv(t *testing.T) {
	x := recordedLeaves([]int{1, 2, 128, 128}, []int{16, 2, 7, 7}, []int{16})
	module, _ := layersOf(t, lazy.GetMLIR(x[0].Conv2d(x[1], tensor.Bias(x[2]), tensor.Stride(2), tensor.Padding(3))))
	for _, got := range report.Operators(module) {
		require.Equal(t, report.Statistics{"activation_in": 32768, "activation_out": 65536, "ops:+": 65536,
			"ops:MAC": 6422528, "parameters_in": 1584, "reads": 34352, "writes": 65536}, got)
	}
	x = recordedLeaves(lenetShapes(4, 28, 32, 64, 128)...)
	module, _ = layersOf(t, lazy.GetMLIR(lenet(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])))
	require.Equal(t, 47_969_792, multiplications(report.Operators(module)))
}

// TestReportBackward: the report of a gradient has an entry for every layer, with what it reads
// and writes, and the multiplications of each convolution and product.
func TestReportBackward(t *testing.T) {
	x := recordedLeaves(lenetShapes(2, 12, 8, 16, 32)...)
	for _, v := range x[1:] {
		v.RequiresGrad()
	}
	y := lenet(x[0], x[1], x[2], x[3], x[4], x[5], x[6], x[7], x[8])
	loss := y.NLLLoss(classes(2, 10).To(acap.Device()))
	module, names := layersOf(t, lazy.GetMLIR(gradients(loss, x[1])[0]))
	report := report.Operators(module)
	require.Len(t, report, len(names))
	products := 0
	for name, s := range report {
		if strings.Contains(name, "log_softmax-") {
			continue // which PyTorch/ACAP left out of its sums
		}
		require.Contains(t, s, "reads", name)
		require.Contains(t, s, "writes", name)
		if strings.Contains(name, "conv") || strings.Contains(name, "mm-") || strings.Contains(name, "linear-") {
			require.Positive(t, s["ops:MAC"], name)
			products++
		}
	}
	require.GreaterOrEqual(t, products, 6, "two convolutions and their gradients, two products and theirs")
}
