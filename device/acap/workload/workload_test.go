package workload_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/go-acap/acap/base/dtype"
	"github.com/go-acap/acap/device/acap/workload"
)

// conv is a layer with square input, filter, stride and padding.
func conv(c, size, k, filter, stride, pad int) *workload.Kernel {
	return &workload.Kernel{Name: "conv", Kind: workload.KindConvolution,
		Convolution: workload.Convolution{N: 1, C: c, H: size, W: size, K: k, R: filter, S: filter,
			StrideH: stride, StrideW: stride, PadTop: pad, PadLeft: pad, PadBottom: pad,
			PadRight: pad, DilationH: 1, DilationW: 1, Groups: 1,
			In: dtype.F32, Weight: dtype.F32, Acc: dtype.F32, Out: dtype.F32}}
}

// TestResNet18 adds up the convolutions and the classifier of ResNet-18 at
// 224 × 224: 1,814,073,344 multiply-accumulates.
func TestResNet18(t *testing.T) {
	layers := []*workload.Kernel{conv(3, 224, 64, 7, 2, 3)}
	in, size := 64, 56
	for stage, out := range []int{64, 128, 256, 512} {
		stride := 2
		if stage == 0 {
			stride = 1
		}
		layers = append(layers, conv(in, size, out, 3, stride, 1))
		if stride == 2 {
			layers = append(layers, conv(in, size, out, 1, 2, 0))
			size /= 2
		}
		for range 3 {
			layers = append(layers, conv(out, size, out, 3, 1, 1))
		}
		in = out
	}
	var macs int64 = 512 * 1000
	for _, l := range layers {
		if err := l.Check(); err != nil {
			t.Fatal(err)
		}
		macs += l.MACs()
	}
	if macs != 1814073344 {
		t.Errorf("%d multiply-accumulates", macs)
	}
}

func TestImplicitProduct(t *testing.T) {
	k := conv(16, 28, 32, 3, 2, 1)
	c := k.Convolution.AsContraction()
	product := workload.Kernel{Kind: workload.KindContraction, Contraction: c}
	if c.M != 14*14 || c.N != 32 || c.K != 16*9 || product.MACs() != k.MACs() {
		t.Errorf("%d x %d x %d, %d and %d multiply-accumulates", c.M, c.K, c.N, product.MACs(),
			k.MACs())
	}
	grouped := conv(16, 28, 32, 3, 1, 1)
	grouped.Convolution.Groups = 4
	if c := grouped.Convolution.AsContraction(); c.Batch != 4 || c.K != 36 || c.N != 8 {
		t.Errorf("four groups: %+v", c)
	}
}

func TestCausalPairs(t *testing.T) {
	for _, c := range []struct {
		sq, sk int
		want   int64
	}{{4, 4, 10}, {1, 7, 1}, {3, 5, 1 + 2 + 3}, {5, 3, 1 + 2 + 3 + 3 + 3}} {
		k := workload.Kernel{Kind: workload.KindAttention, Attention: workload.Attention{
			Batch: 2, Heads: 3, KVHeads: 3, Sq: c.sq, Sk: c.sk, D: 5, DV: 7, Causal: true}}
		if got := k.MACs(); got != 2*3*12*c.want {
			t.Errorf("%d queries, %d keys: %d, want %d pairs", c.sq, c.sk, got, c.want)
		}
	}
}

func TestBytes(t *testing.T) {
	op := workload.Operand{DType: dtype.BF16}
	shared := workload.Operand{DType: dtype.I8, Shared: true}
	k := workload.Kernel{Kind: workload.KindContraction, Contraction: workload.Contraction{
		Batch: 3, M: 4, N: 5, K: 6, A: op, B: shared, Out: dtype.F32,
		Epilogue: workload.Epilogue{In: []workload.Stream{{DType: dtype.F32, Elements: 5}}}}}
	if r, w := k.ReadBytes(), k.WriteBytes(); r != 3*4*6*2+6*5+20 || w != 3*4*5*4 {
		t.Errorf("reads %d, writes %d", r, w)
	}
}

