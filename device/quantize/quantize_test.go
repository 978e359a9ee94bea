package quantize_test

import (
	"bytes"
	"context"
	"encoding/hex"
	"fmt"
	"math"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/buf"
	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device"
	"github.com/go-acap/acap/device/host"
	"github.com/go-acap/acap/device/quantize"
	"github.com/go-acap/acap/mlir"
	"github.com/go-acap/acap/ops"
	"github.com/go-acap/acap/tensor/data"
	"github.com/go-acap/acap/tensor/data/digits"
	"github.com/go-acap/acap/translate/importer/torchscript"
)

var ctx = context.Background()

// pictures makes n pictures of each digit: moved, dimmed and noisy.
func pictures(t *testing.T, r *rand.Rand, n int) (x *buf.Buffer, labels []int) {
	const size = 28
	x = buf.New(dtype.F32, []int{10 * n, 1, size, size})
	for i := range 10 * n {
		picture, err := digits.Picture(i % 10)
		require.NoError(t, err)
		gray := data.Gray(picture)
		dx, dy, light := r.IntN(5)-2, r.IntN(5)-2, 0.6+0.4*r.Float64()
		for p := range size * size {
			v := 0.15 * r.Float64()
			if row, col := p/size+dy, p%size+dx; row >= 0 && row < size && col >= 0 && col < size {
				v += light * gray.Float64(row*size+col)
			}
			x.SetFloat64(i*size*size+p, min(v, 1))
		}
		labels = append(labels, i%10)
	}
	return x, labels
}

func run(t *testing.T, module *mlir.Operation, inputs ...*buf.Buffer) *buf.Buffer {
	exe, err := host.Device().Compile(ctx, module)
	require.NoError(t, err)
	defer exe.Close()
	out, err := exe.Run(ctx, inputs)
	require.NoError(t, err)
	return out[0]
}

// right is the share of rows whose largest element is the label's.
func right(scores *buf.Buffer, labels []int) float64 {
	n, hits := scores.Shape[1], 0
	for i, label := range labels {
		best := 0
		for k := range n {
			if scores.Float64(i*n+k) > scores.Float64(i*n+best) {
				best = k
			}
		}
		if best == label {
			hits++
		}
	}
	return float64(hits) / float64(len(labels))
}

func copied(m *mlir.Operation) *mlir.Operation { return m.Clone(map[*mlir.Value]*mlir.Value{}) }

// TestDigits: a trained network loses at most one in a hundred pictures by bytes, on pictures that
// it was not calibrated with.
func TestDigits(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	file := digits.Model()
	model, err := torchscript.Read(bytes.NewReader(file), int64(len(file)), "digits.pt")
	require.NoError(t, err)
	sample, _ := pictures(t, r, 20)
	module, err := model.Import([]ops.TensorType{{DType: dtype.F32, Shape: sample.Shape}})
	require.NoError(t, err)
	c, err := quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{sample}})
	require.NoError(t, err)
	require.Len(t, c.Sites, 5)
	text := c.Quantize().String()
	require.Equal(t, 3, strings.Count(text, `"aten._int_mm"`))
	require.Equal(t, 2, strings.Count(text, `"aten._int_convolution"`))
	quantized, err := host.Device().Compile(ctx, c.Quantize())
	require.NoError(t, err)
	defer quantized.Close()
	products := 0
	for _, k := range quantized.(device.Explained).Kernels() {
		if k.Kind == "convolution" || k.Kind == "contraction" {
			products++
		}
	}
	require.Equal(t, len(c.Sites), products, "each is a kernel for products, and no plain loop")
	test, labels := pictures(t, r, 20)
	exact, quick := right(run(t, copied(module), test), labels), right(run(t, c.Quantize(), test), labels)
	t.Logf("right: f32 %.1f %%, int8 %.1f %%", 100*exact, 100*quick)
	require.Greater(t, exact, 0.8)
	require.GreaterOrEqual(t, quick, exact-0.01)
}

// constantText is a constant of f32 with a normal distribution.
func constantText(r *rand.Rand, scale float64, dims ...int) string {
	n := 1
	shape := ""
	for _, d := range dims {
		n, shape = n*d, shape+fmt.Sprint(d)+"x"
	}
	b := buf.New(dtype.F32, []int{n})
	for i := range n {
		b.SetFloat64(i, r.NormFloat64()*scale)
	}
	return fmt.Sprintf("arith.constant dense<\"0x%s\"> : tensor<%sf32>", strings.ToUpper(hex.EncodeToString(b.Bytes())), shape)
}