// TestTouched counts the elements that windows reach: a stride of two with a filter of
// one element reads every other row and column.
func TestTouched(t *testing.T) {
	for _, c := range []struct {
		k    *workload.Kernel
		want int64
	}{{conv(3, 8, 1, 3, 1, 1), 3 * 64}, {conv(3, 8, 1, 1, 2, 0), 3 * 16}, {conv(2, 9, 1, 2, 3, 0), 2 * 36}} {
		if n := c.k.Inputs()[0].Elements; n != c.want {
			t.Errorf("%+v: %d elements, want %d", c.k.Convolution, n, c.want)
		}
	}
}

func TestCheck(t *testing.T) {
	bad := map[string]*workload.Kernel{
		"no kind":  {},
		"no batch": {Kind: workload.KindContraction},
		"too large": {Kind: workload.KindContraction, Contraction: workload.Contraction{
			Batch: 1, M: 1 << 39, N: 1 << 39, K: 1}},
		"filter larger than input": conv(3, 4, 8, 7, 1, 0),
		"groups":                   conv(3, 8, 8, 3, 1, 1),
		"empty":                    {Kind: workload.KindPointwise},
		"heads": {Kind: workload.KindAttention, Attention: workload.Attention{
			Batch: 1, Heads: 4, KVHeads: 8, Sq: 16, Sk: 16, D: 8, DV: 8}},
	}
	bad["groups"].Convolution.Groups = 2
	for name, k := range bad {
		if k.Check() == nil {
			t.Errorf("%s is valid", name)
		}
	}
}

func TestRuns(t *testing.T) {
	for _, c := range []struct {
		shape, perm []int
		read, write int
	}{
		{[]int{4, 8}, []int{0, 1}, 32, 32},
		{[]int{4, 8}, []int{1, 0}, 1, 4},
		{[]int{4, 8, 16}, []int{1, 0, 2}, 16, 16},
		{[]int{4, 8, 16}, []int{0, 2, 1}, 1, 8},
	} {
		n := 1
		for _, s := range c.shape {
			n *= s
		}
		m := workload.Move{DType: dtype.F32, Elements: int64(n), Shape: c.shape, Perm: c.perm}
		if r, w := m.Runs(); r != c.read || w != c.write {
			t.Errorf("%v by %v: runs of %d and %d, want %d and %d", c.shape, c.perm, r, w, c.read,
				c.write)
		}
	}
}

func ExampleKernel() {
	bf16 := workload.Operand{DType: dtype.BF16}
	k := workload.Kernel{Name: "linear", Kind: workload.KindContraction,
		Contraction: workload.Contraction{Batch: 1, M: 128, N: 512, K: 256, A: bf16, B: bf16,
			Acc: dtype.F32, Out: dtype.BF16}}
	fmt.Println(k.MACs(), "multiply-accumulates,", k.ReadBytes(), "bytes in,", k.WriteBytes(), "out")
	// Output:
	// 16777216 multiply-accumulates, 327680 bytes in, 131072 out
}

// TestVaries: without axes an input of the epilogue varies along the dimensions of the extents that make its number of
// elements.
func TestVaries(t *testing.T) {
	c := workload.Contraction{Batch: 2, M: 3, N: 5, K: 7}
	for elements, want := range map[int64]workload.Axes{
		5: workload.AxisN, 10: workload.AxisN | workload.AxisBatch, 3: workload.AxisM, 6: workload.AxisM | workload.AxisBatch,
		30: workload.AxisBatch | workload.AxisM | workload.AxisN,
	} {
		require.Equal(t, want, c.Varies(workload.Stream{Elements: elements}), "%d elements", elements)
	}
	require.Equal(t, workload.AxisM, c.Varies(workload.Stream{Elements: 5, Axes: workload.AxisM}))
}

// TestClassify: a sum of two arrays is the measured routine, unless elements wait for elements before them.
func TestClassify(t *testing.T) {
	s := workload.Stream{Elements: 64, DType: dtype.BF16}
	for serial, want := range map[float64]string{0: "add", 1: ""} {
		k := workload.Kernel{Kind: workload.KindPointwise, Pointwise: workload.Pointwise{Elements: 64,
			In: []workload.Stream{s, s}, Out: []workload.Stream{s}, Ops: workload.Mix{Simple: 1, Serial: serial}}}
		k.Classify()
		require.Equal(t, want, k.Pointwise.Ops.Routine)
	}
}