// residual is a network of convolutions with inputs of both signs, a pooling between, a residual and
// strides.
func residual(t *testing.T, r *rand.Rand) *mlir.Operation {
	conv := func(x, w, stride, from, to string) string {
		return fmt.Sprintf(`"aten.convolution"(%s, %s, %%b) {stride = array<i64: %s, %s>, padding = array<i64: 1, 1>, dilation = array<i64: 1, 1>,
    transposed = false, output_padding = array<i64: 0, 0>, groups = 1 : i64, operandSegmentSizes = array<i32: 1, 1, 1>} :
    (tensor<%sxf32>, tensor<8x%sx3x3xf32>, tensor<8xf32>) -> tensor<%sxf32>`, x, w, stride, stride, from, strings.Split(from, "x")[1], to)
	}
	module, err := mlir.Parse("residual.mlir", []byte(fmt.Sprintf(`func.func @main(%%x: tensor<2x6x12x12xf32>) -> tensor<2x8x3x3xf32> {
  %%w0 = %s
  %%w1 = %s
  %%w2 = %s
  %%b = %s
  %%0 = %s
  %%1:2 = "aten.max_pool2d_with_indices"(%%0) {kernel_size = array<i64: 2, 2>, stride = array<i64: 2, 2>} : (tensor<2x8x12x12xf32>) -> (tensor<2x8x6x6xf32>, tensor<2x8x6x6xi64>)
  %%2 = %s
  %%3 = "aten.add.Tensor"(%%2, %%1#0) : (tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %%4 = "aten.relu"(%%3) : (tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %%5 = %s
  return %%5 : tensor<2x8x3x3xf32>
}`, constantText(r, .2, 8, 6, 3, 3), constantText(r, .2, 8, 8, 3, 3), constantText(r, .2, 8, 8, 3, 3), constantText(r, .2, 8),
		conv("%x", "%w0", "1", "2x6x12x12", "2x8x12x12"), conv("%1#0", "%w1", "1", "2x8x6x6", "2x8x6x6"),
		conv("%4", "%w2", "2", "2x8x6x6", "2x8x3x3"))))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	return module
}

// TestResidual: the error of bytes is the error of rounding, also at borders, where a byte that stands for 0 is not 0.
func TestResidual(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	module := residual(t, r)
	x := buf.New(dtype.F32, []int{2, 6, 12, 12})
	for i := range x.Len() {
		x.SetFloat64(i, r.NormFloat64())
	}
	c, err := quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{x}})
	require.NoError(t, err)
	require.Len(t, c.Sites, 3)
	require.NotZero(t, c.Sites[0].Zero())
	exact, err := host.Device().Compile(ctx, copied(module))
	require.NoError(t, err)
	quick, err := host.Device().Compile(ctx, c.Quantize())
	require.NoError(t, err)
	compared, err := quantize.Compare(ctx, exact, quick, []*buf.Buffer{x}, 3)
	require.NoError(t, err)
	t.Log(compared)
	require.Less(t, compared.RMS, 0.02*compared.Largest)
	require.Greater(t, compared.RMS, 1e-6)
}

// TestBesideSingle: convolutions before and behind one that cannot be of bytes stay in f32; those further away do not,
// nor do products of matrices.
func TestBesideSingle(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	conv := func(x, w string, size, groups int) string {
		return fmt.Sprintf(`"aten.convolution"(%s, %s, %%b) {stride = array<i64: 1, 1>, padding = array<i64: %d, %d>, dilation = array<i64: 1, 1>,
    transposed = false, output_padding = array<i64: 0, 0>, groups = %d : i64, operandSegmentSizes = array<i32: 1, 1, 1>} :
    (tensor<2x8x6x6xf32>, tensor<8x%dx%dx%dxf32>, tensor<8xf32>) -> tensor<2x8x6x6xf32>`, x, w, size/2, size/2, groups, 8/groups, size, size)
	}
	relu := func(x string) string {
		return fmt.Sprintf(`"aten.relu"(%s) : (tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>`, x)
	}
	module, err := mlir.Parse("blocks.mlir", fmt.Appendf(nil, `func.func @main(%%x: tensor<2x8x6x6xf32>) -> tensor<16x6x5xf32> {
  %%w = %s
  %%point = %s
  %%deep = %s
  %%matrix = %s
  %%b = %s
  %%0 = %s
  %%1 = %s
  %%2 = %s
  %%3 = %s
  %%4 = %s
  %%5 = %s
  %%6 = %s
  %%7 = %s
  %%8 = "aten.add.Tensor"(%%7, %%6) : (tensor<2x8x6x6xf32>, tensor<2x8x6x6xf32>) -> tensor<2x8x6x6xf32>
  %%9 = "aten.view"(%%8) {size = [96, 6]} : (tensor<2x8x6x6xf32>) -> tensor<96x6xf32>
  %%10 = "aten.mm"(%%9, %%matrix) : (tensor<96x6xf32>, tensor<6x5xf32>) -> tensor<96x5xf32>
  %%11 = "aten.view"(%%10) {size = [16, 6, 5]} : (tensor<96x5xf32>) -> tensor<16x6x5xf32>
  return %%11 : tensor<16x6x5xf32>
}`, constantText(r, .2, 8, 8, 3, 3), constantText(r, .3, 8, 8, 1, 1), constantText(r, .3, 8, 1, 3, 3), constantText(r, .3, 6, 5), constantText(r, .2, 8),
		conv("%x", "%w", 3, 1), relu("%0"), conv("%1", "%point", 1, 1), relu("%2"), conv("%3", "%deep", 3, 8), relu("%4"),
		conv("%5", "%point", 1, 1), conv("%6", "%w", 3, 1)))
	require.NoError(t, err)
	require.NoError(t, mlir.Verify(module))
	x := buf.New(dtype.F32, []int{2, 8, 6, 6})
	for i := range x.Len() {
		x.SetFloat64(i, r.NormFloat64())
	}
	c, err := quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{x}})
	require.NoError(t, err)
	var lines []int
	for _, s := range c.Sites {
		lines = append(lines, s.Loc.Line)
	}
	var products []int
	for _, op := range module.Func("main").Body().Ops {
		if op.Name == "aten.convolution" || op.Name == "aten.mm" {
			products = append(products, op.Loc.Line)
		}
	}
	require.Equal(t, []int{products[0], products[4], products[5]}, lines, "not the depthwise one, nor its neighbours")
	exact, quick := run(t, copied(module), x), run(t, c.Quantize(), x)
	worst, largest := 0.0, 0.0
	for i := range exact.Len() {
		worst, largest = max(worst, math.Abs(exact.Float64(i)-quick.Float64(i))), max(largest, math.Abs(exact.Float64(i)))
	}
	require.Less(t, worst, 0.05*largest)
	require.NotZero(t, worst)
}

// TestStep: a product of a tensor that bytes can hold with weights that they can hold is exact.
func TestStep(t *testing.T) {
	module, err := mlir.Parse("step.mlir", []byte(`func.func @main(%x: tensor<1x3xf32>) -> tensor<1x2xf32> {
  %w = arith.constant dense<[[127.0, 1.0], [-64.0, -2.0], [3.0, 127.0]]> : tensor<3x2xf32>
  %0 = "aten.mm"(%x, %w) : (tensor<1x3xf32>, tensor<3x2xf32>) -> tensor<1x2xf32>
  return %0 : tensor<1x2xf32>
}`))
	require.NoError(t, err)
	x := buf.From([]float32{-55, 200, 7}, 1, 3)
	c, err := quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{x}})
	require.NoError(t, err)
	require.Equal(t, float32(1), c.Sites[0].Scale())
	require.Equal(t, 55, c.Sites[0].Zero())
	out := run(t, c.Quantize(), x)
	require.InDelta(t, -55*127-200*64+7*3, out.Float64(0), 1e-2)
	require.InDelta(t, -55-400+7*127, out.Float64(1), 1e-2)
}

func TestRefused(t *testing.T) {
	module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<2x2xf32>) -> tensor<2x2xf32> {
  %0 = "aten.mm"(%x, %x) : (tensor<2x2xf32>, tensor<2x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}`))
	require.NoError(t, err)
	x := buf.From([]float32{1, 2, 3, 4}, 2, 2)
	_, err = quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{x}})
	require.ErrorIs(t, err, quantize.ErrNothing)
	_, err = quantize.Calibrate(ctx, host.Device(), module, nil)
	require.ErrorContains(t, err, "sample")
	r := rand.New(rand.NewPCG(3, 4))
	y := buf.New(dtype.F32, []int{2, 6, 12, 12})
	y.SetFloat64(7, math.Inf(1))
	_, err = quantize.Calibrate(ctx, host.Device(), residual(t, r), [][]*buf.Buffer{{y}})
	require.ErrorContains(t, err, "an operand of aten.convolution")
	for _, weight := range []string{"0x7F800000", "0x7FC00000"} {
		module, err := mlir.Parse("x.mlir", []byte(`func.func @main(%x: tensor<2x1xf32>) -> tensor<2x2xf32> {
  %w = arith.constant dense<[[1.0, `+weight+`]]> : tensor<1x2xf32>
  %0 = "aten.mm"(%x, %w) : (tensor<2x1xf32>, tensor<1x2xf32>) -> tensor<2x2xf32>
  return %0 : tensor<2x2xf32>
}`))
		require.NoError(t, err)
		_, err = quantize.Calibrate(ctx, host.Device(), module, [][]*buf.Buffer{{buf.From([]float32{1, 2}, 2, 1)}})
		require.ErrorContains(t, err, "a weight of aten.mm (x.mlir:3:")
		require.ErrorContains(t, err, "not finite")
	}
}

func ExampleCalibrate() {
	module, err := mlir.Parse("scale.mlir", []byte(`func.func @main(%x: tensor<1x2xf32>) -> tensor<1x1xf32> {
  %w = arith.constant dense<[[0.5], [-1.0]]> : tensor<2x1xf32>
  %0 = "aten.mm"(%x, %w) : (tensor<1x2xf32>, tensor<2x1xf32>) -> tensor<1x1xf32>
  return %0 : tensor<1x1xf32>
}`))
	if err != nil {
		panic(err)
	}
	x := buf.From([]float32{1, 2}, 1, 2)
	var dev device.Device = host.Device()
	c, err := quantize.Calibrate(context.Background(), dev, module, [][]*buf.Buffer{{x}})
	if err != nil {
		panic(err)
	}
	fmt.Println(c.Sites[0].Op, c.Sites[0].Low, c.Sites[0].High)
	// Output: aten.mm 0 2
}
